import { pruneBatch } from '../../shared/domain/pruning.ts'
import { jobs } from '../../shared/jobs.ts'
import { defineTask } from '../task.ts'

/** Removes what has been kept for long enough, batch after batch. */
export const prune = defineTask(jobs.prune, async ({ db }, _payload, { signal }) => {
  while (await pruneBatch(db)) signal.throwIfAborted()
})
