/** A browser that shows the file of a merchant runs nothing of it: no script, no form, no request. */
export const fileHeaders = (name: string, sha256: string): Record<string, string> => ({
  'content-disposition': `attachment; filename*=UTF-8''${encodeName(name)}`,
  'content-security-policy': "sandbox; default-src 'none'",
  etag: `"${sha256}"`,
})

/** RFC 8187: `encodeURIComponent` leaves four characters that a header value must not have there. */
const encodeName = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
