import { useSupplierName } from '../../pickers/supplier-names.ts'
import { FilterChips } from './filter-chips.tsx'

type Filter = { search?: string | undefined; supplierId?: number | undefined }

type Props = { filter: Filter; onChange: (change: { [name in keyof Filter]: undefined }) => void }

/** The chips of search and supplier of a list of documents. */
export function DocumentChips({ filter: { search, supplierId }, onChange }: Props) {
  const supplier = useSupplierName(supplierId)
  return (
    <FilterChips<Filter>
      filters={[
        ['search', 'Search', search],
        ['supplierId', 'Supplier', supplier],
      ]}
      onChange={onChange}
    />
  )
}
