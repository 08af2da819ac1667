/** What was done ahead of a call's transaction, and how to undo it should the call be refused after all. */
export interface Prepared<T> {
  readonly value: T
  takeBack(): Promise<void> | void
}
