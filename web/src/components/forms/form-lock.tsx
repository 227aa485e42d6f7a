import { type ReactNode, useLayoutEffect, useRef } from 'react'
import classes from './form-lock.module.css'

/** Disables the fields while they are being saved, where what is typed then could not be kept, and keeps the focus. */
export function FormLock({ isBusy, children }: { isBusy: boolean; children: ReactNode }) {
  const fields = useRef<HTMLFieldSetElement>(null)
  const focused = useRef<HTMLElement | null>(null)
  // the browser takes the focus from a disabled field, but only with the next frame
  useLayoutEffect(() => {
    const field = document.activeElement as HTMLElement | null
    if (isBusy) focused.current = fields.current?.contains(field) ? field : null
    else if (field === document.body) focused.current?.focus({ preventScroll: true })
  }, [isBusy])
  return (
    <fieldset ref={fields} className={classes.lock} disabled={isBusy} aria-busy={isBusy}>
      {children}
    </fieldset>
  )
}
