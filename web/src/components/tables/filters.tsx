import type { ReactNode } from 'react'
import classes from './filters.module.css'

/** The filters of a list: in one row on a wide screen; on a phone the first one, then two columns. */
export const Filters = ({ children }: { children: ReactNode }) => (
  <div className={classes.filters}>{children}</div>
)
