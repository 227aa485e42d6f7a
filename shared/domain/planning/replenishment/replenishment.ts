import { roundMoney } from '../../../currency.ts'
import { type Db, sql } from '../../../db/db.ts'
import { oneDecimal } from '../../../one-decimal.ts'
import type { ReplenishmentFilter, ReplenishmentRow } from '../../../schemas/replenishment.ts'
import { type Page, pageSize } from '../../kit/pages/pages.ts'
import { type LineTerms, readLineTerms } from '../../records/supplier-prices/price-of-line.ts'
import { readArrivals } from '../supply/arrivals.ts'
import { type ChosenDemand, demandOf } from '../supply/demand.ts'
import { explainPlan } from '../supply/explain.ts'
import { type Plan, planOrder, roundedUpBy } from '../supply/plan.ts'
import { type LeadTime, leadTimeOf } from '../supply/reorder-point.ts'
import { serviceLevelOf } from '../supply/service-level.ts'
import { readMoving } from '../supply/transit.ts'
import { type Candidate, readCandidates, readMostUrgent } from './candidates.ts'
import { readDrafts } from './drafts.ts'

/** Variants that one statement reads. */
const batchSize = 500
/** Bounds the time of a request: a page may end before it is full. */
const maxBatches = 10

/**
 * What to order, by variant id: variants with a suggested quantity, and those that are sold out before a new order could
 * arrive although enough is on its way. A page ends after 5 000 variants, so it may have fewer rows than its limit while
 * another page follows.
 */
export async function listReplenishment(
  db: Db,
  shopId: number,
  filter: ReplenishmentFilter,
): Promise<Page<ReplenishmentRow>> {
  const locationRow = await locationRowOf(db, shopId, filter.locationId)
  if (locationRow === 'unknown') return { records: [], next: null }
  const size = pageSize(filter)
  const found: Planned[] = []
  let after = filter.cursor ?? 0
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const { planned, lastId } = await planBatch(db, shopId, { ...filter, locationRow, after })
    found.push(...planned)
    const page = found.slice(0, size)
    const last = page.at(-1)
    if (found.length > size && last)
      return { records: await rowsOf(db, shopId, page, filter), next: last.candidate.id }
    if (lastId === null) return { records: await rowsOf(db, shopId, page, filter), next: null }
    after = lastId
  }
  return { records: await rowsOf(db, shopId, found, filter), next: after }
}

/**
 * The variants of a supplier with a suggested quantity: the `limit` that would run out first, and `variantIds` (row ids). It
 * is complete when the supplier has fewer variants than `limit`.
 */
export async function planSupplier(
  db: Db,
  shopId: number,
  { supplierId, variantIds: also, limit = maxBatches * batchSize }: SupplierVariants,
  filter: Pick<ReplenishmentFilter, 'days' | 'basis' | 'growth' | 'locationId'>,
): Promise<{ planned: Planned[]; isComplete: boolean }> {
  const locationRow = await locationRowOf(db, shopId, filter.locationId)
  if (locationRow === 'unknown') return { planned: [], isComplete: true }
  const urgent = await readMostUrgent(db, shopId, { supplierId, locationId: locationRow, limit })
  const ids = [...new Set([...urgent, ...also])]
  const planned = await planVariants(db, shopId, ids, { ...filter, supplierId, locationRow })
  return { planned, isComplete: urgent.length < limit }
}

/** Those of these variants (row ids) with a suggested quantity. */
export async function planVariants(
  db: Db,
  shopId: number,
  ids: readonly number[],
  filter: Omit<BatchFilter, 'after' | 'variantIds'>,
): Promise<Planned[]> {
  const found: Planned[] = []
  for (let at = 0; at < ids.length; at += batchSize) {
    const variantIds = ids.slice(at, at + batchSize)
    const { planned } = await planBatch(db, shopId, { ...filter, variantIds, after: 0 })
    found.push(...planned.filter(({ plan }) => plan.suggestedQuantity > 0))
  }
  return found
}

type SupplierVariants = { supplierId: number; variantIds: readonly number[]; limit?: number }

export type Planned = {
  candidate: Candidate
  demand: ChosenDemand
  leadTime: LeadTime
  plan: Plan
  growth: number
}

type BatchFilter = Omit<ReplenishmentFilter, 'cursor' | 'limit' | 'locationId'> & {
  /** The row id of the location; null: all together. */
  locationRow: number | null
  after: number
  variantIds?: readonly number[]
}
type Batch = { planned: Planned[]; lastId: number | null }

/** The plans of the next candidates that need something, and the id of the last candidate; null after the last batch. */
async function planBatch(
  db: Db,
  shopId: number,
  {
    supplierId,
    locationRow: locationId,
    days = 0,
    basis = 'forecast',
    growth = 0,
    after,
    variantIds,
  }: BatchFilter,
): Promise<Batch> {
  const candidates = await readCandidates(db, shopId, {
    ...{ supplierId, basis, locationId, variantIds, afterVariantId: after, limit: batchSize },
  })
  const lastId = candidates.length === batchSize ? (candidates.at(-1)?.id ?? null) : null
  const ofSupplier = candidates.filter(
    (candidate) => supplierId === undefined || candidate.supplierId === supplierId,
  )
  const ids = ofSupplier.map(({ id }) => id)
  const arrivals = (await readArrivals(db, shopId, ids)).filter(
    (arrival) => locationId === null || arrival.locationId === locationId,
  )
  const moving = (await readMoving(db, shopId, ids)).filter(
    (transfer) => locationId === null || transfer.locationId === locationId,
  )
  const incoming = Map.groupBy(arrivals, ({ variantId }) => variantId)
  const transfers = Map.groupBy(moving, ({ variantId }) => variantId)
  const planned = ofSupplier.flatMap((candidate) => {
    const { measuredOrders: orders, meanDays: mean, deviationDays: deviation } = candidate
    const leadTime = leadTimeOf({ orders, mean, deviation }, candidate.supplierDays)
    const horizonDays = leadTime.days + Math.max(candidate.reviewDays, days)
    const demand = demandOf(sharedForecast(candidate), basis, growth, horizonDays)
    const plan = planOrder({
      ...candidate,
      ...{ demand, leadTime, coverDays: days },
      incoming: incoming.get(candidate.id) ?? [],
      moving: transfers.get(candidate.id) ?? [],
      serviceLevel: candidate.serviceLevel ?? serviceLevelOf(candidate.abcClass),
    })
    const isShort = plan.gapOn !== null && plan.orderBy !== null && plan.orderBy < candidate.today
    return plan.suggestedQuantity > 0 || isShort ? [{ candidate, demand, leadTime, plan, growth }] : []
  })
  return { planned, lastId }
}

/** The row id of a location, null for all together; the shop may not have the location. */
async function locationRowOf(
  db: Db,
  shopId: number,
  gid: string | undefined,
): Promise<number | null | 'unknown'> {
  if (gid === undefined) return null
  const id = await db.maybeOneFirst(
    sql.typeAlias('id')`select id from location where shop_id = ${shopId} and gid = ${gid}`,
  )
  return id ?? 'unknown'
}

/**
 * The part of the forecast that counts. The error of a part grows with its root, as that of counts does.
 *
 * Example: 20 a week with an error of 4, a quarter at the location: 5 with an error of 2.
 */
function sharedForecast(candidate: Candidate): Candidate {
  const { share, units, standardError } = candidate
  if (share === 1 || units === null) return candidate
  return {
    ...candidate,
    units: units.map((each) => each * share),
    standardError: (standardError ?? 0) * Math.sqrt(share),
  }
}

const rowsOf = async (db: Db, shopId: number, page: readonly Planned[], place: Place) =>
  (await pricedPlans(db, shopId, page, place)).map(({ row }) => row)

export type PricedPlan = { planned: Planned; row: ReplenishmentRow }

type Place = Pick<ReplenishmentFilter, 'locationId'>

/** Adds what the page shows beside the plan: the price of the quantity, and what drafts bring to the location, or to all. */
export async function pricedPlans(
  db: Db,
  shopId: number,
  page: readonly Planned[],
  { locationId }: Place = {},
): Promise<PricedPlan[]> {
  const wanted = page.flatMap(({ candidate: { id, supplierId, supplierSku, currency }, plan }) =>
    supplierId === null
      ? []
      : [
          {
            ...{ variantRowId: id, supplierId, currency },
            supplierSku: supplierSku ?? undefined,
            quantity: Math.max(1, plan.suggestedQuantity),
          },
        ],
  )
  const terms = (await readLineTerms(db, shopId, wanted)).values()
  const drafts = await readDrafts(
    db,
    shopId,
    page.map(({ candidate }) => candidate.id),
    { locationId },
  )
  return page.map((planned) => {
    const found = planned.candidate.supplierId === null ? undefined : terms.next().value
    return { planned, row: rowOf(planned, found, drafts.get(planned.candidate.id) ?? 0) }
  })
}

function rowOf(planned: Planned, terms: LineTerms | undefined, inDraft: number): ReplenishmentRow {
  const unitCost = terms?.price ?? null
  const { candidate, demand, leadTime, plan, growth } = planned
  const { suggestedQuantity } = plan
  const { packSize } = candidate
  const isInPacks = suggestedQuantity % packSize === 0
  const isSure = demand.confidence === 'normal' && leadTime.source !== 'assumed'
  const { today, onHand, maxLevel } = candidate
  return {
    ...candidate,
    ...plan,
    roundedUpBy: roundedUpBy(plan),
    packs: isInPacks ? suggestedQuantity / packSize : null,
    unitCost,
    breaks: terms?.breaks ?? [],
    lineTotal: unitCost === null ? null : roundMoney(suggestedQuantity * unitCost, candidate.currency),
    method: demand.method,
    wape: demand.wape,
    confidence: isSure ? 'normal' : 'low',
    explanation: explainPlan({ plan, demand, leadTime, today, onHand, packSize, growth, maxLevel }),
    inDraft,
    leadTimeDays: oneDecimal(leadTime.days),
  }
}
