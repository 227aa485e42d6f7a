/** The search in the URL, for `SearchField`. The router parses digits as a number. */
export function readSearch({ search }: Record<string, unknown>): { search?: string } {
  const text = ['string', 'number'].includes(typeof search) ? String(search).trim().slice(0, 200) : ''
  return text === '' ? {} : { search: text }
}
