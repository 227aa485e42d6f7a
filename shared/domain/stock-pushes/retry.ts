import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { type AppError, conflict, notFound } from '../../errors.ts'
import { enqueue } from '../../queue/enqueue.ts'
import { jobs } from '../../queue/jobs.ts'
import { Id } from '../../schemas/common.ts'
import type { DecidedStockPush } from '../../schemas/stock-pushes.ts'
import { resolveAlert } from '../alerts/alerts.ts'
import { settleLevels } from '../stock/settle.ts'

/** Queues a failed push again with a new request and key. Throws not_found, and conflict if it has not failed. */
export function retryStockPush(db: Db, shopId: number, id: number): Promise<DecidedStockPush> {
  return db.transaction(async (tx) => {
    const push = await tx.maybeOne(sql.typeAlias('id')`
      update stock_push
      set state = 'queued', error = '', request = null, idempotency_key = gen_random_uuid(), refusals = 0,
        first_sent_at = null
      where shop_id = ${shopId} and id = ${id} and state = 'failed'
      returning id
    `)
    if (!push) throw await refusal(tx, shopId, id)
    await resolveAlert(tx, shopId, alertOf(id))
    await enqueue(tx, jobs.pushStock, { shopId })
    return { id, state: 'queued' }
  })
}

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
    if (!push) throw await refusal(tx, shopId, id)
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

const alertOf = (id: number) => ({ type: 'sync_conflict' as const, subject: `stock_push/${id}` })

async function refusal(tx: Db, shopId: number, id: number): Promise<AppError> {
  const exists = await tx.exists(sql.typeAlias('void')`
    select from stock_push where shop_id = ${shopId} and id = ${id}
  `)
  return exists
    ? conflict('This stock change has not failed, so there is nothing to decide. Reload the list.')
    : notFound('Stock change')
}
