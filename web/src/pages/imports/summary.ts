import type { ImportSummary, ImportTarget } from '../../../../shared/schemas/imports.ts'
import type { Format } from '../../components/shop/formats.ts'

const nouns: Record<ImportTarget, string> = {
  purchase_order: 'order',
  supplier: 'supplier',
  supplier_product: 'supplier product',
  receipt: 'receipt',
  stock_count: 'stock count',
  cost: 'average cost',
  past_adjustment: 'past adjustment',
  reorder_rule: 'reorder rule',
}

/** Why a run of this dry run would store nothing; undefined when it would store something. */
export function whyNothing({ isRehearsal, ...summary }: ImportSummary): string | undefined {
  if (!isRehearsal || summary.new + summary.changed > 0) return undefined
  return summary.same > 0
    ? 'Nothing to import: these rows are stored already.'
    : 'Nothing to import: fix the rows or the columns.'
}

/** "212 orders (9 open), 31 new suppliers, 1 average cost changes, 1 904 rows valid, 17 invalid". */
export function shortSummary(summary: ImportSummary, { count, many }: Format): string {
  const { orders, openOrders, suppliers, faults, targets = [] } = summary
  const valid = summary.new + summary.same + summary.changed
  return [
    orders > 0 && `${many(orders, 'order')} (${count(openOrders)} open)`,
    suppliers > 0 && `${many(suppliers, 'new supplier')}`,
    ...targets.flatMap(({ target, new: added, changed }) => [
      added > 0 && many(added, `new ${nouns[target]}`),
      changed > 0 && `${many(changed, nouns[target])} ${changed === 1 ? 'changes' : 'change'}`,
    ]),
    `${many(valid, 'row')} valid`,
    faults > 0 && `${count(faults)} invalid`,
  ]
    .filter(Boolean)
    .join(', ')
}
