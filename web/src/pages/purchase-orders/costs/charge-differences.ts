import type { Charge } from '../../../../../shared/schemas/charges.ts'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import { changedFields } from '../../../components/forms/record-save.ts'
import type { useFormat } from '../../../components/shop/format.ts'
import { differencesOf } from '../form/order-differences.ts'
import { basisNames, kindNames } from './charge-names.ts'

type Format = ReturnType<typeof useFormat>

/** Lists what another user changed in a charge and its order, one line for each change. */
export function chargeDifferences(
  base: { order: PurchaseOrder; charge: Charge },
  theirs: PurchaseOrder,
  format: Format,
): string[] {
  const now = theirs.charges.find(({ id }) => id === base.charge.id)
  return [
    ...(now
      ? changedFields(shownOf(base.charge, base.order, format), shownOf(now, theirs, format))
      : ['The charge was deleted.']),
    ...differencesOf(base.order, theirs, format),
  ]
}

function shownOf(charge: Charge, { lineItems }: PurchaseOrder, { moneyIn, rate }: Format) {
  const titles = new Map(lineItems.map(({ id, title }) => [id, title]))
  const money = (amount: number) => moneyIn(amount, charge.currency)
  return {
    Kind: kindNames[charge.kind],
    Amount: money(charge.amount),
    'Exchange rate': rate(charge.rate),
    Split: basisNames[charge.basis],
    Lines: charge.lineItemIds === null ? 'all' : charge.lineItemIds.map((id) => titles.get(id)).join(', '),
    Shares: (charge.shares ?? [])
      .map(({ lineItemId, amount }) => `${titles.get(lineItemId)} ${money(amount)}`)
      .join(', '),
    'Tax rate': `${charge.taxRate}%`,
    Estimate: charge.isEstimate ? 'yes' : 'no',
  }
}
