export type Bucket = { maximum: number; restoreRate: number }

export type ThrottleStatus = { maximumAvailable: number; currentlyAvailable: number; restoreRate: number }

export type Throttle = {
  /** Takes points from a shop's bucket, if it has enough. */
  take: (shop: string, points: number) => boolean
  /** Returns unused points to the bucket. */
  refund: (shop: string, points: number) => void
  status: (shop: string) => ThrottleStatus
}

/** One bucket of cost points per shop, refilled continuously. `bucket` may change during use. */
export function createThrottle(bucket: () => Bucket): Throttle {
  const levels = new Map<string, { points: number; at: number; maximum: number }>()

  function refill(shop: string) {
    const { maximum, restoreRate } = bucket()
    const now = performance.now()
    const before = levels.get(shop)
    const restored = before ? before.points + ((now - before.at) / 1000) * restoreRate : maximum
    // a bucket of another size starts full
    const points = before?.maximum === maximum ? Math.min(maximum, restored) : maximum
    const level = { points, at: now, maximum }
    levels.set(shop, level)
    return level
  }

  return {
    take(shop, points) {
      const level = refill(shop)
      if (level.points < points) return false
      level.points -= points
      return true
    },
    refund(shop, points) {
      const level = refill(shop)
      level.points = Math.min(level.maximum, level.points + points)
    },
    status(shop) {
      const { points, maximum } = refill(shop)
      return {
        maximumAvailable: maximum,
        currentlyAvailable: Math.floor(points),
        restoreRate: bucket().restoreRate,
      }
    },
  }
}
