import { listQuery, optimisticListUpdate, useChange } from '../../api/queries.ts'
import { notifyRefused } from '../../components/feedback/notify.ts'
import type { AlertSearch } from './filter.ts'

export const alertsQuery = ({ state, ...filter }: AlertSearch) =>
  listQuery('GET /alerts', { query: { ...filter, state: state ?? 'open', count: true } })

/** Marks alerts of the list as read: optimistic, and reverted when the API refuses. */
export function useReadAlerts(search: AlertSearch) {
  const options = { onRefused: notifyRefused }
  const readOne = useChange('POST /alerts/:id/read', {
    ...options,
    optimistic: ({ params: { id } }) =>
      optimisticListUpdate(alertsQuery(search), (alert) =>
        alert.id === id ? { ...alert, read: true } : alert,
      ),
  })
  const readAll = useChange('POST /alerts/read-all', {
    ...options,
    optimistic: ({ body }) =>
      optimisticListUpdate(alertsQuery(search), (alert) =>
        body?.ids === undefined || body.ids.includes(alert.id) ? { ...alert, read: true } : alert,
      ),
  })
  return { readOne, readAll }
}
