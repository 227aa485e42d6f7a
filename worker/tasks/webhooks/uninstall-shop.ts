import { lockInstalledShop } from '../../../shared/domain/shops/shops.ts'
import { applyUninstalls } from '../../../shared/domain/webhooks/app-uninstalled.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { applyAndSettle, defineDeliveryTask } from '../../queue/delivery-task.ts'

/** Ends the installation of a shop that has uninstalled the app. */
export const uninstallShop = defineDeliveryTask(jobs.uninstallShop, (batch) =>
  batch.services.db.transaction(async (tx) => {
    const isInstalled = await lockInstalledShop(tx, batch.shopId, { isEnding: true })
    return isInstalled ? applyAndSettle(tx, batch, applyUninstalls) : []
  }),
)
