import type { Direction } from './direction.ts'

/** What template.ts sets: plain data, with every text as it is to be read. */
export interface Document {
  title: string
  dir: Direction
  blocks: Block[]
}

export type Block =
  | { kind: 'paragraph'; dir: Direction; runs: Run[] }
  | { kind: 'heading'; dir: Direction; level: number; runs: Run[] }
  | { kind: 'code'; runs: Run[] }
  | { kind: 'rule' }
  | { kind: 'quote'; dir: Direction; blocks: Block[] }
  | { kind: 'list'; dir: Direction; tight: boolean; items: Item[] }
  | Table

export interface Item {
  marker: string
  blocks: Block[]
}

export interface Table {
  kind: 'table'
  dir: Direction
  /** Smaller where the columns are many. */
  scale: number
  columns: Side[]
  head: Cell[]
  rows: Cell[][]
}

export type Side = 'start' | 'left' | 'center' | 'right'

export interface Cell {
  dir: Direction
  runs: Run[]
}

/** A stretch of text in one dress, in pieces where it has a word that is too long for a line; or a line's end. */
export type Run = { break: true } | Words

interface Words extends Dress {
  text: string | string[]
}

export interface Dress {
  strong?: true
  emphasis?: true
  strike?: true
  code?: 'box' | 'wrapped'
  arabic?: true
  url?: string
}
