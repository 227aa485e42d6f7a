import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import classes from './order-list.module.css'

type Props = ComponentProps<'a'> & { isChosen: boolean }

/** One of the statuses that the list can be limited to. */
export const StatusLink = createLink(({ isChosen, ...props }: Props) => (
  <a {...props} className={classes.status} aria-current={isChosen ? 'true' : undefined} />
))
