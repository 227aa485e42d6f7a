import { findEndedInstallation, removeShopBatch } from '../../../shared/domain/shops/remove.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineTask } from '../../queue/task.ts'

/**
 * Removes what an ended installation has left, batch after batch; a stop in between loses nothing. The line it logs
 * is for analytics (specification, topic APP_UNINSTALLED).
 */
export const removeShopData = defineTask(jobs.removeShopData, async ({ db, log }, { shopId }, { signal }) => {
  const ended = await findEndedInstallation(db, shopId)
  if (!ended) return
  log.info({ shopId, ...ended }, 'app uninstalled')
  while (await removeShopBatch(db, shopId)) signal.throwIfAborted()
})
