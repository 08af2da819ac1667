import type { Db } from './database.ts'

type SettingName = 'scanner' | 'vault' | 'mail'

export type ServerSettings = ReturnType<typeof serverSettings>

/** How the server was last started, for the commands that look at its folder. */
export function serverSettings(db: Db) {
  const read = db
    .prepare<[string], string>('select value from server_settings where name = ?')
    .pluck()
  const write = db.prepare<[string, string]>(`
    insert into server_settings (name, value) values (?, ?)
    on conflict (name) do update set value = excluded.value where value <> excluded.value`)

  return {
    read: (name: SettingName): string | undefined => read.get(name),
    write(name: SettingName, value: string): void {
      write.run(name, value)
    },
  }
}
