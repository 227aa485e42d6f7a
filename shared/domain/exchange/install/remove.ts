import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { enqueue } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import { Timestamp } from '../../../schemas/common.ts'
import { forgetCostPushes } from '../../ledgers/cost-pushes/forget.ts'
import { deleteCredential } from '../../records/shops/credentials.ts'
import { shopTables } from '../../records/shops/shop-tables.ts'

const maxPerBatch = 2_000
/** Tables with rows of up to 2 MiB. */
const fileTables: readonly string[] = ['attachment', 'export_part', 'shop_logo']
const maxFilesPerBatch = 50
/** Requests that started earlier may still write within this time (`api/session/session.ts`, `api/app.ts`). */
const removalDelaySeconds = 15

/**
 * Deletes the access token and enqueues the removal of all other data (specification, topic APP_UNINSTALLED); the
 * shop's row stays, for analytics. Returns false when the webhook was triggered before this installation.
 */
export async function uninstallShop(tx: Db, shopId: number, triggeredAt: string): Promise<boolean> {
  const shop = await tx.maybeOne(sql.typeAlias('id')`
    update shop
    set uninstalled_at = now()
    where id = ${shopId} and uninstalled_at is null and installed_at <= ${triggeredAt}::timestamptz
    returning id
  `)
  if (!shop) return false
  await deleteCredential(tx, shopId)
  // the merchant may install the app again before its data is removed, with other costs in the shop
  await forgetCostPushes(tx, shopId)
  await enqueue(tx, jobs.removeShopData, { shopId }, { inSeconds: removalDelaySeconds })
  return true
}

/** Enqueues the removal of remaining data of a domain's ended installations. A current installation is not touched. */
export function redactShop(db: Db, domain: string): Promise<void> {
  return db.transaction(async (tx) => {
    const ids = await tx.anyFirst(sql.typeAlias('id')`
      select id from shop where domain = ${domain} and uninstalled_at is not null order by id
    `)
    for (const shopId of ids) await enqueue(tx, jobs.removeShopData, { shopId })
  })
}

const Removed = Type.Object({ removed: Type.Integer() })
type Removed = Static<typeof Removed>

/** One transaction per batch, so the removal can be interrupted. Returns whether data may be left. */
export function removeShopBatch(db: Db, shopId: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const isEnded = await tx.maybeOne(sql.typeAlias('id')`
      select id from shop where id = ${shopId} and uninstalled_at is not null
    `)
    if (!isEnded) return false
    for (const table of shopTables) {
      const name = sql.identifier([table])
      const limit = fileTables.includes(table) ? maxFilesPerBatch : maxPerBatch
      const { removed }: Removed = await tx.one(sql.type(row(Removed))`
        with removed as (
          delete from ${name}
          where shop_id = ${shopId} and ctid = any(array(
            select ctid from ${name} where shop_id = ${shopId} limit ${limit}
          ))
          returning 1
        )
        select count(*) as removed from removed
      `)
      if (removed > 0) return true
    }
    return false
  })
}

const EndedInstallation = Type.Object({
  domain: Type.String(),
  installedAt: Timestamp,
  uninstalledAt: Timestamp,
})

/** Domain and times of an ended installation; null when it has not ended. */
export function findEndedInstallation(
  db: Db,
  shopId: number,
): Promise<Static<typeof EndedInstallation> | null> {
  return db.maybeOne(sql.type(row(EndedInstallation))`
    select domain, installed_at, uninstalled_at from shop where id = ${shopId} and uninstalled_at is not null
  `)
}
