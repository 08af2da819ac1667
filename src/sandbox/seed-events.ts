import { connectCalendar, disconnectCalendar } from '../admin/calendars.ts'
import { findCompany } from '../admin/companies.ts'
import type { AdminContext } from '../admin/context.ts'
import { findUser } from '../admin/users.ts'
import { formatInZone } from '../domain/zone-offset.ts'
import { readTimes } from '../resources/events/times.ts'
import { passingSeal } from '../secrets/seal.ts'
import type { Stores } from '../stores.ts'
import type { EventSeed, SeededCalendar, SeededEvent } from './sandbox.ts'
import type { SeedPorts } from './seed-files.ts'

const DAY = 24 * 60 * 60_000

/** Makes events, each in a transaction of its own. */
export function eventSeeder(
  context: AdminContext,
  { events }: Stores,
  { refresh }: SeedPorts,
  companyId: number,
  ownerEmail: string,
): (seed?: EventSeed) => SeededEvent {
  return (seed = {}) => {
    const { time_zone: timeZone } = findCompany(context, companyId)
    const now = context.now()
    const tomorrow = formatInZone(now + DAY, timeZone).slice(0, 10)
    const times = {
      starts_at: seed.starts_at ?? `${tomorrow}T09:00`,
      ends_at: seed.ends_at ?? seed.starts_at ?? `${tomorrow}T10:00`,
      all_day: seed.all_day ?? false,
    }
    const made = {
      name: seed.name ?? 'Event',
      description: seed.description ?? null,
      meetingUrl: seed.meeting_url ?? null,
      ...readTimes(times, timeZone, null),
      companyId,
      organizerId: findUser(context, companyId, seed.by ?? ownerEmail).id,
      attendees: (seed.attendee_emails ?? []).map((email) => findUser(context, companyId, email)),
      now,
    }
    const write = <T>(work: () => T): T => {
      const done = context.db.transaction(work).immediate()
      refresh()
      return done
    }
    const event = write(() => events.create(made))
    return {
      id: event.id,
      name: event.name,
      remove() {
        const now = events.visible(companyId, made.organizerId, event.id)
        if (now !== undefined) write(() => events.remove(now, context.now()))
      },
    }
  }
}

/** Connects calendars that live in memory. */
export function calendarSeeder(
  context: AdminContext,
  { refresh, calendarTexts }: SeedPorts,
  companyId: number,
): (email?: string) => SeededCalendar {
  const seal = passingSeal()
  return (email) => {
    const url = `memory://${companyId}/${email ?? ''}`
    const access = { url, username: 'sandbox', password: 'sandbox' }
    const wanted = { companyId, email: email ?? null, ...access }
    const { id } = connectCalendar(context, wanted, seal)
    refresh()
    return {
      id,
      objects: () => calendarTexts(url),
      disconnect() {
        disconnectCalendar(context, id)
      },
    }
  }
}
