import { findEndedInstallation } from '../../../shared/domain/shops/remove.ts'
import { lockInstalledShop } from '../../../shared/domain/shops/shops.ts'
import { applyUninstalls } from '../../../shared/domain/webhooks/app-uninstalled.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { applyAndSettle, defineDeliveryTask } from '../../queue/delivery-task.ts'

/** Ends the installation of a shop that has uninstalled the app. The log line is for analytics (specification, APP_UNINSTALLED). */
export const uninstallShop = defineDeliveryTask(jobs.uninstallShop, async (batch) => {
  const { services, shopId } = batch
  const settlements = await services.db.transaction(async (tx) => {
    const isInstalled = await lockInstalledShop(tx, shopId, { isEnding: true })
    return isInstalled ? applyAndSettle(tx, batch, applyUninstalls) : []
  })
  if (settlements.some(({ state }) => state === 'applied')) {
    services.log.info({ shopId, ...(await findEndedInstallation(services.db, shopId)) }, 'app uninstalled')
  }
  return settlements
})
