import { queryOptions } from '@tanstack/react-query'
import { requestPage } from '../../api/request.ts'

const maxShown = 99

/** The number of unread open alerts as text, up to "99+". */
export const unreadAlertsQuery = queryOptions({
  queryKey: ['alerts', 'unread'],
  queryFn: async ({ signal }) => {
    const query = { state: 'open', read: false, limit: maxShown + 1 } as const
    const { records } = await requestPage('GET /alerts', { query, signal })
    return records.length > maxShown ? `${maxShown}+` : String(records.length)
  },
  refetchInterval: 60_000,
})
