/** What the platform says of one level. `available` is null when it does not count the variant. */
export type PlatformLevel = {
  variantId: number
  locationId: number
  available: number | null
  /** When it became so, an ISO instant: what is older than the last news is dropped. */
  updatedAt: string
}

/**
 * Of several numbers for one level, the newest; of those told for one instant, the last. `doubtful` are the variants
 * of which two different numbers were told for one instant.
 */
export function newestOfEach(levels: readonly PlatformLevel[]): {
  newest: PlatformLevel[]
  doubtful: Set<number>
} {
  const newest = new Map<string, PlatformLevel>()
  const doubtful = new Set<number>()
  for (const level of levels) {
    const key = `${level.variantId}/${level.locationId}`
    const known = newest.get(key)
    const isNewer = !known || Date.parse(known.updatedAt) <= Date.parse(level.updatedAt)
    const isTie = known && Date.parse(known.updatedAt) === Date.parse(level.updatedAt)
    if (isTie && known.available !== level.available) doubtful.add(level.variantId)
    if (isNewer) newest.set(key, level)
  }
  return { newest: [...newest.values()], doubtful }
}
