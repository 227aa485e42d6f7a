import { minorDigitsOf } from '../../../../../currency.ts'
import { readerOf, type SourceRow, type Terms } from '../../load.ts'
import type { OrderPlan, PlannedLine } from '../types.ts'

type Money = {
  /** Null: the file does not say it. */
  currency: string | null
  rate: number | null
  costsOf: (line: PlannedLine) => Pick<PlannedLine, 'cost' | 'baseCost'>
}

/**
 * Currency, rate and cost of the lines.
 * Example: 10 pieces with a supplier cost of 4.00 EUR and a cost of 4.40 in a shop of USD: 4.00 EUR at a rate of 1.1.
 */
export function readMoney(
  rows: readonly SourceRow[],
  lines: readonly PlannedLine[],
  header: { currency: string; rate: number | null },
  { currency: shopCurrency, defaults }: Terms,
): Money {
  const byPosition = new Map(rows.map((each) => [each.position, each]))
  const read = (line: PlannedLine, field: string) => {
    const each = byPosition.get(line.position)
    return each ? readerOf(each).number(field, field) : null
  }
  const isInSuppliers = lines.some((line) => read(line, 'supplierCost') !== null)
  const base = (line: PlannedLine) => read(line, 'baseCost') ?? (isInSuppliers ? read(line, 'cost') : null)
  const named = header.currency || defaults.currency || ''
  const isInBase = !isInSuppliers && lines.some((line) => base(line) !== null)
  const currency = isInBase ? shopCurrency : named || null
  const costsOf = (line: PlannedLine) => ({
    cost: rounded(isInSuppliers ? read(line, 'supplierCost') : isInBase ? base(line) : read(line, 'cost')),
    baseCost: isInSuppliers ? rounded(base(line)) : null,
  })
  if (currency === shopCurrency) return { currency, rate: null, costsOf }
  if (header.rate !== null && header.rate > 0) return { currency, rate: usable(header.rate), costsOf }
  if (!isInSuppliers) return { currency, rate: null, costsOf }
  const priced = lines.filter((line) => base(line) !== null && (read(line, 'supplierCost') ?? 0) > 0)
  const sum = (of: (line: PlannedLine) => number) =>
    priced.reduce((total, line) => total + of(line) * line.quantity, 0)
  const rate =
    priced.length > 0 ? sum((line) => base(line) ?? 0) / sum((line) => read(line, 'supplierCost') ?? 0) : 0
  return { currency, rate: usable(rate), costsOf }
}

const usable = (rate: number) =>
  rate >= 0.000_000_01 && rate <= 1_000_000 ? Math.round(rate * 1e8) / 1e8 : null

/**
 * Converts the costs of the lines into the currency of their order, which may be an existing one; returns false when no rate is
 * known. Without a currency in the file, the supplier's cost is in the currency of the order. If that is the shop's currency, the
 * other cost of the file is used.
 */
export function convertCosts(
  { currency, rate }: Pick<OrderPlan, 'currency' | 'rate'>,
  lines: readonly PlannedLine[],
  order: { currency: string; rate: number | null },
  shopCurrency: string,
): boolean {
  if (currency === order.currency) return true
  const isBase = order.currency === shopCurrency
  if (currency === null && !(isBase && lines.some(({ baseCost }) => baseCost !== null))) return true
  const factor = factorOf({ currency, rate }, order, shopCurrency)
  for (const line of lines) {
    if (line.cost === null) continue
    const known = isBase ? line.baseCost : null
    if (known === null && factor === null) return false
    line.cost = known ?? rounded(line.cost * (factor ?? 1))
  }
  return true
}

/**
 * The plan with its discount and tax in the currency of the existing order. Without a rate they are left out. Comes after
 * `convertCosts`, which says when a rate is missing for lines.
 */
export function convertAmounts(
  plan: OrderPlan,
  known: { currency: string | null; rate: number | null },
  shopCurrency: string,
): OrderPlan {
  const order = { currency: known.currency ?? shopCurrency, rate: known.rate }
  if (plan.currency === null || plan.currency === order.currency) return plan
  const factor = factorOf(plan, order, shopCurrency)
  const digits = minorDigitsOf(order.currency)
  const converted = (amount: number) => Number((amount * (factor ?? 0)).toFixed(digits))
  return {
    ...plan,
    discount: converted(plan.discount),
    tax: plan.tax === null || factor === null ? null : converted(plan.tax),
  }
}

/** From the currency of the file to that of the order; null when no rate is known. */
function factorOf(
  { currency, rate }: Pick<OrderPlan, 'currency' | 'rate'>,
  order: { currency: string; rate: number | null },
  shopCurrency: string,
): number | null {
  if (order.currency === shopCurrency) return rate ?? (currency === null ? 1 : null)
  return currency === shopCurrency ? inverse(order.rate) : null
}

const inverse = (rate: number | null) => (rate === null ? null : 1 / rate)

const rounded = (amount: number | null) => (amount === null ? null : Math.round(amount * 10_000) / 10_000)
