import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { StockCount } from '../../../../../shared/schemas/stock-counts.ts'
import { ApiError } from '../../../api/api-error.ts'
import { request, requestWithKey } from '../../../api/request.ts'
import { findByCode } from '../../../components/scan/find-by-code.ts'
import { thisDevice } from './device.ts'
import { openCountDraft } from './draft.ts'
import { openCountStores } from './local-count.ts'

export function useCountDraft(stored: StockCount) {
  const client = useQueryClient()
  const [draft] = useState(() => {
    const { id } = stored
    const params = { id }
    const device = thisDevice()
    return openCountDraft(stored, openCountStores(id), {
      send: async (items, key) => {
        try {
          const change = { params, body: { items, device } }
          return await (key
            ? requestWithKey('PUT /stock-counts/:id', change, key)
            : request('PUT /stock-counts/:id', change))
        } catch (error) {
          // another user has finished, submitted or cancelled the count
          if (error instanceof ApiError && error.status === 409) {
            void client.invalidateQueries()
          }
          throw error
        }
      },
      fill: () => request('POST /stock-counts/:id/add-products', { params, body: {} }),
      read: (signal) => request('GET /stock-counts/:id', { params }, signal),
      find: findByCode,
    })
  })
  const state = useSyncExternalStore(draft.subscribe, draft.state)
  useEffect(() => {
    draft.start()
    return draft.stop
  }, [draft])
  return { draft, state }
}
