import { Button, Text } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useElementScrollRestoration } from '@tanstack/react-router'
import {
  type ReactNode,
  type RefObject,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Page } from '../../api/request.ts'
import { ErrorNotice } from '../feedback/error-notice.tsx'
import { Card } from '../layout/card.tsx'
import classes from './data-list.module.css'
import type { ColumnChoice } from './list/column-choice.tsx'
import { ListBar } from './list/list-bar.tsx'
import { focusRow } from './list/row-keys.ts'
import type { Sorting } from './list/sorting.ts'
import { type Selection, useSelection } from './list/use-selection.ts'
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
  /** Shows the bar above the list with the row count; the total is that of a request with `count: true`. */
  hasBar?: boolean
  /** The sort menu of the bar, and the heads of columns with `sorts`. */
  sort?: Sorting
  /** The column chooser of the bar, from `useColumnChoice`; then `columns` are those that it shows. */
  choice?: ColumnChoice<T>
  /** The menu of saved views: `<SavedViews list="…" now={…} onShow={…} />`. */
  views?: ReactNode
  /** Checkboxes, the key `x`, and the buttons for the selected rows. `nameOf` names a row for screen readers. */
  bulk?: { nameOf: (row: T) => string; actions: (selection: Selection<T>) => ReactNode }
}

const none: readonly never[] = []

/**
 * A list with its loading, error and empty states and a Load more button. On narrow screens each row is a card. The arrows
 * move between rows and Enter opens one. Each other part is a prop, and a list takes those that it can offer; `ListRows` has
 * all of them.
 */
export function DataList<T>({
  title,
  label,
  query,
  columns,
  keyOf,
  detailOf,
  empty,
  hasBar = false,
  sort,
  choice,
  views,
  bulk,
}: Props<T>) {
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
  const list = useRef<HTMLDivElement>(null)
  const restored = useElementScrollRestoration({ getElement: () => window })
  const [leftAt] = useState(restored?.scrollY ?? 0)
  const isLeftAt = useRef(leftAt > 0)
  // the router scrolled when the page had no rows yet
  useLayoutEffect(() => {
    if (!isLeftAt.current || rows.length === 0) return
    isLeftAt.current = false
    window.scrollTo({ top: leftAt })
  }, [rows, leftAt])
  const [focusAt, setFocusAt] = useState<number | null>(null)
  // the button is disabled while it loads, and gone after the last page: the focus goes on with the new rows
  useEffect(() => {
    if (focusAt === null || rows.length <= focusAt) return
    setFocusAt(null)
    focusRow(list.current?.querySelectorAll('tbody tr[data-row]')[focusAt], { preventScroll: true })
  }, [focusAt, rows])
  const selection = useSelection(rows, keyOf)
  const isWide = useIsWide(list, rows.length > 0)
  if (error && !data) return <ErrorNotice error={error} onRetry={refetch} />
  // an empty result of the previous filter does not show the empty state for the new filter
  const isWaiting =
    isPending || (isPlaceholderData && all.length === 0) || (rows.length === 0 && all.length > 0)
  const bar = hasBar && (
    <ListBar
      label={label}
      loaded={rows.length}
      count={data?.pages[0]?.count}
      hasMore={hasNextPage}
      isPending={isWaiting}
      sort={sort}
      columns={choice}
      views={views}
      selection={bulk && selection}
      bulkActions={bulk?.actions}
    />
  )
  if (!isWaiting && all.length === 0) {
    // the bar stays, since it leads to the other views, except in a list that never had a record
    return hasBar && !empty.action ? (
      <Card isFlush title={title}>
        {bar}
        <EmptyText {...empty} />
      </Card>
    ) : (
      <Empty heading={title} {...empty} />
    )
  }
  return (
    <Card isFlush title={title} isStale={isPlaceholderData && !isWaiting} isSticky={hasBar && !isWide}>
      {bar}
      <div ref={list} className={hasBar ? classes.belowBar : undefined}>
        <RowTable
          label={label}
          columns={columns}
          rows={rows}
          keyOf={keyOf}
          detailOf={detailOf}
          isPending={isWaiting}
          sort={sort}
          selection={bulk && { ...selection, nameOf: bulk.nameOf }}
          isSticky={hasBar && !isWide}
        />
      </div>
      {hasNextPage && !isWaiting && (
        <div className={classes.more}>
          {error && <ErrorNotice error={error} />}
          <Button
            variant="default"
            loading={isFetchingNextPage}
            onClick={() => {
              setFocusAt(rows.length)
              void fetchNextPage()
            }}
          >
            Load more
          </Button>
        </div>
      )}
    </Card>
  )
}

/** A table that is wider than its place scrolls sideways, and then its head cannot stay in sight. */
function useIsWide(list: RefObject<HTMLElement | null>, hasRows: boolean): boolean {
  const [isWide, setIsWide] = useState(false)
  useLayoutEffect(() => {
    const { current: place } = list
    const table = place?.querySelector('table')
    if (!place || !table || !hasRows) return
    const observer = new ResizeObserver(() => setIsWide(table.offsetWidth > place.clientWidth + 1))
    observer.observe(place)
    observer.observe(table)
    return () => observer.disconnect()
  }, [list, hasRows])
  return isWide
}

type EmptyProps = { title: string; text: string; action?: ReactNode }

export const Empty = ({ heading, ...text }: EmptyProps & { heading?: string }) => (
  <Card title={heading}>
    <EmptyText {...text} />
  </Card>
)

const EmptyText = ({ title, text, action }: EmptyProps) => (
  <div className={classes.empty}>
    <Text fw={600}>{title}</Text>
    <Text c="dimmed">{text}</Text>
    {action}
  </div>
)
