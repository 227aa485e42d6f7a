import { type Db, sql } from '../../../db/db.ts'
import { followReportedCosts } from '../../ledgers/costs/reported-costs.ts'
import {
  type ReportedItem,
  type WrittenItems,
  writeReportedItems,
} from '../../records/catalogue/reported-items.ts'

/** Stores inventory items that the platform reports (`writeReportedItems`), and what follows from their costs. */
export async function applyReportedItems(
  tx: Db,
  shopId: number,
  items: readonly ReportedItem[],
): Promise<WrittenItems> {
  const written = await writeReportedItems(tx, shopId, items)
  if (written.variantIds.length > 0) {
    await followReportedCosts(tx, shopId, sql.fragment`v.id = any(${sql.array(written.variantIds, 'int8')})`)
  }
  return written
}
