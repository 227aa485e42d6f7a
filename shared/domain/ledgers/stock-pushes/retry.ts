import { randomUUID } from 'node:crypto'
import { type Db, sql } from '../../../db/db.ts'
import { type AppError, conflict, notFound } from '../../../errors.ts'
import { enqueue } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import type { DecidedStockPush } from '../../../schemas/stock-pushes.ts'
import { resolveAlert } from '../../kit/alerts/alerts.ts'

/** Queues a failed push again with a new request and key. Throws not_found, and conflict if it has not failed. */
export function retryStockPush(db: Db, shopId: number, id: number): Promise<DecidedStockPush> {
  return db.transaction(async (tx) => {
    const push = await tx.maybeOne(sql.typeAlias('id')`
      update stock_push
      set state = 'queued', error = '', request = null, idempotency_key = ${randomUUID()}, refusals = 0,
        first_sent_at = null
      where shop_id = ${shopId} and id = ${id} and state = 'failed'
      returning id
    `)
    if (!push) throw await refuseDecision(tx, shopId, id)
    await resolveAlert(tx, shopId, alertOf(id))
    await enqueue(tx, jobs.pushStock, { shopId })
    return { id, state: 'queued' }
  })
}

export const alertOf = (id: number) => ({ type: 'sync_conflict' as const, subject: `stock_push/${id}` })

/** Why a push cannot be retried or discarded: it does not exist, or it has not failed. */
export async function refuseDecision(tx: Db, shopId: number, id: number): Promise<AppError> {
  const exists = await tx.exists(sql.typeAlias('void')`
    select from stock_push where shop_id = ${shopId} and id = ${id}
  `)
  return exists
    ? conflict('This stock change has not failed, so there is nothing to decide. Reload the list.')
    : notFound('Stock change')
}
