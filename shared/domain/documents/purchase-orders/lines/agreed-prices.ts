import type { PurchaseOrder, PurchaseOrderPatch } from '../../../../schemas/purchase-orders.ts'

/**
 * Whether a patch only enters costs of lines that have none, and leaves all other fields of all lines: the prices that were to be
 * agreed when the order was sent.
 */
export function entersPrices(
  { lineItems }: PurchaseOrder,
  entries: PurchaseOrderPatch['lineItems'],
): boolean {
  return (
    entries !== undefined &&
    entries.length === lineItems.length &&
    entries.every((entry, at) => {
      const line: Record<string, unknown> = { ...lineItems[at] }
      return (
        entry.id === line.id &&
        Object.entries(entry).every(
          ([name, value]) => value === line[name] || (name === 'costPrice' && line.costPrice === null),
        )
      )
    })
  )
}
