import { Parser } from 'htmlparser2'

const DAV = '{DAV:}'
const CALDAV = '{urn:ietf:params:xml:ns:caldav}'

/** The parser seeks an end tag in all that is open: without a limit, one answer could hold the process for minutes. */
const DEEPEST = 64
const MOST_ELEMENTS = 20_000

export const ASK_PROPERTIES = `<?xml version="1.0" encoding="utf-8"?>
<propfind xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><prop><resourcetype/><displayname/><getetag/><C:supported-calendar-component-set/></prop></propfind>
`

export interface Properties {
  /** Whether the server says, inside of its 207, that there is no such thing. */
  readonly isMissing: boolean
  readonly isCalendar: boolean
  /** False where the server lists what the calendar takes, and events are not on the list. */
  readonly takesEvents: boolean
  readonly name: string | null
  readonly etag: string | null
}

/** Of the first resource in the answer, as a question of depth 0 has one only; null for what is no multistatus. */
export function readMultistatus(xml: string): Properties | null {
  const root = readXml(xml)
  const response = root?.name === `${DAV}multistatus` ? child(root, `${DAV}response`) : null
  if (!response) return null
  const found = children(response, `${DAV}propstat`)
    .filter((propstat) => statusOf(propstat) === 200)
    .flatMap((propstat) => children(propstat, `${DAV}prop`))
    .flatMap((prop) => prop.children)
  const find = (name: string) => found.find((property) => property.name === name)
  const type = find(`${DAV}resourcetype`)
  const components = find(`${CALDAV}supported-calendar-component-set`)?.children ?? []
  return {
    isMissing: statusOf(response) === 404 || statusOf(response) === 410,
    isCalendar: type?.children.some(({ name }) => name === `${CALDAV}calendar`) ?? false,
    takesEvents: components.length === 0 || components.some(isEvents),
    name: find(`${DAV}displayname`)?.text.trim() || null,
    etag: find(`${DAV}getetag`)?.text.trim() || null,
  }
}

function isEvents({ attributes }: Element): boolean {
  return attributes.name?.toUpperCase() === 'VEVENT'
}

function statusOf(element: Element): number | null {
  const [, digits] =
    /^HTTP\/\S+ +(\d{3})\b/.exec(child(element, `${DAV}status`)?.text.trim() ?? '') ?? []
  return digits === undefined ? null : Number(digits)
}

function child(element: Element, name: string): Element | null {
  return element.children.find((each) => each.name === name) ?? null
}

function children(element: Element, name: string): Element[] {
  return element.children.filter((each) => each.name === name)
}

interface Element {
  /** With its namespace in braces before it. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

interface Open {
  readonly element: Element
  /** The namespaces that this element declares, by their prefix. */
  readonly spaces: ReadonlyMap<string, string>
}

/**
 * Knows no DTD, and so no entities but XML's own five and the numbered ones. Null for what is left unclosed, or is too
 * deep or too much.
 */
function readXml(xml: string): Element | null {
  const open: Open[] = []
  let root: Element | null = null
  let count = 0
  const parser = new Parser(
    {
      onopentag(written, attributes) {
        const above = open.at(-1)
        const spaces = declared(attributes)
        const name = fullName(written, [...open.map((each) => each.spaces), spaces])
        const element = { name, attributes, children: [], text: '' }
        if (above) above.element.children.push(element)
        else root ??= element
        open.push({ element, spaces })
        if (open.length > DEEPEST || ++count > MOST_ELEMENTS) parser.pause()
      },
      ontext(text) {
        const current = open.at(-1)
        if (current) current.element.text += text
      },
      onclosetag() {
        open.pop()
      },
    },
    { xmlMode: true },
  )
  parser.write(xml)
  return open.length === 0 ? root : null
}

function declared(attributes: Readonly<Record<string, string>>): Map<string, string> {
  const spaces = new Map<string, string>()
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'xmlns') spaces.set('', value)
    else if (name.startsWith('xmlns:')) spaces.set(name.slice('xmlns:'.length), value)
  }
  return spaces
}

function fullName(written: string, scopes: readonly ReadonlyMap<string, string>[]): string {
  const colon = written.indexOf(':')
  const prefix = colon < 0 ? '' : written.slice(0, colon)
  const space = scopes.findLast((spaces) => spaces.has(prefix))?.get(prefix) ?? ''
  return `{${space}}${written.slice(colon + 1)}`
}
