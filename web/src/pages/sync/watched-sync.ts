import { queryOptions } from '@tanstack/react-query'
import { reading } from '../../api/queries.ts'

const whileRunningMs = 1_500
const otherwiseMs = 15_000

/** The state of the sync, read again often while something is being read. */
export const watchedSync = queryOptions({
  ...reading('GET /sync', {}),
  refetchInterval: ({ state: { data } }) => (data?.state === 'running' ? whileRunningMs : otherwiseMs),
})
