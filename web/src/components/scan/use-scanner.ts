import { type RefObject, useEffect } from 'react'

const takesKeyboardInput =
  'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"], [role="listbox"]'

/** A scanner types into the focused element, so a key pressed outside of any field or dialog focuses this field. */
export function useScannerFocus(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    field.current?.focus({ preventScroll: true })
    const redirect = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      if (ctrlKey || metaKey || altKey || key.length !== 1 || key === ' ') return
      if (target instanceof Element && target.closest(takesKeyboardInput)) return
      field.current?.focus({ preventScroll: true })
    }
    document.addEventListener('keydown', redirect)
    return () => document.removeEventListener('keydown', redirect)
  }, [field])
}
