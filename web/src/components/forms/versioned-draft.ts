import { type FetchQueryOptions, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { type FieldErrors, fieldErrors } from './form-errors.ts'

type Options<Stored, Draft, Key extends QueryKey> = {
  draftOf: (stored: Stored) => Draft
  isSame: (one: Draft, other: Draft) => boolean
  query: FetchQueryOptions<Stored, Error, Stored, Key>
}

/**
 * The state of an edit form with optimistic locking:
 * 1. `base` is the record as it was when the page opened; a later refetch does not change it.
 * 2. When the API refuses the save with `stale_version`, the hook reads the stored record into `theirs`.
 * 3. The user then overwrites `theirs`, or `resetTo(theirs)` replaces the draft.
 */
export function useVersionedDraft<Stored, Draft, Key extends QueryKey>(
  opened: Stored,
  { draftOf, isSame, query }: Options<Stored, Draft, Key>,
) {
  const client = useQueryClient()
  const [base, setBase] = useState(opened)
  const [draft, setDraft] = useState(() => draftOf(opened))
  const [errors, setErrors] = useState<FieldErrors>({})
  const [theirs, setTheirs] = useState<Stored | null>(null)

  const clear = () => {
    setErrors({})
    setTheirs(null)
  }
  const resetTo = (stored: Stored) => {
    setBase(stored)
    setDraft(draftOf(stored))
    clear()
  }
  const onRefused = async (error: unknown) => {
    setErrors(fieldErrors(error))
    if (!(error instanceof ApiError) || error.code !== 'stale_version') return
    setTheirs(await client.fetchQuery({ ...query, staleTime: 0 }))
  }
  return {
    base,
    draft,
    setDraft,
    errors,
    theirs,
    isDirty: !isSame(draft, draftOf(base)),
    clear,
    resetTo,
    onRefused,
  }
}
