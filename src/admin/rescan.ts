import { serverSettings } from '../db/settings.ts'
import { Failure } from '../domain/failure.ts'
import { byteLedger } from '../resources/files/bytes.ts'
import { type AdminContext, recordAdministration } from './context.ts'

/** Makes an upload wait for a scan again, whatever the last one said; until then nobody can download it. */
export function rescanFile(context: AdminContext, ref: string) {
  const bytes = byteLedger(context.db)
  return context.db
    .transaction(() => {
      const file = bytes.byRef(ref)
      if (file === undefined) {
        throw new Failure(`There is no file ${ref}: give the fil-… ref that its upload answered.`)
      }
      if (file.storage_name === null) {
        throw new Failure(`${ref} is a link: what it leads to is not kept here, nor scanned.`)
      }
      if (serverSettings(context.db).read('scanner') === 'none') {
        throw new Failure(
          "The server scans nothing ('--scanner none'): start it with a scanner, and ask again.",
        )
      }
      bytes.scanAgain(file, context.now())
      recordAdministration(context, {
        companyId: file.company_id,
        operation: 'files:rescan',
        path: `file rescan ${ref}`,
        keyId: null,
      })
      return { rescan: true, file: { id: file.id, ref, name: file.name, scan_state: 'pending' } }
    })
    .immediate()
}
