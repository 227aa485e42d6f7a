import { type FetchQueryOptions, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useReducer } from 'react'
import { isStale, theirsOf, theirsReducer } from './versions.ts'

/** `theirs` is the stored record, read after the API refused a save with `stale_version`; `unread` is the error of that read. */
export function useTheirs<Stored, Key extends QueryKey>(
  query: FetchQueryOptions<Stored, Error, Stored, Key> | undefined,
) {
  const client = useQueryClient()
  const [now, dispatch] = useReducer(theirsReducer<Stored>, { state: 'none' })
  return {
    theirs: theirsOf(now),
    unread: now.state === 'unread' ? now.error : null,
    clearTheirs: () => dispatch({ type: 'cleared' }),
    /** Reads the record when `error` is `stale_version`; does not reject. */
    readTheirs: async (error: unknown) => {
      if (!query || !isStale(error)) return dispatch({ type: 'refused' })
      dispatch({ type: 'stale' })
      try {
        dispatch({ type: 'read', theirs: await client.fetchQuery({ ...query, staleTime: 0 }) })
      } catch (failure) {
        dispatch({ type: 'unreadable', error: failure })
      }
    },
  }
}
