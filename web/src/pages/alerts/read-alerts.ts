import type { InfiniteData } from '@tanstack/react-query'
import type { Alert } from '../../../../shared/schemas/alerts.ts'
import { listing, showing, useChange } from '../../api/queries.ts'
import type { Page } from '../../api/request.ts'
import { notifyRefused } from '../../components/notify.ts'
import type { AlertSearch } from './filter.ts'

export const alertsOf = ({ state, type }: AlertSearch) =>
  listing('GET /alerts', { query: { ...(state && { state }), ...(type && { type }) } })

/** Marks alerts of the list that is shown as read: shown at once, taken back when the API refuses. */
export function useReadAlerts(search: AlertSearch) {
  const options = { onRefused: notifyRefused }
  const readOne = useChange('POST /alerts/:id/read', {
    ...options,
    shows: ({ params }) => showing(alertsOf(search), (now) => withRead(now, ({ id }) => id === params.id)),
  })
  const readAll = useChange('POST /alerts/read-all', {
    ...options,
    shows: () => showing(alertsOf(search), (now) => withRead(now, () => true)),
  })
  return { readOne, readAll }
}

type Alerts = InfiniteData<Page<Alert>>

const withRead = (now: Alerts, isMeant: (alert: Alert) => boolean): Alerts => ({
  ...now,
  pages: now.pages.map((page) => ({
    ...page,
    records: page.records.map((alert) => (isMeant(alert) ? { ...alert, read: true } : alert)),
  })),
})
