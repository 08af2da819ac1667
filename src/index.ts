export type { SandboxClock } from './sandbox/clock.ts'
export type {
  KeyOptions,
  Sandbox,
  SandboxOptions,
  SeededCompany,
  SeededKey,
  SeededProject,
  SeededUser,
} from './sandbox/sandbox.ts'
export { startMajlis } from './sandbox/start.ts'
