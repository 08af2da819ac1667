import * as v from 'valibot'
import { count, dateTime, fileText, name, numericId, webAddress } from '../../domain/fields.ts'
import { humanSize } from '../../domain/file-size.ts'
import { formatUtc } from '../../domain/instant.ts'
import { readUpload } from '../../domain/upload.ts'
import { Folder } from '../folders/shape.ts'
import type { FileRow } from './store.ts'

export const File = v.object({
  id: v.pipe(v.number(), v.integer()),
  ref: v.string(),
  name: v.string(),
  path: v.string(),
  folder_id: v.nullable(v.pipe(v.number(), v.integer())),
  content_type: v.nullable(v.string()),
  size_bytes: v.nullable(count()),
  size_human: v.nullable(v.string()),
  external_url: v.nullable(v.string()),
  source: v.nullable(v.string()),
  scan_state: v.picklist(['pending', 'clean', 'infected', 'skipped']),
  downloadable: v.boolean(),
  uploaded_by: v.nullable(v.string()),
  created_at: dateTime(),
})

/** One level of the file browser. Its files are paginated, its folders are not. */
export const FileLevel = v.object({
  data: v.object({
    folder: v.nullable(Folder),
    folders: v.array(Folder),
    files: v.array(File),
  }),
  meta: v.object({ total: count(), limit: count(), offset: count() }),
})

/** Read into bytes at once, so that a waiting upload is not kept as text beside them. */
export const NewFileBody = v.pipe(
  v.object({
    name: name(),
    folder_id: v.optional(v.nullable(numericId())),
    content: v.optional(v.nullable(fileText())),
    content_base64: v.optional(v.nullable(v.string('must be a string'))),
  }),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    const upload = readUpload(value)
    if (!('fault' in upload)) return { name: value.name, folder_id: value.folder_id, upload }
    const { field: key, fault: message } = upload
    const at = { type: 'object', origin: 'value', input: value, key, value: value[key] } as const
    addIssue({ message, path: [at] })
    return NEVER
  }),
)

export const NewLinkBody = v.object({
  name: name(),
  url: webAddress(),
  folder_id: v.optional(v.nullable(numericId())),
})

export const DeletedFile = v.object({
  deleted: v.literal(true),
  file: v.object({ id: v.pipe(v.number(), v.integer()), name: v.string() }),
})

export function isDownloadable({ scan_state }: Pick<FileRow, 'scan_state'>): boolean {
  return scan_state === 'clean' || scan_state === 'skipped'
}

/** `path` is that of the folder the file lives in. */
export function shapeFile(row: FileRow, path: string): v.InferOutput<typeof File> {
  return {
    id: row.id,
    ref: row.ref,
    name: row.name,
    path,
    folder_id: row.folder_id,
    content_type: row.content_type,
    size_bytes: row.size_bytes,
    size_human: row.size_bytes === null ? null : humanSize(row.size_bytes),
    external_url: row.external_url,
    source: row.source,
    scan_state: row.scan_state,
    downloadable: isDownloadable(row),
    uploaded_by: row.uploaded_by,
    created_at: formatUtc(row.created_at),
  }
}

export const uploadExample = {
  id: 78,
  ref: 'fil-9t2c6w4qhb',
  name: 'محضر الاجتماع.md',
  path: '/',
  folder_id: null,
  content_type: 'text/markdown',
  size_bytes: 1536,
  size_human: '1.5 KB',
  external_url: null,
  source: null,
  scan_state: 'pending',
  downloadable: false,
  uploaded_by: 'Sara Ahmed',
  created_at: '2026-02-18T09:10:00Z',
} satisfies v.InferOutput<typeof File>

export const linkExample = {
  id: 77,
  ref: 'fil-3v8k5d1mzr',
  name: 'دليل الهوية',
  path: '/Design',
  folder_id: 40,
  content_type: null,
  size_bytes: null,
  size_human: null,
  external_url: 'https://www.figma.com/file/abc',
  source: 'Figma',
  scan_state: 'skipped',
  downloadable: true,
  uploaded_by: 'Sara Ahmed',
  created_at: '2026-02-18T09:05:00Z',
} satisfies v.InferOutput<typeof File>
