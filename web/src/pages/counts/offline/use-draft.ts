import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { request, requestWithKey } from '../../../api/request.ts'
import { findByCode } from '../../../components/scan/find-by-code.ts'
import { thisDevice } from './device.ts'
import { openCountDraft } from './draft.ts'
import { keepCount } from './load-count.ts'
import { type LoadedCount, openCountStores, roundOf } from './local-count.ts'

export function useCountDraft(loaded: LoadedCount) {
  const client = useQueryClient()
  const [draft] = useState(() => {
    const { person, count, isKept = false } = loaded
    const params = { id: count.id }
    const device = thisDevice()
    const round = roundOf(count)
    return openCountDraft(count, openCountStores(loaded), {
      isKept,
      send: async (items, key) => {
        try {
          const change = { params, body: { items, device, round } }
          return await (key
            ? requestWithKey('PUT /stock-counts/:id', change, key)
            : request('PUT /stock-counts/:id', change))
        } catch (error) {
          // another user has finished, submitted or cancelled the count, or started a recount
          if (error instanceof ApiError && error.status === 409) {
            void client.invalidateQueries()
          }
          throw error
        }
      },
      fill: () => request('POST /stock-counts/:id/add-products', { params, body: {} }),
      read: async (signal) => {
        const now = await request('GET /stock-counts/:id', { params }, signal)
        if (now.phase !== count.phase || roundOf(now) !== round) void client.invalidateQueries()
        return now
      },
      keep: (answer) => keepCount(person, answer),
      find: (_, text) => findByCode(text),
    })
  })
  const state = useSyncExternalStore(draft.subscribe, draft.state)
  useEffect(() => {
    draft.start()
    return draft.stop
  }, [draft])
  return { draft, state }
}
