import type { ImportSummary } from '../../../../shared/schemas/imports.ts'
import type { useFormat } from '../../components/shop/format.ts'

type Format = ReturnType<typeof useFormat>

/** "212 orders (9 open), 31 new suppliers, 1 904 rows valid, 17 invalid". */
export function shortSummary(summary: ImportSummary, { count, many }: Format): string {
  const { orders, openOrders, suppliers, faults } = summary
  const valid = summary.new + summary.same + summary.changed
  return [
    orders > 0 && `${many(orders, 'order')} (${count(openOrders)} open)`,
    suppliers > 0 && `${many(suppliers, 'new supplier')}`,
    `${many(valid, 'row')} valid`,
    faults > 0 && `${count(faults)} invalid`,
  ]
    .filter(Boolean)
    .join(', ')
}
