import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { unreadAlerts } from '../pages/alerts/unread.ts'
import classes from './shell.module.css'

/** How many alerts are new; nothing while none is, or while nobody knows. */
export function UnreadMark() {
  const { data = '0' } = useQuery(unreadAlerts)
  if (data === '0') return null
  return (
    <span className={classes.mark}>
      {data}
      <VisuallyHidden> not read</VisuallyHidden>
    </span>
  )
}
