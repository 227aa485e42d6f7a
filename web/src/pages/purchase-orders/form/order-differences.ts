import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import type { useFormat } from '../../../components/shop/format.ts'
import { orderStatusName } from '../../../components/tables/status-badge.tsx'

/** Lists what another user changed in an order, one line for each change. */
export function differencesOf(
  base: PurchaseOrder,
  theirs: PurchaseOrder,
  format: ReturnType<typeof useFormat>,
): string[] {
  const differences: string[] = []
  const fields = [
    ['Status', orderStatusName(base.status), orderStatusName(theirs.status)],
    ['Supplier', base.supplierName, theirs.supplierName],
    [
      'Deliver to',
      base.destinationLocationName ?? 'primary location',
      theirs.destinationLocationName ?? 'primary location',
    ],
    ['Expected on', format.day(base.expectedAt), format.day(theirs.expectedAt)],
    ['Tax', format.money(base.tax), format.money(theirs.tax)],
    ['Note to the supplier', base.supplierNotes, theirs.supplierNotes],
    ['Internal note', base.notes, theirs.notes],
  ] as const
  for (const [name, before, now] of fields) {
    if (before !== now) differences.push(`${name}: ${before || 'empty'} → ${now || 'empty'}`)
  }
  const before = new Map(base.lineItems.map((line) => [line.id, line]))
  for (const line of theirs.lineItems) {
    const was = before.get(line.id)
    before.delete(line.id)
    const now = `${format.count(line.quantity)} at ${format.cost(line.costPrice)}`
    if (!was) differences.push(`${line.title}: added, ${now}`)
    else if (was.quantity !== line.quantity || was.costPrice !== line.costPrice) {
      differences.push(
        `${line.title}: ${format.count(was.quantity)} at ${format.cost(was.costPrice)} → ${now}`,
      )
    }
  }
  for (const { title } of before.values()) differences.push(`${title}: removed`)
  return differences
}
