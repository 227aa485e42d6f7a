import type { PurchaseOrderListItem } from '../../../../../shared/schemas/purchase-orders.ts'
import type { useFormat } from '../../../components/shop/format.ts'
import { OrderLink } from '../../../components/tables/row-link.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { OrderStatusBadge } from '../../../components/tables/status-badge.tsx'

export const orderColumns = (format: ReturnType<typeof useFormat>): Column<PurchaseOrderListItem>[] => [
  {
    name: 'Order',
    cell: ({ id, poNumber }) => <OrderLink id={id} poNumber={poNumber} />,
  },
  { name: 'Supplier', cell: ({ supplierName }) => supplierName },
  { name: 'Status', cell: ({ status }) => <OrderStatusBadge status={status} /> },
  { name: 'Lines', cell: ({ lineItemCount }) => format.count(lineItemCount), isNumber: true },
  { name: 'Total', cell: ({ total, currency }) => format.moneyIn(total, currency), isNumber: true },
  { name: 'Created', cell: ({ createdAt }) => format.day(createdAt) },
]
