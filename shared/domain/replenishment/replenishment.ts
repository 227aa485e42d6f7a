import { minorDigitsOf } from '../../currency.ts'
import type { Db } from '../../db/db.ts'
import type { ReplenishmentFilter, ReplenishmentRow } from '../../schemas/replenishment.ts'
import { readArrivals } from '../forecasts/arrivals.ts'
import { type Page, pageSize } from '../pages.ts'
import { type LeadTime, leadTimeOf } from '../reorder/reorder-point.ts'
import { readLineTerms } from '../supplier-prices/price-of-line.ts'
import { type Candidate, readCandidates } from './candidates.ts'
import { type ChosenDemand, demandOf } from './demand.ts'
import { readDrafts } from './drafts.ts'
import { explainPlan } from './explain.ts'
import { type Plan, planOrder } from './plan.ts'

/** Variants that one statement reads. */
const batchSize = 500
/** Bounds the time of a request: a page may end before it is full. */
const maxBatches = 10

/** Where the class of the variant is not known, and for a class, the service level in percent of variants without a rule. */
const defaultServiceLevel = 95
const serviceLevels: Readonly<Record<string, number>> = { A: 98, B: 95, C: 90 }

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
  const size = pageSize(filter)
  const found: Planned[] = []
  let after = filter.cursor ?? 0
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const { planned, lastId } = await planBatch(db, shopId, filter, after)
    found.push(...planned)
    const page = found.slice(0, size)
    const last = page.at(-1)
    if (found.length > size && last)
      return { records: await priced(db, shopId, page), next: last.candidate.id }
    if (lastId === null) return { records: await priced(db, shopId, page), next: null }
    after = lastId
  }
  return { records: await priced(db, shopId, found), next: after }
}

/** Every variant of a supplier with a suggested quantity. */
export async function planSupplier(
  db: Db,
  shopId: number,
  supplierId: number,
  filter: Pick<ReplenishmentFilter, 'days' | 'basis' | 'growth'>,
): Promise<Planned[]> {
  const found: Planned[] = []
  for (let after: number | null = 0; after !== null; ) {
    const batch = await planBatch(db, shopId, { ...filter, supplierId }, after)
    found.push(...batch.planned.filter(({ plan }) => plan.suggestedQuantity > 0))
    after = batch.lastId
  }
  return found
}

export type Planned = {
  candidate: Candidate
  demand: ChosenDemand
  leadTime: LeadTime
  plan: Plan
  growth: number
}

/** The plans of the next candidates that need something, and the id of the last candidate; null after the last batch. */
async function planBatch(
  db: Db,
  shopId: number,
  { supplierId, days = 0, basis = 'forecast', growth = 0 }: ReplenishmentFilter,
  afterVariantId: number,
): Promise<{ planned: Planned[]; lastId: number | null }> {
  const candidates = await readCandidates(db, shopId, {
    ...{ supplierId, basis, afterVariantId, limit: batchSize },
  })
  const lastId = candidates.length === batchSize ? (candidates.at(-1)?.id ?? null) : null
  const ofSupplier = candidates.filter(
    (candidate) => supplierId === undefined || candidate.supplierId === supplierId,
  )
  const ids = ofSupplier.map(({ id }) => id)
  const incoming = Map.groupBy(await readArrivals(db, shopId, ids), ({ variantId }) => variantId)
  const planned = ofSupplier.flatMap((candidate) => {
    const { measuredOrders: orders, meanDays: mean, deviationDays: deviation } = candidate
    const leadTime = leadTimeOf({ orders, mean, deviation }, candidate.supplierDays)
    const demand = demandOf(candidate, basis, growth)
    const plan = planOrder({
      ...candidate,
      ...{ demand, leadTime, coverDays: days, incoming: incoming.get(candidate.id) ?? [] },
      serviceLevel: candidate.serviceLevel ?? serviceLevels[candidate.abcClass ?? ''] ?? defaultServiceLevel,
    })
    const isShort = plan.gapOn !== null && plan.orderBy !== null && plan.orderBy < candidate.today
    return plan.suggestedQuantity > 0 || isShort ? [{ candidate, demand, leadTime, plan, growth }] : []
  })
  return { planned, lastId }
}

/** Adds what the page shows beside the plan: the price of the quantity, and what drafts have. */
async function priced(db: Db, shopId: number, page: readonly Planned[]): Promise<ReplenishmentRow[]> {
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
  )
  return page.map((planned) => {
    const price = planned.candidate.supplierId === null ? null : (terms.next().value?.price ?? null)
    return rowOf(planned, price, drafts.get(planned.candidate.id) ?? 0)
  })
}

function rowOf(planned: Planned, unitCost: number | null, inDraft: number): ReplenishmentRow {
  const { candidate, demand, leadTime, plan, growth } = planned
  const { suggestedQuantity } = plan
  const { packSize } = candidate
  const isInPacks = suggestedQuantity % packSize === 0
  const isSure = demand.confidence === 'normal' && leadTime.source !== 'assumed'
  const { today, onHand } = candidate
  return {
    ...candidate,
    ...plan,
    packs: isInPacks ? suggestedQuantity / packSize : null,
    unitCost,
    lineTotal:
      unitCost === null
        ? null
        : Number((suggestedQuantity * unitCost).toFixed(minorDigitsOf(candidate.currency))),
    method: demand.method,
    wape: demand.wape,
    confidence: isSure ? 'normal' : 'low',
    explanation: explainPlan({ plan, demand, leadTime, today, onHand, packSize, growth }),
    inDraft,
    leadTimeDays: Math.round(leadTime.days * 10) / 10,
  }
}
