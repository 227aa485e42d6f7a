import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import type { CountedLine } from '../../../../../shared/schemas/receipts.ts'
import { ApiError } from '../../../api/api-error.ts'
import { creditedOf } from './line-counts.ts'

export const isOverReceipt = (error: unknown) => error instanceof ApiError && error.code === 'over_receipt'

/** The lines that the API refuses; it names what is outstanding now, after a colleague has posted a receipt. */
export function overLines(
  error: unknown,
  { lineItems }: Pick<PurchaseOrder, 'lineItems'>,
  counted: readonly CountedLine[],
) {
  const details = error instanceof ApiError ? error.details : []
  return details.flatMap(({ lineItemId, outstanding = 0 }) => {
    const line = counted.find((one) => one.lineItemId === lineItemId)
    const title = lineItems.find(({ id }) => id === lineItemId)?.title ?? ''
    return line
      ? [{ ...line, title, accepted: line.accepted ?? 0, credited: creditedOf(line), outstanding }]
      : []
  })
}
