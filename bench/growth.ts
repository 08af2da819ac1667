import { join } from 'node:path'
import { taskCases } from './cases.ts'
import type { Size } from './fill.ts'
import { playRounds, type Side, sideOf } from './rounds.ts'
import type { Section } from './section.ts'
import { type Seeded, seed } from './seed.ts'
import { type Server, startMajlis } from './servers.ts'
import type { Row } from './table.ts'

/** A Majlis on a folder of its own. */
interface House {
  readonly seeded: Seeded
  readonly server: Server
}

const small: Size = { projects: 20, listsAProject: 10, tasksAList: 100 }

/** Cost must not grow with the table. */
export const growth: Section = {
  name: 'growth',
  lines: taskCases.map(({ name }) => name),
  async run({ folder, pace, largeListsAProject }, isWanted) {
    const large = { projects: 200, listsAProject: largeListsAProject, tasksAList: 100 }
    const few = await open(join(folder, 'small'), small)
    const many = await open(join(folder, 'large'), large)
    const rows: Row[] = []
    for (const each of taskCases.filter(({ name }) => isWanted(name))) {
      const side = ({ server, seeded }: House): Side => sideOf(server, seeded, each)
      const sides = [side(few), side(many)] as const
      rows.push({ name: each.name, played: await playRounds(sides, pace, folder) })
    }
    return {
      title: `Majlis on ${few.seeded.tasks} tasks beside Majlis on ${many.seeded.tasks}`,
      sides: ['small', 'large'],
      rows,
      meaning: 'ratio: the time of a request on the large table to that on the small (aim: ≤ 1.5)',
    }
  },
}

async function open(folder: string, size: Size): Promise<House> {
  const seeded = await seed(folder, size)
  return { seeded, server: await startMajlis(seeded) }
}
