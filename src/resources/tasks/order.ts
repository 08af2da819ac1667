import type { Db } from '../../db/database.ts'

interface Block {
  first_position: number
  tasks_count: number
}

/** How far apart new positions lie, and how many tasks a block holds before it is split. */
export interface Spacing {
  gap: number
  blockSize: number
}

const SPACING: Spacing = { gap: 2 ** 20, blockSize: 1024 }

/** The first block of a list begins here, before any task. */
export const LIST_START = Number.MIN_SAFE_INTEGER

/**
 * The order of the tasks in a list. Positions are numbers with gaps between them, so that a task is put between two
 * others without touching either; blocks count the tasks of each stretch, so that a place far down is found without
 * walking there. `moving` is the task that is on its way to another place: it stands nowhere.
 */
export function taskOrder(db: Db, { gap, blockSize }: Spacing = SPACING) {
  const blockAt = db.prepare<[number, number], Block>(`
    select first_position, tasks_count from task_blocks
    where list_id = ? and first_position <= ? order by first_position desc limit 1`)
  const blocksFrom = db.prepare<[number, number], Block>(`
    select first_position, tasks_count from task_blocks
    where list_id = ? and first_position >= ? order by first_position`)
  const addBlock = db.prepare<[number, number, number]>(`
    insert into task_blocks (list_id, first_position, tasks_count) values (?, ?, ?)`)
  const dropBlock = db.prepare<[number, number]>(`
    delete from task_blocks where list_id = ? and first_position = ?`)
  const setCount = db.prepare<[number, number, number]>(`
    update task_blocks set tasks_count = ? where list_id = ? and first_position = ?`)
  const positionFrom = db
    .prepare<[number, number, number, number], number>(`
      select position from tasks
      where list_id = ? and position >= ? and id <> ?
      order by position, id limit 1 offset ?`)
    .pluck()
  const lastPosition = db
    .prepare<[number, number], number>(`
      select position from tasks where list_id = ? and id <> ?
      order by position desc, id desc limit 1`)
    .pluck()
  const idsFrom = db
    .prepare<[number, number, number, number], number>(`
      select id from tasks
      where list_id = ? and position >= ? and id <> ?
      order by position, id limit ?`)
    .pluck()
  const setPosition = db.prepare<[number, number]>('update tasks set position = ? where id = ?')

  /** The position of the task that has `before` others in front of it. */
  function positionAt(listId: number, before: number, moving = 0): number | undefined {
    let left = before
    for (const block of blocksFrom.iterate(listId, LIST_START)) {
      if (left < block.tasks_count) {
        return positionFrom.get(listId, block.first_position, moving, left)
      }
      left -= block.tasks_count
    }
    return undefined
  }

  /** A position at the end of the list, for a task that is about to stand there. */
  function append(listId: number, moving = 0): number {
    const last = lastPosition.get(listId, moving)
    const position = last === undefined ? 0 : last + gap
    enter(listId, position, moving)
    return position
  }

  /** A position for the `place`th of the list, from 1; past the end is last. */
  function insertAt(listId: number, place: number, moving = 0): number {
    const next = positionAt(listId, place - 1, moving)
    if (next === undefined) return append(listId, moving)
    const previous =
      place === 1 ? next - 2 * gap : (positionAt(listId, place - 2, moving) as number)
    const middle = previous + Math.floor((next - previous) / 2)
    if (middle === previous) {
      makeRoom(listId, previous, moving)
      return insertAt(listId, place, moving)
    }
    enter(listId, middle, moving)
    return middle
  }

  function enter(listId: number, position: number, moving: number): void {
    const block = blockAt.get(listId, position)
    if (block === undefined) addBlock.run(listId, LIST_START, 1)
    else if (block.tasks_count < blockSize) {
      setCount.run(block.tasks_count + 1, listId, block.first_position)
    } else if (position > (lastPosition.get(listId, moving) as number)) {
      addBlock.run(listId, position, 1)
    } else {
      split(listId, block, moving)
      enter(listId, position, moving)
    }
  }

  function split(listId: number, { first_position, tasks_count }: Block, moving: number): void {
    const half = Math.floor(tasks_count / 2)
    const middle = positionFrom.get(listId, first_position, moving, half) as number
    addBlock.run(listId, middle, tasks_count - half)
    setCount.run(half, listId, first_position)
  }

  /** Takes a task out of the count of its block; a block that has become small joins the one behind it. */
  function leave(listId: number, position: number): void {
    const block = blockAt.get(listId, position) as Block
    const count = block.tasks_count - 1
    setCount.run(count, listId, block.first_position)
    if (count > blockSize / 4) return
    const next = blocksFrom.get(listId, block.first_position + 1)
    if (next === undefined) return
    if (count > 0 && count + next.tasks_count > (blockSize * 3) / 4) return
    dropBlock.run(listId, next.first_position)
    setCount.run(count + next.tasks_count, listId, block.first_position)
  }

  /**
   * Spreads the tasks of the block at `position` evenly, together with as many blocks behind it as it takes to get
   * wide gaps again; behind the last block there is always room.
   */
  function makeRoom(listId: number, position: number, moving: number): void {
    const start = (blockAt.get(listId, position) as Block).first_position
    const blocks = blocksFrom.all(listId, start)
    const from = positionFrom.get(listId, start, moving, 0) as number
    for (let many = 1; ; many *= 2) {
      const tasks = blocks.slice(0, many).reduce((sum, block) => sum + block.tasks_count, 0)
      const until = blocks[many]?.first_position ?? from + tasks * gap
      const step = Math.floor((until - from) / tasks)
      if (step * step < gap) continue
      for (const block of blocks.slice(0, many)) dropBlock.run(listId, block.first_position)
      spread(listId, { start, from, step }, idsFrom.all(listId, from, moving, tasks))
      return
    }
  }

  function spread(
    listId: number,
    { start, from, step }: { start: number; from: number; step: number },
    ids: readonly number[],
  ): void {
    const size = Math.ceil(blockSize / 2)
    for (const [index, id] of ids.entries()) setPosition.run(from + index * step, id)
    for (let first = 0; first < ids.length; first += size) {
      const beginning = first === 0 ? start : from + first * step
      addBlock.run(listId, beginning, Math.min(size, ids.length - first))
    }
  }

  return { positionAt, append, insertAt, leave }
}
