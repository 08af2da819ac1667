import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { openInMemory } from '../../src/db/open.ts'
import { newestOf, readers } from '../../src/domain/name-reader.ts'
import { rankOf, ranks, wantedIn } from '../../src/domain/name-search.ts'
import { type Questions, questionsFor, termsOf } from '../../src/domain/name-terms.ts'
import { readWords } from '../../src/domain/name-words.ts'
import { vectors } from './folding-vectors.ts'
import { pairs } from './name-pairs.ts'

const words = [
  'المدرسة',
  'مدرسه',
  'للغة',
  'عبد',
  'الله',
  'أبو',
  'ظبي',
  'نور',
  'الدين',
  'Internationalization',
  'internationalisation',
  'developments',
  "Sana'a",
  'e-mail',
  '#',
  '%',
  '🚀',
  '🇸🇦',
  '𐤀𐤁𐤂𐤃𐤄𐤅𐤆𐤇𐤈𐤉𐤊𐤋',
  'ﷺ',
  'a\u0301\u0301\u0301',
  '2026',
  'والمستشفيات',
]

const texts = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...words) },
      fc
        .tuple(fc.constantFrom(...words), fc.nat(12))
        .map(([word, length]) => [...word].slice(0, length).join('')),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join(' '))

/** A name, and a text that it may answer: often a part of it. */
const queries = texts.chain((name) =>
  fc.tuple(
    fc.constant(name),
    fc.oneof(
      texts,
      fc
        .tuple(fc.nat(30), fc.nat(30))
        .map(([from, length]) => [...name].slice(from, from + length).join('')),
      fc.nat(60).map((length) => [...name].slice(0, length).join('')),
    ),
  ),
)

test('every question of the index finds each name that its rank answers', () => {
  const db = openInMemory()
  const put = db.prepare<[string]>('insert into names (rowid, terms) values (1, ?)')
  const clear = db.prepare('delete from names')
  const isThere = db.prepare<[string]>('select 1 from names where names match ?')
  let answered = 0
  const finds = (question: string): boolean => isThere.get(question) !== undefined
  fc.assert(
    fc.property(queries, ([name, text]) => {
      const wanted = wantedIn(readWords(text))
      const reading = readWords(name)
      const rank = wanted && rankOf(wanted, reading)
      if (wanted === null || rank === null) return
      answered++
      clear.run()
      put.run(termsOf(7, 'file', reading))
      const questions: Questions = questionsFor(wanted)(7, 'file')
      assert.ok(finds(questions.anywhere()), 'anywhere')
      if (rank === ranks.identical) assert.ok(finds(questions.identical()), 'identical')
      if (wanted.words.length === 0) return
      if (rank <= ranks.sameWords && readWords(name).key === wanted.key) {
        assert.ok(finds(questions.sameWords()), 'same words')
      }
      if (rank <= ranks.sameButArticles) assert.ok(finds(questions.sameButArticles()), 'articles')
      if (rank <= ranks.beginning) {
        assert.ok(finds(questions.nearBeginning()), 'near')
        assert.ok(finds(questions.beginning()), 'beginning')
      }
    }),
    { numRuns: 5_000 },
  )
  assert.ok(answered > 1_000, `${answered} were to be found`)
  db.close()
})

test('a question of another company, or of another kind, does not find it', () => {
  const db = openInMemory()
  db.prepare('insert into names (rowid, terms) values (1, ?)').run(
    termsOf(7, 'file', readWords('المدرسة')),
  )
  const wanted = wantedIn(readWords('مدرسه'))
  assert.ok(wanted)
  const count = db
    .prepare<[string], number>('select count(*) from names where names match ?')
    .pluck()
  const found = (company: number, kind: 'file' | 'folder') => {
    const { anywhere, beginning } = questionsFor(wanted)(company, kind)
    return [count.get(anywhere()), count.get(beginning())]
  }
  assert.deepEqual(
    [found(7, 'file'), found(7, 'folder'), found(8, 'file')],
    [
      [1, 1],
      [0, 0],
      [0, 0],
    ],
  )
  db.close()
})

/** Whoever has to change the second must raise the first: see src/domain/name-reader.ts. */
const pinned = {
  rules: 1,
  terms: '4f322a4e22c860e3828737447af0a3d9c59793a41b197fea4b0e1deae83fbce2',
}

test('what the index holds is what the version of the rules says', () => {
  const names = [...vectors.map(({ text }) => text), ...pairs.map(([, name]) => name)]
  const terms = names.map((name) => termsOf(1, 'task', readWords(name))).join('\n')
  assert.deepEqual(
    { rules: Math.floor(newestOf(readers).version / 1000), terms: hash('sha256', terms) },
    pinned,
  )
})

test('another Unicode, as with another Node, is another version of the rules', () => {
  const [major, minor] = (process.versions.unicode ?? '').split('.')
  assert.equal(newestOf(readers).version % 1000, Number(`${major}${minor}`))
})
