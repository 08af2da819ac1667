import { join } from 'node:path'
import { dataFolder } from '../src/db/data-folder.ts'
import { openDatabase } from '../src/db/open.ts'
import { createStores } from '../src/stores.ts'
import { playRounds, type Side } from './rounds.ts'
import type { Section } from './section.ts'
import { type Seeded, seed } from './seed.ts'
import { startMajlis } from './servers.ts'

const FEW = 100
const MANY = 100_000
const HOUR = 3_600_000
const DAY = 24 * HOUR
const name = 'GET /events (50)'

/** A long calendar must not make its first page slow. */
export const calendar: Section = {
  name: 'calendar',
  lines: [name],
  async run({ folder, pace }) {
    const side = async (events: number): Promise<Side> => {
      const seeded = await seed(join(folder, `calendar-${events}`), {
        projects: 1,
        listsAProject: 1,
        tasksAList: 1,
      })
      fillCalendar(seeded, events)
      const server = await startMajlis(seeded)
      return { server, workload: () => ({ key: seeded.key, method: 'GET', paths: ['/events'] }) }
    }
    const played = await playRounds([await side(FEW), await side(MANY)], pace, folder)
    return {
      title: `The first upcoming page of a person with ${FEW} events, and of one with ${MANY}`,
      sides: [String(FEW), String(MANY)],
      rows: [{ name, played }],
      meaning:
        'ratio: the time of a request with the long calendar to that with the short (aim: ≤ 2)',
    }
  },
}

/** An event a day, half of them in the past: the days are what such a calendar is counted by. */
function fillCalendar({ folder, companyId, creatorId }: Seeded, events: number): void {
  const db = openDatabase(dataFolder(folder).database)
  db.pragma('synchronous = off')
  const { events: store } = createStores(db, () => 0)
  const now = Date.now()
  db.transaction(() => {
    for (let i = 0; i < events; i++) {
      const startsAt = now + (i - events / 2) * DAY
      const times = { startsAt, endsAt: startsAt + HOUR, allDay: false }
      const fields = { name: `اجتماع ${i}`, description: null, meetingUrl: null, ...times }
      store.create({ ...fields, companyId, organizerId: creatorId, attendees: [], now })
    }
  }).immediate()
  db.pragma('wal_checkpoint(truncate)')
  db.close()
}
