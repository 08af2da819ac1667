import { randomUUID } from 'node:crypto'
import {
  accessSync,
  constants,
  mkdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { getRawAsset } from 'node:sea'
import { Failure } from './domain/failure.ts'

/*
 * The executable carries its native addons inside itself, but an operating system loads them from files only: each is
 * written out when it is first needed. A checkout and the package have npm's files instead and load nothing here.
 */
let folder: string | null = null
const loaded = new Map<string, unknown>()

/** The data folder is the one place that Majlis may write to; which one that is, only a command's words tell. */
export function keepAddonsIn(dataFolder: string): void {
  folder = resolve(process.env.MAJLIS_NATIVE || join(dataFolder, 'native'))
}

/** What a process that this one starts is given as its MAJLIS_NATIVE. */
export function addonFolder(): string {
  if (folder === null) throw new Error('An addon was needed before keepAddonsIn() named a folder')
  return folder
}

/**
 * Called by what build.mjs puts in the place of the packages that have addons.
 * @public
 */
export function loadAddon(name: string, sha256: string): unknown {
  if (loaded.has(name)) return loaded.get(name)
  const file = join(addonFolder(), sha256, name)
  const carried = new Uint8Array(getRawAsset(name) as ArrayBuffer)
  if (!holds(file, carried)) writeOut(file, carried)
  const addon = open(file)
  loaded.set(name, addon)
  return addon
}

/** Looked at on every start: a page that is missing from a loaded file is a SIGBUS that nobody can catch. */
function holds(file: string, carried: Uint8Array): boolean {
  try {
    return readFileSync(file).equals(carried)
  } catch {
    return false
  }
}

/** Renamed into place when whole, so that starts at the same time, and servers that run, never see a part of it. */
function writeOut(file: string, carried: Uint8Array): void {
  const temporary = `${file}.${randomUUID()}`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(temporary, carried, { flag: 'wx', mode: 0o700, flush: true })
    renameSync(temporary, file)
  } catch (error) {
    discard(temporary)
    const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message
    throw new Failure(
      `Majlis cannot write its native addons to ${folder} (${reason}): give this user the right and the space to write there, or name another folder with the variable MAJLIS_NATIVE.`,
    )
  }
}

function discard(temporary: string): void {
  try {
    unlinkSync(temporary)
  } catch {
    // It was never made, or lies where nothing can be removed either.
  }
}

function open(file: string): unknown {
  const holder = { exports: {} as unknown }
  try {
    process.dlopen(holder, file)
  } catch (error) {
    if (isExecutable(file)) throw error
    throw new Failure(
      `Majlis cannot load its native addons from ${folder}, as nothing may be executed there (a file system mounted noexec?): name a folder on another one with the variable MAJLIS_NATIVE.`,
    )
  }
  return holder.exports
}

/** Linux answers no on a file system that is mounted noexec, whatever the mode of the file. */
function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
