import type { Formats } from '../format.ts'
import type { PurchaseOrderDocument } from '../schemas/order-document.ts'
import type { Words } from './words.ts'

/**
 * An amount of an order, which leaves out the lines whose price is to be agreed. Examples: `$10.00`,
 * `$10.00 + 2 lines to be agreed`, and `to be agreed` when no line has a price.
 */
export function orderAmount(
  amount: number,
  { lines }: Pick<PurchaseOrderDocument, 'lines'>,
  words: Words,
  formats: Formats,
): string {
  const toBeAgreed = lines.filter(({ isCostToBeAgreed }) => isCostToBeAgreed).length
  if (toBeAgreed === 0) return formats.money(amount)
  if (toBeAgreed === lines.length) return words.toBeAgreed
  const text = toBeAgreed === 1 ? words.plusLineToBeAgreed : words.plusLinesToBeAgreed
  return text
    .replace('{amount}', () => formats.money(amount))
    .replace('{lines}', () => formats.quantity(toBeAgreed))
}
