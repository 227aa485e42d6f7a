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
  const rate = (order: PurchaseOrder) => (order.rate === null ? '' : String(order.rate))
  const money = (order: PurchaseOrder, amount: number) => format.moneyIn(amount, order.currency)
  const fields = [
    ['Status', orderStatusName(base.status), orderStatusName(theirs.status)],
    ['Supplier', base.supplierName, theirs.supplierName],
    [
      'Deliver to',
      base.destinationLocationName ?? 'primary location',
      theirs.destinationLocationName ?? 'primary location',
    ],
    ['Expected on', format.day(base.expectedAt), format.day(theirs.expectedAt)],
    ['Currency', base.currency, theirs.currency],
    ['Exchange rate', rate(base), rate(theirs)],
    ['Discount', money(base, base.discount), money(theirs, theirs.discount)],
    ['Tax', money(base, base.tax), money(theirs, theirs.tax)],
    ['Reference', base.reference, theirs.reference],
    ['Supplier’s reference', base.supplierReference, theirs.supplierReference],
    ['Copies to', base.cc.join(', '), theirs.cc.join(', ')],
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
    const now = describe(line, theirs.currency, format)
    if (!was) differences.push(`${line.title}: added, ${now}`)
    else if (describe(was, base.currency, format) !== now) {
      differences.push(`${line.title}: ${describe(was, base.currency, format)} → ${now}`)
    }
  }
  for (const { title } of before.values()) differences.push(`${title}: removed`)
  return differences
}

type Described = Pick<PurchaseOrder['lineItems'][number], 'quantity' | 'costPrice'> &
  Partial<
    Pick<PurchaseOrder['lineItems'][number], 'packSize' | 'discountPercent' | 'taxRate' | 'supplierSku'>
  >

/** A line in words: 24 at $2.00, packs of 6, less 5%, plus 20% tax. */
export const describe = (
  { quantity, costPrice, packSize = 1, discountPercent = 0, taxRate = 0, supplierSku = '' }: Described,
  currency: string,
  format: Pick<ReturnType<typeof useFormat>, 'count' | 'costIn'>,
): string =>
  [
    costPrice === null
      ? `${format.count(quantity)} without a cost`
      : `${format.count(quantity)} at ${format.costIn(costPrice, currency)}`,
    ...(packSize > 1 ? [`packs of ${format.count(packSize)}`] : []),
    ...(discountPercent > 0 ? [`less ${discountPercent}%`] : []),
    ...(taxRate > 0 ? [`plus ${taxRate}% tax`] : []),
    ...(supplierSku ? [`supplier SKU ${supplierSku}`] : []),
  ].join(', ')
