import { VisuallyHidden } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { SearchButton } from './keys/search-button.tsx'
import classes from './shell.module.css'
import { UnreadMark } from './unread-mark.tsx'

/** What the navigation of the shop admin cannot show: the search, and the number of unread alerts. */
export const HostBar = () => (
  <section className={classes.bar} aria-label="Search and alerts">
    <SearchButton />
    <Link to="/alerts" className={classes.bell}>
      <IconBell size={20} aria-hidden />
      <VisuallyHidden>Alerts</VisuallyHidden>
      <UnreadMark />
    </Link>
  </section>
)
