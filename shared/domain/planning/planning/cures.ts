import { addDays } from '../../../calendar-days.ts'
import { oneDecimal } from '../../../one-decimal.ts'
import type { Packaging } from '../../records/supplier-prices/quantity.ts'
import { roundedQuantity } from '../supply/explain-quantity.ts'
import { type Gap, type GapInput, missingFrom } from './find-gap.ts'

/** An order that is on its way to the location of the gap. `day` null: it has no date. */
export type OpenOrder = {
  purchaseOrderId: number
  poNumber: string
  supplierId: number
  supplierName: string
  day: string | null
  quantity: number
}

/** Another location with pieces above its own reorder point. */
export type Source = {
  locationId: number
  gid: string
  name: string
  spare: number
  /** Until it is at its own reorder point; null: it sells none. */
  lastsDays: number | null
  transitDays: number
}

export type CureInput = {
  gap: Gap
  stock: GapInput
  price: number | null
  unitCost: number | null
  /** How the main supplier sells it. */
  packaging: Packaging
  orders: readonly OpenOrder[]
  sources: readonly Source[]
  supplier: { id: number; name: string } | null
}

export type Cure = {
  kind: 'transfer' | 'expedite' | 'buy'
  /** Pieces to move, of the order, or to buy. */
  quantity: number
  /** The first day on which they can be sold. */
  arrivesOn: string
  savedUnits: number
  /** The cost of the goods to buy, in the shop's currency; 0 for goods that are already paid for; null: the cost is not known. */
  spends: number | null
  order: OpenOrder | null
  source: Source | null
  supplier: { id: number; name: string } | null
}

/**
 * The cheapest cure of a gap: the one with the smallest cost, which is the revenue that it does not save plus the money that it spends.
 *
 * | cure     | helps from                                  | saves at most                       | spends        |
 * | -------- | ------------------------------------------- | ----------------------------------- | ------------- |
 * | transfer | tomorrow + the days of the route            | what the source can spare           | nothing       |
 * | expedite | the first day of the gap, at least tomorrow | what the order brings               | nothing       |
 * | buy      | today + L                                   | all that is missing from then on    | pieces × cost |
 *
 * Of equally cheap ones the first of the table, since the goods of a transfer are on the shelf. Without a price a piece counts as 1 of
 * any currency, and spending nothing comes first. Cures that save no piece are skipped; null when none is left.
 *
 * Example: 10 missing at a price of 20 and a cost of 8. An order of 6 can be expedited: 4 × 20 = 80. Of what is bought, 7 pieces can
 * arrive in time: buying 7 costs 3 × 20 + 7 × 8 = 116. Expedite.
 */
export function cheapestCure(input: CureInput): Cure | null {
  const { gap, price } = input
  const cures = [transferCure(input), expediteCure(input), buyCure(input)].filter(
    (cure) => cure !== null && cure.savedUnits > 0,
  ) as Cure[]
  const costOf = ({ savedUnits, quantity, spends }: Cure) =>
    (gap.missingUnits - savedUnits) * (price ?? 1) + (spends ?? (price ?? 1) * quantity)
  let best: Cure | null = null
  for (const cure of cures) {
    // a floating-point error is no difference
    if (best === null || costOf(cure) < costOf(best) - 1e-6) best = cure
  }
  return best
}

/** Takes from the location that lasts longest above its own point: one that sells none, else by days, by pieces and by id. */
function transferCure({ gap, stock, sources }: CureInput): Cure | null {
  const lasts = ({ lastsDays }: Source) => lastsDays ?? Number.MAX_SAFE_INTEGER
  const [source] = sources
    .filter(({ spare }) => spare > 0)
    .toSorted((a, b) => lasts(b) - lasts(a) || b.spare - a.spare || a.locationId - b.locationId)
  if (!source) return null
  const arrivesOn = later(gap.gapOn, addDays(stock.today, 1 + source.transitDays))
  const missing = missingFrom(gap, stock, arrivesOn)
  const quantity = Math.min(source.spare, Math.ceil(missing + gap.owed))
  const savedUnits = savedBy(quantity, gap, missing)
  return { kind: 'transfer', quantity, arrivesOn, savedUnits, spends: 0, order: null, source, supplier: null }
}

/** The order that saves most; of equal ones the one that is expected first. One without a date can come sooner, too. */
function expediteCure({ gap, stock, orders }: CureInput): Cure | null {
  const arrivesOn = later(gap.gapOn, addDays(stock.today, 1))
  const missing = missingFrom(gap, stock, arrivesOn)
  const saved = ({ quantity }: OpenOrder) => savedBy(quantity, gap, missing)
  const [order] = orders
    .filter(({ day }) => day === null || day > arrivesOn)
    .toSorted(
      (a, b) =>
        saved(b) - saved(a) ||
        (a.day ?? '9').localeCompare(b.day ?? '9') ||
        a.purchaseOrderId - b.purchaseOrderId,
    )
  if (!order) return null
  const { quantity } = order
  const supplier = { id: order.supplierId, name: order.supplierName }
  const common = { quantity, arrivesOn, savedUnits: saved(order), spends: 0 }
  return { kind: 'expedite', ...common, order, source: null, supplier }
}

/** What is missing, in whole packs and at least the minimum. */
function buyCure({ gap, stock, unitCost, packaging, supplier }: CureInput): Cure {
  const arrivesOn = later(gap.gapOn, addDays(stock.today, Math.ceil(stock.leadDays)))
  const missing = missingFrom(gap, stock, arrivesOn)
  const quantity = missing > 0 ? roundedQuantity(Math.ceil(missing + gap.owed), packaging) : 0
  const spends = unitCost === null ? null : quantity * unitCost
  const common = { quantity, arrivesOn, savedUnits: missing, spends }
  return { kind: 'buy', ...common, order: null, source: null, supplier }
}

/** Pieces that are owed are served first. */
const savedBy = (quantity: number, { owed }: Gap, missing: number) =>
  oneDecimal(Math.min(missing, Math.max(0, quantity - owed)))

const later = (a: string, b: string) => (a > b ? a : b)
