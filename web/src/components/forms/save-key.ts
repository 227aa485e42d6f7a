import { useEffect } from 'react'

/**
 * Ctrl-S, ⌘S on a Mac, saves the page's form, or that of the open dialog. It never opens the browser's dialog, which would
 * save the page as a file.
 */
export function useSaveKey(save: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isSave = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's'
      if (!isSave || event.shiftKey || event.altKey) return
      event.preventDefault()
      if (event.repeat || event.isComposing) return
      const dialog = [...document.querySelectorAll('[role="dialog"]')].at(-1)
      const form = dialog?.querySelector('form')
      if (dialog && !form) return
      leaveField()
      // the field's own answer to leaving it, such as the last address of a list, is then part of the draft
      setTimeout(() => (form ? form.requestSubmit() : save()))
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  })
}

/** Makes the field take what is typed, and gives it the focus back unless that would open its list. */
function leaveField(): void {
  const { activeElement: field } = document
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return
  field.blur()
  if (!field.hasAttribute('aria-haspopup')) field.focus({ preventScroll: true })
}
