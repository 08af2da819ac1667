import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import type { ServerSettings } from '../db/settings.ts'
import { diskVault, type VaultFolders } from './disk.ts'
import type { Vault } from './vault.ts'

/** What the database knows of the bytes. */
export interface KnownBytes {
  isNamed(name: string): boolean
  /** Of every upload. */
  names(): Iterable<string>
  infected(): string[]
  /** When something was last written, in UTC milliseconds; null if nothing ever was. */
  lastWriteAt(): number | null
}

export interface OpenVaultParts {
  folders: VaultFolders
  settings: ServerSettings
  known: KnownBytes
  warn(sentence: string): void
}

/** Says which database the files belong to: bytes that another one knows of are no orphans. */
const MARKER = '.vault'
const STORED = /^[0-9a-f]{32}(?:\.part)?$/

/** What a crash leaves behind is no younger than this after the last write that the database knows of. */
const CRASH = 60_000

/** For the one server of a folder, before it serves: nothing else writes here, so that what no row names is nobody's. */
export function openVault({ folders, settings, known, warn }: OpenVaultParts): Vault {
  const { files, quarantine } = folders
  for (const folder of [files, quarantine]) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const stranger = whyForeign(folders, settings, known)
  if (stranger === null) {
    settings.write('vault', settings.read('vault') ?? randomUUID())
    writeMarker(files, settings.read('vault') ?? '')
    sweep(folders, known, warn)
  } else warn(`${stranger} Nothing there is swept.`)
  return diskVault(folders)
}

/** Null where the files belong to this database, as far as can be seen. */
export function whyForeign(
  { files, quarantine }: VaultFolders,
  settings: ServerSettings,
  known: Pick<KnownBytes, 'names'>,
): string | null {
  const marker = readMarker(files)
  if (marker !== null && marker === settings.read('vault')) return null
  if (storedNames(files).length === 0) return null
  const together = 'put the database and the files of one backup together.'
  if (marker !== null) return `The files in ${files} belong to another database: ${together}`
  for (const name of known.names()) {
    if (existsSync(join(files, name)) || existsSync(join(quarantine, name))) continue
    return `The files in ${files} do not say whose they are, and some that the database knows are not among them: ${together}`
  }
  return null
}

function sweep(folders: VaultFolders, known: KnownBytes, warn: (sentence: string) => void): void {
  const last = known.lastWriteAt()
  const orphans = [folders.files, folders.quarantine].flatMap((folder) =>
    storedNames(folder)
      .filter((name) => !known.isNamed(name))
      .map((name) => join(folder, name)),
  )
  const isYounger = (file: string): boolean =>
    last !== null && statSync(file).mtimeMs > last + CRASH
  const younger = new Set(orphans.filter(isYounger))
  for (const orphan of orphans) if (!younger.has(orphan)) rmSync(orphan)
  if (younger.size > 0) setAside(folders, [...younger], warn)
  isolateInfected(folders, known)
}

/** An older database was put beside them, and the right one may yet come back. */
function setAside(
  { orphans }: VaultFolders,
  files: readonly string[],
  warn: (sentence: string) => void,
): void {
  mkdirSync(orphans, { recursive: true, mode: 0o700 })
  for (const file of files) renameSync(file, join(orphans, basename(file)))
  warn(
    `${files.length} stored files are newer than the database and named by nothing in it, as after the restore of an older one: they were moved to ${orphans}.`,
  )
}

/** A crash may come between the verdict and the move. */
function isolateInfected({ files, quarantine }: VaultFolders, known: KnownBytes): void {
  for (const name of known.infected()) {
    const loose = join(files, name)
    if (existsSync(loose)) renameSync(loose, join(quarantine, name))
  }
}

/** What Majlis has put there; whatever else lies in the folder is left alone. */
export function storedNames(folder: string): string[] {
  return readdirSync(folder).filter((name) => STORED.test(name))
}

function readMarker(files: string): string | null {
  try {
    return readFileSync(join(files, MARKER), 'utf8').trim()
  } catch {
    return null
  }
}

function writeMarker(files: string, id: string): void {
  if (readMarker(files) === id) return
  writeFileSync(join(files, MARKER), `${id}\n`, { mode: 0o600, flush: true })
}
