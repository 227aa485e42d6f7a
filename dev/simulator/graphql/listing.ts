import { fail, type View } from './view.ts'

/** A list item with its sort key; keys ascend along the list. */
export type Entry<T> = readonly [key: string, item: T]

/** The entries after a key, or all; in descending order when reversed. */
export type Listing<T> = (after: string | undefined, isReverse: boolean) => Iterable<Entry<T>>

export type PageArgs = { first?: number; after?: string; reverse?: boolean }

const maxPageSize = 250

/** Pads a number with zeros, so that keys compare as numbers do. */
export const padded = (number: number | string) => String(number).padStart(20, '0')

/** A listing of an array. */
export function listed<T>(items: readonly T[], keyOf: (item: T) => string): Listing<T> {
  return (after, isReverse) => {
    const entries = items.map((item): Entry<T> => [keyOf(item), item])
    const sorted = entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    if (isReverse) sorted.reverse()
    if (after === undefined) return sorted
    return sorted.filter(([key]) => (isReverse ? key < after : key > after))
  }
}

/** The matching entries of a listing. */
export const filtered =
  <T>(listing: Listing<T>, matches: (item: T) => boolean): Listing<T> =>
  (after, isReverse) =>
    filter(listing(after, isReverse), matches)

function* filter<T>(entries: Iterable<Entry<T>>, matches: (item: T) => boolean) {
  for (const entry of entries) if (matches(entry[1])) yield entry
}

/** A page of a listing, as a connection of the API. Reads no further than one entry past the page. */
export function connection<T>(args: PageArgs, listing: Listing<T>, view: (item: T) => View | null): View {
  const { first, after, reverse = false } = args
  if (first === undefined || first === null)
    throw fail('BAD_REQUEST', 'you must provide one of first or last')
  if (first < 0) throw fail('BAD_REQUEST', 'first cannot be negative')
  if (first > maxPageSize) throw fail('BAD_REQUEST', `first may not exceed ${maxPageSize}`)
  const entries: Entry<T>[] = []
  let hasNextPage = false
  for (const entry of listing(after == null ? undefined : readCursor(after), reverse)) {
    hasNextPage = entries.length === first
    if (hasNextPage) break
    entries.push(entry)
  }
  const edges = entries.map(([key, item]) => ({ cursor: makeCursor(key), node: view(item) }))
  return {
    edges,
    nodes: edges.map(({ node }) => node),
    pageInfo: {
      hasNextPage,
      hasPreviousPage: after != null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  }
}

/** Counts the entries up to `limit`. */
export function countOf(listing: Listing<unknown>, limit: number): View {
  let count = 0
  for (const _ of listing(undefined, false)) {
    count += 1
    if (count === limit) return { count, precision: 'AT_LEAST' }
  }
  return { count, precision: 'EXACT' }
}

const makeCursor = (key: string) => Buffer.from(JSON.stringify({ key })).toString('base64')

function readCursor(cursor: string): string {
  try {
    const { key }: { key: unknown } = JSON.parse(Buffer.from(cursor, 'base64').toString())
    if (typeof key === 'string') return key
  } catch {
    // not a cursor of the simulator
  }
  throw fail('BAD_REQUEST', `Invalid cursor for current pagination: ${cursor}`)
}
