import { queryOptions, useQuery } from '@tanstack/react-query'
import { readQuery } from '../../api/queries.ts'
import { requestAll } from '../../api/request.ts'

export const allSuppliersQuery = queryOptions({
  queryKey: ['suppliers', 'all'],
  queryFn: ({ signal }) => requestAll('GET /suppliers', { query: {}, signal }),
  staleTime: 30_000,
})

/** The name of a supplier; undefined until it is known. An archived supplier is not in the list of all, and is read by itself. */
export function useKnownSupplierName(id: number | undefined): string | undefined {
  const all = useQuery({ ...allSuppliersQuery, enabled: id !== undefined })
  const listed = all.data?.records.find((supplier) => supplier.id === id)
  const archived = useQuery({
    ...readQuery('GET /suppliers/:id', { params: { id: id ?? 0 } }),
    enabled: id !== undefined && all.isSuccess && !listed,
  })
  return listed?.name ?? archived.data?.name
}

/** What a page shows as the name of a supplier: `…` until it is known; undefined without an ID. */
export function useSupplierName(id: number | undefined): string | undefined {
  const name = useKnownSupplierName(id)
  return id === undefined ? undefined : (name ?? '…')
}
