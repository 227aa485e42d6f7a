import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'

const pages = {
  purchase_order: ['/purchase-orders', 'Purchase order'],
  stock_transfer: ['/transfers', 'Transfer'],
  stock_count: ['/counts', 'Count'],
} as const

/** The page of the document behind a change of stock, which names it as in `purchase_order/42`: by id, not by number. */
export function DocumentLink({ reference }: { reference: string }) {
  const [kind = '', id = ''] = reference.split('/')
  const page = pages[kind as keyof typeof pages]
  if (!page) return reference
  return (
    <Anchor component={Link} to={`${page[0]}/${id}`} size="sm" underline="always">
      {page[1]}
      {kind !== 'purchase_order' && ` #${id}`}
    </Anchor>
  )
}
