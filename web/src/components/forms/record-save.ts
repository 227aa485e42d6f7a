import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query'
import { notifyDone } from '../feedback/notify.ts'
import { useDraftErrors } from './draft-errors.ts'
import { type FieldErrors, fieldErrors } from './form-errors.ts'
import { useTheirs } from './their-changes.ts'

type Options<Draft, Stored, Key extends QueryKey> = {
  draft: Draft
  /** Errors of fields that are missing; with one, no request is sent. */
  missing: (draft: Draft) => FieldErrors
  /** Reads the stored record after the API refused a save with `stale_version`. */
  latest?: FetchQueryOptions<Stored, Error, Stored, Key> | undefined
  done: string
  onClose: () => void
}

/** The state of a dialog that creates or updates a record: its errors, and what another user saved in the meantime. */
export function useRecordSave<Draft extends object, Stored, Key extends QueryKey>(
  options: Options<Draft, Stored, Key>,
) {
  const { draft, missing, latest, done, onClose } = options
  const { errors, setErrors } = useDraftErrors(draft)
  const { theirs, unread, readTheirs } = useTheirs(latest)
  return {
    errors,
    theirs,
    unread,
    hasErrors: Object.keys(errors).length > 0,
    /** Shows what is missing; true when nothing is. */
    isComplete: (): boolean => {
      const found = missing(draft)
      setErrors(found)
      return Object.keys(found).length === 0
    },
    /** For both changes, create and update. */
    handlers: {
      onDone: () => {
        onClose()
        notifyDone(done)
      },
      onRefused: async (error: unknown) => {
        setErrors(fieldErrors(error))
        await readTheirs(error)
      },
    },
  }
}

/** One line for each named field that differs, with its new value. */
export function changedFields(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): string[] {
  return Object.keys(after).flatMap((name) =>
    before[name] === after[name] ? [] : [`${name}: ${after[name]}`],
  )
}
