import { TextInput } from '@mantine/core'
import { memo, type RefObject, useEffect, useRef, useState } from 'react'
import type { CountDraft } from '../offline/draft.ts'
import type { LastEntry, Row } from '../offline/state.ts'

type Props = {
  row: Row
  draft: CountDraft
  /** Set for the row that was scanned or added last. */
  last: LastEntry | undefined
  scanField: RefObject<HTMLInputElement | null>
}

/**
 * The number of one product; Enter moves the focus back to the scan field. A scanner may type into this field by
 * mistake: text that is not a number, or has 8 digits or more, counts as a scan and the number stays.
 */
export const CountedField = memo(function CountedField({ row, draft, last, scanField }: Props) {
  const { title, counted } = row
  const field = useRef<HTMLInputElement>(null)
  const atFocus = useRef(counted)
  const [text, setText] = useState(textOf(counted))
  const [shown, setShown] = useState(counted)
  if (shown !== counted) {
    setShown(counted)
    setText(textOf(counted))
  }
  const turn = last?.turn
  const isAdded = last?.how === 'added'
  useEffect(() => {
    if (turn === undefined) return
    field.current?.closest('tr')?.scrollIntoView({ block: 'nearest' })
    if (isAdded) field.current?.focus({ preventScroll: true })
  }, [turn, isAdded])

  const submit = () => {
    if (isNumber.test(text) && text.length < minBarcodeLength) return
    setText(textOf(atFocus.current))
    draft.set(row, atFocus.current)
    draft.scan(text)
  }
  return (
    <TextInput
      ref={field}
      aria-label={`Counted quantity of ${title}`}
      inputMode="numeric"
      autoComplete="off"
      placeholder="—"
      w={110}
      ml="auto"
      styles={{ input: { textAlign: 'right' } }}
      value={text}
      onChange={(event) => {
        const typed = event.currentTarget.value
        setText(typed)
        if (isNumber.test(typed)) draft.set(row, typed === '' ? null : Number(typed))
      }}
      onFocus={(event) => {
        atFocus.current = counted
        event.currentTarget.select()
      }}
      onClick={(event) => event.currentTarget.select()}
      onBlur={() => setText(textOf(counted))}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        submit()
        scanField.current?.focus({ preventScroll: true })
      }}
    />
  )
}, isSame)

const isNumber = /^\d{0,9}$/
const minBarcodeLength = 8

const textOf = (counted: number | null) => (counted === null ? '' : String(counted))

/** Each scan creates all rows anew, so the comparison is by value. */
function isSame(before: Props, now: Props): boolean {
  return (
    before.row.variantId === now.row.variantId &&
    before.row.counted === now.row.counted &&
    before.row.title === now.row.title &&
    before.last === now.last
  )
}
