import { queryOptions } from '@tanstack/react-query'
import { readQuery } from '../../api/queries.ts'

const runningIntervalMs = 1_500
const idleIntervalMs = 15_000

/** Polls the state of the sync, more often while an import runs, or orders or stock on hand are read. */
export const syncQuery = queryOptions({
  ...readQuery('GET /sync', {}),
  refetchInterval: ({ state: { data } }) => {
    const isBusy =
      data && (data.state === 'running' || data.unreadVariants > 0 || data.sales.readingSince !== null)
    return isBusy ? runningIntervalMs : idleIntervalMs
  },
})
