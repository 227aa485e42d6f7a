import { type FetchQueryOptions, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'

/** `theirs` is the stored record, read after the API refused a save with `stale_version`; `unread` is the error of that read. */
export function useTheirs<Stored, Key extends QueryKey>(
  query: FetchQueryOptions<Stored, Error, Stored, Key> | undefined,
) {
  const client = useQueryClient()
  const [theirs, setTheirs] = useState<Stored | null>(null)
  const [unread, setUnread] = useState<ApiError | null>(null)
  return {
    theirs,
    unread,
    clearTheirs: () => {
      setTheirs(null)
      setUnread(null)
    },
    /** Reads the record when `error` is `stale_version`; does not reject. */
    readTheirs: async (error: unknown) => {
      setUnread(null)
      if (!query || !isStale(error)) return
      try {
        setTheirs(await client.fetchQuery({ ...query, staleTime: 0 }))
      } catch (failure) {
        // older changes than those of the error would be overwritten unseen
        setTheirs(null)
        setUnread(unreadError(failure))
      }
    },
  }
}

/** Whether the API refused a save since another user saved first. */
export const isStale = (error: unknown) => error instanceof ApiError && error.code === 'stale_version'

/** Replaces the error of the save, which says "Reload", because a reload loses what the user entered. */
function unreadError(failure: unknown): ApiError {
  const { status, code, requestId } = failure instanceof ApiError ? failure : new ApiError(0, {})
  const message =
    'Another user saved first, and their changes could not be read. Your changes are not lost. Try again to see theirs.'
  return new ApiError(status, { code, message, ...(requestId && { requestId }) })
}
