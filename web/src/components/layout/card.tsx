import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './card.module.css'

type Props = {
  title?: string
  action?: ReactNode
  children: ReactNode
  /** Lets a table reach the edges. */
  isFlush?: boolean
  /** What it holds is that of the filter before. */
  isOld?: boolean
}

/** A white box, as in the shop admin. */
export const Card = ({ title, action, children, isFlush, isOld }: Props) => (
  <section
    className={classes.card}
    data-flush={isFlush || undefined}
    data-old={isOld || undefined}
    aria-busy={isOld}
  >
    {title && (
      <div className={classes.head}>
        <Title order={2}>{title}</Title>
        {action}
      </div>
    )}
    {children}
  </section>
)
