import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Alert } from '../../../../shared/schemas/alerts.ts'
import { Ago } from '../../components/layout/ago.tsx'
import { RowLink } from '../../components/tables/row-link.tsx'
import type { Column } from '../../components/tables/row-table.tsx'
import { Badge } from '../../components/tables/status-badge.tsx'
import classes from './alert-list.module.css'
import { alertLooks } from './filter.ts'

export const alertColumns: Column<Alert>[] = [
  {
    name: 'Alert',
    cell: (alert) => (
      <span className={classes.message} data-unread={isUnread(alert) || undefined}>
        {isUnread(alert) && <VisuallyHidden>Unread: </VisuallyHidden>}
        <AlertLink alert={alert}>{alert.message}</AlertLink>
      </span>
    ),
  },
  { name: 'Type', cell: ({ type }) => <Badge look={alertLooks[type]} /> },
  { name: 'Raised', cell: ({ createdAt }) => <Ago instant={createdAt} /> },
]

/** A resolved alert does not count as unread. */
export const isUnread = ({ read, resolvedAt }: Alert) => !read && resolvedAt === null

/** Links an alert to its order, or to the stock of its product. */
function AlertLink({ alert, children }: { alert: Alert; children: ReactNode }) {
  const { purchaseOrderId: id, productTitle } = alert
  if (id !== undefined) {
    return (
      <RowLink to="/purchase-orders/$id" params={{ id }}>
        {children}
      </RowLink>
    )
  }
  if (productTitle === undefined) return children
  return (
    <RowLink to="/stock" search={{ search: productTitle.slice(0, 200) }}>
      {children}
    </RowLink>
  )
}
