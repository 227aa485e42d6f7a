import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'

const pages = {
  purchase_order: ['/purchase-orders', 'Purchase order'],
  receipt: ['/receipts', 'Receipt'],
  stock_transfer: ['/transfers', 'Transfer'],
  stock_count: ['/counts', 'Count'],
  supplier_return: ['/returns', 'Return'],
} as const

/** Links a stock movement to its document. The reference has the record id, not the document number: `purchase_order/42`. */
export function DocumentLink({ reference }: { reference: string }) {
  const [kind = '', id = ''] = reference.split('/')
  const page = pages[kind as keyof typeof pages]
  if (!page) return reference
  return (
    <Anchor component={Link} to={`${page[0]}/${id}`} size="sm" underline="always">
      {page[1]}
      {(kind === 'stock_transfer' || kind === 'stock_count') && ` #${id}`}
    </Anchor>
  )
}
