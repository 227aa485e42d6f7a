import { useState } from 'react'

export type Key = string | number

/** The selected rows of a list: of those that are loaded. */
export type Selection<T> = {
  rows: readonly T[]
  isSelected: (row: T) => boolean
  toggle: (row: T) => void
  /** Selects all loaded rows, or none when all are selected. */
  toggleAll: () => void
  clear: () => void
  /** Leaves only these rows selected. */
  keep: (keys: readonly Key[]) => void
  isAll: boolean
}

/**
 * A row that is not in the list, because of another filter or a change, does not count as selected. It is selected again when it comes
 * back, as after a reload with fewer pages, until another row is selected or the selection is cleared.
 */
export function useSelection<T>(rows: readonly T[], keyOf: (row: T) => Key): Selection<T> {
  const [keys, setKeys] = useState<ReadonlySet<Key>>(new Set())
  const selected = rows.filter((row) => keys.has(keyOf(row)))
  const isAll = rows.length > 0 && selected.length === rows.length
  return {
    rows: selected,
    isSelected: (row) => keys.has(keyOf(row)),
    toggle: (row) => {
      const next = new Set(selected.map(keyOf))
      if (!next.delete(keyOf(row))) next.add(keyOf(row))
      setKeys(next)
    },
    toggleAll: () => setKeys(new Set(isAll ? [] : rows.map(keyOf))),
    clear: () => setKeys(new Set()),
    keep: (kept) => setKeys(new Set(kept)),
    isAll,
  }
}
