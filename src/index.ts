export {
  type KeyOptions,
  type Sandbox,
  type SandboxClock,
  type SandboxOptions,
  type SeededCompany,
  type SeededProject,
  type SeededUser,
  startMajlis,
} from './sandbox/start.ts'
