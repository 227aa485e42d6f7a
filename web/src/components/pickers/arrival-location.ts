import { useQuery } from '@tanstack/react-query'
import { locationsQuery } from './location-name.ts'

/**
 * The location where goods arrive: the chosen one, or else the primary one. A form must not be saved before the locations are
 * loaded: after a lost answer, the second save would send another location than the first.
 */
export function useArrivalLocation(chosenId: string | null) {
  const { data } = useQuery(locationsQuery)
  return {
    arrivalLocationId: chosenId ?? data?.find(({ isPrimary }) => isPrimary)?.locationId ?? null,
    isLoading: chosenId === null && data === undefined,
  }
}
