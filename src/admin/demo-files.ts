import { linkSource } from '../domain/link-source.ts'
import { mediaTypeOf } from '../domain/media-type.ts'
import type { FolderRow } from '../resources/folders/store.ts'
import type { ProjectRow } from '../resources/projects/store.ts'
import type { StoredBytes, Vault } from '../storage/vault.ts'
import type { Stores } from '../stores.ts'
import type { DemoPerson, PersonIds } from './demo-people.ts'

/** What lies in a folder of the demo company: folders, links and files. */
export type DemoEntry =
  | DemoFolder
  | { readonly link: string; readonly url: string; readonly by: DemoPerson }
  | DemoFile

interface DemoFolder {
  readonly folder: string
  readonly description?: string
  readonly holds: readonly DemoEntry[]
}

interface DemoFile {
  readonly file: string
  readonly content: string
  readonly by: DemoPerson
}

export const shopFiles: readonly DemoEntry[] = [
  {
    folder: 'التصميم',
    description: 'الهوية وصفحات المتجر',
    holds: [
      { link: 'واجهة المتجر', url: 'https://www.figma.com/file/majlis-demo', by: 'sara' },
      {
        folder: 'صور المنتجات',
        holds: [
          {
            file: 'قائمة الصور.csv',
            content: 'المنتج,عدد الصور,جاهزة\nعباءة,4,نعم\nعطر عود,6,لا\nسجادة صلاة,3,نعم\n',
            by: 'sara',
          },
        ],
      },
    ],
  },
  {
    file: 'سياسة الإرجاع.md',
    content:
      '# سياسة الإرجاع\n\nيُقبل الإرجاع خلال **١٤ يومًا** من الاستلام.\n\n| الحالة | المدة |\n|---|---|\n| منتج سليم | ١٤ يومًا |\n| عيب مصنعي | ٣٠ يومًا |\n',
    by: 'noura',
  },
]

export const redesignFiles: readonly DemoEntry[] = [
  {
    folder: 'Design',
    holds: [
      {
        file: 'tokens.json',
        content:
          '{\n  "direction": ["rtl", "ltr"],\n  "font": { "ar": "Noto Naskh Arabic", "en": "Inter" }\n}\n',
        by: 'noura',
      },
      { link: 'Old site, as archived', url: 'https://web.archive.org/', by: 'noura' },
    ],
  },
  {
    file: 'redirects.txt',
    content: '/about.html -> /en/about\n/من-نحن.html -> /ar/about\n',
    by: 'noura',
  },
]

export const summitFiles: readonly DemoEntry[] = [
  {
    folder: 'Venue القاعة',
    holds: [
      {
        file: 'budget الميزانية.csv',
        content: 'item,البند,SAR\nHall,القاعة,85000\nCatering,الضيافة,42000\n',
        by: 'james',
      },
    ],
  },
  { link: 'Speakers’ slides', url: 'https://drive.google.com/drive/folders/demo', by: 'james' },
]

export type StoredDemoFiles = ReadonlyMap<DemoFile, StoredBytes>

/** The bytes come first, as with any upload: rows that name them are written once they are safe. */
export async function storeDemoFiles(vault: Vault): Promise<StoredDemoFiles> {
  const stored = new Map<DemoFile, StoredBytes>()
  for (const file of [...shopFiles, ...redesignFiles, ...summitFiles].flatMap(filesOf)) {
    stored.set(file, await vault.put(Buffer.from(file.content)))
  }
  return stored
}

export function addDemoFiles(
  { folders, files }: Stores,
  entries: readonly DemoEntry[],
  stored: StoredDemoFiles,
  project: ProjectRow,
  ids: PersonIds,
  now: number,
): void {
  function add(entry: DemoEntry, folder: FolderRow | null): void {
    if ('folder' in entry) addFolder(entry, folder)
    else if ('link' in entry) {
      const { link: name, url, by } = entry
      const place = { project, folder, name, uploaderId: ids[by], now }
      files.link({ ...place, url, source: linkSource(url) })
    } else {
      const { file: name, by } = entry
      const place = { project, folder, name, uploaderId: ids[by], now }
      const bytes = stored.get(entry)
      if (bytes === undefined) throw new Error(`${name} of the demo was not stored`)
      files.upload({ ...place, mediaType: mediaTypeOf(name, true), stored: bytes })
    }
  }

  function addFolder({ folder: name, holds, ...more }: DemoFolder, parent: FolderRow | null): void {
    const description = more.description ?? null
    const fields = { name, description, parent_folder_id: parent?.id ?? null }
    const made = folders.create({ ...fields, project, creatorId: ids.noura, now })
    for (const entry of holds) add(entry, made)
  }

  for (const entry of entries) add(entry, null)
}

function filesOf(entry: DemoEntry): DemoFile[] {
  if ('folder' in entry) return entry.holds.flatMap(filesOf)
  return 'file' in entry ? [entry] : []
}
