import type { ComponentProps } from 'react'
import type { ListName } from '../../../../../shared/schemas/list-views.ts'
import { DataList } from '../data-list.tsx'
import type { Column } from '../row-table.tsx'
import { useColumnChoice } from './column-choice.tsx'
import type { ListAddress } from './list-address.ts'
import { queryOf, SavedViews } from './saved-views.tsx'
import type { Sorting } from './sorting.ts'

type Filter = Record<string, string | number | boolean | undefined> & { sort?: string }

type Props<T> = Omit<
  ComponentProps<typeof DataList<T>>,
  'hasBar' | 'columns' | 'choice' | 'sort' | 'views'
> & {
  /** The name of its columns and saved views. */
  list: ListName
  columns: readonly Column<T>[]
  address: Pick<ListAddress<Filter>, 'filter' | 'setSort' | 'show'>
  sorts: Sorting['options']
  /** What a saved view keeps when the list leaves out a part of the filter, such as days in the wrong order. */
  asked?: Filter
}

/**
 * The rows of a list whose filter is in the address, with a sort menu, columns to choose and saved views:
 *
 *     const address = useListAddress(getRouteApi('/suppliers'), readSupplierFilter)
 *     <FilterChips filters={…} onChange={address.setFilter} />
 *     <ListRows … list="suppliers" address={address} columns={columns} sorts={sorts}
 *       query={useInfiniteQuery(listQuery('GET /suppliers', { query: { ...address.filter, count: true } }))}
 *       bulk={{ nameOf: ({ name }) => name, actions: ({ rows, clear }) => <Button …>…</Button> }} />
 */
export function ListRows<T>(props: Props<T>) {
  const { list, columns, address, sorts, asked, ...table } = props
  const { filter, setSort, show } = address
  const choice = useColumnChoice(list, columns)
  return (
    <DataList
      {...table}
      hasBar
      columns={choice.shown}
      choice={choice}
      sort={{ value: filter.sort, first: 'newest', options: sorts, onSort: setSort }}
      views={
        <SavedViews
          list={list}
          now={{ query: queryOf(asked ?? filter), columns: choice.chosen }}
          onShow={({ query, columns: chosen }) => {
            choice.choose(chosen)
            show(Object.fromEntries(new URLSearchParams(query)))
          }}
        />
      }
    />
  )
}
