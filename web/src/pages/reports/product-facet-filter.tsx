import { ProductFacets } from '../../components/pickers/product-facets.tsx'
import { Filters } from '../../components/tables/filters.tsx'

/** The filters by vendor, type and tag below the other filters of a report. */
export const ProductFacetFilter = (props: Parameters<typeof ProductFacets>[0]) => (
  <Filters>
    <ProductFacets {...props} />
  </Filters>
)
