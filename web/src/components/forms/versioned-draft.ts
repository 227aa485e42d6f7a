import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useDraftErrors } from './draft-errors.ts'
import { fieldErrors } from './form-errors.ts'
import { useTheirs } from './their-changes.ts'

type Options<Stored, Draft, Key extends QueryKey> = {
  draftOf: (stored: Stored) => Draft
  isSame: (one: Draft, other: Draft) => boolean
  query: FetchQueryOptions<Stored, Error, Stored, Key>
}

/**
 * The state of an edit form with optimistic locking:
 * 1. `base` is the record that the draft changes. A refetch replaces both until the user has changed something, since the
 *    page may open with an older, cached record; later ones change neither.
 * 2. When the API refuses the save with `stale_version`, the hook reads the stored record into `theirs`; `unread` is the
 *    error of that read.
 * 3. The user then overwrites `theirs`, or `resetTo(theirs)` replaces the draft.
 * 4. What is typed while a save is under way is not in it: `onSaved` keeps it as changes of the saved record, and answers
 *    whether there is nothing left to save. `clear` begins a save.
 */
export function useVersionedDraft<Stored, Draft extends object, Key extends QueryKey>(
  stored: Stored,
  { draftOf, isSame, query }: Options<Stored, Draft, Key>,
) {
  const [base, setBase] = useState(stored)
  const [draft, setDraft] = useState(() => draftOf(stored))
  const { errors, setErrors } = useDraftErrors(draft)
  const { theirs, unread, clearTheirs, readTheirs } = useTheirs(query)

  const sent = useRef(draft)
  const [saved, setSaved] = useState<Draft | null>(null)
  const isDirty = !isSame(draft, draftOf(base)) && !(saved && isSame(draft, saved))

  const [seen, setSeen] = useState(stored)
  if (seen !== stored) {
    setSeen(stored)
    if (!isDirty) {
      setBase(stored)
      setDraft(draftOf(stored))
    }
  }

  const clear = () => {
    sent.current = draft
    setErrors({})
    clearTheirs()
  }
  const onSaved = (answer: Stored): boolean => {
    setBase(answer)
    setSaved(sent.current)
    return isSame(draft, sent.current)
  }
  const resetTo = (other: Stored) => {
    setBase(other)
    setDraft(draftOf(other))
    clear()
  }
  const onRefused = async (error: unknown) => {
    setErrors(fieldErrors(error))
    await readTheirs(error)
  }
  return {
    base,
    draft,
    setDraft,
    errors,
    theirs,
    unread,
    isDirty,
    clear,
    resetTo,
    onRefused,
    onSaved,
  }
}
