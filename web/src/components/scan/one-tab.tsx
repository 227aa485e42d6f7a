import { Text } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { adminUrl } from '../../browser/host.ts'
import { LoadingPage } from '../feedback/loading-page.tsx'
import { Notice } from '../feedback/notice.tsx'
import { PageBody } from '../layout/page.tsx'

type Props = {
  /** Names the document: one tab of this browser at a time shows it. */
  name: string
  children: ReactNode
}

/** Two tabs with one queue would both send its entries, so the second one waits until the first one is closed. */
export function OneTab({ name, children }: Props) {
  const [lock, setLock] = useState<'asked' | 'held' | 'taken'>('asked')
  useEffect(() => {
    const closed = new AbortController()
    void holdLock(name, closed.signal, setLock)
    return () => closed.abort()
  }, [name])
  if (lock === 'held') return children
  if (lock === 'asked') return <LoadingPage />
  return (
    <PageBody>
      <Notice tone="waiting" title="Open in another tab">
        <Text c="#1c2024">
          This page is open in another tab of this browser. Continue there, or close that tab: then this page
          opens.
        </Text>
      </Notice>
    </PageBody>
  )
}

/** Holds a lock until `signal` aborts. A browser without locks, or one that forbids them in frames, holds it at once. */
async function holdLock(
  name: string,
  signal: AbortSignal,
  onAnswer: (lock: 'held' | 'taken') => void,
): Promise<void> {
  const hold = (): Promise<void> | undefined => {
    if (signal.aborted) return undefined
    onAnswer('held')
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
  }
  // as the storage: two shops in one browser have documents with the same number
  const lock = `quartermaster ${adminUrl} ${name}`
  try {
    const isFree = await navigator.locks.request(lock, { ifAvailable: true }, async (granted) => {
      if (granted) await hold()
      return granted !== null
    })
    if (isFree || signal.aborted) return
    onAnswer('taken')
    await navigator.locks.request(lock, { signal }, hold)
  } catch {
    await hold()
  }
}
