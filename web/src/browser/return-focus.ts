/**
 * Gives the focus back to an element that was disabled for a while, unless another one has it. Runs after `focusFirstError`,
 * which goes first: the field with an error is what the merchant corrects next.
 */
export function returnFocus(element: Element | null): void {
  if (!(element instanceof HTMLElement)) return
  requestAnimationFrame(() =>
    setTimeout(() => {
      if (document.activeElement === document.body) element.focus({ preventScroll: true })
    }),
  )
}
