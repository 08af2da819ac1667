export const CONTRACT_VERSION = '1.2.0'
export function openApiDocument(): object {
  return {}
}
export function openApiText(): string {
  return '{}'
}
