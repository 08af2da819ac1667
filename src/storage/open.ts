import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerSettings } from '../db/settings.ts'
import { diskVault, UNFINISHED, type VaultFolders } from './disk.ts'
import type { Vault } from './vault.ts'

/** What the database knows of the bytes. */
export interface KnownBytes {
  isNamed(name: string): boolean
  infected(): string[]
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

/** For the one server of a folder, before it serves: nothing else writes here, so that what no row names is nobody's. */
export function openVault({ folders, settings, known, warn }: OpenVaultParts): Vault {
  const { files, quarantine } = folders
  for (const folder of [files, quarantine]) mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (isOurs(files, settings)) sweep(folders, known)
  else
    warn(
      `The files in ${files} belong to another database than the one beside them: nothing there is swept. Put the two of one backup together, or empty that folder.`,
    )
  return diskVault(folders)
}

function isOurs(files: string, settings: ServerSettings): boolean {
  const id = settings.read('vault') ?? randomUUID()
  const marker = readMarker(files)
  if (marker === null && storedNames(files).length === 0) {
    settings.write('vault', id)
    writeFileSync(join(files, MARKER), `${id}\n`, { mode: 0o600, flush: true })
    return true
  }
  return marker === id
}

function sweep({ files, quarantine }: VaultFolders, known: KnownBytes): void {
  for (const folder of [files, quarantine]) {
    for (const name of storedNames(folder)) {
      if (name.endsWith(UNFINISHED) || !known.isNamed(name)) rmSync(join(folder, name))
    }
  }
  isolateInfected({ files, quarantine }, known)
}

/** A crash may come between the verdict and the move. */
function isolateInfected({ files, quarantine }: VaultFolders, known: KnownBytes): void {
  const loose = new Set(storedNames(files))
  for (const name of known.infected()) {
    if (loose.has(name)) renameSync(join(files, name), join(quarantine, name))
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
