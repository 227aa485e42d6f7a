import { Select } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { requestAll } from '../../api/request.ts'

type Props = {
  label: string
  /** For a table whose column header is the label. */
  isLabelHidden?: boolean
  value: number | null
  onChange: (supplierId: number | null) => void
  /** The current supplier, in case the list does not contain it any more. */
  known?: { id: number; name: string } | undefined
  placeholder?: string
  isClearable?: boolean
  isRequired?: boolean
  isDisabled?: boolean
  error?: string | undefined
}

export const allSuppliersQuery = queryOptions({
  queryKey: ['suppliers', 'all'],
  queryFn: ({ signal }) => requestAll('GET /suppliers', { query: {}, signal }),
  staleTime: 30_000,
})

/** Selects a supplier by a part of its name. */
export function SupplierPicker({
  label,
  isLabelHidden,
  value,
  onChange,
  known,
  placeholder,
  isClearable,
  isRequired,
  isDisabled,
  error,
}: Props) {
  const { data, isPending, isError } = useQuery(allSuppliersQuery)
  const suppliers = data ? data.records : []
  const options = new Map(suppliers.map(({ id, name }) => [id, name]))
  if (known && !options.has(known.id)) options.set(known.id, known.name)
  return (
    <Select
      label={isLabelHidden ? undefined : label}
      aria-label={isLabelHidden ? label : undefined}
      data={[...options]
        .sort(([, a], [, b]) => a.localeCompare(b))
        .map(([id, name]) => ({ value: String(id), label: name }))}
      value={value === null ? null : String(value)}
      onChange={(id) => onChange(id === null ? null : Number(id))}
      placeholder={isPending ? 'Loading …' : placeholder}
      nothingFoundMessage="No matching suppliers"
      searchable
      clearable={isClearable}
      withAsterisk={isRequired}
      disabled={isDisabled}
      allowDeselect={false}
      error={isError ? 'The suppliers could not be loaded.' : error}
      limit={100}
    />
  )
}
