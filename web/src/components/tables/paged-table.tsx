import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useFormat } from '../shop/format.ts'
import classes from './paged-table.module.css'
import { type Column, RowTable } from './row-table.tsx'

const pageSize = 100

type Props<T> = {
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string | number
  /** The highlighted row. When `turn` changes, the table shows the page of this row. */
  marked?: { key: string | number; turn: number } | undefined
}

/** A table of loaded rows, rendered in pages of 100. */
export function PagedTable<T>({ label, columns, rows, keyOf, marked }: Props<T>) {
  const { count } = useFormat()
  const [selectedPage, setSelectedPage] = useState(0)
  const [turn, setTurn] = useState(0)
  const last = Math.max(0, Math.ceil(rows.length / pageSize) - 1)
  let page = Math.min(selectedPage, last)
  if (marked && marked.turn !== turn) {
    const index = rows.findIndex((row) => keyOf(row) === marked.key)
    if (index >= 0) page = Math.floor(index / pageSize)
    setTurn(marked.turn)
    setSelectedPage(page)
  }
  const from = page * pageSize
  return (
    <>
      <RowTable
        label={label}
        columns={columns}
        rows={rows.slice(from, from + pageSize)}
        keyOf={keyOf}
        isMarked={marked && ((row: T) => keyOf(row) === marked.key)}
      />
      {last > 0 && (
        <nav className={classes.pages} aria-label={`Pages of ${label}`}>
          <Button variant="default" size="xs" disabled={page === 0} onClick={() => setSelectedPage(page - 1)}>
            Previous
          </Button>
          <Text size="sm">
            {count(from + 1)}–{count(Math.min(from + pageSize, rows.length))} of {count(rows.length)}
          </Text>
          <Button
            variant="default"
            size="xs"
            disabled={page === last}
            onClick={() => setSelectedPage(page + 1)}
          >
            Next
          </Button>
        </nav>
      )}
    </>
  )
}
