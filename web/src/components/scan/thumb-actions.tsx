import type { ReactNode } from 'react'
import classes from './thumb-actions.module.css'

/** The main button of a page on phones, where the thumb is. */
export const ThumbActions = ({ children }: { children: ReactNode }) => (
  <div className={classes.bar}>{children}</div>
)
