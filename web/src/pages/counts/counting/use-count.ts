import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readQuery } from '../../../api/queries.ts'
import { unreadItems } from '../offline/state.ts'

const pollMs = 1_500

/**
 * Reads a count anew for each visit, because scans add to its stored numbers and a cached count may be out of date.
 * There are no background reads while counting: each save answers with the stored count. With `untilRead`, it is read
 * every 1.5 s until the worker has compared all numbers with the stock in the shop.
 */
export function useCount(id: number, { untilRead = false }: { untilRead?: boolean } = {}) {
  const [visit] = useState(() => crypto.randomUUID())
  const { queryKey, queryFn } = readQuery('GET /stock-counts/:id', { params: { id } })
  return useQuery({
    queryKey: [...queryKey, visit] as unknown as typeof queryKey,
    queryFn,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    refetchInterval: ({ state: { data } }) =>
      untilRead && data?.status === 'draft' && unreadItems(data).length > 0 && pollMs,
  })
}
