import { type CalendarClient, hrefOf } from '../caldav/client.ts'
import type { GroupCommit } from '../db/commit.ts'
import type { Job } from '../db/jobs.ts'
import { calendarText, mergeInto } from '../icalendar/event.ts'
import type { ConnectionRow, ConnectionStore, KeptObject } from '../resources/events/connections.ts'
import { type EventStore, invitationOf } from '../resources/events/store.ts'
import { queueRunner, type Worker } from './runner.ts'

export interface CalendarParts {
  connections: ConnectionStore
  events: Pick<EventStore, 'byUid'>
  /** Opens the way to a connected calendar. */
  clientOf(connection: ConnectionRow): CalendarClient
  commit: GroupCommit
  now(): number
  onFault(error: unknown): void
}

const DAY = 24 * 60 * 60_000
const MOST_CALENDARS = 2
/** After a failure a calendar is left alone for so long, in milliseconds. */
const REST = 1_500

/**
 * Brings connected calendars into step: a job says which event in which calendar, and what is to be done is seen from
 * the database when its turn comes. Doing it twice does no harm.
 */
export function calendarWorker(parts: CalendarParts): Worker {
  const { connections, events, clientOf, commit, now, onFault } = parts
  const resting = new Map<number, { until: number; reason: string }>()

  async function run(job: Job): Promise<void> {
    const [id = '', uid = ''] = job.subject.split(':')
    const connection = connections.byId(Number(id))
    if (connection === undefined) {
      await commit.run(() => connections.jobs.finish(job))
      return
    }
    try {
      refuseWhileResting(connection)
      const kept = await bringIntoStep(connection, uid)
      resting.delete(connection.id)
      await commit.run(() => {
        if (kept === null) connections.forget(connection.id, uid)
        else connections.keep(connection.id, uid, kept)
        connections.setError(connection.id, null)
        connections.jobs.finish(job)
      })
    } catch (error) {
      if (!(error instanceof Resting)) await rest(connection, error as Error)
      throw error
    }
  }

  /** A calendar that does not answer is not asked for every event that waits for it. */
  function refuseWhileResting({ id }: ConnectionRow): void {
    const rest = resting.get(id)
    if (rest !== undefined && now() < rest.until) throw new Resting(rest.reason)
  }

  async function rest({ id }: ConnectionRow, { message: reason }: Error): Promise<void> {
    resting.set(id, { until: now() + REST, reason })
    await commit.run(() => connections.setError(id, reason))
  }

  /** Answers what lies there now; null for nothing. */
  async function bringIntoStep(connection: ConnectionRow, uid: string): Promise<KeptObject | null> {
    const client = clientOf(connection)
    const known = connections.object(connection.id, uid)
    const event = events.byUid(connection.company_id, uid, connection.user_id)
    if (event === undefined) return remove(client, known ?? { href: hrefOf(uid), etag: null })
    const text = calendarText(invitationOf(event), { method: null, stamp: now() })
    return put(client, known ?? { href: hrefOf(uid), etag: null }, text)
  }

  function isHopeless(job: Job, error: unknown): boolean {
    if ((error as { isPermanent?: boolean }).isPermanent === true) return true
    return now() - job.created_at > DAY
  }

  return queueRunner<Job>({
    queue: connections.jobs,
    commit,
    atMost: MOST_CALENDARS,
    run,
    pauses: { first: 2_000, longest: 15 * 60_000 },
    isHopeless,
    now,
    onFault,
  })
}

class Resting extends Error {}

/** Where somebody else has changed it, ours is laid over theirs. */
async function put(client: CalendarClient, at: KeptObject, text: string): Promise<KeptObject> {
  const { href } = at
  const first = await client.put(href, text, at.etag)
  if (first.kind === 'kept') return { href, etag: first.etag }
  const theirs = await client.get(href)
  const merged = theirs === null ? text : mergeInto(theirs.text, text)
  const second = await client.put(href, merged, theirs?.etag ?? null)
  if (second.kind === 'kept') return { href, etag: second.etag }
  throw new Error('The calendar was changed by somebody else at the same moment, twice.')
}

async function remove(client: CalendarClient, { href, etag }: KeptObject): Promise<null> {
  if ((await client.remove(href, etag)) !== 'conflict') return null
  const theirs = await client.get(href)
  if (theirs !== null && (await client.remove(href, theirs.etag)) === 'conflict') {
    throw new Error('The calendar was changed by somebody else at the same moment, twice.')
  }
  return null
}
