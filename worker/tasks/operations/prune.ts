import { pruneBatch } from '../../../shared/domain/operations/prune.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineTask } from '../../queue/task.ts'

/** Removes what has been kept for long enough, batch after batch. */
export const prune = defineTask(jobs.prune, async ({ db }, _payload, { signal }) => {
  while (await pruneBatch(db)) signal.throwIfAborted()
})
