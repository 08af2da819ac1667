import assert from 'node:assert/strict'
import { test } from 'node:test'
import { periodText, timeText } from '../../src/mail/when.ts'

/** Versions of ICU differ in white space and in the comma behind a day. */
const plain = (text: string) => text.replace(/[\s\u202f]+/g, ' ').replace(/([a-z]day), /g, '$1 ')

const cases: [
  why: string,
  zone: string,
  from: string,
  to: string,
  allDay: boolean,
  en: string,
  ar: string,
][] = [
  [
    'an hour of a day',
    'Asia/Riyadh',
    '2026-03-01T06:00:00Z',
    '2026-03-01T07:00:00Z',
    false,
    'Sunday 1 March 2026, 9:00 am to 10:00 am (Arabian Standard Time, UTC+03:00)',
    'الأحد، 1 مارس 2026، من 9:00 ص إلى 10:00 ص (التوقيت العربي الرسمي، UTC+03:00)',
  ],
  [
    'from a midnight to a noon',
    'Asia/Riyadh',
    '2026-03-01T21:00:00Z',
    '2026-03-03T09:00:00Z',
    false,
    'From Monday 2 March 2026, 12:00 am to Tuesday 3 March 2026, 12:00 pm (Arabian Standard Time, UTC+03:00)',
    'من الاثنين، 2 مارس 2026، 12:00 ص إلى الثلاثاء، 3 مارس 2026، 12:00 م (التوقيت العربي الرسمي، UTC+03:00)',
  ],
  [
    'over a change of the clocks',
    'Africa/Cairo',
    '2026-04-23T21:30:00Z',
    '2026-04-23T22:30:00Z',
    false,
    'From Thursday 23 April 2026, 11:30 pm (Eastern European Standard Time, UTC+02:00) to Friday 24 April 2026, 1:30 am (Eastern European Summer Time, UTC+03:00)',
    'من الخميس، 23 أبريل 2026، 11:30 م (توقيت شرق أوروبا الرسمي، UTC+02:00) إلى الجمعة، 24 أبريل 2026، 1:30 ص (توقيت شرق أوروبا الصيفي، UTC+03:00)',
  ],
  [
    'a whole day without a midnight',
    'Africa/Cairo',
    '2026-04-23T22:00:00Z',
    '2026-04-24T20:59:59Z',
    true,
    'Friday 24 April 2026 (all day)',
    'الجمعة، 24 أبريل 2026 (طوال اليوم)',
  ],
  [
    'whole days',
    'Asia/Kathmandu',
    '2026-02-28T18:15:00Z',
    '2026-03-02T18:14:59Z',
    true,
    'From Sunday 1 March 2026 to Monday 2 March 2026 (whole days)',
    'من الأحد، 1 مارس 2026 إلى الاثنين، 2 مارس 2026 (أيام كاملة)',
  ],
  [
    'an instant, in a zone that has no name',
    'Etc/GMT-3',
    '2026-02-28T21:00:00Z',
    '2026-02-28T21:00:00Z',
    false,
    'Sunday 1 March 2026, 12:00 am (Etc/GMT-3, UTC+03:00)',
    'الأحد، 1 مارس 2026، 12:00 ص (Etc/GMT-3، UTC+03:00)',
  ],
]

for (const [why, timeZone, from, to, allDay, en, ar] of cases) {
  test(`people read ${why} in both languages`, () => {
    const period = { startsAt: Date.parse(from), endsAt: Date.parse(to), allDay, timeZone }
    assert.equal(plain(periodText(period, 'en')), en)
    assert.equal(plain(periodText(period, 'ar')), ar)
  })
}

test('both readings of an hour that comes twice are told apart', () => {
  const [first, second] = ['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z'].map((at) =>
    plain(timeText(Date.parse(at), 'America/New_York', 'en')),
  )
  assert.equal(first, 'Sunday 1 November 2026, 1:30 am (Eastern Daylight Time, UTC-04:00)')
  assert.equal(second, 'Sunday 1 November 2026, 1:30 am (Eastern Standard Time, UTC-05:00)')
})
