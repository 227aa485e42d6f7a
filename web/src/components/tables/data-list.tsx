import { Button, Text } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useMemo } from 'react'
import type { Page } from '../../api/request.ts'
import { ErrorNotice } from '../feedback/error-notice.tsx'
import { Card } from '../layout/card.tsx'
import classes from './data-list.module.css'
import { type Column, RowTable } from './row-table.tsx'

type Props<T> = {
  title?: string
  /** The name of the table for screen readers. */
  label: string
  query: UseInfiniteQueryResult<{ pages: Page<T>[] }>
  columns: readonly Column<T>[]
  keyOf: (row: T) => string | number
  /** Content below a row, as in `RowTable`. */
  detailOf?: (row: T) => ReactNode
  /** Shown in place of an empty list: what to do first. */
  empty: { title: string; text: string; action?: ReactNode }
}

const none: readonly never[] = []

/** A list with its loading, error and empty states and a Load more button. On narrow screens each row is a card. */
export function DataList<T>({ title, label, query, columns, keyOf, detailOf, empty }: Props<T>) {
  const {
    data,
    error,
    isPending,
    isPlaceholderData,
    hasNextPage,
    isFetchingNextPage,
    fetchNextPage,
    refetch,
  } = query
  const all = useMemo(() => data?.pages.flatMap(({ records }) => records) ?? [], [data])
  // on a return to a long list the page renders first, and its rows in a second pass
  const rows = useDeferredValue<readonly T[]>(all, none)
  if (error && !data) return <ErrorNotice error={error} onRetry={refetch} />
  // an empty result of the previous filter does not show the empty state for the new filter
  const isWaiting = isPending || (isPlaceholderData && all.length === 0) || (rows === none && all.length > 0)
  if (!isWaiting && all.length === 0) return <Empty heading={title} {...empty} />
  return (
    <Card isFlush title={title} isStale={isPlaceholderData && !isWaiting}>
      <RowTable
        label={label}
        columns={columns}
        rows={rows}
        keyOf={keyOf}
        detailOf={detailOf}
        isPending={isWaiting}
      />
      {hasNextPage && !isWaiting && (
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

type EmptyProps = { heading?: string; title: string; text: string; action?: ReactNode }

export const Empty = ({ heading, title, text, action }: EmptyProps) => (
  <Card title={heading}>
    <div className={classes.empty}>
      <Text fw={600}>{title}</Text>
      <Text c="dimmed">{text}</Text>
      {action}
    </div>
  </Card>
)
