import { daysBetween } from '../../../calendar-days.ts'
import type { Db } from '../../../db/db.ts'
import { demandOver } from '../../../forecast/safety-stock.ts'
import { type Arrival, readArrivals } from '../supply/arrivals.ts'
import { leadTimeOf } from '../supply/reorder-point.ts'
import { type Moving, readMoving, readTransitDays } from '../supply/transit.ts'
import { type Cure, cheapestCure, type Source } from './cures.ts'
import { findGap, type Gap, type GapInput } from './find-gap.ts'
import { type Location, readLocations, soldDays } from './locations.ts'
import type { PlannedVariant } from './planned-variants.ts'

/** The gap of a variant in total (`location` null), or at a location that a reorder rule names. */
export type VariantGap = {
  variant: PlannedVariant
  location: Location | null
  available: number
  gap: Gap
  cure: Cure | null
}

type Known = {
  arrivals: ReadonlyMap<number, readonly Arrival[]>
  moving: ReadonlyMap<number, readonly Moving[]>
  locations: ReadonlyMap<number, readonly Location[]>
  transitDays: (sourceId: number, destinationId: number) => number
}

/**
 * Finds the gaps of these variants and their cheapest cures, as of now: stock, forecasts, and orders and transfers on their expected
 * day. A location counts when a reorder rule names it, and only when it runs out before the variant does in total.
 */
export async function findGaps(
  db: Db,
  shopId: number,
  variants: readonly PlannedVariant[],
): Promise<VariantGap[]> {
  const forecast = variants.filter(({ week }) => week !== null)
  if (forecast.length === 0) return []
  const ids = forecast.map(({ id }) => id)
  const byVariant = <T extends { variantId: number }>(rows: readonly T[]) =>
    Map.groupBy(rows, ({ variantId }) => variantId)
  const known: Known = {
    arrivals: byVariant(await readArrivals(db, shopId, ids)),
    moving: byVariant(await readMoving(db, shopId, ids)),
    locations: byVariant(await readLocations(db, shopId, ids)),
    transitDays: await readTransitDays(db, shopId),
  }
  return forecast.flatMap((variant) => gapsOf(variant, known))
}

function gapsOf(variant: PlannedVariant, known: Known): VariantGap[] {
  const orders = known.arrivals.get(variant.id) ?? []
  const moving = known.moving.get(variant.id) ?? []
  const locations = known.locations.get(variant.id) ?? []
  const { available, week, ahead } = variant
  const whole = gapAt(variant, null, { available, week, ahead, orders, moving, sources: [] })
  const atLocations = locations.flatMap((location) => {
    if (!location.hasRule || location.week === null) return []
    const found = gapAt(variant, location, {
      ...location,
      orders: orders.filter(({ locationId }) => locationId === location.locationId),
      moving: moving.filter(({ locationId }) => locationId === location.locationId),
      sources: locations.flatMap((source) => sourceOf(source, location, variant.today, known)),
    })
    return found && (whole === null || found.gap.gapOn < whole.gap.gapOn) ? [found] : []
  })
  return whole ? [whole, ...atLocations] : atLocations
}

type Supply = {
  available: number
  week: string | null
  ahead: readonly number[]
  orders: readonly Arrival[]
  moving: readonly Moving[]
  sources: readonly Source[]
}

function gapAt(variant: PlannedVariant, location: Location | null, supply: Supply): VariantGap | null {
  const { available, week, ahead, orders, moving, sources } = supply
  if (week === null) return null
  const { measuredOrders, meanDays: mean, deviationDays: deviation, supplierDays } = variant
  const dated = orders.flatMap(({ day, quantity }) => (day === null ? [] : [{ day, quantity }]))
  const stock: GapInput = {
    ...{ today: variant.today, week, ahead, available, reviewDays: variant.reviewDays },
    arrivals: [...dated, ...moving],
    leadDays: leadTimeOf({ orders: measuredOrders, mean, deviation }, supplierDays).days,
  }
  const gap = findGap(stock)
  if (!gap) return null
  const { price, unitCost, supplierId, supplierName } = variant
  const supplier = supplierId === null ? null : { id: supplierId, name: supplierName ?? '' }
  const cure = cheapestCure({ gap, stock, price, unitCost, packaging: variant, orders, sources, supplier })
  return { variant, location, available, gap, cure }
}

/** What another location can spare; it never goes below its own point. */
function sourceOf(source: Location, location: Location, today: string, { transitDays }: Known): Source[] {
  const { locationId, locationGid, locationName, available, reorderPoint, hasRule } = source
  // the point of an automatic rule that is not computed yet is not known
  if (locationId === location.locationId || (hasRule && reorderPoint === null)) return []
  const spare = available - (reorderPoint ?? 0)
  const perDay = dailyDemand(source, today)
  const lastsDays = perDay > 0 ? Math.floor(spare / perDay) : null
  return [
    {
      ...{ locationId, gid: locationGid, name: locationName, spare, lastsDays },
      transitDays: transitDays(locationId, location.locationId),
    },
  ]
}

/** The mean demand of a day in the next four weeks; without a forecast, in the past. */
function dailyDemand({ week, ahead, sold }: Location, today: string): number {
  if (week === null) return sold / soldDays
  const start = daysBetween(week, today) / 7
  return demandOver(ahead, start, start + 4) / 28
}
