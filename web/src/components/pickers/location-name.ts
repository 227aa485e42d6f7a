import { useQuery } from '@tanstack/react-query'
import { readQuery } from '../../api/queries.ts'

/** The name of a location; undefined until it is known. */
export function useLocationName(id: string | undefined): string | undefined {
  const { data } = useQuery({ ...readQuery('GET /locations', {}), enabled: id !== undefined })
  return data?.find(({ locationId }) => locationId === id)?.name
}
