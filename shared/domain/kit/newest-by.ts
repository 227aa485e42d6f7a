/** The newest item of each key; of equal ones the last. */
export function newestBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
  compare: (a: Item, b: Item) => number,
): ReadonlyMap<Key, Item> {
  const newest = new Map<Key, Item>()
  for (const item of items) {
    const known = newest.get(keyOf(item))
    if (known === undefined || compare(item, known) >= 0) newest.set(keyOf(item), item)
  }
  return newest
}

type Instant = string | null | undefined

/** Compares ISO instants. An unknown one counts as the newest. */
export function compareInstants(a: Instant, b: Instant): number {
  // the difference of two infinities is NaN
  return msOf(a) - msOf(b) || 0
}

const msOf = (at: Instant) => (at == null ? Number.POSITIVE_INFINITY : Date.parse(at))
