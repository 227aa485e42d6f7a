import { Skeleton, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './row-table.module.css'

export type Column<T> = {
  name: string
  /** The first column says what the row is, and links to it (`RowLink`). */
  cell: (row: T) => ReactNode
  isNumber?: boolean
  /** What can be done with the row: its name is only heard. */
  isAction?: boolean
}

type Props<T> = {
  /** What the table holds, for those who hear it. */
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string | number
  isPending?: boolean
}

/** Rows under their columns, and on narrow screens as cards. */
export const RowTable = <T,>({ label, columns, rows, keyOf, isPending = false }: Props<T>) => (
  // on narrow screens the rows are blocks and would lose what they are, hence the roles
  <table className={classes.table} role="table" aria-label={label} aria-busy={isPending}>
    <thead role="rowgroup">
      <tr role="row">
        {columns.map(({ name, isNumber, isAction }) => (
          <th key={name} scope="col" role="columnheader" data-number={isNumber || undefined}>
            {isAction ? <VisuallyHidden>{name}</VisuallyHidden> : name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody role="rowgroup">
      {isPending && pendingRows.map((row) => <PendingRow key={row} columns={columns} />)}
      {rows.map((row) => (
        <tr key={keyOf(row)} role="row">
          {columns.map(({ name, cell, isNumber, isAction }) => (
            <td
              key={name}
              role="cell"
              data-name={isAction ? undefined : name}
              data-number={isNumber || undefined}
              data-action={isAction}
            >
              {cell(row)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

const pendingRows = [1, 2, 3, 4, 5, 6, 7, 8]

const PendingRow = <T,>({ columns }: { columns: readonly Column<T>[] }) => (
  <tr>
    {columns.map(({ name }, at) => (
      <td key={name} data-name={name}>
        <Skeleton height={12} my={5} width={at === 0 ? '70%' : '50%'} />
      </td>
    ))}
  </tr>
)
