import type { Frame } from 'playwright-core'

/**
 * Describes what does not fit on the page of a frame: the page scrolls sideways, text is cut off, a word is broken, or the
 * column of products is too narrow.
 */
export const findMisfits = (frame: Frame): Promise<string[]> => frame.evaluate(inPage)

/** Runs in the browser. */
function inPage(): string[] {
  const minProductWidth = 14 * 16
  /** More rows of one table add nothing but time. */
  const maxRows = 25
  /** An address or a code may be longer than any column. */
  const maxWord = 24
  const breaksAnywhere = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

  const found = new Set<string>()
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth)
    found.add(`the page is ${scrollWidth - clientWidth} px wider than the window`)

  /** Most texts share their ancestors, and asking for a box or a style takes longer than remembering it. */
  function remember<Value>(read: (element: Element) => Value): (element: Element) => Value {
    const known = new Map<Element, Value>()
    return (element) => {
      const value = known.has(element) ? (known.get(element) as Value) : read(element)
      known.set(element, value)
      return value
    }
  }
  const boxOf = remember((element) => element.getBoundingClientRect())
  const hidesOverflow = remember(
    (element) => element.matches('td, th') || getComputedStyle(element).overflowX !== 'visible',
  )
  /** Text for screen readers is in an element of one pixel. */
  const isShown: (element: Element) => boolean = remember((element) => {
    const { width, height } = boxOf(element)
    return width > 1 && height > 1 && (!element.parentElement || isShown(element.parentElement))
  })
  /** The cell, or the element that hides what is outside it, unless it scrolls on purpose: then it takes the focus. */
  const clipperOf = (element: Element, left: number, right: number) => {
    for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
      if (at.matches('[tabindex="0"]')) return undefined
      const box = boxOf(at)
      if (hidesOverflow(at) && (right > box.right + 1 || left < box.left - 1)) return at
    }
    return undefined
  }
  const nameOf = (element: Element) => {
    const cell = element.closest('td, th')
    const column = cell?.getAttribute('data-name') ?? ''
    const table = element.closest('table')?.getAttribute('aria-label') ?? ''
    const text = (element.textContent ?? '').trim().replaceAll(/\s+/g, ' ').slice(0, 50)
    return `${[table, column].filter(Boolean).join(', ')} “${text}”`
  }

  for (const row of document.querySelectorAll('tr')) {
    const at = [...(row.parentElement?.children ?? [])].indexOf(row)
    if (at >= maxRows) row.setAttribute('data-unmeasured', '')
  }
  const isMeasured = (element: Element) => !element.closest('[data-unmeasured]')

  const range = document.createRange()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue ?? ''
    const parent = node.parentElement
    if (!parent || text.trim() === '' || !isMeasured(parent) || !isShown(parent)) continue
    if (parent.closest('script, style, noscript, svg, textarea')) continue
    range.selectNodeContents(node)
    const { left, right } = range.getBoundingClientRect()
    const clipper = clipperOf(parent, left, right)
    if (clipper && !clipper.closest('[title]')) found.add(`cut off: ${nameOf(parent)}`)
    if (range.getClientRects().length < 2) continue
    // a point or a comma ends a word, unless digits follow: 1,234.50 is one word
    for (const { 0: word, index } of text.matchAll(/(?:[^\s\-‐–—/·,.:;@+→]|[.,](?=\d))+/g)) {
      if (word.length < 2 || word.length > maxWord || breaksAnywhere.test(word)) continue
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom / 4)))
      if (lines.size > 1) found.add(`the word ${word} is broken: ${nameOf(parent)}`)
    }
  }

  for (const field of document.querySelectorAll<HTMLInputElement>(
    'td[data-number] input, [inputmode=numeric], [inputmode=decimal]',
  )) {
    if (isMeasured(field) && isShown(field) && field.value && field.scrollWidth > field.clientWidth + 1)
      found.add(`the value ${field.value} is cut off: ${field.getAttribute('aria-label')}`)
  }

  for (const cell of document.querySelectorAll('td[data-name="Product"]')) {
    const { width } = cell.getBoundingClientRect()
    const isColumn = getComputedStyle(cell).display === 'table-cell'
    if (isMeasured(cell) && isColumn && isShown(cell) && width < minProductWidth)
      found.add(`the product has ${Math.round(width)} px: ${nameOf(cell)}`)
  }
  for (const row of document.querySelectorAll('[data-unmeasured]')) row.removeAttribute('data-unmeasured')
  return [...found]
}
