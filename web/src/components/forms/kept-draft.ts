import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { openLocalStore } from '../../browser/local-store.ts'

/** The idempotency key of the form's request, and when it was first sent; null: nothing that it sent may be stored. */
type Sent = { key: string; sentAt: number | null }

type Kept<T> = Sent & { draft: T }

const name = 'draft'

/** The server frees a key after 24 hours (`shared/domain/kit/operations/prune.ts`); a request may take a while. */
const maxKeyAgeMs = 23 * 3_600_000

const unsent = (): Sent => ({ key: crypto.randomUUID(), sentAt: null })

/** The time of the form's first request, if its key is too old to prevent a second record; else null. */
const oldSaveOf = ({ sentAt }: Sent) =>
  sentAt !== null && Date.now() - sentAt > maxKeyAgeMs ? new Date(sentAt).toISOString() : null

/**
 * The draft of a new record, which this device keeps until it is saved or discarded. `key` is the idempotency key of its
 * request: when an answer is lost, the draft cannot be saved a second time, also after a reload. `label` names the form and the
 * person; `restore` brings a kept draft up to date.
 */
export function useKeptDraft<T>(
  label: string,
  start: T,
  { isSame, restore = (kept) => kept }: { isSame: (a: T, b: T) => boolean; restore?: (kept: T) => T },
) {
  const [store] = useState(() => openLocalStore<Kept<T>>(label))
  const [first] = useState<Kept<T>>(() => {
    const kept = store.all().find(([stored]) => stored === name)?.[1]
    // an earlier version of the app stored no time
    return kept
      ? { key: kept.key, sentAt: kept.sentAt ?? null, draft: restore(kept.draft) }
      : { ...unsent(), draft: start }
  })
  const [draft, setDraft] = useState(first.draft)
  // not a state: a new key is used before the page renders again
  const sent = useRef<Sent>({ key: first.key, sentAt: first.sentAt })
  const [oldSave, setOldSave] = useState(() => oldSaveOf(first))
  const [isDurable, setDurable] = useState(store.isDurable)
  const isForgotten = useRef(false)
  const isDirty = !isSame(draft, start)
  const keep = (now: Sent) => {
    sent.current = now
    store.put(name, { ...now, draft: withoutNaN(draft) })
    setDurable(store.isDurable())
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change is written, not what a saved form still shows
  useEffect(() => {
    // the answer to a scan may arrive while a saved form is being left
    if (isForgotten.current) return
    if (isDirty) keep(sent.current)
    else store.remove(name)
  }, [draft])
  return {
    draft,
    isDirty,
    /** Whether the draft outlives the page: not when the browser blocks its storage. */
    isDurable,
    key: () => sent.current.key,
    /** When the form may have been saved, so long ago that the merchant has to look; else null. */
    oldSave,
    setDraft,
    /** Belongs before the request. False: the form may have been saved before, and must not be sent. */
    startSave: (): boolean => {
      const old = oldSaveOf(sent.current)
      setOldSave(old)
      if (old !== null) return false
      keep({ ...sent.current, sentAt: sent.current.sentAt ?? Date.now() })
      return true
    },
    /** Belongs after the request: a refusal says that nothing is stored. */
    endSave: (error: unknown): void => {
      if (isRefusal(error)) keep({ ...sent.current, sentAt: null })
    },
    /** The next request creates another record. */
    renewKey: (): void => {
      keep(unsent())
      setOldSave(null)
    },
    discard: (): void => {
      sent.current = unsent()
      setOldSave(null)
      setDraft(start)
    },
    /** The record is stored: the device forgets the draft. */
    forget: (): void => {
      isForgotten.current = true
      store.remove(name)
    },
  }
}

/** Whether the API refused the request itself; a conflict may be one with an earlier request of the same key. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError &&
  !error.isTransient &&
  ![401, 409].includes(error.status) &&
  !error.isSavedBefore

/** JSON has no NaN, which a field has while its text is no number: it is stored as empty. */
const withoutNaN = <T>(draft: T): T =>
  JSON.parse(JSON.stringify(draft, (_, value) => (Number.isNaN(value) ? '' : value)))
