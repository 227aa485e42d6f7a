import { listing, showingRecords, useChange } from '../../api/queries.ts'
import { notifyRefused } from '../../components/feedback/notify.ts'
import type { AlertSearch } from './filter.ts'

export const alertsOf = ({ state, type }: AlertSearch) =>
  listing('GET /alerts', { query: { ...(state && { state }), ...(type && { type }) } })

/** Marks alerts of the list that is shown as read: shown at once, taken back when the API refuses. */
export function useReadAlerts(search: AlertSearch) {
  const options = { onRefused: notifyRefused }
  const readOne = useChange('POST /alerts/:id/read', {
    ...options,
    shows: ({ params: { id } }) =>
      showingRecords(alertsOf(search), (alert) => (alert.id === id ? { ...alert, read: true } : alert)),
  })
  const readAll = useChange('POST /alerts/read-all', {
    ...options,
    shows: () => showingRecords(alertsOf(search), (alert) => ({ ...alert, read: true })),
  })
  return { readOne, readAll }
}
