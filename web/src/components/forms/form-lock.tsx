import type { ReactNode } from 'react'
import classes from './form-lock.module.css'

/** Disables the fields while they are being saved, where what is typed then could not be kept. */
export const FormLock = ({ isBusy, children }: { isBusy: boolean; children: ReactNode }) => (
  <fieldset className={classes.lock} disabled={isBusy} aria-busy={isBusy}>
    {children}
  </fieldset>
)
