import { removeShopBatch } from '../../shared/domain/shop-removal.ts'
import { jobs } from '../../shared/jobs.ts'
import { defineTask } from '../task.ts'

/** Removes what an ended installation has left, batch after batch; a stop in between loses nothing. */
export const removeShopData = defineTask(jobs.removeShopData, async ({ db }, { shopId }, { signal }) => {
  while (await removeShopBatch(db, shopId)) signal.throwIfAborted()
})
