/** What the fields become once the sent ones are laid over `before`; a null clears, what was not sent stays. */
export function withChanges<T extends object>(
  before: T,
  sent: { readonly [K in keyof T]?: T[K] | undefined },
): T {
  return { ...before, ...sent } as T
}
