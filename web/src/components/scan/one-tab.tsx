import { Text } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { Notice } from '../feedback/notice.tsx'
import { PageBody } from '../layout/page.tsx'

type Props = {
  /** Names the document: one tab of this browser at a time shows it. */
  name: string
  children: ReactNode
}

/** Two tabs with one queue would both send its entries, so the second one waits until the first one is closed. */
export function OneTab({ name, children }: Props) {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    const closed = new AbortController()
    void holdLock(name, closed.signal, () => setHeld(true))
    return () => closed.abort()
  }, [name])
  if (isHeld) return children
  return (
    <PageBody>
      <Notice tone="waiting" title="Open in another tab">
        <Text c="#1c2024">Scan in the other tab of this browser, or close it: then this page opens.</Text>
      </Notice>
    </PageBody>
  )
}

/** Holds a lock until `signal` aborts. A browser without locks, or one that forbids them in frames, holds it at once. */
async function holdLock(name: string, signal: AbortSignal, onHeld: () => void): Promise<void> {
  const hold = () => {
    onHeld()
    return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  }
  try {
    await navigator.locks.request(`quartermaster ${name}`, { signal }, hold)
  } catch {
    if (!signal.aborted) await hold()
  }
}
