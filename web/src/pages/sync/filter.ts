import type { DeliveryState } from '../../../../shared/schemas/sync.ts'

/** What became of news, in a merchant's words; `failed` is what the page begins with. */
export const stateNames: Record<DeliveryState, string> = {
  failed: 'Failed',
  received: 'Waiting',
  applied: 'Applied',
  ignored: 'Out of date',
  rejected: 'Not readable',
}

export const states = Object.keys(stateNames) as DeliveryState[]

type SyncSearch = { state?: DeliveryState }

export function readSyncSearch(search: Record<string, unknown>): SyncSearch {
  const state = states.find((known) => known === search.state)
  return state && state !== 'failed' ? { state } : {}
}
