import type { Formats } from '../format.ts'
import type { PurchaseOrderDocument } from '../schemas/order-document.ts'
import type { Words } from './words.ts'

/** When the goods are expected, and how it is known when the merchant has given no date; empty when it is unknown. */
export function expectedDate(
  { expectedAt, isExpectedByLeadTime }: Pick<PurchaseOrderDocument, 'expectedAt' | 'isExpectedByLeadTime'>,
  words: Words,
  formats: Formats,
): string {
  if (expectedAt === null) return ''
  const date = formats.date(expectedAt)
  return isExpectedByLeadTime ? words.byLeadTime.replace('{date}', date) : date
}
