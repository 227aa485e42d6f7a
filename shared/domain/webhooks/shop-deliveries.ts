import { type Db, row, sql } from '../../db/db.ts'
import { conflict, notFound } from '../../errors.ts'
import { Delivery, type DeliveryFilter, type ReplayedDelivery } from '../../schemas/sync.ts'
import { type Page, pageSize, toPage } from '../pages.ts'
import { replayFailed } from './replay.ts'

/** Each gets a job; whoever has more asks again. */
const maxAtOnce = 1_000

/** News of the platform that is kept, newest first: what has failed, unless another state is asked for. */
export async function listShopDeliveries(
  db: Db,
  shopId: number,
  filter: DeliveryFilter,
): Promise<Page<Delivery>> {
  const records = await db.any(sql.type(row(Delivery))`
    select id, topic, state, reason, received_at, settled_at
    from webhook_delivery
    where ${sql.and([
      sql.fragment`shop_id = ${shopId} and state = ${filter.state ?? 'failed'}`,
      filter.cursor !== undefined && sql.fragment`id < ${filter.cursor}`,
    ])}
    order by id desc
    limit ${pageSize(filter) + 1}
  `)
  return toPage(records, filter)
}

/** Has news that failed applied again, by a job. Throws not_found, conflict. */
export function replayDelivery(db: Db, shopId: number, id: number): Promise<ReplayedDelivery> {
  return db.transaction(async (tx) => {
    const [replayed] = await replayFailed(tx, shopId, { id, most: 1 })
    if (replayed !== undefined) return { id, state: 'received' }
    const isThere = await tx.exists(sql.typeAlias('void')`
      select from webhook_delivery where shop_id = ${shopId} and id = ${id}
    `)
    if (!isThere) throw notFound('News')
    throw conflict('This has not failed, so there is nothing to do again. Look at the list again.')
  })
}

/** The same for all that failed, the oldest first, at most 1 000 of them; answers how many. */
export async function replayFailedDeliveries(db: Db, shopId: number): Promise<{ replayed: number }> {
  return { replayed: (await replayFailed(db, shopId, { most: maxAtOnce })).length }
}
