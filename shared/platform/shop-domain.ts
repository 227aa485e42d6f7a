/** Null for other text, such as a longer domain that begins with a shop's, or one with a user name or a port. */
export function parseShopDomain(text: unknown, suffix: string): string | null {
  if (typeof text !== 'string' || text.length > 200) return null
  const domain = text.replace(/^https:\/\//, '').replace(/\/admin$/, '')
  const handle = domain.endsWith(suffix) ? domain.slice(0, -suffix.length) : ''
  return /^[a-z0-9][a-z0-9-]{0,62}$/.test(handle) ? domain : null
}
