import { requestPage } from '../../../api/request.ts'

/** As many products as one request to the API may add to a count. */
export const maxAtOnce = 5000

type Options = {
  /** Those that are in the count already. */
  without?: ReadonlySet<string>
  onRead: (read: number) => void
  signal: AbortSignal
}

type Stocked = { variantIds: readonly string[]; isAll: boolean }

/** What a location stocks, page by page: the products that it has a level of, also where that is 0. */
export async function readStocked(
  locationId: string,
  { without = new Set(), onRead, signal }: Options,
): Promise<Stocked> {
  const variantIds: string[] = []
  let next: string | undefined
  let read = 0
  do {
    const page = await requestPage('GET /stock-levels', { query: { locationId, limit: 250 }, next, signal })
    read += page.records.length
    variantIds.push(...page.records.map(({ variantId }) => variantId).filter((id) => !without.has(id)))
    onRead(read)
    next = page.next
  } while (next && variantIds.length < maxAtOnce)
  return { variantIds: variantIds.slice(0, maxAtOnce), isAll: !next && variantIds.length <= maxAtOnce }
}
