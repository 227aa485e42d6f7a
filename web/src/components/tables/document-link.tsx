import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'

const pages = {
  purchase_order: ['/purchase-orders', 'Purchase order'],
  receipt: ['/receipts', 'Receipt'],
  stock_transfer: ['/transfers', 'Transfer'],
  stock_count: ['/counts', 'Count'],
  supplier_return: ['/returns', 'Return'],
} as const

/** Links a stock movement to its document. The reference has the record id, as in `purchase_order/42`; `name` is the document's number. */
export function DocumentLink({ reference, name = '' }: { reference: string; name?: string }) {
  const [kind = '', id = ''] = reference.split('/')
  if (kind === 'stock_import') {
    return (
      <Anchor component={Link} to="/stock/import" size="sm" underline="always">
        Stock import #{id}
      </Anchor>
    )
  }
  if (kind === 'stock_push') return 'Several changes'
  const page = pages[kind as keyof typeof pages]
  if (!page) return reference
  return (
    <Anchor component={Link} to={`${page[0]}/${id}`} size="sm" underline="always">
      {name || page[1]}
      {(kind === 'stock_transfer' || kind === 'stock_count') && ` #${id}`}
    </Anchor>
  )
}
