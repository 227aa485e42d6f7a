import { TextInput } from '@mantine/core'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { StockLevel } from '../../../../shared/schemas/stock-levels.ts'
import { useChange } from '../../api/queries.ts'
import { fieldErrors } from '../forms/form-errors.ts'
import classes from './bin-field.module.css'

/** The bin of a level. A press edits it in place: Enter and blur save it, Escape restores the saved one. */
export function BinField({ level }: { level: StockLevel }) {
  const { variantId, locationId, bin } = level
  // the unsaved input; null while it is not edited
  const [typed, setTyped] = useState<string | null>(null)
  const [error, setError] = useState<string>()
  /** What the field was opened with, or sent last: the list may still have an older bin. */
  const before = useRef(bin)
  /** Enter or blur came during a save. */
  const isNext = useRef(false)
  const send = (text: string) => {
    before.current = text
    isNext.current = false
    setError(undefined)
    save.mutate({ body: { bins: [{ variantId, locationId, bin: text }] } })
  }
  /** Saves what was typed during a save; false: nothing. */
  const sendNext = (): boolean => {
    const text = typed?.trim()
    const hasNext = isNext.current && text !== undefined && text !== before.current
    if (hasNext) send(text)
    return hasNext
  }
  const save = useChange('PUT /bins', {
    onDone: () => {
      if (!sendNext()) setTyped((now) => (now?.trim() === before.current ? null : now))
    },
    onRefused: (refusal) => {
      if (sendNext()) return
      before.current = bin
      setError(
        fieldErrors(refusal)['bins.0.bin'] ?? (refusal instanceof Error ? refusal.message : 'Try again.'),
      )
    },
  })
  const place = `${level.title} at ${level.locationName}`
  const store = () => {
    const text = typed?.trim() ?? ''
    if (save.isPending) isNext.current = true
    else if (text === before.current) setTyped(null)
    else send(text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') store()
    if (event.key !== 'Escape') return
    setError(undefined)
    setTyped(null)
  }
  if (typed === null) {
    return (
      <button
        type="button"
        className={classes.bin}
        data-empty={bin === '' || undefined}
        aria-label={bin ? `Change bin ${bin} of ${place}` : `Add a bin of ${place}`}
        onClick={() => {
          before.current = bin
          setTyped(bin)
        }}
      >
        {bin || 'Add a bin'}
      </button>
    )
  }
  return (
    <TextInput
      aria-label={`Bin of ${place}`}
      size="xs"
      maxLength={40}
      className={classes.field}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={store}
      error={error}
      autoFocus
      autoComplete="off"
      spellCheck={false}
    />
  )
}
