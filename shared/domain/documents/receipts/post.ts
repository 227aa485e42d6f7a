import { arrayOf, type Db, sql } from '../../../db/db.ts'
import { requestCostPushes } from '../../ledgers/cost-pushes/request.ts'
import { bookReceipt } from '../../ledgers/costs/book.ts'
import { followUnitCosts } from '../../ledgers/costs/follow.ts'
import { moveStock } from '../../ledgers/stock/move.ts'
import { type CountSheet, type LineToReceive, sumCounts } from './counts.ts'

/** A written receipt of an order. `lines` are those of the order that `requireLines` returned. */
type WrittenReceipt = {
  id: number
  purchaseOrderId: number
  locationId: number
  sheet: CountSheet
  lines: ReadonlyMap<number, LineToReceive>
}

/** Posts a written receipt of an order: steps 6 to 9 of `receipts.ts`. The caller has the row lock of the order. */
export async function postReceipt(
  tx: Db,
  shopId: number,
  { id, purchaseOrderId, locationId, sheet, lines }: WrittenReceipt,
  actor: string,
): Promise<void> {
  await bookReceipt(tx, shopId, { id, purchaseOrderId }, actor)
  const reference = `purchase_order/${purchaseOrderId}`
  const arrived = sheet.counts.filter(({ accepted }) => accepted > 0)
  const unstocked = arrived.flatMap(({ lineItemId }) => {
    const line = lines.get(lineItemId)
    return line && !line.isStocked ? [line.variantId] : []
  })
  await followUnstocked(tx, shopId, unstocked, { reference, actor })
  const stocked = arrived.flatMap(({ lineItemId, accepted, path }) => {
    const line = lines.get(lineItemId)
    if (!line?.isStocked) return []
    return [{ variantId: line.variantId, locationId, delta: accepted, path: `${path}/${sheet.field}` }]
  })
  const change = { kind: 'receipt', form: 'adjust', platformReason: 'received' } as const
  await moveStock(tx, shopId, { ...change, reference, actor }, stocked)
}

/** SQL: `purchase-orders/functions/receive_lines.sql` adds the pieces to the lines, and settles the order. */
export function receiveLines(shopId: number, purchaseOrderId: number, { counts }: CountSheet) {
  const sums = [...sumCounts(counts).values()]
  return sql.fragment`receive_lines(
    ${shopId},
    ${purchaseOrderId},
    ${arrayOf('int8', sums, ({ lineItemId }) => lineItemId)},
    ${arrayOf('int4', sums, ({ accepted }) => accepted)},
    ${arrayOf('int4', sums, ({ credited }) => credited)}
  )`
}

/** A variant without stock has no receipt in its ledger of costs, only the new cost. */
async function followUnstocked(
  tx: Db,
  shopId: number,
  variantIds: readonly number[],
  { reference, actor }: { reference: string; actor: string },
): Promise<void> {
  if (variantIds.length === 0) return
  const ids = sql.array([...variantIds], 'int8')
  await followUnitCosts(tx, shopId, sql.fragment`v.id = any(${ids})`, actor, { reference })
  await requestCostPushes(tx, shopId, sql.fragment`c.variant_id = any(${ids})`)
}
