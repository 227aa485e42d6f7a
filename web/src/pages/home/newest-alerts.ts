import { listing } from '../../api/queries.ts'

/** The newest of the alerts that are open. */
export const newestAlerts = listing('GET /alerts', { query: { limit: 5 } })
