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
export const OrderStatusBadge = ({ status }: { status: PurchaseOrderStatus }) => (
  <Badge look={orders[status]} />
)
export const EmailStatusBadge = ({ status }: { status: EmailStatus }) => <Badge look={emails[status]} />
