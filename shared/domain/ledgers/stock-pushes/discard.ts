import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'
import type { DecidedStockPush } from '../../../schemas/stock-pushes.ts'
import { resolveAlert } from '../../kit/alerts/alerts.ts'
import { settleLevels } from '../stock/platform/settle.ts'
import { alertOf, refuseDecision } from './retry.ts'

const DiscardedLine = Type.Object({ variantId: Id, locationId: Id, settledDelta: Type.Integer() })
type DiscardedLine = Static<typeof DiscardedLine>

/** Reverts a failed push with `discard` movements. Throws not_found, and conflict if it has not failed. */
export function discardStockPush(db: Db, shopId: number, id: number): Promise<DecidedStockPush> {
  return db.transaction(async (tx) => {
    const push = await tx.maybeOne(sql.typeAlias('id')`
      update stock_push
      set state = 'discarded', settled_at = now()
      where shop_id = ${shopId} and id = ${id} and state = 'failed'
      returning id
    `)
    if (!push) throw await refuseDecision(tx, shopId, id)
    const lines: readonly DiscardedLine[] = await tx.any(sql.type(row(DiscardedLine))`
      delete from stock_push_line where shop_id = ${shopId} and push_id = ${id}
      returning variant_id, location_id, delta as settled_delta
    `)
    await settleLevels(
      tx,
      shopId,
      lines.map((line) => ({ ...line, reported: null })),
      'discard',
    )
    await resolveAlert(tx, shopId, alertOf(id))
    return { id, state: 'discarded' }
  })
}
