import { VisuallyHidden } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import classes from './row-table.module.css'

export type Column<T> = {
  name: string
  /** The first column names the record and links to it (`RowLink`). */
  cell: (row: T) => ReactNode
  isNumber?: boolean
  /** A column of buttons; only screen readers read its name. */
  isAction?: boolean
  /** In pixels, to align the columns of several tables. */
  width?: number
}

type Props<T> = {
  /** The name of the table for screen readers. */
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string | number
  isPending?: boolean
  /** Whether a row is highlighted. */
  isMarked?: ((row: T) => boolean) | undefined
  /** Content below a row across all columns; null when the row is collapsed. */
  detailOf?: ((row: T) => ReactNode) | undefined
}

/** A table whose rows become cards on narrow screens. */
export const RowTable = <T,>({
  label,
  columns,
  rows,
  keyOf,
  isPending = false,
  isMarked,
  detailOf = () => null,
}: Props<T>) => (
  // explicit roles: display: block on narrow screens removes the implicit ones
  <table
    className={classes.table}
    role="table"
    aria-label={label}
    aria-busy={isPending}
    data-dense={columns.length > 7 || undefined}
  >
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

/** CSS draws the placeholder bars: a component for each bar would dominate the render time of a page. */
const PendingRow = <T,>({ columns }: { columns: readonly Column<T>[] }) => (
  <tr className={classes.pending} aria-hidden>
    {columns.map(({ name, isAction }) => (
      <td key={name} data-name={isAction ? undefined : name} />
    ))}
  </tr>
)
