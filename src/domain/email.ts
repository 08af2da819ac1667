/** Addresses compare case-insensitively: this is what is compared. */
export function emailKey(email: string): string {
  return email.toLowerCase()
}
