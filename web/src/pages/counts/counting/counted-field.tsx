import { TextInput } from '@mantine/core'
import { memo, type RefObject, useEffect, useRef, useState } from 'react'
import type { Tally } from '../offline/draft.ts'
import type { Last, Row } from '../offline/state.ts'

type Props = {
  row: Row
  tally: Tally
  /** Set where this row was scanned or added last. */
  last: Last | undefined
  scanField: RefObject<HTMLInputElement | null>
}

/**
 * The number of one product. Enter leads back to the scans. Whoever scans into it by mistake changes no number: what is
 * no number, or as long as a barcode, is taken as a scan.
 */
export const CountedField = memo(function CountedField({ row, tally, last, scanField }: Props) {
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

  const enter = () => {
    if (isNumber.test(text) && text.length < shortestBarcode) return
    setText(textOf(atFocus.current))
    tally.set(row, atFocus.current)
    tally.scan(text)
  }
  return (
    <TextInput
      ref={field}
      aria-label={`Counted of ${title}`}
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
        if (isNumber.test(typed)) tally.set(row, typed === '' ? null : Number(typed))
      }}
      onFocus={(event) => {
        atFocus.current = counted
        event.currentTarget.select()
      }}
      onClick={(event) => event.currentTarget.select()}
      onBlur={() => setText(textOf(counted))}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        enter()
        scanField.current?.focus({ preventScroll: true })
      }}
    />
  )
}, isSame)

const isNumber = /^\d{0,9}$/
const shortestBarcode = 8

const textOf = (counted: number | null) => (counted === null ? '' : String(counted))

/** Rows are made anew with each scan, and few of them differ. */
function isSame(before: Props, now: Props): boolean {
  return (
    before.row.variantId === now.row.variantId &&
    before.row.counted === now.row.counted &&
    before.row.title === now.row.title &&
    before.last === now.last
  )
}
