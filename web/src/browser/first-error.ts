/**
 * Moves the focus to the first field with an error, once the page shows the errors: the focus was on a button that is
 * disabled during a save, and the field may be screens away. A merchant who has gone on to another field keeps it.
 */
export function focusFirstError(): void {
  requestAnimationFrame(() => setTimeout(focusNow))
}

function focusNow(): void {
  const { activeElement } = document
  const dialogs = document.querySelectorAll('[role="dialog"]')
  const field = (dialogs.item(dialogs.length - 1) ?? document).querySelector<HTMLElement>(
    '[aria-invalid="true"]',
  )
  const isTyping =
    activeElement?.matches('input, textarea, select') &&
    activeElement.closest('form') !== field?.closest('form')
  if (!field || isTyping) return
  field.focus({ preventScroll: true })
  field.scrollIntoView({ block: 'center' })
}
