/** Services that people know by name, by the end of their hosts. */
const services: readonly (readonly [host: string, name: string])[] = [
  ['drive.google.com', 'Google Drive'],
  ['docs.google.com', 'Google Drive'],
  ['dropbox.com', 'Dropbox'],
  ['onedrive.live.com', 'OneDrive'],
  ['1drv.ms', 'OneDrive'],
  ['sharepoint.com', 'OneDrive'],
  ['figma.com', 'Figma'],
  ['github.com', 'GitHub'],
  ['youtube.com', 'YouTube'],
  ['youtu.be', 'YouTube'],
]

/** What a link is shown as coming from: the service's name for known hosts, else the host. */
export function linkSource(url: string): string {
  const host = new URL(url).hostname.replace(/^www\./, '')
  const known = services.find(([end]) => host === end || host.endsWith(`.${end}`))
  return known?.[1] ?? host
}

/** White space and control characters, which URL forgives, are not. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && URL.canParse(text)
}
