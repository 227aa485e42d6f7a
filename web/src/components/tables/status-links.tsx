import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import classes from './status-links.module.css'

/** Filters a list by status. Each status is a link, so that the URL and the back button include it. */
export const StatusLinks = ({ label = 'Status', children }: { label?: string; children: ReactNode }) => (
  <nav className={classes.statuses} aria-label={label}>
    {children}
  </nav>
)

type Props = ComponentProps<'a'> & { isChosen: boolean }

export const StatusLink = createLink(({ isChosen, ...props }: Props) => (
  <a {...props} className={classes.status} aria-current={isChosen ? 'true' : undefined} />
))
