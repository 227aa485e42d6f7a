import { Checkbox, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { Fragment, type ReactNode } from 'react'
import { useFit } from './fit.ts'
import { onRowKey } from './list/row-keys.ts'
import { ariaSort, type ColumnSorts, nextSort, type Sorting } from './list/sorting.ts'
import type { Selection } from './list/use-selection.ts'
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
  /** The sorts of the list by this column. */
  sorts?: ColumnSorts
  /** Shown only when the merchant chooses it. */
  isOptional?: boolean
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
  /** Sorts by a click on the head of a column with `sorts`. */
  sort?: Sorting | undefined
  /** A checkbox in each row; `nameOf` says which one it is. */
  selection?: (Selection<T> & { nameOf: (row: T) => string }) | undefined
  /** The head stays at the top of the window, below a bar. */
  isSticky?: boolean
}

const roomFor = (columns: number) =>
  columns > 7 ? 'many' : columns === 7 ? 'seven' : columns < 5 ? 'few' : undefined

/** A table whose rows become cards where it has little room. */
export const RowTable = <T,>({
  label,
  columns,
  rows,
  keyOf,
  isPending = false,
  isMarked,
  detailOf = () => null,
  sort,
  selection,
  isSticky,
}: Props<T>) => {
  const { room, ruler } = useFit(rows, columns.length)
  return (
    <div ref={room} className={classes.room} data-columns={roomFor(columns.length)}>
      <div ref={ruler} />
      <div className={classes.frame}>
        {/* explicit roles: display: block in narrow places removes the implicit ones */}
        <table
          className={classes.table}
          role="table"
          aria-label={label}
          aria-busy={isPending}
          data-dense={columns.length > 7 || undefined}
          data-sticky={isSticky || undefined}
          onKeyDown={onRowKey}
        >
          <thead role="rowgroup">
            <tr role="row">
              {columns.map((column) => (
                <th
                  key={column.name}
                  scope="col"
                  role="columnheader"
                  aria-sort={sort && ariaSort(column.sorts, sort)}
                  data-number={column.isNumber || undefined}
                  style={{ width: column.width }}
                >
                  <Head {...column} sort={sort} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {isPending && pendingRows.map((row) => <PendingRow key={row} columns={columns} />)}
            {rows.map((row) => (
              <Fragment key={keyOf(row)}>
                <tr
                  role="row"
                  data-row
                  data-marked={isMarked?.(row) || undefined}
                  data-selected={selection?.isSelected(row) || undefined}
                >
                  {columns.map(({ name, cell, isNumber, isAction }, at) => (
                    <td
                      key={name}
                      role="cell"
                      data-name={isAction ? undefined : name}
                      data-number={isNumber || undefined}
                      data-action={isAction}
                    >
                      {selection && at === 0 ? (
                        <div className={classes.selectable}>
                          <Checkbox
                            className={classes.select}
                            data-select
                            aria-label={`Select ${selection.nameOf(row)}`}
                            checked={selection.isSelected(row)}
                            onChange={() => selection.toggle(row)}
                          />
                          {cell(row)}
                        </div>
                      ) : (
                        cell(row)
                      )}
                    </td>
                  ))}
                </tr>
                <DetailRow columns={columns.length}>{detailOf(row)}</DetailRow>
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

type HeadProps = Pick<Column<never>, 'name' | 'isAction' | 'sorts'> & { sort: Sorting | undefined }

/** As cards have no visible head, its button is then replaced by plain text; the sort menu of the list remains. */
function Head({ name, isAction, sorts, sort }: HeadProps) {
  if (isAction) return <VisuallyHidden>{name}</VisuallyHidden>
  if (!sorts || !sort) return name
  const direction = ariaSort(sorts, sort)
  const Arrow =
    (direction ?? (sorts[0].startsWith('-') ? 'descending' : 'ascending')) === 'descending'
      ? IconArrowDown
      : IconArrowUp
  return (
    <>
      <button
        type="button"
        className={classes.sort}
        data-sorted={direction !== undefined || undefined}
        onClick={() => {
          const next = nextSort(sorts, sort)
          sort.onSort(next === sort.first ? undefined : next)
        }}
      >
        {name}
        <Arrow size={14} aria-hidden />
      </button>
      <span className={classes.plainHead}>{name}</span>
    </>
  )
}

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
