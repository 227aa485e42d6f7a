import { useQuery } from '@tanstack/react-query'
import { readQuery } from '../../api/queries.ts'

/** The name of a location, by platform id, for the chip of a filter; `…` until it is known. */
export function useLocationName(id: string | undefined): string | undefined {
  const { data } = useQuery({
    ...readQuery('GET /locations', {}),
    staleTime: 60_000,
    enabled: id !== undefined,
  })
  return id === undefined ? undefined : (data?.find(({ locationId }) => locationId === id)?.name ?? '…')
}
