/**
 * The shop of a text that names one: `shop`, `https://shop`, either with `/admin` behind it. Anchored on both ends:
 * a foreign domain that merely begins with a shop's, a user name before it or a port behind it is none. Answers
 * null for anything else.
 */
export function parseShopDomain(text: unknown, suffix: string): string | null {
  if (typeof text !== 'string' || text.length > 200) return null
  const domain = text.replace(/^https:\/\//, '').replace(/\/admin$/, '')
  const handle = domain.endsWith(suffix) ? domain.slice(0, -suffix.length) : ''
  return /^[a-z0-9][a-z0-9-]{0,62}$/.test(handle) ? domain : null
}
