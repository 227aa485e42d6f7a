import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { unreadAlertsQuery } from '../pages/alerts/unread.ts'
import classes from './shell.module.css'

/** The number of unread alerts; nothing when it is zero or unknown. */
export function UnreadMark() {
  const { data = '0' } = useQuery(unreadAlertsQuery)
  if (data === '0') return null
  return (
    <span className={classes.mark}>
      {data}
      <VisuallyHidden> unread</VisuallyHidden>
    </span>
  )
}
