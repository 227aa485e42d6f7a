import { findEndedInstallation, removeShopBatch } from '../../../shared/domain/shops/remove.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineTask } from '../../queue/task.ts'

/** Removes the data of an ended installation. The log line is for analytics (specification, APP_UNINSTALLED). */
export const removeShopData = defineTask(jobs.removeShopData, async ({ db, log }, { shopId }, { signal }) => {
  const ended = await findEndedInstallation(db, shopId)
  if (!ended) return
  log.info({ shopId, ...ended }, 'app uninstalled')
  while (await removeShopBatch(db, shopId)) signal.throwIfAborted()
})
