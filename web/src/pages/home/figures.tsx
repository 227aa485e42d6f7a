import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import type { Dashboard } from '../../../../shared/schemas/dashboard.ts'
import { useFormat } from '../../components/shop/format.ts'
import classes from './home.module.css'

/** Four key figures; each links to the list that it counts. */
export function Figures({ stats }: Pick<Dashboard, 'stats'>) {
  const { count } = useFormat()
  return (
    <nav className={classes.figures} aria-label="Key figures">
      <Figure to="/stock" name="Products" number={count(stats.totalProducts)} />
      <Figure to="/reorder" name="At or below reorder point" number={count(stats.lowStockItems)} />
      <Figure
        to="/purchase-orders"
        search={{ stage: 'open' }}
        name="Open orders"
        number={count(stats.openPurchaseOrders)}
      />
      <Figure
        to="/purchase-orders"
        search={{ stage: 'incoming' }}
        name="Orders to receive"
        number={count(stats.pendingReceives)}
      />
    </nav>
  )
}

type Props = Omit<ComponentProps<'a'>, 'children'> & { name: string; number: string }

const Figure = createLink(({ name, number, ...props }: Props) => (
  <a {...props} className={classes.figure}>
    <span className={classes.name}>{name}</span> <span className={classes.number}>{number}</span>
  </a>
))
