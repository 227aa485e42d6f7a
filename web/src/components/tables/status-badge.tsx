import type { EmailStatus, PurchaseOrderStatus } from '../../../../shared/schemas/purchase-orders.ts'
import classes from './status-badge.module.css'

/** The label and colour of a badge. */
export type Look = [name: string, tone: 'quiet' | 'info' | 'waiting' | 'good' | 'bad']

const orders: Record<PurchaseOrderStatus, Look> = {
  draft: ['Draft', 'quiet'],
  sent: ['Sent', 'info'],
  partial: ['Partly received', 'waiting'],
  received: ['Received', 'good'],
  cancelled: ['Cancelled', 'quiet'],
}

const emails: Record<EmailStatus, Look> = {
  none: ['Not e-mailed', 'quiet'],
  no_recipient: ['No address', 'bad'],
  queued: ['Sending', 'waiting'],
  sent: ['E-mailed', 'good'],
  failed: ['Not delivered', 'bad'],
  unknown: ['Not confirmed', 'bad'],
}

export const Badge = ({ look: [name, tone] }: { look: Look }) => (
  <span className={classes.badge} data-tone={tone}>
    {name}
  </span>
)

export const orderStatusName = (status: PurchaseOrderStatus) => orders[status][0]
type OrderStatus = { status: PurchaseOrderStatus; isClosedShort?: boolean; emailStatus?: EmailStatus }

/** An order that was closed with outstanding pieces is not simply received, and one that the supplier did not get not simply sent. */
export const OrderStatusBadge = ({ status, isClosedShort = false, emailStatus = 'sent' }: OrderStatus) => {
  const isUndelivered = ['sent', 'partial'].includes(status) && ['failed', 'unknown'].includes(emailStatus)
  return (
    <>
      <Badge look={isClosedShort ? ['Closed short', 'waiting'] : orders[status]} />
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
