// The public face of the sandbox. It names types of the domain only, so that a user's compiler needs no others.
import type { CompanySettings, Role } from '../domain/account.ts'
import type { DiscussionFields } from '../domain/discussion.ts'
import type { FolderFields } from '../domain/folder.ts'
import type { Operation, Right, Scope } from '../domain/operations.ts'
import type { ProjectFields } from '../domain/project.ts'
import type { TaskFields } from '../domain/task.ts'
import type { TaskListFields } from '../domain/task-list.ts'
import type { SandboxClock } from './clock.ts'

export interface SandboxOptions extends Partial<CompanySettings> {
  /** Where the clock starts, and stands until it is moved; the real time unless said otherwise. */
  now?: Date | string | number
  /** `memory` (the default), or a temporary folder that `close()` removes. */
  storage?: 'memory' | 'folder'
  /** Requests a minute; 0, the default here, is no limit. */
  burstPerKey?: number
  burstPerIp?: number
  trustProxy?: boolean
  http?: 'uws' | 'node'
  /** Receives the JSON log lines; they are dropped unless asked for. */
  log?: (lines: string) => void
}

/** The virus scanner. It calls the EICAR test file infected and all else clean, until it is told otherwise. */
export interface SandboxScanner {
  /** Uploads stay `pending`, until one of the others is called. */
  hold(): void
  /** Whatever is uploaded is `clean`. */
  clear(): void
  /** Whatever is uploaded is `infected`. */
  infect(): void
  /** No scan succeeds: what is uploaded stays `pending`, and is tried again as the clock moves on. */
  fail(): void
  /** Back to how it began. */
  judge(): void
  /** Once nothing waits for a scan any more. */
  settled(): Promise<void>
}

export interface SandboxMail {
  readonly to: { readonly name: string; readonly email: string }
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The invitation, as iCalendar; null where there is none. */
  readonly calendar: string | null
}

/** The mail server: it takes everything and sends nothing. */
export interface SandboxMails {
  /** What was sent until now, oldest first. */
  all(): SandboxMail[]
  /** Takes no mail: notifications stay `pending`, and are tried again as the clock moves on. */
  fail(): void
  accept(): void
  /** Once no notification and no calendar waits any more. */
  settled(): Promise<void>
}

export interface Sandbox {
  readonly url: string
  readonly baseUrl: string
  /** The company that the shortcuts below work on: plan `advanced`, API on, unless the options say otherwise. */
  readonly company: SeededCompany
  readonly clock: SandboxClock
  readonly scanner: SandboxScanner
  readonly mails: SandboxMails
  /** The data folder, with `storage: 'folder'`. */
  readonly folder: string | null
  readonly seed: {
    company(settings?: Partial<CompanySettings>): SeededCompany
    user: SeededCompany['user']
    project: SeededCompany['project']
    list: SeededCompany['list']
    task: SeededCompany['task']
    discussion: SeededCompany['discussion']
    event: SeededCompany['event']
  }
  /** The text of a new key; the write preset unless said otherwise. */
  key(options?: KeyOptions): Promise<string>
  /** Switches plan, flag (`restApi`), quota (`dailyLimit`) and `readOnly` while it runs. */
  set(changes: Partial<CompanySettings>): void
  close(): Promise<void>
}

export interface KeyOptions {
  /** `write` unless said otherwise. */
  preset?: Scope
  /** Instead of a preset: exactly these operations. */
  scope?: Scope
  operations?: Operation[]
  /** Besides those of the preset. */
  rights?: Right[]
  name?: string
  /** E-mail of the person who signs; the company's owner unless said otherwise. */
  creator?: string
  expiresAt?: Date | string
}

export interface SeededKey {
  id: number
  text: string
  revoke(): void
  rotate(graceMinutes?: number): Promise<string>
}

export interface SeededUser {
  id: number
  name: string
  email: string
  deactivate(): void
}

export interface SeededProject {
  /** The ref, as the API answers it. */
  id: string
  slug: string
  name: string
  rename(name: string): SeededProject
  archive(): SeededProject
  unarchive(): SeededProject
  remove(): void
  restore(): void
  addMember(email: string): void
  list(fields?: TaskListSeed): SeededList
  discussion(fields?: DiscussionSeed): SeededDiscussion
  folder(fields?: FolderSeed): SeededFolder
  link(fields?: LinkSeed): SeededFile
  file(fields?: FileSeed): Promise<SeededFile>
}

/** Plain text, or HTML as an editor would send it: sanitised, its attachments named apart. */
export type TextSeed = string | { html: string }

interface Signed {
  /** E-mail of the person who makes it; the company's owner unless said otherwise. */
  by?: string
}

export interface TaskListSeed extends Partial<Omit<TaskListFields, 'notes'>>, Signed {
  notes?: TextSeed | null
}

export interface TaskSeed extends Partial<Omit<TaskFields, 'notes'>>, Signed {
  notes?: TextSeed | null
}

export interface DiscussionSeed extends Partial<Omit<DiscussionFields, 'body'>>, Signed {
  body?: TextSeed | null
  category?: string | null
}

export interface FolderSeed extends Partial<Omit<FolderFields, 'parent_folder_id'>>, Signed {}

export interface LinkSeed extends Signed {
  name?: string
  url?: string
}

export interface FileSeed extends Signed {
  /** `File.txt` unless said otherwise. */
  name?: string
  content?: string | Uint8Array
}

export interface SeededFile {
  id: number
  ref: string
  name: string
  remove(): void
}

export interface SeededFolder {
  id: number
  name: string
  path: string
  project: SeededProject
  /** One inside it. */
  folder(fields?: FolderSeed): SeededFolder
  link(fields?: LinkSeed): SeededFile
  file(fields?: FileSeed): Promise<SeededFile>
  remove(): void
}

export interface SeededList {
  id: string
  slug: string
  title: string
  project: SeededProject
  task(fields?: TaskSeed): SeededTask
  /** Answers the number of the comment. */
  comment(content: TextSeed, by?: string): number
  rename(title: string): SeededList
  remove(): void
}

export interface SeededTask {
  id: string
  slug: string
  title: string
  list: SeededList
  comment(content: TextSeed, by?: string): number
  rename(title: string): SeededTask
  complete(): SeededTask
  reopen(): SeededTask
  /** To the place of that number, from 1; last unless said otherwise. */
  moveTo(list: SeededList, position?: number): SeededTask
  recordTime(minutes: number | null): SeededTask
  remove(): void
}

export interface SeededDiscussion {
  id: string
  slug: string
  title: string
  project: SeededProject
  reply(content: TextSeed, by?: string): number
  rename(title: string): SeededDiscussion
  remove(): void
  restore(): void
}

export interface EventSeed {
  name?: string
  description?: string | null
  /** As the API takes it; tomorrow at nine of the company's time unless said otherwise, for an hour. */
  starts_at?: string
  ends_at?: string
  all_day?: boolean
  meeting_url?: string | null
  attendee_emails?: string[]
  /** E-mail of the organizer; the company's owner unless said otherwise. */
  by?: string
}

export interface SeededEvent {
  id: number
  name: string
  remove(): void
}

export interface SeededCalendar {
  id: number
  /** What lies in it, each as iCalendar. */
  objects(): string[]
  disconnect(): void
}

export interface SeededCompany {
  id: number
  name: string
  owner: SeededUser
  set(changes: Partial<CompanySettings>): void
  user(person?: { name?: string; email?: string; role?: Role }): SeededUser
  project(fields?: Partial<ProjectFields>): SeededProject
  /** In a project of its own, as are the two below. */
  list(fields?: TaskListSeed): SeededList
  task(fields?: TaskSeed): SeededTask
  discussion(fields?: DiscussionSeed): SeededDiscussion
  event(fields?: EventSeed): SeededEvent
  /** A calendar in memory: the company's, or that of the person with this e-mail. */
  connectCalendar(email?: string): SeededCalendar
  key(options?: KeyOptions): Promise<SeededKey>
}
