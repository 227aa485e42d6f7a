import type { DeliveryState } from '../../../../shared/schemas/sync.ts'

/** The states of a platform update, named for merchants. The page shows `failed` by default. */
export const stateNames: Record<DeliveryState, string> = {
  failed: 'Failed',
  received: 'Waiting',
  applied: 'Applied',
  ignored: 'Out of date',
  rejected: 'Unreadable',
}

export const states = Object.keys(stateNames) as DeliveryState[]

type SyncSearch = { state?: DeliveryState }

export function readSyncSearch(search: Record<string, unknown>): SyncSearch {
  const state = states.find((known) => known === search.state)
  return state && state !== 'failed' ? { state } : {}
}
