import { constants, existsSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { atMost } from '../domain/at-most.ts'
import type { ByteSource } from '../domain/byte-source.ts'
import { describeBytes, type Vault } from './vault.ts'

export interface VaultFolders {
  readonly files: string
  readonly quarantine: string
  /** What no file names, and may yet be wanted. */
  readonly orphans: string
}

/** An upload in the making: a crash may leave one behind, and the next start sweeps it. */
const UNFINISHED = '.part'

/** Writing shares libuv's threads with reading and with argon2. */
const MOST_WRITES = 2

export function diskVault(folders: VaultFolders): Vault {
  const { files, quarantine } = folders
  const runLimited = atMost(MOST_WRITES)

  /** What is not there has been moved already, or removed. */
  async function move(name: string, from: string, to: string): Promise<void> {
    try {
      await rename(join(from, name), join(to, name))
    } catch (error) {
      if (isAbsent(error)) return
      throw error
    }
    await sync(to)
    await sync(from)
  }

  return {
    put(bytes) {
      return runLimited(async () => {
        const stored = await describeBytes(bytes)
        const file = join(files, stored.name)
        const unfinished = file + UNFINISHED
        try {
          await writeDurably(unfinished, bytes)
          await rename(unfinished, file)
          await sync(files)
        } catch (error) {
          await rm(unfinished, { force: true })
          await rm(file, { force: true })
          throw error
        }
        return stored
      })
    },

    open: (name) => openFile(join(files, name)),

    openAnywhere: (name) =>
      openFile(join(files, name)).catch((error) => {
        if (isAbsent(error)) return openFile(join(quarantine, name))
        throw error
      }),

    async remove(name) {
      // There and back again: a scan may be moving them at this moment, in either direction.
      for (const folder of [files, quarantine, files]) await rm(join(folder, name), { force: true })
    },

    isQuarantined: async (name) => existsSync(join(quarantine, name)),

    quarantine: (name) => move(name, files, quarantine),

    release: (name) => move(name, quarantine, files),
  }
}

async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function openFile(file: string): Promise<ByteSource> {
  // Of what is no file at all, such as a pipe, nobody waits for the other end.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = await handle.stat()
    if (!found.isFile()) throw new Error(`${file} is not a file`)
    return sourceOf(handle, found.size)
  } catch (error) {
    await handle.close()
    throw error
  }
}

function sourceOf(handle: FileHandle, size: number): ByteSource {
  return {
    size,
    async read(offset, length) {
      const slice = Buffer.allocUnsafe(Math.min(length, size - offset))
      const { bytesRead } = await handle.read(slice, 0, slice.length, offset)
      if (bytesRead === 0 && slice.length > 0) throw new Error('A file is shorter than it was')
      return slice.subarray(0, bytesRead)
    },
    close(): void {
      // Nobody waits for it, and a handle that cannot be closed is of no more use to anybody.
      handle.close().catch(() => {})
    },
  }
}

function isAbsent(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}
