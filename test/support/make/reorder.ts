import { Type } from '@sinclair/typebox'
import { type DatabasePool, type Db, row, sql } from '../../../shared/db/db.ts'
import { refreshRules } from '../../../shared/domain/ledgers/stock/low-stock.ts'
import { lockVariants } from '../../../shared/domain/ledgers/stock/move.ts'
import type { ReorderRule, ReorderRuleInput } from '../../../shared/schemas/reorder-rules.ts'
import type { ReorderSuggestion } from '../../../shared/schemas/reorder-suggestions.ts'
import type { Person } from '../core/people.ts'
import { locationGid, variantGid } from './stock.ts'

/** A valid rule for variant 1 (`makeStock` makes it). Tests change single fields. */
export const rule = (fields: Partial<ReorderRuleInput> = {}): ReorderRuleInput => ({
  variantId: variantGid(1),
  reorderPoint: 20,
  reorderQuantity: 50,
  ...fields,
})

export async function makeRule(person: Person, fields: Partial<ReorderRuleInput> = {}): Promise<number> {
  const response = await person.post('/api/reorder/rules', rule(fields))
  if (response.statusCode !== 201) throw new Error(response.body)
  return response.json().data.id
}

export async function readRule(person: Person, id: number): Promise<ReorderRule> {
  const response = await person.get(`/api/reorder/rules/${id}`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}

export async function listRules(person: Person, query = ''): Promise<ReorderRule[]> {
  const response = await person.get(`/api/reorder/rules${query}`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}

export async function deleteRules(person: Person): Promise<void> {
  for (const { id } of await listRules(person)) await person.delete(`/api/reorder/rules/${id}`)
}

export async function listSuggestions(person: Person, query = ''): Promise<ReorderSuggestion[]> {
  const response = await person.get(`/api/reorder/suggestions${query}`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}

/** Sets the units of variant n sold in the last 30 days. */
export async function setVelocity(
  db: Db,
  { shopId }: Pick<Person, 'shopId'>,
  number: number,
  units: number,
): Promise<void> {
  await db.query(sql.typeAlias('void')`
    insert into variant_velocity (shop_id, variant_id, units_30d)
    select shop_id, id, ${units} from variant where shop_id = ${shopId} and gid = ${variantGid(number)}
    on conflict (shop_id, variant_id) do update set units_30d = excluded.units_30d
  `)
}

type Shop = Pick<Person, 'shopId'>

/** Inserts a rule for variant n of `makeStock`, at all locations or at one, without the API. Returns its id. */
export function insertRule(
  db: DatabasePool,
  { shopId }: Shop,
  {
    variant = 1,
    location = null,
    reorderPoint = 5,
  }: { variant?: number; location?: number | null; reorderPoint?: number } = {},
): Promise<number> {
  return db.transaction(async (tx) => {
    const variantId = await tx.oneFirst(sql.typeAlias('id')`
      select id from variant where shop_id = ${shopId} and gid = ${variantGid(variant)}
    `)
    await lockVariants(tx, shopId, [variantId])
    const id = await tx.oneFirst(sql.typeAlias('id')`
      insert into reorder_rule (shop_id, variant_id, location_id, reorder_point, reorder_quantity, created_by)
      values (
        ${shopId}, ${variantId},
        (select id from location where shop_id = ${shopId} and gid = ${locationGid(location ?? 0)}),
        ${reorderPoint}, 20, 'alice-1'
      )
      returning id
    `)
    await refreshRules(tx, shopId, [variantId])
    return id
  })
}

const Stock = Type.Object({ currentStock: Type.Integer() })

/** The stock of the shop's rules, in the order of their creation. */
export function stockOfRules(db: Db, { shopId }: Shop): Promise<readonly number[]> {
  return db.anyFirst(sql.type(row(Stock))`
    select current_stock from reorder_rule where shop_id = ${shopId} order by id
  `)
}

/** Changes a rule in the database, without updating its alert. */
export async function setReorderPoint(
  db: Db,
  { shopId }: Shop,
  ruleId: number,
  point: number,
): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update reorder_rule set reorder_point = ${point} where shop_id = ${shopId} and id = ${ruleId}
  `)
}
