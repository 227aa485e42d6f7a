import { type ReactNode, useEffect, useState } from 'react'
import { returnFocus } from '../../browser/return-focus.ts'
import { useDialogLock } from './dialog-lock.ts'
import classes from './form-lock.module.css'

/**
 * Disables the fields while they are being saved, where what is typed then could not be kept. A field or button that is
 * disabled loses the focus, and gets it back after the save.
 */
export function FormLock({ isBusy, children }: { isBusy: boolean; children: ReactNode }) {
  useDialogLock(isBusy)
  const [lock, setLock] = useState<{ isBusy: boolean; focused: Element | null }>({ isBusy, focused: null })
  // read before the fields are disabled, which takes the focus away at once
  if (lock.isBusy !== isBusy) setLock({ isBusy, focused: isBusy ? focusedNow(lock.focused) : lock.focused })
  useEffect(() => {
    if (!lock.isBusy) returnFocus(lock.focused)
  }, [lock])
  return (
    <fieldset className={classes.lock} disabled={isBusy} aria-busy={isBusy}>
      {children}
    </fieldset>
  )
}

/** A save of two requests locks twice, and the second time nothing has the focus. */
const focusedNow = (before: Element | null) =>
  document.activeElement === document.body ? before : document.activeElement
