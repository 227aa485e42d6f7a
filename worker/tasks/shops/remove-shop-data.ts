import { removeShopBatch } from '../../../shared/domain/exchange/install/remove.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineTask } from '../../queue/task.ts'

/** Removes the data of an ended installation. */
export const removeShopData = defineTask(jobs.removeShopData, async ({ db, log }, { shopId }, { signal }) => {
  let hasRemoved = false
  while (await removeShopBatch(db, shopId)) {
    hasRemoved = true
    signal.throwIfAborted()
  }
  if (hasRemoved) log.info({ shopId }, 'shop data removed')
})
