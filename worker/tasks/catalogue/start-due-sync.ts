import { startDueSync as start } from '../../../shared/domain/exchange/sync/due.ts'
import { inInstalledShop } from '../../../shared/domain/records/shops/shops.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineTask } from '../../queue/task.ts'

/** Starts a sync that is due: weekly, and after a release that reads more fields. */
export const startDueSync = defineTask(jobs.startDueSync, async ({ db }, { shopId }) => {
  await inInstalledShop(db, shopId, (tx) => start(tx, shopId))
})
