import type { Charge } from '../../../../../shared/schemas/charges.ts'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import type { Format } from '../../../components/shop/formats.ts'
import { orderStatusName } from '../../../components/tables/looks.ts'
import { basisNames, kindNames } from '../costs/charge-names.ts'

/** Lists what another user changed in an order, one line for each change. */
export function differencesOf(base: PurchaseOrder, theirs: PurchaseOrder, format: Format): string[] {
  const differences: string[] = []
  const rate = (order: PurchaseOrder) => (order.rate === null ? '' : String(order.rate))
  const money = (order: PurchaseOrder, amount: number) => format.moneyIn(amount, order.currency)
  const calendarDay = (day: string | null) => day && format.calendarDay(day)
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
    ['Invoice number', base.invoiceNumber, theirs.invoiceNumber],
    ['Invoice date', calendarDay(base.invoiceDate), calendarDay(theirs.invoiceDate)],
    ['Payment due', calendarDay(base.paymentDueOn), calendarDay(theirs.paymentDueOn)],
    ['Paid', base.paidAt && format.day(base.paidAt), theirs.paidAt && format.day(theirs.paidAt)],
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
  return [...differences, ...chargeDifferences(base, theirs, format)]
}

function chargeDifferences(base: PurchaseOrder, theirs: PurchaseOrder, format: Format): string[] {
  const before = new Map(base.charges.map((charge) => [charge.id, charge]))
  const differences: string[] = []
  for (const charge of theirs.charges) {
    const was = before.get(charge.id)
    before.delete(charge.id)
    const name = `Charge for ${kindNames[(was ?? charge).kind].toLowerCase()}`
    const now = describeCharge(charge, theirs, format)
    if (!was) differences.push(`${name}: added, ${now}`)
    else if (describeCharge(was, base, format) !== now) {
      differences.push(`${name}: ${describeCharge(was, base, format)} → ${now}`)
    }
  }
  for (const { kind } of before.values()) {
    differences.push(`Charge for ${kindNames[kind].toLowerCase()}: deleted`)
  }
  return differences
}

/** A charge in words: freight, $40.00, by value, for Blue mug and Red mug, plus 20% tax, an estimate. */
function describeCharge(charge: Charge, { lineItems }: PurchaseOrder, { moneyIn, rate }: Format): string {
  const { kind, amount, currency, basis, lineItemIds, shares, taxRate, isEstimate, isRateTyped } = charge
  const titleOf = (id: number) => lineItems.find((line) => line.id === id)?.title ?? 'a removed line'
  const money = (share: number) => moneyIn(share, currency)
  return [
    kindNames[kind].toLowerCase(),
    money(amount),
    ...(isRateTyped ? [`at the rate ${rate(charge.rate)}`] : []),
    basisNames[basis].toLowerCase(),
    ...(lineItemIds === null ? [] : [`for ${lineItemIds.map(titleOf).join(' and ')}`]),
    ...(shares ?? []).map((share) => `${titleOf(share.lineItemId)} ${money(share.amount)}`),
    ...(taxRate > 0 ? [`plus ${taxRate}% tax`] : []),
    ...(isEstimate ? ['an estimate'] : []),
  ].join(', ')
}

type Described = Pick<PurchaseOrder['lineItems'][number], 'quantity' | 'costPrice'> &
  Partial<
    Pick<PurchaseOrder['lineItems'][number], 'packSize' | 'discountPercent' | 'taxRate' | 'supplierSku'>
  >

/** A line in words: 24 at $2.00, packs of 6, less 5%, plus 20% tax. */
export const describe = (
  { quantity, costPrice, packSize = 1, discountPercent = 0, taxRate = 0, supplierSku = '' }: Described,
  currency: string,
  format: Pick<Format, 'count' | 'costIn'>,
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
