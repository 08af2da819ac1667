import { formatInZone } from '../domain/zone-offset.ts'
import { readTimes } from '../resources/events/times.ts'
import type { Stores } from '../stores.ts'
import type { DemoPerson, PersonIds } from './demo-people.ts'

/** Days from today; an hour where a time is named, whole days where none is. */
interface DemoEvent {
  readonly name: string
  readonly description?: string
  readonly inDays: number
  readonly at?: string
  readonly meetingUrl?: string
  readonly by: DemoPerson
  readonly with: readonly DemoPerson[]
}

export const DEMO_ZONE = 'Asia/Riyadh'
const DAY = 24 * 60 * 60_000

const demoEvents: readonly DemoEvent[] = [
  {
    name: 'اجتماع الافتتاح الأسبوعي',
    description: 'ما تم، وما يعطلنا، وما يلي.',
    inDays: 1,
    at: '09:00',
    meetingUrl: 'https://meet.majlis.example/launch',
    by: 'noura',
    with: ['sara', 'ahmad', 'james'],
  },
  { name: 'Design review', inDays: 3, at: '14:30', by: 'noura', with: ['james'] },
  { name: 'مؤتمر الرياض Riyadh Summit', inDays: 30, by: 'james', with: ['noura', 'sara'] },
  { name: 'Retrospective', inDays: -7, at: '11:00', by: 'noura', with: ['ahmad'] },
]

export function addDemoEvents(
  { events }: Stores,
  companyId: number,
  ids: PersonIds,
  now: number,
): void {
  for (const {
    name,
    description = null,
    inDays,
    at,
    meetingUrl = null,
    by,
    with: invited,
  } of demoEvents) {
    const date = formatInZone(now + inDays * DAY, DEMO_ZONE).slice(0, 10)
    const times = {
      starts_at: at === undefined ? date : `${date}T${at}`,
      ends_at: at === undefined ? date : `${date}T${anHourAfter(at)}`,
      all_day: at === undefined,
    }
    events.create({
      name,
      description,
      meetingUrl,
      ...readTimes(times, DEMO_ZONE, null),
      companyId,
      organizerId: ids[by],
      attendees: invited.map((called) => ({ id: ids[called] })),
      now,
    })
  }
}

function anHourAfter(time: string): string {
  return `${String(Number(time.slice(0, 2)) + 1).padStart(2, '0')}${time.slice(2)}`
}
