import { roundMoney } from '../../../../currency.ts'
import { type Packaging, stepOf } from '../../../records/supplier-prices/quantity.ts'

/** A suggestion that a budget may pay. Money is in the currency of the supplier and without tax where nothing else is said. */
export type BudgetLine = Packaging & {
  id: number
  supplierId: number
  /** Before and after packs, multiple and minimum. */
  wantedQuantity: number
  suggestedQuantity: number
  /** Of the suggested quantity. */
  unitCost: number
  /** Prices by quantity, the smallest quantity first; empty: `unitCost` holds for every quantity. */
  breaks: readonly { minQuantity: number; price: number }[]
  /** Of the supplier. */
  currency: string
  /** What one unit of the supplier's currency is in that of the budget. */
  rate: number
  /** Percent. */
  taxRate: number
  /** Retail price of one in the currency of the budget; null: not known. */
  price: number | null
  /** Of the supplier; null: none. */
  supplierMinimumValue: number | null
  supplierMinimumQuantity: number | null
}

export type SpentLine = {
  id: number
  budgetQuantity: number
  /** In the currency of the budget, with tax. */
  cost: number
  margin: number | null
  marginPerCost: number | null
  overBudgetReason: 'budget' | 'supplier_minimum' | null
}

/**
 * Spends a budget on suggestions, in minor units of its currency and in steps:
 *
 * 1. Each has the margin that its wanted pieces win, (price - cost) × wanted, and that by the money it takes, cost with
 *    tax × suggested quantity. The highest comes first; without a price last, then by id.
 * 2. In this order a line gets its suggested quantity, or the largest one in whole steps, at least the minimum, that the
 *    rest of the budget pays; else it is over budget, and the next lines are tried.
 * 3. Where less than the suggestion leaves the orders of a supplier below its minimum, which is without tax, they could
 *    not be placed: of such suppliers the one with the smallest margin is left out, and the rest is done again.
 *
 * Example: 1 000. A: 40 at 10, sold at 25: 600 of 400, 1.5. B: 60 at 8, sold at 16: 1.0, minimum 24, packs of 12. C: 10 at
 * 30, sold at 45: 0.5. A takes 400; B takes 480, 120 are left; C takes 4 at 30 = 120. With 700 B gets 36 = 288, the largest
 * multiple of 12 that 300 pay, and C nothing: 12 are left. With 550 B is over budget, since 150 pay 12, less than its minimum; C takes 5.
 */
export function spendBudget(
  lines: readonly BudgetLine[],
  { budget, currency }: { budget: number; currency: string },
): SpentLine[] {
  const rounded = roundingOf(currency)
  const ranked = lines.map((line) => ({ line, ...marginOf(line, rounded) })).sort(byMargin)
  const left = new Set<number>()
  for (;;) {
    const spent = spend(ranked, { budget, left, rounded })
    const short = shortSuppliers(ranked, spent)
    const [worst] = short
    if (worst === undefined) return ranked.map(({ line }, at) => spent[at] ?? nothing(line))
    left.add(worst)
  }
}

type Rounding = (amount: number) => number

export const roundingOf =
  (currency: string): Rounding =>
  (amount) =>
    roundMoney(amount, currency)

type Ranked = { line: BudgetLine; margin: number | null; marginPerCost: number | null }

/** What a price without tax takes of the budget. */
const taxedPrice = ({ rate, taxRate }: BudgetLine, price: number) => price * rate * (1 + taxRate / 100)

function marginOf(line: BudgetLine, rounded: Rounding) {
  const { price, unitCost, rate, wantedQuantity, suggestedQuantity } = line
  if (price === null) return { margin: null, marginPerCost: null }
  const margin = rounded((price - unitCost * rate) * Math.min(wantedQuantity, suggestedQuantity))
  const cost = taxedPrice(line, unitCost) * suggestedQuantity
  // a line without a cost comes first
  return { margin, marginPerCost: cost > 0 ? margin / cost : Number.MAX_VALUE }
}

const byMargin = (a: Ranked, b: Ranked) =>
  (b.marginPerCost ?? Number.NEGATIVE_INFINITY) - (a.marginPerCost ?? Number.NEGATIVE_INFINITY) ||
  a.line.id - b.line.id

function spend(
  ranked: readonly Ranked[],
  { budget, left, rounded }: { budget: number; left: ReadonlySet<number>; rounded: Rounding },
): SpentLine[] {
  let rest = budget
  return ranked.map(({ line, margin, marginPerCost }) => {
    const isLeft = left.has(line.supplierId)
    const bought = isLeft ? null : affordable(line, rest, rounded)
    rest = rounded(rest - (bought?.cost ?? 0))
    const isWhole = bought?.quantity === line.suggestedQuantity
    return {
      ...{ id: line.id, margin },
      marginPerCost: marginPerCost === null ? null : Math.min(marginPerCost, 1e9),
      budgetQuantity: bought?.quantity ?? 0,
      cost: bought?.cost ?? rounded(taxedPrice(line, line.unitCost) * line.suggestedQuantity),
      overBudgetReason: isLeft ? 'supplier_minimum' : isWhole ? null : 'budget',
    }
  })
}

const nothing = ({ id }: BudgetLine): SpentLine => ({
  ...{ id, budgetQuantity: 0, cost: 0, margin: null, marginPerCost: null },
  overBudgetReason: 'budget',
})

/** The suggested quantity, else the largest accepted one below it that the money pays; null: none. */
function affordable(
  line: BudgetLine,
  money: number,
  rounded: Rounding,
): { quantity: number; cost: number } | null {
  const { suggestedQuantity, unitCost, breaks, minimumQuantity } = line
  const whole = rounded(taxedPrice(line, unitCost) * suggestedQuantity)
  if (whole <= money) return { quantity: suggestedQuantity, cost: whole }
  const step = stepOf(line)
  const min = Math.ceil(Math.max(minimumQuantity ?? 0, 1) / step) * step
  const tiers = breaks.length > 0 ? breaks : [{ minQuantity: 1, price: unitCost }]
  let best: { quantity: number; cost: number } | null = null
  for (const [at, { minQuantity, price: net }] of tiers.entries()) {
    const price = taxedPrice(line, net)
    const end = Math.min(suggestedQuantity, tiers[at + 1]?.minQuantity ?? suggestedQuantity)
    // below the end of the tier, in whole steps; a floating-point error must not take a step
    const paid = price > 0 ? Math.floor(money / price / step + 1e-9) * step : suggestedQuantity
    const quantity = Math.min(paid, Math.ceil(end / step - 1) * step)
    const cost = rounded(price * quantity)
    const isAccepted = quantity >= Math.max(min, minQuantity) && cost <= money
    if (isAccepted && quantity > (best?.quantity ?? 0)) best = { quantity, cost }
  }
  return best
}

/** The value of an order line without tax, as the order rounds it. */
function netValue({ unitCost, breaks, suggestedQuantity, currency }: BudgetLine, quantity: number): number {
  const tier = breaks.findLast(({ minQuantity }) => minQuantity <= quantity)
  const price = quantity === suggestedQuantity ? unitCost : (tier?.price ?? unitCost)
  return roundMoney(price * quantity, currency)
}

type Sums = { value: number; pieces: number; wholeValue: number; wholePieces: number; margin: number }

/** Suppliers whose orders the budget cut below their minimum; the one with the smallest margin comes first. */
function shortSuppliers(ranked: readonly Ranked[], spent: readonly SpentLine[]): number[] {
  const suppliers = new Map<number, { line: BudgetLine; sums: Sums }>()
  for (const [at, { line, margin }] of ranked.entries()) {
    const { budgetQuantity } = spent[at] ?? nothing(line)
    const empty = { value: 0, pieces: 0, wholeValue: 0, wholePieces: 0, margin: 0 }
    const supplier = suppliers.get(line.supplierId) ?? { line, sums: empty }
    suppliers.set(line.supplierId, supplier)
    const { sums } = supplier
    sums.wholeValue += netValue(line, line.suggestedQuantity)
    sums.wholePieces += line.suggestedQuantity
    if (budgetQuantity === 0) continue
    sums.value += netValue(line, budgetQuantity)
    sums.pieces += budgetQuantity
    sums.margin += ((margin ?? 0) * budgetQuantity) / line.suggestedQuantity
  }
  return [...suppliers]
    .filter(([, { line, sums }]) => isShort(line, sums))
    .sort(([a, one], [b, other]) => one.sums.margin - other.sums.margin || a - b)
    .map(([supplierId]) => supplierId)
}

/** Not where the whole suggestion is below the minimum: there the buyer tops it up anyway. */
function isShort(
  { supplierMinimumValue, supplierMinimumQuantity, currency }: BudgetLine,
  { value, pieces, wholeValue, wholePieces }: Sums,
): boolean {
  const [minValue, minPieces] = [supplierMinimumValue ?? 0, supplierMinimumQuantity ?? 0]
  const rounded = roundingOf(currency)
  return (
    pieces > 0 &&
    ((rounded(value) < minValue && rounded(wholeValue) >= minValue) ||
      (pieces < minPieces && wholePieces >= minPieces))
  )
}
