import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { loadCount } from '../offline/load-count.ts'
import { unreadItems } from '../offline/state.ts'

const pollMs = 1_500

/**
 * Reads a count anew for each visit, because scans add to its stored numbers and a cached count may be out of date. Without an
 * answer, a count that this device has shown opens as it was. There are no background reads while counting: each save answers
 * with the stored count. With `untilRead`, it is read every 1.5 s until the worker has compared all numbers with the stock in
 * the shop, and never from the device.
 */
export function useCount(id: number, { untilRead = false }: { untilRead?: boolean } = {}) {
  const [visit] = useState(() => crypto.randomUUID())
  return useQuery({
    queryKey: ['count', id, visit],
    queryFn: ({ signal }) => loadCount(id, { orKept: !untilRead, signal }),
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    refetchInterval: ({ state: { data } }) =>
      untilRead && data?.count.status === 'draft' && unreadItems(data.count).length > 0 && pollMs,
  })
}
