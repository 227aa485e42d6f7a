import { type FetchQueryOptions, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { type FieldErrors, fieldErrors } from './form-errors.ts'

type Options<Stored, Draft, Key extends QueryKey> = {
  draftOf: (stored: Stored) => Draft
  isSame: (one: Draft, other: Draft) => boolean
  /** What reads the record as it is stored now. */
  reading: FetchQueryOptions<Stored, Error, Stored, Key>
}

/**
 * What is written over a record that others may save meanwhile. It starts from the record as it was when the page was
 * opened, whatever is read of it later; `theirs` is what somebody else has saved, until this person has decided.
 */
export function useVersionedDraft<Stored, Draft, Key extends QueryKey>(
  opened: Stored,
  { draftOf, isSame, reading }: Options<Stored, Draft, Key>,
) {
  const client = useQueryClient()
  const [base, setBase] = useState(opened)
  const [draft, setDraft] = useState(() => draftOf(opened))
  const [errors, setErrors] = useState<FieldErrors>({})
  const [theirs, setTheirs] = useState<Stored | null>(null)

  /** What was said of the last attempt to save holds no more. */
  const clear = () => {
    setErrors({})
    setTheirs(null)
  }
  /** Gives up what is written here for what is stored. */
  const startFrom = (stored: Stored) => {
    setBase(stored)
    setDraft(draftOf(stored))
    clear()
  }
  const onRefused = async (error: unknown) => {
    setErrors(fieldErrors(error))
    if (!(error instanceof ApiError) || error.code !== 'stale_version') return
    setTheirs(await client.fetchQuery({ ...reading, staleTime: 0 }))
  }
  return {
    base,
    draft,
    setDraft,
    errors,
    theirs,
    isDirty: !isSame(draft, draftOf(base)),
    clear,
    startFrom,
    onRefused,
  }
}
