import { checkOverdueOrders } from '../../../shared/domain/documents/purchase-orders/overdue.ts'
import { inInstalledShop } from '../../../shared/domain/records/shops/shops.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { defineTask } from '../../queue/task.ts'

/** Raises alerts for the shop's overdue purchase orders. */
export const checkOverduePurchaseOrders = defineTask(
  jobs.checkOverduePurchaseOrders,
  async ({ db }, { shopId }) => {
    await inInstalledShop(db, shopId, (tx) => checkOverdueOrders(tx, shopId))
  },
)
