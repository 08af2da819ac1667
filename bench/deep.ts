import { join } from 'node:path'
import { playRounds, type Side } from './rounds.ts'
import type { Section } from './section.ts'
import { seed } from './seed.ts'
import { startMajlis } from './servers.ts'

const size = { projects: 1, listsAProject: 1, tasksAList: 100_000 }
const DEEP = 90_000
const name = 'GET /lists/{ref}/tasks?limit=50&offset='

/** A page far down must not cost what lies before it. */
export const deep: Section = {
  name: 'deep',
  lines: [name],
  async run({ folder, pace }) {
    const seeded = await seed(join(folder, 'deep'), size)
    const server = await startMajlis(seeded)
    const side = (offset: number): Side => {
      const paths = seeded.listRefs.map((ref) => `/lists/${ref}/tasks?limit=50&offset=${offset}`)
      return { server, workload: () => ({ key: seeded.key, method: 'GET', paths }) }
    }
    const played = await playRounds([side(0), side(DEEP)], pace, folder)
    return {
      title: `A page of 50 at the top of a list of ${seeded.tasks} tasks, and at ${DEEP}`,
      sides: ['0', String(DEEP)],
      rows: [{ name, played }],
      meaning: 'ratio: the time of a request far down to that at the top (aim: < 3)',
    }
  },
}
