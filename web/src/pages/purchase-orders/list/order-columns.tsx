import type { PurchaseOrderListItem } from '../../../../../shared/schemas/purchase-orders.ts'
import type { Format } from '../../../components/shop/formats.ts'
import { OrderTotal } from '../../../components/tables/order-total.tsx'
import { OrderLink } from '../../../components/tables/row-link.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { Badge, OrderStatusBadge } from '../../../components/tables/status-badge.tsx'

export const orderColumns = (format: Format): Column<PurchaseOrderListItem>[] => [
  {
    name: 'Order',
    cell: ({ id, poNumber }) => <OrderLink id={id} poNumber={poNumber} />,
    sorts: ['-number', 'number'],
  },
  { name: 'Supplier', cell: ({ supplierName }) => supplierName, sorts: ['supplier', '-supplier'] },
  { name: 'Status', cell: (order) => <OrderStatusBadge {...order} /> },
  {
    name: 'Expected',
    cell: ({ dueAt, isOverdue }) => (
      <div>
        {format.day(dueAt)} {isOverdue && <Badge look={['Overdue', 'bad']} />}
      </div>
    ),
    sorts: ['expected', '-expected'],
  },
  {
    name: 'Received',
    cell: ({ receivedQuantity, orderedQuantity }) =>
      `${format.count(receivedQuantity)} of ${format.count(orderedQuantity)}`,
    isNumber: true,
  },
  {
    name: 'Total',
    cell: (order) => <OrderTotal {...order} />,
    isNumber: true,
    sorts: ['-total', 'total'],
  },
  { name: 'Created', cell: ({ createdAt }) => format.day(createdAt), sorts: ['newest', 'oldest'] },
  {
    name: 'Lines',
    cell: ({ lineItemCount }) => format.count(lineItemCount),
    isNumber: true,
    isOptional: true,
  },
  { name: 'Deliver to', cell: ({ locationName }) => locationName ?? '—', isOptional: true },
  { name: 'Sent', cell: ({ sentAt }) => format.day(sentAt), isOptional: true },
  {
    name: 'Payment due',
    cell: ({ paymentDueOn, paidAt, isPaymentOverdue }) => (
      <div>
        {paymentDueOn ? format.calendarDay(paymentDueOn) : '—'}{' '}
        {isPaymentOverdue && <Badge look={['Overdue', 'bad']} />}
        {paidAt && <Badge look={['Paid', 'good']} />}
      </div>
    ),
    isOptional: true,
  },
  { name: 'Earlier number', cell: ({ sourceNumber }) => sourceNumber || '—', isOptional: true },
]
