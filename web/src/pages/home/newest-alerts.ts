import { listQuery } from '../../api/queries.ts'

/** Reads the five newest open alerts. */
export const newestAlertsQuery = listQuery('GET /alerts', { query: { state: 'open', limit: 5 } })
