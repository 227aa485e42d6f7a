import { Text } from '@mantine/core'
import type { PurchaseOrderStatus } from '../../../../../shared/schemas/purchase-orders.ts'
import { Notice } from '../../../components/feedback/notice.tsx'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'

type ClosedStatus = Exclude<PurchaseOrderStatus, 'sent' | 'partial'>

const reasons: Record<ClosedStatus, { title: string; next: string }> = {
  draft: { title: 'This order is not sent', next: 'Send it before you receive its goods.' },
  received: {
    title: 'This order is complete',
    next: 'To correct what was received, undo its receipt on the order. Receive other goods without an order.',
  },
  cancelled: { title: 'This order is cancelled', next: 'Receive goods that still arrive without an order.' },
}

type Props = { orderId: number; poNumber: string; status: ClosedStatus }

/** Shown instead of the scan field: the API would never post goods of this order. */
export const ClosedOrder = ({ orderId, poNumber, status }: Props) => (
  <PageBody>
    <PageHeader title={`Scan ${poNumber}`} back={{ to: `/purchase-orders/${orderId}`, name: poNumber }} />
    <Notice tone="waiting" title={reasons[status].title}>
      <Text c="#1c2024">{reasons[status].next} A draft that was counted stays on the order.</Text>
      <LinkButton size="xs" mt="sm" to="/purchase-orders/$id" params={{ id: orderId }}>
        Open {poNumber}
      </LinkButton>
      {status !== 'draft' && (
        <LinkButton size="xs" mt="sm" ml="xs" variant="default" to="/receipts/new">
          Receive without an order
        </LinkButton>
      )}
    </Notice>
  </PageBody>
)
