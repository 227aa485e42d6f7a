import { readerOf, type SourceRow, type Terms } from '../load.ts'
import type { PlannedLine } from './types.ts'

/**
 * Currency, rate and cost of the lines.
 * Example: 10 pieces with a supplier cost of 4.00 EUR and a cost of 4.40 in a shop of USD: 4.00 EUR at a rate of 1.1.
 */
export function readMoney(
  rows: readonly SourceRow[],
  lines: readonly PlannedLine[],
  header: { currency: string; rate: number | null },
  { currency: shopCurrency, defaults }: Terms,
): { currency: string | null; rate: number | null; costOf: (line: PlannedLine) => number | null } | string {
  const byPosition = new Map(rows.map((each) => [each.position, each]))
  const read = (line: PlannedLine, field: string) => {
    const each = byPosition.get(line.position)
    return each ? readerOf(each).number(field, field) : null
  }
  const isInSuppliers = lines.some((line) => read(line, 'supplierCost') !== null)
  const base = (line: PlannedLine) => read(line, 'baseCost') ?? (isInSuppliers ? read(line, 'cost') : null)
  const named = header.currency || defaults.currency || ''
  if (named !== '' && !/^[A-Z]{3}$/.test(named))
    return `The currency "${named}" must be a three-letter code, such as EUR.`
  const isInBase = !isInSuppliers && lines.some((line) => base(line) !== null)
  const currency = isInBase ? shopCurrency : named || null
  const costOf = (line: PlannedLine) =>
    rounded(isInSuppliers ? read(line, 'supplierCost') : isInBase ? base(line) : read(line, 'cost'))
  if (currency === shopCurrency) return { currency, rate: null, costOf }
  if (header.rate !== null && header.rate > 0) return { currency, rate: usable(header.rate), costOf }
  if (!isInSuppliers) return { currency, rate: null, costOf }
  const priced = lines.filter((line) => base(line) !== null && (read(line, 'supplierCost') ?? 0) > 0)
  const sum = (of: (line: PlannedLine) => number) =>
    priced.reduce((total, line) => total + of(line) * line.quantity, 0)
  const rate =
    priced.length > 0 ? sum((line) => base(line) ?? 0) / sum((line) => read(line, 'supplierCost') ?? 0) : 0
  return { currency, rate: usable(rate), costOf }
}

const usable = (rate: number) =>
  rate >= 0.000_000_01 && rate <= 1_000_000 ? Math.round(rate * 1e8) / 1e8 : null

const rounded = (amount: number | null) => (amount === null ? null : Math.round(amount * 10_000) / 10_000)
