import { type Db, row, sql } from '../../../../db/db.ts'
import { notFound } from '../../../../errors.ts'
import {
  CountPlan,
  type CountPlanFilter,
  type CountPlanInput,
  type CountPlanPatch,
} from '../../../../schemas/count-plans.ts'
import { todayOf } from '../../../kit/date-range.ts'
import { type Page, pageSize, toPage } from '../../../kit/pages/pages.ts'
import { resolveLocation } from '../../../ledgers/stock/resolve.ts'

const columns = (shopId: number) => sql.fragment`
  p.id, w.gid as location_id, w.name as location_name, p.abc_class, p.every_days, p.blind, p.max_items,
  p.next_on::text as next_on, p.problem, p.created_by, p.created_at, p.updated_at,
  (
    select c.id
    from stock_count c
    where c.shop_id = ${shopId} and c.plan_id = p.id and c.status = 'draft'
    order by c.id desc
    limit 1
  ) as open_count_id
`

/** The shop's count plans, newest first. */
export async function listCountPlans(
  db: Db,
  shopId: number,
  filter: CountPlanFilter,
): Promise<Page<CountPlan>> {
  const records = await db.any(sql.type(row(CountPlan))`
    select ${columns(shopId)}
    from count_plan p
    join location w on w.shop_id = ${shopId} and w.id = p.location_id
    where ${sql.and([
      sql.fragment`p.shop_id = ${shopId}`,
      filter.cursor !== undefined && sql.fragment`p.id < ${filter.cursor}`,
    ])}
    order by p.id desc
    limit ${pageSize(filter) + 1}
  `)
  return toPage(records, filter)
}

/** Throws not_found. */
export async function getCountPlan(db: Db, shopId: number, id: number): Promise<CountPlan> {
  const plan = await db.maybeOne(sql.type(row(CountPlan))`
    select ${columns(shopId)}
    from count_plan p
    join location w on w.shop_id = ${shopId} and w.id = p.location_id
    where p.shop_id = ${shopId} and p.id = ${id}
  `)
  if (!plan) throw notFound('Count plan')
  return plan
}

/** Throws unknown_location. */
export function createCountPlan(
  db: Db,
  shopId: number,
  actor: string,
  input: CountPlanInput,
): Promise<CountPlan> {
  const { everyDays, abcClass = null, blind = false, maxItems = null, nextOn = null } = input
  return db.transaction(async (tx) => {
    const locationId = await resolveLocation(tx, shopId, input.locationId)
    const { id } = await tx.one(sql.typeAlias('id')`
      insert into count_plan (shop_id, location_id, abc_class, every_days, blind, max_items, next_on, created_by)
      values (
        ${shopId}, ${locationId}, ${abcClass}, ${everyDays}, ${blind}, ${maxItems},
        coalesce(${nextOn}::date, ${todayOf(shopId)}), ${actor}
      )
      returning id
    `)
    return getCountPlan(tx, shopId, id)
  })
}

/**
 * Changes the given fields; counts that the plan made stay as they are. A repeated location may be out of use. Throws
 * not_found, unknown_location.
 */
export function updateCountPlan(
  db: Db,
  shopId: number,
  id: number,
  patch: CountPlanPatch,
): Promise<CountPlan> {
  return db.transaction(async (tx) => {
    await tx.query(sql.typeAlias('void')`
      select from count_plan where shop_id = ${shopId} and id = ${id} for no key update
    `)
    const before = await getCountPlan(tx, shopId, id)
    const plan = { ...before, ...patch }
    if (fields.every((field) => plan[field] === before[field])) return before
    const locationId =
      plan.locationId === before.locationId ? null : await resolveLocation(tx, shopId, plan.locationId)
    await tx.query(sql.typeAlias('void')`
      update count_plan
      set location_id = coalesce(${locationId}::bigint, location_id), every_days = ${plan.everyDays},
        blind = ${plan.blind}, abc_class = ${plan.abcClass}, max_items = ${plan.maxItems},
        next_on = ${plan.nextOn}::date, updated_at = now()
      where shop_id = ${shopId} and id = ${id}
    `)
    return getCountPlan(tx, shopId, id)
  })
}

const fields = ['locationId', 'everyDays', 'abcClass', 'blind', 'maxItems', 'nextOn'] as const

/** Its counts stay, without a plan. Throws not_found. */
export async function deleteCountPlan(db: Db, shopId: number, id: number): Promise<{ message: string }> {
  const deleted = await db.maybeOne(sql.typeAlias('id')`
    delete from count_plan where shop_id = ${shopId} and id = ${id} returning id
  `)
  if (!deleted) throw notFound('Count plan')
  return { message: 'Count plan deleted.' }
}
