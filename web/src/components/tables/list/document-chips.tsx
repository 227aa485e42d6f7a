import { useQuery } from '@tanstack/react-query'
import { allSuppliersQuery } from '../../pickers/supplier-picker.tsx'
import { chipsOf } from './chips-of.ts'
import { FilterChips } from './filter-chips.tsx'

type Filter = { search?: string | undefined; supplierId?: number | undefined }

type Props = { filter: Filter; onChange: (change: { [name in keyof Filter]: undefined }) => void }

/** The chips of search and supplier of a list of documents. */
export function DocumentChips({ filter: { search, supplierId }, onChange }: Props) {
  const { data: suppliers } = useQuery({ ...allSuppliersQuery, enabled: supplierId !== undefined })
  const supplier = suppliers?.records.find(({ id }) => id === supplierId)?.name ?? '…'
  return (
    <FilterChips
      chips={chipsOf<Filter>(
        [
          ['search', 'Search', search],
          ['supplierId', 'Supplier', supplierId === undefined ? undefined : supplier],
        ],
        onChange,
      )}
      onClear={() => onChange({ search: undefined, supplierId: undefined })}
    />
  )
}
