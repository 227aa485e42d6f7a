import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import classes from './row-table.module.css'

/** The link of a row: the whole row is clickable, with one tab stop. */
export const RowLink = createLink((props: ComponentProps<'a'>) => <a {...props} className={classes.link} />)

/** The link of an order's row; the order number does not wrap. */
export const OrderLink = ({ id, poNumber }: { id: number; poNumber: string }) => (
  <RowLink to="/purchase-orders/$id" params={{ id }} style={{ whiteSpace: 'nowrap' }}>
    {poNumber}
  </RowLink>
)
