import { type Static, Type } from '@sinclair/typebox'
import type { Db } from '../../../db/db.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import { ReorderInputs, ReorderMode } from '../../../schemas/reorder-rules.ts'
import { ReorderSuggestion } from '../../../schemas/reorder-suggestions.ts'
import { PairKey } from '../../kit/pages/pages.ts'
import { type LineTerms, readLineTerms } from '../../records/supplier-prices/price-of-line.ts'
import { forecastColumns } from '../forecasts/usable.ts'
import { type Arrival, readArrivals } from '../supply/arrivals.ts'
import { explainPrice } from '../supply/explain-quantity.ts'
import { leadTimeColumns } from '../supply/lead-times.ts'
import { leadTimeOf } from '../supply/reorder-point.ts'
import { serviceLevelOf } from '../supply/service-level.ts'
import { type Moving, readMoving } from '../supply/transit.ts'
import { explainSuggestion } from './explain.ts'
import { suggestFor } from './suggested-quantity.ts'

/** A low rule with what its suggestion follows from. */
export const LowRow = Type.Object({
  ...PairKey.properties,
  ...Type.Pick(ReorderSuggestion, ['variantId', 'sku', 'title', 'currentStock', 'reorderPoint']).properties,
  ...Type.Pick(ReorderSuggestion, ['reorderQuantity', 'supplierId', 'supplierName', 'productId']).properties,
  ...Type.Pick(ReorderSuggestion, ['ruleId', 'locationId', 'locationName', 'onOrder', 'inTransit'])
    .properties,
  ...Type.Pick(ReorderSuggestion, ['inDraft', 'drafts']).properties,
  unitsSold: Type.Integer(),
  soldDays: Type.Integer(),
  emptyDays: Type.Integer(),
  today: Type.String(),
  isLocationInUse: Type.Boolean(),
  variantRowId: Id,
  locationRowId: Nullable(Id),
  mode: ReorderMode,
  inputs: Nullable(ReorderInputs),
  /** Null: that of the ABC class. */
  chosenServiceLevel: Nullable(Type.Integer()),
  abcClass: Nullable(Type.String()),
  reviewDays: Type.Integer(),
  orderCycleDays: Nullable(Type.Integer()),
  maxLevel: Nullable(Type.Integer()),
  ...forecastColumns,
  ...Type.Pick(ReorderSuggestion, ['supplierSku', 'packSize', 'currency']).properties,
  minimumQuantity: Nullable(Type.Integer()),
  quantityMultiple: Type.Integer(),
  ...leadTimeColumns,
})
type LowRow = Static<typeof LowRow>

/** The suggestion of each rule, in their order, with what arrives until then and the price of its quantity. */
export async function suggestionsOf(db: Db, shopId: number, rules: readonly LowRow[]) {
  const idsOf = (some: readonly LowRow[]) => [...new Set(some.map(({ variantRowId }) => variantRowId))]
  const ordered = idsOf(rules.filter(({ onOrder }) => onOrder > 0))
  const moved = idsOf(rules.filter(({ inTransit }) => inTransit > 0))
  const arrivals = ordered.length === 0 ? [] : await readArrivals(db, shopId, ordered)
  const moving = moved.length === 0 ? [] : await readMoving(db, shopId, moved)
  const arriving = Map.groupBy(arrivals, ({ variantId }) => variantId)
  const transfers = Map.groupBy(moving, ({ variantId }) => variantId)
  const suggested = rules.map((rule) =>
    suggestionOf(rule, arriving.get(rule.variantRowId) ?? [], transfers.get(rule.variantRowId) ?? []),
  )
  const termsOf = await priced(db, shopId, suggested)
  return suggested.map((unpriced) => withPrice(unpriced, termsOf.get(unpriced.rule.ruleId)))
}

/** A suggestion before the price of its quantity is known. */
type Unpriced = { rule: LowRow; suggestion: ReturnType<typeof suggestFor>; explanation: string }

function suggestionOf(rule: LowRow, arrivals: readonly Arrival[], transfers: readonly Moving[]): Unpriced {
  const measured = { orders: rule.measuredOrders, mean: rule.meanDays, deviation: rule.deviationDays }
  const leadTime = leadTimeOf(measured, rule.supplierDays)
  const { locationRowId } = rule
  const isHere = ({ locationId }: Arrival | Moving) => locationRowId === null || locationId === locationRowId
  const serviceLevel = rule.chosenServiceLevel ?? serviceLevelOf(rule.abcClass)
  const suggestion = suggestFor(
    { ...rule, serviceLevel },
    leadTime,
    arrivals.filter(isHere),
    transfers.filter(isHere),
  )
  return { rule, suggestion, explanation: explainSuggestion({ ...rule, serviceLevel }, suggestion, leadTime) }
}

/** The terms of each suggested quantity at its supplier, by rule; a rule without a supplier has none. */
async function priced(
  db: Db,
  shopId: number,
  unpriced: readonly Unpriced[],
): Promise<ReadonlyMap<number, LineTerms>> {
  const wanted = unpriced.flatMap(({ rule, suggestion }) => {
    const { ruleId, variantRowId, supplierId, supplierSku, currency } = rule
    const quantity = Math.max(suggestion.suggestedQuantity, 1)
    return supplierId === null
      ? []
      : [{ ruleId, variantRowId, supplierId, supplierSku: supplierSku || undefined, quantity, currency }]
  })
  const terms = await readLineTerms(db, shopId, wanted)
  return new Map(
    wanted.flatMap(({ ruleId }, at) => {
      const ofRule = terms[at]
      return ofRule ? [[ruleId, ofRule] as const] : []
    }),
  )
}

/** A suggestion with the price of its quantity, and the quantity of the next lower price. */
function withPrice({ rule, suggestion, explanation }: Unpriced, terms: LineTerms | undefined) {
  const priceText =
    terms && explainPrice(suggestion.suggestedQuantity, { packaging: rule, currency: rule.currency, terms })
  return {
    ...rule,
    ...suggestion,
    unitCost: terms?.price ?? null,
    explanation: priceText ? `${explanation} ${priceText}` : explanation,
  }
}
