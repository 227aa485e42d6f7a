import type { SetStateAction } from 'react'
import { ApiError } from '../../api/api-error.ts'

// What a form knows of the versions of its record, as two reducers without React.

/**
 * The version of another user who saved first. The API refuses a save with `stale_version`, and the form reads the record:
 *
 * | state   | the form shows                       | `stale`                   | `read` | `unreadable` | `refused` | `cleared` |
 * |---------|--------------------------------------|---------------------------|--------|--------------|-----------|-----------|
 * | none    | the error of its save, if any        | reading                   | theirs | unread       | none      | none      |
 * | reading | the same, or the differences so far  | reading                   | theirs | unread       | reading   | none      |
 * | theirs  | the differences, to overwrite or use | reading, `theirs` is kept | theirs | unread       | theirs    | none      |
 * | unread  | why they could not be read           | reading                   | theirs | unread       | none      | none      |
 *
 * `refused` is a save that failed for another reason, such as a lost connection while the user overwrites.
 */
export type Theirs<Stored> =
  | { state: 'none' }
  | { state: 'reading'; theirs: Stored | null }
  | { state: 'theirs'; theirs: Stored }
  | { state: 'unread'; error: ApiError }

export type TheirsEvent<Stored> =
  | { type: 'stale' | 'refused' | 'cleared' }
  | { type: 'read'; theirs: Stored }
  | { type: 'unreadable'; error: unknown }

export function theirsReducer<Stored>(now: Theirs<Stored>, event: TheirsEvent<Stored>): Theirs<Stored> {
  switch (event.type) {
    case 'stale':
      return { state: 'reading', theirs: theirsOf(now) }
    case 'refused':
      return now.state === 'unread' ? { state: 'none' } : now
    case 'read':
      return { state: 'theirs', theirs: event.theirs }
    case 'unreadable':
      // older changes than those of the refusal would be overwritten unseen
      return { state: 'unread', error: unreadError(event.error) }
    case 'cleared':
      return { state: 'none' }
  }
}

/** The other version, once it is known. */
export const theirsOf = <Stored>(now: Theirs<Stored>): Stored | null => ('theirs' in now ? now.theirs : null)

/** Whether the API refused a save since another user saved first. */
export const isStale = (error: unknown) => error instanceof ApiError && error.code === 'stale_version'

/** Replaces the error of the save, which says "Reload", because a reload loses what the user entered. */
function unreadError(failure: unknown): ApiError {
  const { status, code, requestId } = failure instanceof ApiError ? failure : new ApiError(0, {})
  const message =
    'Another user saved first, and their changes could not be read. Your changes are not lost. Try again to see theirs.'
  return new ApiError(status, { code, message, ...(requestId && { requestId }) })
}

/**
 * A draft of the stored record `base`:
 *
 * | state   | the draft             | `typed`                        | `refetched`                | `saved`                     | `reset`                    |
 * |---------|-----------------------|--------------------------------|----------------------------|-----------------------------|----------------------------|
 * | clean   | is `base`, or `saved` | changed                        | clean, with the new `base` | clean: the answer is `base` | clean: the other is `base` |
 * | changed | differs from both     | changed; clean when typed back | changed: `base` stays      | the same                    | the same                   |
 *
 * The page may open with an older, cached record, which a refetch replaces until the user has changed something. What is typed
 * after `sent`, which changes no state, is not in the save: the draft is still changed after `saved`.
 */
export type Versions<Stored, Draft> = {
  /** The newest record that the page has read. */
  seen: Stored
  base: Stored
  draft: Draft
  /** The draft of the last save. */
  sent: Draft | null
  /** The draft of the last save that succeeded: the API may answer it in another form. */
  saved: Draft | null
}

export type VersionEvent<Stored, Draft> =
  | { type: 'typed'; change: SetStateAction<Draft> }
  | { type: 'refetched' | 'reset'; stored: Stored }
  | { type: 'sent'; draft: Draft }
  | { type: 'saved'; answer: Stored }

type Comparison<Stored, Draft> = {
  draftOf: (stored: Stored) => Draft
  isSame: (one: Draft, other: Draft) => boolean
}

export const firstVersions = <Stored, Draft>(
  stored: Stored,
  { draftOf }: Comparison<Stored, Draft>,
): Versions<Stored, Draft> => ({
  seen: stored,
  base: stored,
  draft: draftOf(stored),
  sent: null,
  saved: null,
})

export function draftState<Stored, Draft>(
  { base, draft, saved }: Versions<Stored, Draft>,
  { draftOf, isSame }: Comparison<Stored, Draft>,
): 'clean' | 'changed' {
  const isClean = isSame(draft, draftOf(base)) || (saved !== null && isSame(draft, saved))
  return isClean ? 'clean' : 'changed'
}

export const versionReducer =
  <Stored, Draft>(comparison: Comparison<Stored, Draft>) =>
  (now: Versions<Stored, Draft>, event: VersionEvent<Stored, Draft>): Versions<Stored, Draft> => {
    const { draftOf } = comparison
    switch (event.type) {
      case 'typed':
        return { ...now, draft: changed(now.draft, event.change) }
      case 'refetched': {
        const { stored } = event
        if (draftState(now, comparison) === 'changed') return { ...now, seen: stored }
        return { ...now, seen: stored, base: stored, draft: draftOf(stored) }
      }
      case 'sent':
        return { ...now, sent: event.draft }
      case 'saved':
        return { ...now, base: event.answer, saved: now.sent }
      case 'reset':
        return { ...now, base: event.stored, draft: draftOf(event.stored) }
    }
  }

const changed = <Draft>(draft: Draft, change: SetStateAction<Draft>): Draft =>
  typeof change === 'function' ? (change as (now: Draft) => Draft)(draft) : change
