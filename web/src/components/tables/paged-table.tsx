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
  /** The row that stands out; its page is shown whenever `turn` is another one. */
  marked?: { key: string | number; turn: number } | undefined
}

/** Rows that are all here already, too many to draw at once. */
export function PagedTable<T>({ label, columns, rows, keyOf, marked }: Props<T>) {
  const { count } = useFormat()
  const [wanted, setPage] = useState(0)
  const [turn, setTurn] = useState(0)
  const last = Math.max(0, Math.ceil(rows.length / pageSize) - 1)
  let page = Math.min(wanted, last)
  if (marked && marked.turn !== turn) {
    const at = rows.findIndex((row) => keyOf(row) === marked.key)
    if (at >= 0) page = Math.floor(at / pageSize)
    setTurn(marked.turn)
    setPage(page)
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
          <Button variant="default" size="xs" disabled={page === 0} onClick={() => setPage(page - 1)}>
            Previous
          </Button>
          <Text size="sm">
            {count(from + 1)}–{count(Math.min(from + pageSize, rows.length))} of {count(rows.length)}
          </Text>
          <Button variant="default" size="xs" disabled={page === last} onClick={() => setPage(page + 1)}>
            Next
          </Button>
        </nav>
      )}
    </>
  )
}
