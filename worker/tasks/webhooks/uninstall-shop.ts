import { findEndedInstallation } from '../../../shared/domain/exchange/install/remove.ts'
import { applyUninstalls } from '../../../shared/domain/exchange/webhooks/app-uninstalled.ts'
import { lockInstalledShop } from '../../../shared/domain/records/shops/shops.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { applyAndSettle, defineDeliveryTask } from '../../queue/delivery-task.ts'

/** Ends the installation of a shop that has uninstalled the app. The log line is for analytics (specification, APP_UNINSTALLED). */
export const uninstallShop = defineDeliveryTask(jobs.uninstallShop, async (batch) => {
  const { services, shopId } = batch
  const { settlements, ended } = await services.db.transaction(async (tx) => {
    const isInstalled = await lockInstalledShop(tx, shopId, { isEnding: true })
    if (!isInstalled) return { settlements: [], ended: null }
    const settlements = await applyAndSettle(tx, batch, applyUninstalls)
    // inside the transaction: no query stands between the commit and the line, since a retry would write none
    return { settlements, ended: await findEndedInstallation(tx, shopId) }
  })
  if (ended) services.log.info({ shopId, ...ended }, 'app uninstalled')
  return settlements
})
