import { VisuallyHidden } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import classes from './row-table.module.css'

export type Column<T> = {
  name: string
  /** The first column says what the row is, and links to it (`RowLink`). */
  cell: (row: T) => ReactNode
  isNumber?: boolean
  /** What can be done with the row: its name is only heard. */
  isAction?: boolean
  /** In pixels, for tables below each other whose columns should stand in line. */
  width?: number
}

type Props<T> = {
  /** What the table holds, for those who hear it. */
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string | number
  isPending?: boolean
  /** Which row stands out. */
  isMarked?: ((row: T) => boolean) | undefined
  /** What stands below a row, across all columns; nothing while it is closed. */
  detailOf?: ((row: T) => ReactNode) | undefined
}

/** Rows under their columns, and on narrow screens as cards. */
export const RowTable = <T,>({
  label,
  columns,
  rows,
  keyOf,
  isPending = false,
  isMarked,
  detailOf = () => null,
}: Props<T>) => (
  // on narrow screens the rows are blocks and would lose what they are, hence the roles
  <table className={classes.table} role="table" aria-label={label} aria-busy={isPending}>
    <thead role="rowgroup">
      <tr role="row">
        {columns.map(({ name, isNumber, isAction, width }) => (
          <th
            key={name}
            scope="col"
            role="columnheader"
            data-number={isNumber || undefined}
            style={{ width }}
          >
            {isAction ? <VisuallyHidden>{name}</VisuallyHidden> : name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody role="rowgroup">
      {isPending && pendingRows.map((row) => <PendingRow key={row} columns={columns} />)}
      {rows.map((row) => (
        <Fragment key={keyOf(row)}>
          <tr role="row" data-marked={isMarked?.(row) || undefined}>
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
          <DetailRow columns={columns.length}>{detailOf(row)}</DetailRow>
        </Fragment>
      ))}
    </tbody>
  </table>
)

const DetailRow = ({ columns, children }: { columns: number; children: ReactNode }) =>
  children ? (
    <tr role="row" className={classes.detail}>
      <td role="cell" colSpan={columns}>
        {children}
      </td>
    </tr>
  ) : null

const pendingRows = [1, 2, 3, 4, 5, 6, 7, 8]

/** Nothing but cells: a component for each of its bars would be most of what a page takes to draw. */
const PendingRow = <T,>({ columns }: { columns: readonly Column<T>[] }) => (
  <tr className={classes.pending} aria-hidden>
    {columns.map(({ name, isAction }) => (
      <td key={name} data-name={isAction ? undefined : name} />
    ))}
  </tr>
)
