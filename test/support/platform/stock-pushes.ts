import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../shared/db/db.ts'
import type { StockChange } from '../../../shared/domain/ledgers/stock/changes.ts'
import { moveStock } from '../../../shared/domain/ledgers/stock/move.ts'
import {
  applyPlatformLevels,
  type LevelChanges,
} from '../../../shared/domain/ledgers/stock/platform/platform-updates.ts'
import { claimPush } from '../../../shared/domain/ledgers/stock-pushes/claim.ts'
import { failPush } from '../../../shared/domain/ledgers/stock-pushes/finish.ts'
import type { Person } from '../core/people.ts'
import { makeStock } from '../make/stock.ts'

type Shop = Pick<Person, 'shopId'>
const Push = Type.Object({
  state: Type.String(),
  refusals: Type.Integer(),
  error: Type.String(),
  key: Type.String(),
  isClaimed: Type.Boolean(),
})

/** The pushes of a shop, oldest first. */
export function pushesOf(db: Db, { shopId }: Shop) {
  return db.any(sql.type(row(Push))`
    select state, refusals, error, idempotency_key as key, claimed_by is not null as is_claimed
    from stock_push
    where shop_id = ${shopId}
    order by id
  `)
}

export const statesOf = async (db: Db, shop: Shop) => (await pushesOf(db, shop)).map(({ state }) => state)

const Alert = Type.Object({ subject: Type.String(), message: Type.String(), isOpen: Type.Boolean() })

/** The alerts about failed pushes, oldest first. */
export function conflictsOf(db: Db, { shopId }: Shop) {
  return db.any(sql.type(row(Alert))`
    select subject, message, resolved_at is null as is_open
    from alert
    where shop_id = ${shopId} and type = 'sync_conflict'
    order by id
  `)
}

const LevelKey = Type.Object({ variantId: Type.Integer(), locationId: Type.Integer() })

let documents = 0

/** Changes stock of the variants of `makeStock` at location 1 by `deltas`. Each change is of another document by default, so that the worker does not join them. */
export async function changeStock(
  db: Db,
  { shopId }: Shop,
  deltas: readonly number[],
  change: Partial<StockChange> = {},
): Promise<void> {
  const levels = await db.any(sql.type(row(LevelKey))`
    select v.id as variant_id, w.id as location_id
    from variant v
    join location w on w.shop_id = v.shop_id and w.gid like '%/1'
    where v.shop_id = ${shopId}
    order by v.id
  `)
  const lines = levels.map((levelKey, at) => ({ ...levelKey, delta: deltas[at] ?? 0 }))
  const stockChange: StockChange = {
    kind: 'delta',
    reference: `change/${++documents}`,
    actor: 'alice-1',
    form: 'adjust',
    ...change,
  }
  await db.transaction((tx) => moveStock(tx, shopId, stockChange, lines))
}

/** Applies an update from the platform about the first variant of `makeStock` at location 1. */
export function reportLevel(
  db: Db,
  shop: Shop,
  available: number | null,
  updatedAt = '2026-11-02T00:00:00Z',
): Promise<LevelChanges> {
  return applyLevel(db, shop, available, updatedAt, false)
}

/** Applies a level that was read from the platform. */
export function readLevel(db: Db, shop: Shop, available: number, updatedAt: string): Promise<LevelChanges> {
  return applyLevel(db, shop, available, updatedAt, true)
}

async function applyLevel(
  db: Db,
  { shopId }: Shop,
  available: number | null,
  updatedAt: string,
  isRead: boolean,
): Promise<LevelChanges> {
  const levelKey = await db.one(sql.type(row(LevelKey))`
    select variant_id, location_id from stock_level where shop_id = ${shopId} order by 1, 2 limit 1
  `)
  const level = { ...levelKey, available, updatedAt }
  return db.transaction((tx) => applyPlatformLevels(tx, shopId, [level], { isRead }))
}

/** Makes the shop's pushes a day older. */
export function agePushes(db: Db, { shopId }: Shop) {
  return db.query(sql.typeAlias('void')`
    update stock_push set created_at = created_at - interval '25 hours' where shop_id = ${shopId}
  `)
}

/** Makes a failed push that changes the shop's stock by 5. Returns its id. */
export async function makeFailedPush(db: Db, shop: Shop): Promise<number> {
  await makeStock(db, shop)
  await changeStock(db, shop, [5])
  const push = await claimPush(db, shop.shopId, 'a job')
  if (!push) throw new Error('There is no push to claim')
  await failPush(db, shop.shopId, push, { lines: push.lines, reason: 'It is full.' })
  return push.id
}
