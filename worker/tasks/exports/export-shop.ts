import { AttemptEndedError, beginAttempt, failExport } from '../../../shared/domain/views/exports/attempt.ts'
import { writeExport } from '../../../shared/domain/views/exports/write-export.ts'
import { enqueue } from '../../../shared/queue/enqueue.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineTask } from '../../queue/task.ts'

const onOurSide = 'Something went wrong on our side. Start the export again.'
const retrySeconds = 10

/**
 * Writes the ZIP file of an export. An attempt begins the file again, since all lists are of the instant of its
 * transaction; the parts of an attempt that another one has followed are refused.
 */
export const exportShop = defineTask(
  jobs.exportShop,
  async ({ db }, { shopId, exportId }, { signal, isLast }) => {
    const now = () => new Date().toISOString()
    const attempt = await beginAttempt(db, shopId, exportId, now())
    if (!attempt) return
    try {
      const isWritten = await writeExport(db, attempt, signal)
      if (!isWritten) await enqueue(db, jobs.exportShop, { shopId, exportId }, { inSeconds: retrySeconds })
    } catch (error) {
      if (error instanceof AttemptEndedError) return
      if (isLast && !signal.aborted) await failExport(db, shopId, exportId, { error: onOurSide, now: now() })
      throw error
    }
  },
  async ({ db }, { shopId, exportId }) => {
    await failExport(db, shopId, exportId, { error: onOurSide, now: new Date().toISOString() })
    return false
  },
)
