import { List } from '@mantine/core'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { useFormat } from '../../../components/shop/format.ts'

type Props = {
  isOpen: boolean
  order: PurchaseOrder
  arrived: readonly { lineItemId: number; quantityReceived: number }[]
  isBusy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** More has arrived than is to come: a slip of the finger, or a generous supplier. */
export function OverReceiptDialog({ isOpen, order, arrived, isBusy, onConfirm, onCancel }: Props) {
  const { count } = useFormat()
  const over = arrived.flatMap(({ lineItemId, quantityReceived }) => {
    const line = order.lineItems.find(({ id }) => id === lineItemId)
    return line && quantityReceived > line.outstandingQuantity ? [{ line, quantityReceived }] : []
  })
  return (
    <Confirm
      isOpen={isOpen}
      title="More than was ordered?"
      confirm="Receive all of it"
      isBusy={isBusy}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <List size="sm">
        {over.map(({ line, quantityReceived }) => (
          <List.Item key={line.id}>
            {line.title}: {count(quantityReceived)} arrived, {count(line.outstandingQuantity)} to come
          </List.Item>
        ))}
      </List>
      All of it goes into stock when you go on.
    </Confirm>
  )
}
