/** Something the operator can mend: one sentence that says what is wrong and names the fix. Ends a command with 1. */
export class Failure extends Error {
  override name = 'Failure'
}

/** The words of a command are wrong: a missing flag, a value outside its set. Ends a command with 2. */
export class UsageFailure extends Error {
  override name = 'UsageFailure'
}
