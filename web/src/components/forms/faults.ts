import { type RefObject, useEffect, useState } from 'react'

/** The fields of a page with an error; `message` when all have the same. */
export type Faults = { count: number; message: string }

const wrong = '[aria-invalid="true"]'
const none: Faults = { count: 0, message: '' }

/** Counts in the page itself: only a field knows some of its errors, such as a text that is no number. */
export function useFaults(page: RefObject<HTMLElement | null>): Faults {
  const [faults, setFaults] = useState(none)
  useEffect(() => {
    const element = page.current
    if (!element) return
    const read = () => {
      const found = faultsIn(element)
      setFaults((now) => (now.count === found.count && now.message === found.message ? now : found))
    }
    read()
    const observer = new MutationObserver(read)
    observer.observe(element, {
      ...{ subtree: true, childList: true, characterData: true },
      attributeFilter: ['aria-invalid'],
    })
    return () => observer.disconnect()
  }, [page])
  return faults
}

function faultsIn(page: HTMLElement): Faults {
  const messages = [...page.querySelectorAll(wrong)].map(messageOf)
  const [first = ''] = messages
  return { count: messages.length, message: messages.every((other) => other === first) ? first : '' }
}

/** An error message is named by `aria-describedby`, beside the field's description. */
function messageOf(field: Element): string {
  const ids = (field.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id.endsWith('-error'))
  return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
}

/** Moves the focus to the field with an error that follows the last shown one; after the end, to the first. */
export function focusNextFault(page: HTMLElement | null, last: HTMLElement | null): HTMLElement | null {
  const fields = [...(page?.querySelectorAll<HTMLElement>(wrong) ?? [])]
  const at = last ? fields.indexOf(last) : -1
  const field = fields[(at + 1) % fields.length] ?? null
  field?.focus({ preventScroll: true })
  field?.scrollIntoView({ block: 'center' })
  return field
}
