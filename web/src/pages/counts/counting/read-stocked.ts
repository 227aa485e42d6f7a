import { requestPage } from '../../../api/request.ts'
import { maxItemsPerRequest } from '../offline/sync.ts'

type Options = {
  /** Variants to leave out, as they are in the count already. */
  without?: ReadonlySet<string>
  /** Reports how many levels have been read. */
  onRead: (read: number) => void
  signal: AbortSignal
}

type Stocked = { variantIds: readonly string[]; isAll: boolean }

/** The variants with a stock level at a location, including levels of 0; `isAll` is false above the limit. */
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
  } while (next && variantIds.length < maxItemsPerRequest)
  return {
    variantIds: variantIds.slice(0, maxItemsPerRequest),
    isAll: !next && variantIds.length <= maxItemsPerRequest,
  }
}
