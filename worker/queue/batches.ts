import type { Static, TObject } from '@sinclair/typebox'
import { enqueue } from '../../shared/queue/enqueue.ts'
import type { Job } from '../../shared/queue/jobs.ts'
import type { Services } from './task.ts'
import { startTimeBudget } from './time-budget.ts'

type BatchedJob<P extends TObject, Cursor extends string> = {
  job: Job<P>
  payload: Static<P> & { [Name in Cursor]?: number }
  signal: AbortSignal
}

/**
 * Works through a list in batches. `batch` gets the id after which its batch begins (0 at first), and returns the id
 * after which the next one begins, or null after the last. When the time budget is used up, the rest of the list is
 * enqueued as a new job, whose payload has the id in the field `cursor`. A batch may run twice.
 */
export async function runInBatches<P extends TObject, Cursor extends string & keyof Static<P>>(
  { db }: Services,
  { job, payload, signal }: BatchedJob<P, Cursor>,
  cursor: Cursor,
  batch: (after: number) => Promise<number | null>,
): Promise<void> {
  const isOver = startTimeBudget()
  let after: number | null = payload[cursor] ?? 0
  while (after !== null) {
    signal.throwIfAborted()
    after = await batch(after)
    if (after !== null && isOver()) {
      await enqueue(db, job, { ...payload, [cursor]: after })
      return
    }
  }
}
