import { TextInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
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
  const save = useChange('PUT /bins', {
    onDone: () => setTyped(null),
    onRefused: (refusal) => {
      setError(
        fieldErrors(refusal)['bins.0.bin'] ?? (refusal instanceof Error ? refusal.message : 'Try again.'),
      )
    },
  })
  const place = `${level.title} at ${level.locationName}`
  const store = () => {
    const text = typed?.trim() ?? bin
    if (save.isPending) return
    if (text === bin) return setTyped(null)
    setError(undefined)
    save.mutate({ body: { bins: [{ variantId, locationId, bin: text }] } })
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
        aria-label={bin ? `Change bin ${bin} of ${place}` : `Add bin of ${place}`}
        onClick={() => setTyped(bin)}
      >
        {bin || 'Add bin'}
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
