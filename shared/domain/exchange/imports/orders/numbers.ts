import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { takeOrderNumbers } from '../../../documents/purchase-orders/imported/numbers.ts'
import type { Terms } from '../load.ts'
import type { Planned } from './written.ts'

const maxContinued = 100_000_000

/**
 * A dry run does not lock the counter, because orders that users create would wait for it. It shares no number with another
 * dry run, and its numbers are rolled back. The largest is 2 139 999 999, which fits into 32 bits.
 */
const firstOfDryRun = 2_000_000_000
const dryRuns = 7_000
const ordersPerDryRun = 20_000

/** Our numbers for orders: the next ones, or with `continueNumbers` the old ones where they are free. */
export async function takeNumbers(
  tx: Db,
  { shopId, importId, defaults, isDryRun }: Terms,
  created: readonly Planned[],
): Promise<number[]> {
  if (created.length === 0) return []
  if (!isDryRun) {
    const wanted = created.map(({ plan }) => {
      const number = Number(/(\d{1,9})$/.exec(plan.number)?.[1] ?? 0)
      return defaults.continueNumbers && number > 0 && number <= maxContinued ? number : null
    })
    return takeOrderNumbers(tx, shopId, wanted)
  }
  const taken = await tx.oneFirst(sql.type(row(Type.Object({ count: Type.Integer() })))`
    select count(*) from import_target
    where shop_id = ${shopId} and import_id = ${importId} and target = 'purchase_order'
  `)
  const first = firstOfDryRun + (importId % dryRuns) * ordersPerDryRun
  return created.map((_, at) => first + taken + at)
}
