import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** What lies in a folder of stored bytes; the mark of the vault aside. */
export function storedIn(
  { folder }: { folder: string | null },
  place: 'files' | 'quarantine',
): string[] {
  if (folder === null) throw new Error("boot with storage: 'folder' to look inside")
  return readdirSync(join(folder, place)).filter((name) => !name.startsWith('.'))
}

/** Tries again until it passes, or fails as it did last. */
export async function eventually(
  assertion: () => void | Promise<void>,
  patience = 20_000,
): Promise<void> {
  for (const end = performance.now() + patience; ; ) {
    try {
      await assertion()
      return
    } catch (error) {
      if (performance.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
}
