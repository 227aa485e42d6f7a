import { useEffect, useState } from 'react'
import { openLocalStore } from '../../browser/local-store.ts'

type Kept<T> = { key: string; draft: T }

const name = 'draft'

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
  const [{ key, draft }, setKept] = useState<Kept<T>>(() => {
    const kept = store.all().find(([stored]) => stored === name)?.[1]
    return kept ? { ...kept, draft: restore(kept.draft) } : { key: crypto.randomUUID(), draft: start }
  })
  const isDirty = !isSame(draft, start)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change is written, not what a saved form still shows
  useEffect(() => {
    if (isDirty) store.put(name, { key, draft: withoutNaN(draft) })
    else store.remove(name)
  }, [draft])
  return {
    draft,
    isDirty,
    key,
    setDraft: (change: T | ((now: T) => T)) =>
      setKept((now) => ({ ...now, draft: isFunction(change) ? change(now.draft) : change })),
    discard: () => setKept({ key: crypto.randomUUID(), draft: start }),
    /** The record is stored: the device forgets the draft. */
    forget: () => store.remove(name),
  }
}

const isFunction = <T>(change: T | ((now: T) => T)): change is (now: T) => T => typeof change === 'function'

/** JSON has no NaN, which a field has while its text is no number: it is stored as empty. */
const withoutNaN = <T>(draft: T): T =>
  JSON.parse(JSON.stringify(draft, (_, value) => (Number.isNaN(value) ? '' : value)))
