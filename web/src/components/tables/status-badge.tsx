import type { EmailStatus, PurchaseOrderListItem } from '../../../../shared/schemas/purchase-orders.ts'
import { useFormat } from '../shop/format.ts'
import { type Look, orderLooks } from './looks.ts'
import classes from './status-badge.module.css'

const emails: Record<EmailStatus, Look> = {
  none: ['Not e-mailed', 'quiet'],
  no_recipient: ['No address', 'bad'],
  queued: ['Sending', 'waiting'],
  sent: ['E-mailed', 'good'],
  failed: ['Not delivered', 'bad'],
  unknown: ['Not confirmed', 'bad'],
}

export const Badge = ({ look: [name, tone], isLong }: { look: Look; isLong?: boolean }) => (
  <span className={classes.badge} data-tone={tone} data-long={isLong}>
    {name}
  </span>
)

type OrderStatus = Pick<PurchaseOrderListItem, 'status' | 'isClosedShort' | 'emailStatus'> &
  Pick<PurchaseOrderListItem, 'receivedQuantity' | 'orderedQuantity'>

/**
 * An order that was closed with outstanding pieces is not simply received, and one that the supplier did not get not simply
 * sent.
 */
export const OrderStatusBadge = (order: OrderStatus) => {
  const { status, isClosedShort, emailStatus, receivedQuantity, orderedQuantity } = order
  const { count } = useFormat()
  const isUndelivered = ['sent', 'partial'].includes(status) && ['failed', 'unknown'].includes(emailStatus)
  return (
    <>
      <Badge
        isLong={isClosedShort}
        look={
          isClosedShort
            ? [`Closed, ${count(receivedQuantity)} of ${count(orderedQuantity)} received`, 'waiting']
            : orderLooks[status]
        }
      />
      {isUndelivered && (
        <>
          {' '}
          <EmailStatusBadge status={emailStatus} />
        </>
      )}
    </>
  )
}
export const EmailStatusBadge = ({ status }: { status: EmailStatus }) => <Badge look={emails[status]} />
