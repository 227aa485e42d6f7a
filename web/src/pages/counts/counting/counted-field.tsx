import { TextInput } from '@mantine/core'
import { memo, type RefObject, useEffect, useRef, useState } from 'react'
import type { CountDraft } from '../offline/draft.ts'
import type { LastEntry, Row } from '../offline/state.ts'
import { isScan, readCounted } from './counted-number.ts'

type Props = {
  row: Row
  draft: CountDraft
  /** Set for the row that was scanned or added last. */
  last: LastEntry | undefined
  scanField: RefObject<HTMLInputElement | null>
}

/**
 * The number of one product; Enter moves the focus back to the scan field. A scanner may type into this field by
 * mistake: text that is not a number, or has 8 characters or more, counts as a scan and the number stays. Of a text that
 * is not a number when the field is left, only an error stays.
 */
export const CountedField = memo(function CountedField({ row, draft, last, scanField }: Props) {
  const { title, counted } = row
  const field = useRef<HTMLInputElement>(null)
  const atFocus = useRef(counted)
  const [text, setText] = useState<string | null>(null)
  // the blur after Enter comes before the next render
  const typed = useRef<string | null>(null)
  const [fault, setFault] = useState<string>()
  const turn = last?.turn
  const isAdded = last?.how === 'added'
  useEffect(() => {
    if (turn === undefined) return
    field.current?.closest('tr')?.scrollIntoView({ block: 'nearest' })
    if (isAdded) field.current?.focus({ preventScroll: true })
  }, [turn, isAdded])

  const show = (now: string | null) => {
    typed.current = now
    setText(now)
  }
  const change = (now: string) => {
    show(now)
    setFault(undefined)
    const number = readCounted(now)
    // the beginning of a text, such as the 1 of 1.5, is not what the merchant counted
    draft.set(row, number === undefined ? atFocus.current : number)
  }
  const settle = () => {
    const left = typed.current
    show(null)
    const isFault = left !== null && readCounted(left) === undefined
    setFault(isFault ? `“${left.trim()}” is not a whole number.` : undefined)
  }
  const submit = () => {
    const left = typed.current
    if (left === null || !isScan(left)) return
    show(null)
    draft.set(row, atFocus.current)
    draft.scan(left)
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
      value={text ?? textOf(counted)}
      onChange={(event) => change(event.currentTarget.value)}
      onFocus={(event) => {
        atFocus.current = counted
        event.currentTarget.select()
      }}
      onClick={(event) => event.currentTarget.select()}
      onBlur={settle}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        submit()
        scanField.current?.focus({ preventScroll: true })
      }}
      error={fault}
    />
  )
}, isSame)

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
