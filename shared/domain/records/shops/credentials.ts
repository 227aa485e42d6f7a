import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Nullable } from '../../../schemas/common.ts'

/** A shop's tokens for the platform's API; they are sealed (`shared/token-cipher.ts`). */
export const ShopCredential = Type.Object({
  domain: Type.String(),
  accessToken: Type.String(),
  refreshToken: Nullable(Type.String()),
  /** Seconds until the access token expires, by the database's clock; null if it does not expire. */
  secondsLeft: Nullable(Type.Number()),
  isRefreshing: Type.Boolean(),
  isRevoked: Type.Boolean(),
})
export type ShopCredential = Static<typeof ShopCredential>

/** `expiresIn` is in seconds. */
type RenewedCredential = { accessToken: string; refreshToken: string | null; expiresIn: number | null }

/** The shop's credential; null when the app is not installed. */
export function findCredential(db: Db, shopId: number): Promise<ShopCredential | null> {
  return db.maybeOne(sql.type(row(ShopCredential))`
    select s.domain, c.access_token, c.refresh_token, extract(epoch from c.expires_at - now()) as seconds_left,
      coalesce(c.refreshing_until > now(), false) as is_refreshing, c.revoked_at is not null as is_revoked
    from shop s
    join shop_credential c on c.shop_id = ${shopId}
    where s.id = ${shopId} and s.uninstalled_at is null
  `)
}

/** Stores the tokens of an installation, also when the shop was installed before. */
export async function storeCredential(
  tx: Db,
  shopId: number,
  { accessToken, refreshToken, expiresIn, scopes }: RenewedCredential & { scopes: string },
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    insert into shop_credential (shop_id, access_token, scopes, expires_at, refresh_token)
    values (${shopId}, ${accessToken}, ${scopes}, now() + make_interval(secs => ${expiresIn}), ${refreshToken})
    on conflict (shop_id) do update
    set access_token = excluded.access_token, scopes = excluded.scopes, expires_at = excluded.expires_at,
      refresh_token = excluded.refresh_token, refreshing_until = null, revoked_at = null,
      updated_at = excluded.updated_at
  `)
}

/** Deletes the tokens of a shop that has uninstalled the app. */
export async function deleteCredential(tx: Db, shopId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`delete from shop_credential where shop_id = ${shopId}`)
}

/** False when the shop has another token by now, or one is being fetched: the app may still have access. */
export async function revokeCredential(db: Db, shopId: number, accessToken: string): Promise<boolean> {
  const revoked = await db.maybeOne(sql.typeAlias('id')`
    update shop_credential
    set revoked_at = least(revoked_at, now())
    where shop_id = ${shopId} and access_token = ${accessToken}
      and (refreshing_until is null or refreshing_until <= now())
    returning shop_id as id
  `)
  return revoked !== null
}

/** Stores the same tokens, sealed with another key, unless they were replaced in the meantime. */
export async function resealCredential(
  db: Db,
  shopId: number,
  was: Pick<ShopCredential, 'accessToken' | 'refreshToken'>,
  is: Pick<ShopCredential, 'accessToken' | 'refreshToken'>,
): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update shop_credential
    set access_token = ${is.accessToken}, refresh_token = ${is.refreshToken}, updated_at = now()
    where shop_id = ${shopId} and access_token = ${was.accessToken}
      and refresh_token is not distinct from ${was.refreshToken}
      and (refreshing_until is null or refreshing_until <= now())
  `)
}

/** For the given seconds. False when another process has the lock, or the token was renewed already. */
export async function lockRefresh(
  db: Db,
  shopId: number,
  accessToken: string,
  seconds: number,
): Promise<boolean> {
  const locked = await db.maybeOne(sql.typeAlias('id')`
    update shop_credential
    set refreshing_until = now() + make_interval(secs => ${seconds})
    where shop_id = ${shopId} and access_token = ${accessToken}
      and (refreshing_until is null or refreshing_until <= now())
    returning shop_id as id
  `)
  return locked !== null
}

/** Replaces `oldAccessToken` with renewed tokens, and releases the refresh lock. */
export async function renewCredential(
  db: Db,
  shopId: number,
  oldAccessToken: string,
  { accessToken, refreshToken, expiresIn }: RenewedCredential,
): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update shop_credential
    set access_token = ${accessToken},
      refresh_token = coalesce(${refreshToken}, refresh_token),
      expires_at = now() + make_interval(secs => ${expiresIn}),
      refreshing_until = null,
      revoked_at = null,
      updated_at = now()
    where shop_id = ${shopId} and access_token = ${oldAccessToken}
  `)
}

export async function releaseRefresh(db: Db, shopId: number, accessToken: string): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update shop_credential
    set refreshing_until = null
    where shop_id = ${shopId} and access_token = ${accessToken}
  `)
}
