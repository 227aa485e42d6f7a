import { List } from '@mantine/core'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { useFormat } from '../../../components/shop/format.ts'

type Props = {
  isOpen: boolean
  order: PurchaseOrder
  received: readonly { lineItemId: number; quantityReceived: number }[]
  isBusy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks for confirmation when a quantity exceeds the outstanding quantity of its line, which may be a typing error. */
export function OverReceiptDialog({ isOpen, order, received, isBusy, onConfirm, onCancel }: Props) {
  const { count } = useFormat()
  const overReceived = received.flatMap(({ lineItemId, quantityReceived }) => {
    const line = order.lineItems.find(({ id }) => id === lineItemId)
    return line && quantityReceived > line.outstandingQuantity ? [{ line, quantityReceived }] : []
  })
  const extra = overReceived.reduce(
    (sum, { line, quantityReceived }) => sum + quantityReceived - line.outstandingQuantity,
    0,
  )
  const total = received.reduce((sum, { quantityReceived }) => sum + quantityReceived, 0)
  return (
    <Confirm
      isOpen={isOpen}
      title="Received more than ordered"
      confirm={`Receive ${count(total)}`}
      isBusy={isBusy}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <List size="sm">
        {overReceived.map(({ line, quantityReceived }) => (
          <List.Item key={line.id}>
            {line.title}: {count(quantityReceived)} received, {count(line.outstandingQuantity)} outstanding
          </List.Item>
        ))}
      </List>
      The extra {count(extra)} will be added to stock.
    </Confirm>
  )
}
