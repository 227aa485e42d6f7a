import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readQuery } from '../../../api/queries.ts'

/**
 * Reads a count anew for each visit, because scans add to its stored numbers and a cached count may be out of date.
 * There are no background reads: each save answers with the stored count.
 */
export function useCount(id: number) {
  const [visit] = useState(() => crypto.randomUUID())
  const { queryKey, queryFn } = readQuery('GET /stock-counts/:id', { params: { id } })
  return useQuery({
    queryKey: [...queryKey, visit] as unknown as typeof queryKey,
    queryFn,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}
