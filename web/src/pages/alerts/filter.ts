import type { AlertType } from '../../../../shared/schemas/alerts.ts'
import { alertTypeWords } from '../../../../shared/schemas/kind-words.ts'
import { readSearch } from '../../components/tables/address.ts'
import type { Look } from '../../components/tables/looks.ts'

/** The badge of each alert type. */
export const alertLooks: Record<AlertType, Look> = {
  low_stock: [alertTypeWords.low_stock, 'waiting'],
  po_overdue: [alertTypeWords.po_overdue, 'bad'],
  mail_failed: [alertTypeWords.mail_failed, 'bad'],
  sync_conflict: [alertTypeWords.sync_conflict, 'bad'],
}

const types = Object.keys(alertLooks) as AlertType[]
export const typeOptions = types.map((type) => ({ value: type, label: alertLooks[type][0] }))

/** The filter in the URL. Without `state` the list shows the open alerts. */
export type AlertSearch = { state?: 'resolved'; type?: AlertType; search?: string; sort?: 'oldest' }

export function readAlertFilter(search: Record<string, unknown>): AlertSearch {
  const type = types.find((known) => known === search.type)
  return {
    ...(search.state === 'resolved' && { state: 'resolved' }),
    ...(type && { type }),
    ...readSearch(search),
    ...(search.sort === 'oldest' && { sort: 'oldest' }),
  }
}
