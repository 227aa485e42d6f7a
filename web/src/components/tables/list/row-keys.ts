import type { KeyboardEvent } from 'react'

const takesKeys =
  'textarea, select, [contenteditable], input:not([type="checkbox"]), [role="menu"], [role="listbox"], [role="dialog"]'

/**
 * The keys of a list while a row has the focus: the arrows move it to the row below or above, `x` selects the row, Enter
 * opens it (as the link has the focus). Not while typing, and not with a modifier.
 */
export function onRowKey(event: KeyboardEvent<HTMLElement>): void {
  const { target, key } = event
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
  if (!(target instanceof HTMLElement) || target.closest(takesKeys)) return
  const row = target.closest<HTMLTableRowElement>('tr[data-row]')
  if (!row) return
  if (key === 'x') {
    const box = row.querySelector<HTMLInputElement>('input[data-select]')
    if (!box) return
    event.preventDefault()
    box.click()
  } else if (key === 'ArrowDown' || key === 'ArrowUp') {
    const rows = [...event.currentTarget.querySelectorAll<HTMLTableRowElement>('tr[data-row]')]
    const next = rows[rows.indexOf(row) + (key === 'ArrowDown' ? 1 : -1)]
    if (!next) return
    event.preventDefault()
    focusRow(next)
  }
}

/** The focus of a row is on its link, else on its first control. */
export function focusRow(row: Element | null | undefined, options?: FocusOptions): void {
  const cell = row?.querySelector('td')
  const target =
    cell?.querySelector<HTMLElement>('a, button, input:not([data-select])') ??
    row?.querySelector<HTMLElement>('a, button, input')
  target?.focus(options)
}
