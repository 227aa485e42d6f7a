import { type Static, Type } from '@sinclair/typebox'
import { LRUCache } from 'lru-cache'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'
import { isCheckDue } from './subscriptions.ts'

const InstalledShop = Type.Object({
  id: Id,
  domain: Type.String(),
  accessToken: Type.String(),
  isRevoked: Type.Boolean(),
  /** A check of its webhook subscriptions is due (`shared/domain/records/shops/subscriptions.ts`). */
  isCheckDue: Type.Boolean(),
})
type InstalledShop = Static<typeof InstalledShop>

/** The last known shop id of each domain, so that most requests need one statement. That statement checks the id. */
const lastIds = new LRUCache<string, number>({ max: 100_000 })

/** The shop of a domain with its sealed access token, or null when the app is not installed there. */
export async function findInstalledShop(db: Db, domain: string): Promise<InstalledShop | null> {
  const lastId = lastIds.get(domain)
  const shop = lastId === undefined ? null : await readInstalledShop(db, lastId, domain)
  if (shop) return shop
  const found = await db.maybeOne(sql.typeAlias('id')`
    select id from shop where domain = ${domain} and uninstalled_at is null
  `)
  if (!found) return null
  lastIds.set(domain, found.id)
  return readInstalledShop(db, found.id, domain)
}

function readInstalledShop(db: Db, shopId: number, domain: string): Promise<InstalledShop | null> {
  return db.maybeOne(sql.type(row(InstalledShop))`
    select s.id, s.domain, c.access_token, c.revoked_at is not null as is_revoked,
      c.revoked_at is null and ${isCheckDue('w')} as is_check_due
    from shop s
    join shop_credential c on c.shop_id = ${shopId}
    left join webhook_subscription_check w on w.shop_id = ${shopId}
    where s.id = ${shopId} and s.domain = ${domain} and s.uninstalled_at is null
  `)
}

/**
 * Keeps the shop installed until the transaction ends: a concurrent uninstall waits, then removes its rows. On false
 * the caller must not write. `isEnding` locks exclusively, for a transaction that may end the installation. An installed shop
 * has a credential, whose row is locked: on Citus each machine has a copy of `shop`, and locks of all copies deadlock.
 */
export async function lockInstalledShop(
  tx: Db,
  shopId: number,
  { isEnding = false }: { isEnding?: boolean } = {},
): Promise<boolean> {
  const shop = await tx.maybeOne(sql.typeAlias('id')`
    select shop_id as id
    from shop_credential
    where shop_id = ${shopId} and exists (select from shop where id = ${shopId} and uninstalled_at is null)
    ${isEnding ? sql.fragment`for update` : sql.fragment`for key share`}
  `)
  return shop !== null
}

/** Runs `work` in a transaction that keeps the shop installed (`lockInstalledShop`); null when the app is not installed. */
export function inInstalledShop<T>(db: Db, shopId: number, work: (tx: Db) => Promise<T>): Promise<T | null> {
  return db.transaction(async (tx) => ((await lockInstalledShop(tx, shopId)) ? work(tx) : null))
}

const ShopName = Type.Object({ id: Id, domain: Type.String() })

export function listInstalledShops(db: Db): Promise<readonly Static<typeof ShopName>[]> {
  return db.any(sql.type(row(ShopName))`
    select id, domain from shop where uninstalled_at is null order by domain
  `)
}

/** The ids of all installations of a domain, including ended ones. */
export function listInstallations(db: Db, domain: string): Promise<readonly number[]> {
  return db.anyFirst(sql.typeAlias('id')`select id from shop where domain = ${domain} order by id`)
}
