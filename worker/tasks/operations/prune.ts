import { failInterruptedUploads } from '../../../shared/domain/exchange/imports/interrupted-uploads.ts'
import { pruneBatch, pruneKeys } from '../../../shared/domain/kit/operations/prune.ts'
import { pruneExports } from '../../../shared/domain/views/exports/attempt.ts'
import { exportDays } from '../../../shared/domain/views/exports/exports.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineTask } from '../../queue/task.ts'

/** Deletes the rows of every shop whose retention is over, in batches. */
export const prune = defineTask(jobs.prune, async ({ db }, _payload, { signal }) => {
  while (await pruneBatch(db)) signal.throwIfAborted()
  while (await pruneKeys(db)) signal.throwIfAborted()
  while (await pruneExports(db, exportDays)) signal.throwIfAborted()
  await failInterruptedUploads(db)
})
