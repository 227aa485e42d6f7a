import { List } from '@mantine/core'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import type { CountedLine } from '../../../../../shared/schemas/receipts.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { isOverReceipt, overLines } from './over-lines.ts'

type Props = {
  order: PurchaseOrder
  counted: readonly CountedLine[]
  /** Of the refused receipt. */
  error: unknown
  isBusy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks for confirmation when a quantity exceeds the outstanding quantity of its line, which may be a typing error. */
export function OverReceiptDialog({ order, counted, error, isBusy, onConfirm, onCancel }: Props) {
  const { count } = useFormat()
  const lines = overLines(error, order, counted)
  const extra = lines.reduce((sum, { accepted, outstanding }) => sum + Math.max(accepted - outstanding, 0), 0)
  const total = counted.reduce((sum, { accepted = 0 }) => sum + accepted, 0)
  return (
    <Confirm
      isOpen={isOverReceipt(error)}
      title="Received more than ordered"
      confirm={total > 0 ? `Receive ${count(total)}` : 'Save receipt'}
      isBusy={isBusy}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <List size="sm">
        {lines.map(({ lineItemId, title, accepted, credited, outstanding }) => (
          <List.Item key={lineItemId}>
            {title}: {count(accepted)} received, {credited > 0 && `${count(credited)} credited, `}
            {count(outstanding)} outstanding
          </List.Item>
        ))}
      </List>
      {extra > 0 && `The extra ${count(extra)} will be added to stock. `}
      {lines.some(({ credited }) => credited > 0) && 'Credited pieces do not go into stock.'}
    </Confirm>
  )
}
