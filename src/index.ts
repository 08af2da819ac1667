export type { SandboxClock } from './sandbox/clock.ts'
export type {
  DiscussionSeed,
  FileSeed,
  FolderSeed,
  KeyOptions,
  LinkSeed,
  Sandbox,
  SandboxOptions,
  SandboxScanner,
  SeededCompany,
  SeededDiscussion,
  SeededFile,
  SeededFolder,
  SeededKey,
  SeededList,
  SeededProject,
  SeededTask,
  SeededUser,
  TaskListSeed,
  TaskSeed,
  TextSeed,
} from './sandbox/sandbox.ts'
export { startMajlis } from './sandbox/start.ts'
