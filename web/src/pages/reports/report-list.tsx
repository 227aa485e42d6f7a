import { ProductFacets } from '../../components/pickers/product-facets.tsx'
import { isProductFiltered, type ProductFilter } from '../../components/pickers/product-filter.ts'
import { Filters } from '../../components/tables/filters.tsx'
import { FilterChips } from '../../components/tables/list/filter-chips.tsx'
import { SearchField } from '../../components/tables/search-field.tsx'
import { useVariantTitle } from '../../components/tables/variant-title.ts'
import { ReportRows, type ReportRowsProps } from './report-rows.tsx'

type Filter = { search?: string | undefined; variantId?: string | undefined } & {
  [name in keyof ProductFilter]?: string | undefined
}

type FilterProps = { value: Filter; onChange: (change: Filter, options?: { replace: boolean }) => void }

/** Search, vendor, type and tag below the other filters of a report. */
export const ReportSearch = ({ value, onChange }: FilterProps) => (
  <Filters>
    <SearchField
      label="Search"
      placeholder="Title, SKU or barcode"
      value={value.search}
      onSearch={(search, options) => onChange({ search }, options)}
    />
    <ProductFacets value={value} onChange={onChange} />
  </Filters>
)

type Props<T> = ReportRowsProps<T> & { filter: Filter; onChange: FilterProps['onChange'] }

/** The rows of a report of products, below the chips of its filters. */
export function ReportList<T>({ onChange, empty, ...table }: Props<T>) {
  const { variantId, search, vendor, productType, tag } = table.filter
  const product = useVariantTitle(variantId)
  return (
    <>
      <FilterChips<Filter>
        filters={[
          ['variantId', 'Product', product],
          ['search', 'Search', search],
          ['vendor', 'Vendor', vendor],
          ['productType', 'Product type', productType],
          ['tag', 'Tag', tag],
        ]}
        onChange={onChange}
      />
      <ReportRows {...table} empty={search || isProductFiltered(table.filter) ? emptyOf(search) : empty} />
    </>
  )
}

const emptyOf = (search?: string) =>
  search
    ? { title: `No results for “${search}”`, text: 'Clear the search, or try another title, SKU or barcode.' }
    : { title: 'No products match these filters', text: 'Choose another vendor, type or tag.' }
