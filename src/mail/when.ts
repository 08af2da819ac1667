import { formatInZone } from '../domain/zone-offset.ts'

export type Language = 'ar' | 'en'

export interface Period {
  readonly startsAt: number
  readonly endsAt: number
  readonly allDay: boolean
  readonly timeZone: string
}

/**
 * Arabic with Latin digits, Gregorian days and twelve hours: so are dates written at work in the Gulf, by its banks and
 * its governments' services, and a time then reads the same in a mail, in a calendar and in a link. The `ar` of no
 * country has the names of months of the Gulf and of Egypt (يناير), not those of the Levant.
 */
const LOCALES: Readonly<Record<Language, string>> = { ar: 'ar-u-ca-gregory-nu-latn', en: 'en-GB' }

const WORDS = {
  ar: {
    from: 'من ',
    fromHour: 'من ',
    to: ' إلى ',
    comma: '، ',
    day: 'طوال اليوم',
    days: 'أيام كاملة',
  },
  en: { from: 'From ', fromHour: '', to: ' to ', comma: ', ', day: 'all day', days: 'whole days' },
} as const

/** `Sunday, 1 March 2026, 9:00 am to 10:00 am (Arabian Standard Time, UTC+03:00)`. */
export function periodText(period: Period, language: Language): string {
  const { startsAt, endsAt, allDay, timeZone } = period
  const { from, fromHour, to, comma } = WORDS[language]
  if (allDay) return daysText(period, language)
  const start = wallTime(startsAt, timeZone, language)
  if (endsAt <= startsAt) return `${start.date}${comma}${start.time} (${start.zone})`
  const end = wallTime(endsAt, timeZone, language)
  if (start.zone !== end.zone) {
    // The clocks change in between: only their offsets tell how long it takes.
    const [first, last] = [start, end].map((each) => `${each.date}${comma}${each.time}`)
    return `${from}${first} (${start.zone})${to}${last} (${end.zone})`
  }
  if (start.date === end.date) {
    return `${start.date}${comma}${fromHour}${start.time}${to}${end.time} (${start.zone})`
  }
  return `${from}${start.date}${comma}${start.time}${to}${end.date}${comma}${end.time} (${start.zone})`
}

export function timeText(at: number, timeZone: string, language: Language): string {
  return periodText({ startsAt: at, endsAt: at, allDay: false, timeZone }, language)
}

/** Days are the company's whatever the zone of the reader: no zone is named. */
function daysText({ startsAt, endsAt, timeZone }: Period, language: Language): string {
  const { from, to, day, days } = WORDS[language]
  const first = dateOf(startsAt, timeZone, language)
  const last = dateOf(Math.max(startsAt, endsAt), timeZone, language)
  return first === last ? `${first} (${day})` : `${from}${first}${to}${last} (${days})`
}

function wallTime(
  at: number,
  timeZone: string,
  language: Language,
): { date: string; time: string; zone: string } {
  const clock = new Intl.DateTimeFormat(LOCALES[language], {
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: 'h12',
    timeZone,
  })
  const { comma } = WORDS[language]
  const zone = `${zoneName(at, timeZone, language)}${comma}UTC${formatInZone(at, timeZone).slice(19)}`
  return { date: dateOf(at, timeZone, language), time: clock.format(at), zone }
}

function dateOf(at: number, timeZone: string, language: Language): string {
  return new Intl.DateTimeFormat(LOCALES[language], {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone,
  }).format(at)
}

/** A zone that has no name of its own in the language goes by its identifier. */
function zoneName(at: number, timeZone: string, language: Language): string {
  const parts = new Intl.DateTimeFormat(LOCALES[language], {
    timeZone,
    timeZoneName: 'long',
  }).formatToParts(at)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return name === '' || /\d/.test(name) ? timeZone : name
}
