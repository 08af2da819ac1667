export type { SandboxClock } from './sandbox/clock.ts'
export type {
  DiscussionSeed,
  KeyOptions,
  Sandbox,
  SandboxOptions,
  SeededCompany,
  SeededDiscussion,
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
