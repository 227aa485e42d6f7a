import { useQuery } from '@tanstack/react-query'
import { readQuery } from '../../api/queries.ts'

export const locationsQuery = { ...readQuery('GET /locations', {}), staleTime: 60_000 }

/** The name of a location: “…” until it is known, and undefined without an id. */
export function useLocationName(id: string | undefined): string | undefined {
  const { data } = useQuery({ ...locationsQuery, enabled: id !== undefined })
  if (id === undefined) return undefined
  const location = data?.find(({ locationId }) => locationId === id)
  return location?.name ?? (data ? 'Unknown location' : '…')
}
