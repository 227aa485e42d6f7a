import type { FragmentSqlToken } from 'slonik'
import type { Db } from '../../../db/db.ts'
import { forgetSettledCostPushes } from '../cost-pushes/forget.ts'
import { followUnitCosts } from './follow.ts'

/**
 * What follows from costs that the platform has reported for some variants (a condition on `variant v`): the ledger of costs
 * has them, and older costs are not sent any more. The caller must have the variants' row locks.
 */
export async function followReportedCosts(tx: Db, shopId: number, variants: FragmentSqlToken): Promise<void> {
  await followUnitCosts(tx, shopId, variants)
  await forgetSettledCostPushes(tx, shopId, variants)
}
