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
      <span className={classes.message} data-new={isNew(alert) || undefined}>
        {isNew(alert) && <VisuallyHidden>Not read: </VisuallyHidden>}
        <AlertLink alert={alert}>{alert.message}</AlertLink>
      </span>
    ),
  },
  { name: 'About', cell: ({ type }) => <Badge look={alertLooks[type]} /> },
  { name: 'Raised', cell: ({ createdAt }) => <Ago instant={createdAt} /> },
]

/** One that is over needs nobody, whether it was read or not. */
export const isNew = ({ read, resolvedAt }: Alert) => !read && resolvedAt === null

/** Leads to what can be done about it. */
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
