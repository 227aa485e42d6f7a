import { IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import classes from './filter-chips.module.css'

export type Chip = { name: string; value: string; onRemove: () => void }

type Props = { chips: readonly Chip[]; onClear: () => void }

/** Every active filter of a list with a button that removes it. The focus goes on to the next one. */
export function FilterChips({ chips, onClear }: Props) {
  const list = useRef<HTMLUListElement>(null)
  /** Where the focus was, and how many chips there were: the chip goes a moment after its button was pressed. */
  const [left, setLeft] = useState<{ at: number; length: number } | null>(null)
  const { length } = chips
  useEffect(() => {
    if (left === null || left.length === length) return
    setLeft(null)
    const buttons = list.current?.querySelectorAll('button')
    const next = buttons?.[Math.min(left.at, length)] ?? document.querySelector<HTMLElement>('h1')
    next?.focus({ preventScroll: true })
  }, [left, length])
  if (length === 0) return null
  return (
    <ul className={classes.chips} aria-label="Active filters" ref={list}>
      {chips.map(({ name, value, onRemove }, at) => (
        <li key={name}>
          <button
            type="button"
            className={classes.chip}
            aria-label={`Remove filter ${name}: ${value}`}
            onClick={() => {
              setLeft({ at, length })
              onRemove()
            }}
          >
            <span>
              {name}: <strong>{value}</strong>
            </span>
            <IconX size={14} aria-hidden />
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          className={classes.clear}
          onClick={() => {
            setLeft({ at: 0, length })
            onClear()
          }}
        >
          Clear all
        </button>
      </li>
    </ul>
  )
}
