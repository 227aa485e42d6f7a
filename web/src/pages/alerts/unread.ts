import { queryOptions } from '@tanstack/react-query'
import { requestPage } from '../../api/request.ts'

const most = 99

/** How many open alerts nobody has read, as far as somebody would count them. */
export const unreadAlerts = queryOptions({
  queryKey: ['alerts', 'unread'],
  queryFn: async ({ signal }) => {
    const query = { state: 'open', read: false, limit: most + 1 } as const
    const { records } = await requestPage('GET /alerts', { query, signal })
    return records.length > most ? `${most}+` : String(records.length)
  },
  refetchInterval: 60_000,
})
