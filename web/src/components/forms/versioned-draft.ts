import { type FetchQueryOptions, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useDraftErrors } from './draft-errors.ts'
import { fieldErrors } from './form-errors.ts'

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
 * 4. What is typed while a save is under way is not in it: `onSaved` keeps it as changes of the saved record, and answers
 *    whether there is nothing left to save. `clear` begins a save.
 */
export function useVersionedDraft<Stored, Draft extends object, Key extends QueryKey>(
  opened: Stored,
  { draftOf, isSame, query }: Options<Stored, Draft, Key>,
) {
  const client = useQueryClient()
  const [base, setBase] = useState(opened)
  const [draft, setDraft] = useState(() => draftOf(opened))
  const { errors, setErrors } = useDraftErrors(draft)
  const [theirs, setTheirs] = useState<Stored | null>(null)

  const sent = useRef(draft)
  const [saved, setSaved] = useState<Draft | null>(null)

  const clear = () => {
    sent.current = draft
    setErrors({})
    setTheirs(null)
  }
  const onSaved = (stored: Stored): boolean => {
    setBase(stored)
    setSaved(sent.current)
    return isSame(draft, sent.current)
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
    isDirty: !isSame(draft, draftOf(base)) && !(saved && isSame(draft, saved)),
    clear,
    resetTo,
    onRefused,
    onSaved,
  }
}
