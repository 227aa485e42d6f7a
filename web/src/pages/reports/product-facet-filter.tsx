import { ProductFacets } from '../../components/pickers/product-facets.tsx'
import type { ProductFilter } from '../../components/pickers/product-filter.ts'
import classes from './reports.module.css'

type Props = Parameters<typeof ProductFacets>[0] & { value: ProductFilter }

/** The filters by vendor, type and tag below the other filters of a report. */
export const ProductFacetFilter = (props: Props) => (
  <div className={classes.facets}>
    <ProductFacets {...props} />
  </div>
)
