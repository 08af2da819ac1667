import fc from 'fast-check'
import { type Rank, rankOf, wantedIn } from '../../src/domain/name-search.ts'
import { type NameKind, nameKinds } from '../../src/domain/name-terms.ts'
import { type Reading, readWords } from '../../src/domain/name-words.ts'
import type { SeededCompany } from '../../src/index.ts'

/** Anything with a name, as a plain model remembers it. */
export interface Thing {
  readonly kind: NameKind
  /** The ref; of a folder, its number. */
  readonly id: string
  /** Of folders and files. */
  readonly number: number | null
  /** What it lies in: none for a project, a list for a task, a folder or a project for a file. */
  within: Thing | null
  name: string
  /** Empty where there is none. */
  slug: string
  /** Archived or completed. */
  isOver: boolean
  /** Softly. */
  isDeleted: boolean
}

/** One search; no kinds are all. */
export interface Query {
  q: string
  kinds: readonly NameKind[] | null
  each: number
}

/** All that is there, oldest first, and what a search of it must answer: every name is looked at, every time. */
export class NamedThings {
  #all: Thing[] = []

  add(thing: Omit<Thing, 'isOver' | 'isDeleted'>): Thing {
    const added = { ...thing, isOver: false, isDeleted: false }
    this.#all.push(added)
    return added
  }

  /** For good, with all that lies in it. */
  remove(thing: Thing): void {
    this.#all = this.#all.filter((other) => !linesOf(other).includes(thing))
  }

  live(kind: NameKind): Thing[] {
    return this.#all.filter((thing) => thing.kind === kind && isLive(thing))
  }

  deleted(kind: NameKind): Thing[] {
    return this.#all.filter((thing) => thing.kind === kind && thing.isDeleted)
  }

  /** What lies right in it. */
  inside(thing: Thing): Thing[] {
    return this.#all.filter(({ within }) => within === thing)
  }

  /** How many of a kind are found by this, the deleted too. */
  countFound(q: string, kind: NameKind): number {
    return this.#all.filter((thing) => thing.kind === kind && rank(q, thing) !== null).length
  }

  search({ q, kinds, each }: Query) {
    const results: object[] = []
    const truncated: NameKind[] = []
    for (const kind of nameKinds) {
      if (kinds !== null && !kinds.includes(kind)) continue
      const found = this.live(kind)
        .reverse()
        .flatMap((thing) => ({ thing, rank: rank(q, thing) }))
        .filter((hit): hit is { thing: Thing; rank: Rank } => hit.rank !== null)
        .sort((a, b) => a.rank - b.rank)
      if (found.length > each) truncated.push(kind)
      results.push(...found.slice(0, each).map(({ thing }) => this.#shape(thing)))
    }
    return { query: q, results, truncated }
  }

  #shape(thing: Thing): object {
    const { kind: type, id, number, name, slug, within } = thing
    const project_slug = projectOf(thing).slug
    if (type === 'project') return { type, id, title: name, project_slug, archived: thing.isOver }
    if (type === 'task_list') {
      const tasks = this.inside(thing)
      const completed = tasks.length > 0 && tasks.every(({ isOver }) => isOver)
      return { type, id, title: name, project_slug, task_list_slug: slug, completed }
    }
    if (type === 'task') {
      const slugs = { project_slug, task_list_slug: within?.slug, task_slug: slug }
      return { type, id, title: name, ...slugs, completed: thing.isOver }
    }
    if (type === 'folder') return { type, name, project_slug, folder_id: number }
    if (type === 'discussion') return { type, id, title: name, project_slug, discussion_slug: slug }
    return { type, id, name, project_slug, folder_id: folderOf(thing), file_id: number }
  }
}

/** Things of one company, some of them deleted and some renamed since. */
export function seedMany(company: SeededCompany, given: readonly string[]): NamedThings {
  const things = new NamedThings()
  const home = company.project({ name: 'Home' })
  const list = home.list({ title: 'Home' })
  const project = things.add({ kind: 'project', ...seeded(home), within: null })
  const tasks = things.add({ kind: 'task_list', ...seeded(list), within: project })
  for (const [at, name] of given.entries()) {
    const made = company.project({ name })
    const thing = things.add({ kind: 'project', ...seeded(made), within: null })
    const task = list.task({ title: at % 9 === 0 ? 'Cafe أحمد' : name })
    const renamed = at % 9 === 0 ? task.rename(name) : task
    things.add({ kind: 'task', ...seeded(renamed), within: tasks })
    const discussion = made.discussion({ title: name })
    const topic = things.add({ kind: 'discussion', ...seeded(discussion), within: thing })
    if (at % 4 === 0) discussion.remove()
    topic.isDeleted = at % 4 === 0
    if (at % 5 === 0) made.remove()
    thing.isDeleted = at % 5 === 0
  }
  return things
}

function seeded(made: { id: string; slug: string; name?: string; title?: string }) {
  const { id, slug, name = '', title = name } = made
  return { id, slug, name: title, number: null }
}

export function projectOf(thing: Thing): Thing {
  return linesOf(thing).at(-1) as Thing
}

/** The number of the folder that a folder or a file lies in; null at the root. */
export function folderOf({ within }: Pick<Thing, 'within'>): number | null {
  return within?.kind === 'folder' ? within.number : null
}

/** It, what it lies in, and so on up to the project. */
export function linesOf(thing: Thing): Thing[] {
  return thing.within === null ? [thing] : [thing, ...linesOf(thing.within)]
}

function isLive(thing: Thing): boolean {
  return !linesOf(thing).some(({ isDeleted }) => isDeleted)
}

function rank(q: string, { name }: Thing): Rank | null {
  const wanted = wantedIn(reading(q))
  return wanted && rankOf(wanted, reading(name))
}

const readings = new Map<string, Reading>()

/** Each is read once: the same few names are searched again and again. */
function reading(text: string): Reading {
  const read = readings.get(text) ?? readWords(text)
  readings.set(text, read)
  return read
}

/** Few, so that names share them: spellings of the same, words that begin alike, words longer than the index keeps. */
const common = ['أحمد', 'احمد', 'المدرسة', 'مدرسه', 'للمدرسة', 'Café', 'cafe', 'Website']
const rare = [
  ...['أَحْمَد', 'إحمد', 'مدرستنا', 'والمدرسة', 'بالمدرسة', 'CAFÉ', 'cafeteria', 'web', 'websites'],
  ...['عبد الله', 'عبدالله', 'عبد', 'الله', 'أبو ظبي', 'ابوظبي', 'أبو عبد الله', 'أبوعبدالله'],
  ...['نور الدين', 'نورالدين', 'النور', 'لله', 'للغة', 'اللغة', 'لغة', 'ألمانيا', 'المانيا'],
  ...['e-mail', 'email', "Sana'a", 'sanaa', 'sana', '٢٠٢٦', '2026', '20', 'Straße', 'strasse'],
  ...['International', 'Internationalisation', 'internationalization', 'Internationales'],
  ...['الاستراتيجيات', 'استراتيجيتنا', 'والاستراتيجيات', 'website redesign', 'Website review'],
  ...['✅', '#', '(', '؟', '🇸🇦', 'a', 'ا', 'و', 'ال'],
]

export const vocabulary: readonly string[] = [...common, ...rare]

const words = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...common) },
  { weight: 1, arbitrary: fc.constantFrom(...rare) },
)
const gaps = fc.constantFrom(' ', ' ', ' ', '-', ' – ', ', ', '  ')

/** Of one to three words; a name of nothing but a sign is one too. */
export const names: fc.Arbitrary<string> = fc
  .tuple(fc.array(words, { minLength: 1, maxLength: 3 }), gaps)
  .map(([parts, gap]) => parts.join(gap))

const soughtWords = fc
  .tuple(words, fc.option(fc.integer({ min: 1, max: 13 })), fc.constantFrom('', '', '', 'ال', 'لل'))
  .map(([word, most, article]) => article + [...word].slice(0, most ?? word.length).join(''))

/** The same words, whole or cut short, with articles that they may or may not have. */
export const soughtNames: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 2, arbitrary: fc.array(soughtWords, { minLength: 1, maxLength: 3 }) },
    { weight: 2, arbitrary: fc.tuple(soughtWords) },
    { weight: 1, arbitrary: fc.tuple(names) },
  )
  .map((parts) => parts.join(' '))

export const queries: fc.Arbitrary<Query> = fc.record({
  q: soughtNames,
  kinds: fc.option(fc.subarray([...nameKinds], { minLength: 1 })),
  each: fc.constantFrom(1, 2, 5, 25),
})
