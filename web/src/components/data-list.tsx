import { Button, Skeleton, Text } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Page } from '../api/request.ts'
import { Card } from './card.tsx'
import classes from './data-list.module.css'
import { ErrorNotice } from './error-notice.tsx'

export type Column<T> = {
  name: string
  /** The first column says what the row is, and links to it (`RowLink`). */
  cell: (row: T) => ReactNode
  isNumber?: boolean
}

type Props<T> = {
  /** What the list holds, for those who hear it. */
  label: string
  query: UseInfiniteQueryResult<{ pages: Page<T>[] }>
  columns: readonly Column<T>[]
  keyOf: (row: T) => string | number
  /** In place of the list while there is nothing in it: what to do first. */
  empty: { title: string; text: string; action?: ReactNode }
}

/** A list with its loading, empty, failed and many-rows states. On narrow screens each row is a card. */
export function DataList<T>({ label, query, columns, keyOf, empty }: Props<T>) {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query
  if (error && !data) return <ErrorNotice error={error} onRetry={refetch} />
  const rows = data?.pages.flatMap(({ records }) => records) ?? []
  if (!isPending && rows.length === 0) return <Empty {...empty} />
  return (
    <Card isFlush>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: on narrow screens the rows are blocks, and lose what they are */}
      <table className={classes.table} role="table" aria-label={label} aria-busy={isPending}>
        <thead>
          <tr role="row">
            {columns.map(({ name, isNumber }) => (
              <th key={name} scope="col" role="columnheader" data-number={isNumber || undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {isPending && pendingRows.map((row) => <PendingRow key={row} columns={columns} />)}
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map(({ name, cell, isNumber }) => (
                <td key={name} role="cell" data-name={name} data-number={isNumber || undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: as above */}
      {hasNextPage && (
        <div className={classes.more}>
          {error && <ErrorNotice error={error} />}
          <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </Card>
  )
}

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

export const Empty = ({ title, text, action }: { title: string; text: string; action?: ReactNode }) => (
  <Card>
    <div className={classes.empty}>
      <Text fw={600}>{title}</Text>
      <Text c="dimmed">{text}</Text>
      {action}
    </div>
  </Card>
)
