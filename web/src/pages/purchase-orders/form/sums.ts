/** The numbers of a line, with those of the catalogue where the draft has none. */
export type Figures = { quantity: number; costPrice: number; discountPercent: number; taxRate: number }

/** Rounded to the decimals of the order's currency, as the API does. */
export const lineTotal = ({ quantity, costPrice, discountPercent }: Figures, decimals: number): number =>
  round(quantity * costPrice * (1 - discountPercent / 100), decimals)

/**
 * Subtotal and tax. The discount of the order lowers the tax of its lines, as `shared/domain/documents/purchase-orders/functions/tax_after_discount.sql` does.
 * Example: 100 with 20 % tax and a discount of 50: the tax is 10.
 */
export function sumsOf(
  lines: readonly Figures[],
  { decimals, discount = 0 }: { decimals: number; discount?: number },
): { subtotal: number; tax: number } {
  const totals = lines.map((line) => lineTotal(line, decimals))
  const taxes = lines.map(({ taxRate }, at) => round(((totals[at] ?? 0) * taxRate) / 100, decimals))
  const subtotal = sum(totals, decimals)
  const taxed = subtotal > 0 ? Math.max(subtotal - discount, 0) / subtotal : 1
  return { subtotal, tax: round(sum(taxes, decimals) * taxed, decimals) }
}

/** Rounded, since 8.19 + 66.82 + 24.99 is 99.99999999999999 in floating point, less than a minimum of 100. */
const sum = (amounts: readonly number[], decimals: number) =>
  round(
    amounts.reduce((total, amount) => total + amount, 0),
    decimals,
  )

/** What counts for the supplier's minimum. Rounded as the sums are. */
export const goodsValue = (subtotal: number, discount: number | '', decimals: number) =>
  round(subtotal - Number(discount), decimals)

/** Rounds half up, as Postgres does. In floating point a half may be slightly less, so six digits are rounded first. */
export function round(amount: number, decimals: number): number {
  const unit = 10 ** decimals
  return Math.round(Number((amount * unit).toFixed(6))) / unit
}
