import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { StockCount } from '../../../../../shared/schemas/stock-counts.ts'
import { ApiError } from '../../../api/api-error.ts'
import { request } from '../../../api/request.ts'
import { findByCode } from '../counting/find-by-code.ts'
import { keptOf } from '../counting/stored-count.ts'
import { openTally } from './draft.ts'

/** Counting on this device, as long as the page is open. */
export function useTally(stored: StockCount) {
  const client = useQueryClient()
  const [tally] = useState(() => {
    const { id } = stored
    const params = { id }
    return openTally(stored, {
      ...keptOf(id),
      save: async (items) => {
        try {
          return await request('PUT /stock-counts/:id', { params, body: { items } })
        } catch (error) {
          // somebody else has submitted or cancelled it
          if (error instanceof ApiError && error.status === 409) {
            void client.invalidateQueries()
          }
          throw error
        }
      },
      find: findByCode,
    })
  })
  const state = useSyncExternalStore(tally.subscribe, tally.state)
  useEffect(() => {
    tally.start()
    return tally.stop
  }, [tally])
  return { tally, state }
}
