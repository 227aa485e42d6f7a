import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { enqueueForShops } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import type { SyncCause } from '../../../schemas/sync.ts'
import { fieldsVersion, startSync } from './sync.ts'

/*
 * A shop is read again when its last sync that has finished or runs
 *   read fewer fields than this release knows   cause `upgrade`: also the first sync after a migration that adds some
 *   started 7 days ago or earlier               cause `weekly`: deletions and changes of which the webhook was lost
 * A sync that failed is repeated a day after its start.
 */

/** SQL for the cause of the sync that is due in a shop, null when none is. `shop` is SQL for the shop's id. */
const dueCause = (shop: ReturnType<typeof sql.fragment>) => sql.fragment`(
  select case
    when bool_or(y.state = 'failed' and y.started_at > now() - interval '1 day') then null
    when coalesce(max(y.fields_version) filter (where y.state <> 'failed'), 0) < ${fieldsVersion} then 'upgrade'
    when max(y.started_at) filter (where y.state <> 'failed') < now() - interval '7 days' then 'weekly'
  end
  from catalog_sync y
  where y.shop_id = ${shop}
)`

/** Enqueues the start of the syncs that are due. */
export async function startDueSyncs(tx: Db): Promise<void> {
  await enqueueForShops(tx, jobs.startDueSync, {
    where: sql.fragment`${dueCause(sql.fragment`c.shop_id`)} is not null`,
    maxDelaySeconds: 1800,
  })
}

const Due = Type.Object({ cause: Type.Union([Type.Literal('upgrade'), Type.Literal('weekly'), Type.Null()]) })

/** Starts the sync of a shop if it is still due. */
export async function startDueSync(tx: Db, shopId: number): Promise<void> {
  const { cause }: { cause: SyncCause | null } = await tx.one(sql.type(row(Due))`
    select ${dueCause(sql.fragment`${shopId}`)} as cause
  `)
  if (cause !== null) await startSync(tx, shopId, cause)
}
