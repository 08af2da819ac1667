export type { SandboxClock } from './sandbox/clock.ts'
export type {
  DiscussionSeed,
  FolderSeed,
  KeyOptions,
  Sandbox,
  SandboxOptions,
  SeededCompany,
  SeededDiscussion,
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
