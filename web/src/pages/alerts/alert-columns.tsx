import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Alert } from '../../../../shared/schemas/alerts.ts'
import { Ago } from '../../components/layout/ago.tsx'
import { RowLink } from '../../components/tables/row-link.tsx'
import type { Column } from '../../components/tables/row-table.tsx'
import { Badge } from '../../components/tables/status-badge.tsx'
import { variantParams } from '../../components/tables/variant-link.tsx'
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
  { name: 'Raised', cell: ({ createdAt }) => <Ago instant={createdAt} />, sorts: ['newest', 'oldest'] },
]

/** A resolved alert does not count as unread. */
export const isUnread = ({ read, resolvedAt }: Alert) => !read && resolvedAt === null

/** Links an alert to its order, to its product, or to the stock changes that wait for a decision. */
function AlertLink({ alert, children }: { alert: Alert; children: ReactNode }) {
  const { type, resolvedAt, purchaseOrderId: id, variantId, productTitle } = alert
  if (id !== undefined) {
    return (
      <RowLink to="/purchase-orders/$id" params={{ id }}>
        {children}
      </RowLink>
    )
  }
  if (variantId !== undefined) {
    return (
      <RowLink to="/variants/$id" params={variantParams(variantId)}>
        {children}
      </RowLink>
    )
  }
  if (type === 'sync_conflict' && resolvedAt === null)
    return <RowLink to="/stock/on-its-way">{children}</RowLink>
  if (productTitle === undefined) return children
  return (
    <RowLink to="/stock" search={{ search: productTitle.slice(0, 200) }}>
      {children}
    </RowLink>
  )
}
