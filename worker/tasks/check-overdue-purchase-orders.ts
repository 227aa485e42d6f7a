import { checkOverdueOrders } from '../../shared/domain/overdue-orders.ts'
import { holdInstalledShop } from '../../shared/domain/shops.ts'
import { jobs } from '../../shared/jobs.ts'
import { defineTask } from '../task.ts'

/** Tells of a shop's orders that should have arrived. */
export const checkOverduePurchaseOrders = defineTask(
  jobs.checkOverduePurchaseOrders,
  async ({ db }, { shopId }) => {
    await db.transaction(async (tx) => {
      if (await holdInstalledShop(tx, shopId)) await checkOverdueOrders(tx, shopId)
    })
  },
)
