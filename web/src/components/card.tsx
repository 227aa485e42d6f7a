import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './card.module.css'

type Props = { title?: string; action?: ReactNode; children: ReactNode; isFlush?: boolean }

/** A white box, as in the shop admin. `isFlush` lets a table reach its edges. */
export const Card = ({ title, action, children, isFlush }: Props) => (
  <section className={classes.card} data-flush={isFlush || undefined}>
    {title && (
      <div className={classes.head}>
        <Title order={2}>{title}</Title>
        {action}
      </div>
    )}
    {children}
  </section>
)
