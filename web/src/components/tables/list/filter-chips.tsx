import { IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import classes from './filter-chips.module.css'

type Props<Filter> = {
  /** The filters that Clear all removes. One without a value has no chip. */
  filters: readonly (readonly [field: keyof Filter & string, name: string, value: string | undefined])[]
  /** Gets the fields of the removed filters. */
  onChange: (change: Partial<Record<keyof Filter, undefined>>) => unknown
}

/** Every active filter of a list with a button that removes it. The focus goes on to the next one. */
export function FilterChips<Filter>({ filters, onChange }: Props<Filter>) {
  const chips = filters.filter(([, , value]) => value)
  const remove = (removed: Props<Filter>['filters']) =>
    onChange(Object.fromEntries(removed.map(([field]) => [field, undefined])) as never)
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
      {chips.map(([field, name, value], at) => (
        <li key={field}>
          <button
            type="button"
            className={classes.chip}
            aria-label={`Remove filter ${name}: ${value}`}
            onClick={() => {
              setLeft({ at, length })
              remove(chips.slice(at, at + 1))
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
            remove(filters)
          }}
        >
          Clear all
        </button>
      </li>
    </ul>
  )
}
