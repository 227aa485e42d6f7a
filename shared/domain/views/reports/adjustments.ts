import type { Db } from '../../../db/db.ts'
import type { Adjustment, AdjustmentFilter } from '../../../schemas/reports.ts'
import type { Page } from '../../kit/pages/pages.ts'
import { listAdjustingMovements } from '../../ledgers/stock/movements.ts'

/**
 * Lists the movements of sets, adjustments and counts, newest first (specification, GET /api/reports/adjustments). `search` finds
 * titles, SKUs and barcodes.
 */
export async function listAdjustments(
  db: Db,
  shopId: number,
  filter: AdjustmentFilter,
): Promise<Page<Adjustment>> {
  const { records, ...page } = await listAdjustingMovements(db, shopId, filter)
  return {
    ...page,
    records: records.map(({ delta, occurredAt, reference, ...movement }) => ({
      ...movement,
      adjustment: delta,
      reason: movement.reason || reasonOf(reference),
      createdAt: occurredAt,
    })),
  }
}

/** The reason of a movement without the merchant's words: its count, as in "Stock count #12"; else empty. */
function reasonOf(reference: string): string {
  const [document, id] = reference.split('/')
  return document === 'stock_count' ? `Stock count #${id}` : ''
}
