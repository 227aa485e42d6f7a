import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { Nullable } from '../../schemas/common.ts'

/** What the platform gave the shop to be asked with; tokens are sealed (`shared/token-cipher.ts`). */
export const ShopCredential = Type.Object({
  domain: Type.String(),
  accessToken: Type.String(),
  refreshToken: Nullable(Type.String()),
  /** Until the access token expires, by the database's clock; null for one that does not expire. */
  secondsLeft: Nullable(Type.Number()),
  /** Another process is fetching a new token. */
  isRefreshing: Type.Boolean(),
  isRevoked: Type.Boolean(),
})
export type ShopCredential = Static<typeof ShopCredential>

/** A credential as the platform renewed it. */
export type RenewedCredential = { accessToken: string; refreshToken: string | null; expiresIn: number | null }

/** Null when the app is not installed in the shop. */
export function findCredential(db: Db, shopId: number): Promise<ShopCredential | null> {
  return db.maybeOne(sql.type(row(ShopCredential))`
    select s.domain, c.access_token, c.refresh_token, extract(epoch from c.expires_at - now()) as seconds_left,
      coalesce(c.refreshing_until > now(), false) as is_refreshing, c.revoked_at is not null as is_revoked
    from shop s
    join shop_credential c on c.shop_id = s.id
    where s.id = ${shopId} and s.uninstalled_at is null
  `)
}

/**
 * Records that the platform has refused this token. Answers false when it is not the shop's token any more, or one
 * is being fetched: then the refusal says nothing about the shop.
 */
export async function revokeCredential(db: Db, shopId: number, accessToken: string): Promise<boolean> {
  const revoked = await db.maybeOne(sql.typeAlias('id')`
    update shop_credential
    set revoked_at = coalesce(revoked_at, now())
    where shop_id = ${shopId} and access_token = ${accessToken}
      and (refreshing_until is null or refreshing_until <= now())
    returning shop_id as id
  `)
  return revoked !== null
}

/** Stores the same tokens, sealed by another key; does nothing when they were replaced meanwhile. */
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

/**
 * Takes the right to fetch a new token, for so many seconds: one process at a time has it, and one that dies loses
 * it by itself. Answers false when another has it, or the token has been renewed meanwhile.
 */
export async function lockRefresh(
  db: Db,
  shopId: number,
  accessToken: string,
  seconds: number,
): Promise<boolean> {
  const held = await db.maybeOne(sql.typeAlias('id')`
    update shop_credential
    set refreshing_until = now() + make_interval(secs => ${seconds})
    where shop_id = ${shopId} and access_token = ${accessToken}
      and (refreshing_until is null or refreshing_until <= now())
    returning shop_id as id
  `)
  return held !== null
}

/** Stores renewed tokens in the place of the one they renew, and lets the others go on. */
export async function renewCredential(
  db: Db,
  shopId: number,
  was: string,
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
    where shop_id = ${shopId} and access_token = ${was}
  `)
}

/** Lets the others go on after a failure. */
export async function releaseRefresh(db: Db, shopId: number, accessToken: string): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update shop_credential
    set refreshing_until = null
    where shop_id = ${shopId} and access_token = ${accessToken}
  `)
}
