/**
 * The shop domain in `text`, which is the domain itself, optionally after `https://` and before `/admin`. Returns null
 * for any other text, such as a longer domain that begins with a shop's, or an address with a user name or a port.
 */
export function parseShopDomain(text: unknown, suffix: string): string | null {
  if (typeof text !== 'string' || text.length > 200) return null
  const domain = text.replace(/^https:\/\//, '').replace(/\/admin$/, '')
  const handle = domain.endsWith(suffix) ? domain.slice(0, -suffix.length) : ''
  return /^[a-z0-9][a-z0-9-]{0,62}$/.test(handle) ? domain : null
}
