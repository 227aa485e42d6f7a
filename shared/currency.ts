/** The column `purchase_order_line.minor_digits` has at most three. */
const maxDigits = 3

/** A cache, since `Intl` takes longer for one currency than Postgres for an order's line. */
const known = new Map<string, number>()

/** The decimals of a currency (ISO 4217): 2 for USD, 0 for JPY, 3 for KWD; 2 for a code that `Intl` does not know. */
export function minorDigitsOf(currency: string): number {
  const digits = known.get(currency) ?? readDigits(currency)
  known.set(currency, digits)
  return digits
}

function readDigits(currency: string): number {
  const style = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  return Math.min(style.maximumFractionDigits ?? 2, maxDigits)
}
