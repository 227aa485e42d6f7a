import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { reading } from '../../../api/queries.ts'

/**
 * A count as it is stored when the page is opened, never what an earlier visit has read: numbers are counted on from it.
 * Nor is it read again by itself, since what is saved from here answers with what is stored then.
 */
export function useCount(id: number) {
  const [visit] = useState(() => crypto.randomUUID())
  const { queryKey, queryFn } = reading('GET /stock-counts/:id', { params: { id } })
  return useQuery({
    queryKey: [...queryKey, visit] as unknown as typeof queryKey,
    queryFn,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}
