import { runDry } from '../../../shared/domain/exchange/imports/dry-run.ts'
import { findImport } from '../../../shared/domain/exchange/imports/imports.ts'
import { revertBatches } from '../../../shared/domain/exchange/imports/revert/revert.ts'
import {
  failImport,
  readImportBytes,
  sha256Of,
  storeTables,
} from '../../../shared/domain/exchange/imports/store.ts'
import { runBatches } from '../../../shared/domain/exchange/imports/work.ts'
import { enqueue } from '../../../shared/queue/enqueue.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import type { ImportState } from '../../../shared/schemas/imports.ts'
import { defineTask, type Services } from '../../queue/task.ts'
import { startTimeBudget } from '../../queue/time-budget.ts'

const brokenMessage =
  'The import failed because of an error on our side. Try again later, or contact support.'
const revertMessage = 'The import was only partly reverted. Revert it again to finish.'

/**
 * Does the work of an import's state. What is done is committed in batches, so an attempt after a kill goes on where the
 * killed one was. `abandon` marks an import whose work ends the process as failed: a hostile
 * file, or a revert.
 */
export const workOnImport = defineTask(
  jobs.workOnImport,
  async (services, payload, { signal, isLast }) => {
    try {
      await work(services, payload, signal)
    } catch (error) {
      if (isLast && !signal.aborted)
        await failImport(services.db, payload.shopId, payload.importId, brokenMessage, revertMessage)
      throw error
    }
  },
  async ({ db }, { shopId, importId }) => {
    const message = 'This file could not be read. Save it as CSV, and add that file.'
    await failImport(db, shopId, importId, message, revertMessage)
    return false
  },
)

/** Enqueues another job when the time budget ended the work early, or when a change has outdated the dry run. */
async function work(
  services: Services,
  payload: { shopId: number; importId: number },
  signal: AbortSignal,
): Promise<void> {
  const { db } = services
  const { shopId, importId } = payload
  const options = { signal, isOver: startTimeBudget() }
  const works: Partial<Record<ImportState, () => Promise<boolean>>> = {
    reading: () => readFile(services, shopId, importId, signal),
    checking: () => runDry(db, shopId, importId, options),
    running: () => runBatches(db, shopId, importId, options),
    reverting: () => revertBatches(db, shopId, importId, options),
  }
  const { state } = await findImport(db, shopId, importId)
  const isDone = (await works[state]?.()) ?? true
  if (!isDone) await enqueue(db, jobs.workOnImport, payload)
}

async function readFile(
  { db, importFiles }: Services,
  shopId: number,
  importId: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { fileName } = await findImport(db, shopId, importId)
  const bytes = await readImportBytes(db, shopId, importId)
  const sha256 = sha256Of(bytes)
  // the buffer is transferred to the reader's thread and is detached here
  const result = await importFiles.read({ name: fileName, bytes }, { signal })
  if ('fault' in result) await failImport(db, shopId, importId, result.fault)
  else await storeTables(db, shopId, importId, sha256, result.content)
  return true
}
