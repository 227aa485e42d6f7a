import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './card.module.css'

type Props = {
  title?: string
  action?: ReactNode
  children: ReactNode
  /** Removes the padding, so that a table reaches the edges. */
  isFlush?: boolean
  /** The content is still that of the previous filter. */
  isStale?: boolean
  /** Sticky parts of the card stay visible while the page scrolls; then no part of it scrolls sideways. */
  isSticky?: boolean
}

/** A white box, as in the shop admin. */
export const Card = ({ title, action, children, isFlush, isStale, isSticky }: Props) => (
  <section
    className={classes.card}
    data-flush={isFlush || undefined}
    data-stale={isStale || undefined}
    data-sticky={isSticky || undefined}
    aria-busy={isStale}
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
