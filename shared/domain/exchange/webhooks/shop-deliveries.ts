import { type Db, row, sql } from '../../../db/db.ts'
import { conflict, notFound } from '../../../errors.ts'
import { Delivery, type DeliveryFilter, type ReplayedDelivery } from '../../../schemas/sync.ts'
import { type Page, pageSize, toPage } from '../../kit/pages/pages.ts'
import { replayFailed } from './replay.ts'

/** A limit per request, because each delivery gets a separate job. */
const maxPerRequest = 1_000

/** Lists the shop's stored webhook deliveries, newest first. The default state is `failed`. */
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

/** Enqueues a job that applies a failed delivery again. Throws not_found, or conflict when it has not failed. */
export function replayDelivery(db: Db, shopId: number, id: number): Promise<ReplayedDelivery> {
  return db.transaction(async (tx) => {
    const [replayed] = await replayFailed(tx, shopId, { id, max: 1 })
    if (replayed !== undefined) return { id, state: 'received' }
    const exists = await tx.exists(sql.typeAlias('void')`
      select from webhook_delivery where shop_id = ${shopId} and id = ${id}
    `)
    if (!exists) throw notFound('Update')
    throw conflict('Only a failed update can be applied again. Reload the list.')
  })
}

/** Applies the shop's failed deliveries again, oldest first, at most 1 000. Returns their number. */
export async function replayFailedDeliveries(db: Db, shopId: number): Promise<{ replayed: number }> {
  return { replayed: (await replayFailed(db, shopId, { max: maxPerRequest })).length }
}
