/** RFC 6266: the name in ASCII for old clients, and as it is, percent-encoded in UTF-8, for all others. */
export function attachmentDisposition(name: string): string {
  const plain = name.replace(/[^ -~]|["%/\\]/gu, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${extendedValue(name)}`
}

/** RFC 8187. Beyond what `encodeURIComponent` encodes, four more stand for themselves nowhere in a header. */
function extendedValue(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
