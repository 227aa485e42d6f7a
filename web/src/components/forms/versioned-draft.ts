import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query'
import { type SetStateAction, useCallback, useReducer } from 'react'
import { useDraftErrors } from './draft-errors.ts'
import { fieldErrors } from './form-errors.ts'
import { useTheirs } from './their-changes.ts'
import { draftState, firstVersions, versionReducer } from './versions.ts'

type Options<Stored, Draft, Key extends QueryKey> = {
  draftOf: (stored: Stored) => Draft
  isSame: (one: Draft, other: Draft) => boolean
  query: FetchQueryOptions<Stored, Error, Stored, Key>
}

/**
 * The state of an edit form with optimistic locking; `versions.ts` has its states.
 * 1. `base` is the record that the draft changes.
 * 2. `clear` begins a save. When the API refuses it with `stale_version`, `onRefused` reads the stored record into `theirs`;
 *    `unread` is the error of that read.
 * 3. The user then overwrites `theirs`, or `resetTo(theirs)` replaces the draft.
 * 4. `onSaved` answers whether there is nothing left to save: what is typed while a save is under way is not in it.
 */
export function useVersionedDraft<Stored, Draft extends object, Key extends QueryKey>(
  stored: Stored,
  { draftOf, isSame, query }: Options<Stored, Draft, Key>,
) {
  const comparison = { draftOf, isSame }
  const [now, dispatch] = useReducer(versionReducer(comparison), stored, (first) =>
    firstVersions(first, comparison),
  )
  const { seen, base, draft, sent } = now
  const { errors, setErrors } = useDraftErrors(draft)
  const { theirs, unread, clearTheirs, readTheirs } = useTheirs(query)
  if (seen !== stored) dispatch({ type: 'refetched', stored })

  const setDraft = useCallback((change: SetStateAction<Draft>) => dispatch({ type: 'typed', change }), [])
  const clear = () => {
    dispatch({ type: 'sent', draft })
    setErrors({})
    clearTheirs()
  }
  return {
    base,
    draft,
    setDraft,
    errors,
    theirs,
    unread,
    isDirty: draftState(now, comparison) === 'changed',
    clear,
    resetTo: (other: Stored) => {
      dispatch({ type: 'reset', stored: other })
      clear()
    },
    onRefused: async (error: unknown) => {
      setErrors(fieldErrors(error))
      await readTheirs(error)
    },
    onSaved: (answer: Stored): boolean => {
      dispatch({ type: 'saved', answer })
      return sent !== null && isSame(draft, sent)
    },
  }
}
