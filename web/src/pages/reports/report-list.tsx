import type { ComponentProps } from 'react'
import type { ListName } from '../../../../shared/schemas/list-views.ts'
import { ProductFacets } from '../../components/pickers/product-facets.tsx'
import type { ProductFilter } from '../../components/pickers/product-filter.ts'
import { DataList } from '../../components/tables/data-list.tsx'
import { Filters } from '../../components/tables/filters.tsx'
import { chipsOf } from '../../components/tables/list/chips-of.ts'
import { useColumnChoice } from '../../components/tables/list/column-choice.tsx'
import { FilterChips } from '../../components/tables/list/filter-chips.tsx'
import { queryOf, SavedViews } from '../../components/tables/list/saved-views.tsx'
import type { Column } from '../../components/tables/row-table.tsx'
import { SearchField } from '../../components/tables/search-field.tsx'

type Filter = { search?: string | undefined } & { [name in keyof ProductFilter]?: string | undefined }

type FilterProps = { value: Filter; onChange: (change: Filter, replace?: boolean) => void }

/** Search, vendor, type and tag below the other filters of a report. */
export const ReportSearch = ({ value, onChange }: FilterProps) => (
  <Filters>
    <SearchField
      label="Search"
      placeholder="Title, SKU or barcode"
      value={value.search ?? ''}
      // replaces the history entry while typing, so that Back leaves the search in one step
      onSearch={(text) => onChange({ search: text || undefined }, value.search !== undefined)}
    />
    <ProductFacets value={value} onChange={onChange} />
  </Filters>
)

type Props<T> = Pick<ComponentProps<typeof DataList<T>>, 'label' | 'query' | 'keyOf' | 'empty'> & {
  /** The name of its columns and saved views. */
  list: ListName
  columns: readonly Column<T>[]
  /** As in the address: what a saved view keeps. */
  filter: Filter & Record<string, string | number | undefined>
  onChange: FilterProps['onChange']
  /** Shows the filter of a saved view, which the page's own reader of addresses checks. */
  onShow: (params: Record<string, string>) => unknown
}

const none = { search: undefined, vendor: undefined, productType: undefined, tag: undefined }

/** The rows of a report with the parts of a list: filter chips, row count, columns and saved views. */
export function ReportList<T>({ list, columns, filter, onChange, onShow, empty, ...table }: Props<T>) {
  const choice = useColumnChoice(list, columns)
  const { search, vendor, productType, tag } = filter
  const chips = chipsOf<Filter>(
    [
      ['search', 'Search', search],
      ['vendor', 'Vendor', vendor],
      ['productType', 'Product type', productType],
      ['tag', 'Tag', tag],
    ],
    onChange,
  )
  return (
    <>
      <FilterChips chips={chips} onClear={() => onChange(none)} />
      <DataList
        {...table}
        hasBar
        columns={choice.shown}
        choice={choice}
        views={
          <SavedViews
            list={list}
            now={{ query: queryOf(filter), columns: choice.chosen }}
            onShow={(view) => {
              choice.choose(view.columns)
              onShow(Object.fromEntries(new URLSearchParams(view.query)))
            }}
          />
        }
        empty={chips.length === 0 ? empty : emptyOf(search)}
      />
    </>
  )
}

const emptyOf = (search?: string) =>
  search
    ? { title: `No results for “${search}”`, text: 'Clear the search, or try another title, SKU or barcode.' }
    : { title: 'No products match these filters', text: 'Choose another vendor, type or tag.' }
