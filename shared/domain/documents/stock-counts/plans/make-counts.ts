import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { Id, Nullable } from '../../../../schemas/common.ts'
import { AbcClass } from '../../../../schemas/reports.ts'
import { todayOf } from '../../../kit/date-range.ts'
import { inInstalledShop } from '../../../records/shops/shops.ts'
import { addSheet } from '../sheet.ts'

/*
 * A plan is due in the first night at or after its next day. Example: every 7 days, next on the 1st
 *   1st    the worker makes a count; next on the 8th
 *   8th    that count is still open: no count, and the plan stays due
 *   10th   the count was submitted on the 9th: the worker makes one; next on the 17th
 *   17th   no product matches: no count, `problem` says so; next on the 18th
 */

const DuePlan = Type.Object({
  id: Id,
  locationId: Id,
  isActive: Type.Boolean(),
  abcClass: Nullable(AbcClass),
  blind: Type.Boolean(),
  maxItems: Nullable(Type.Integer()),
})
type DuePlan = Static<typeof DuePlan>

/** Counts have at most 10 000 products. */
const maxRows = 10_000

/**
 * Makes the counts of the due plans of a shop, each in a separate transaction, so that one that fails does not block
 * those before it. Of concurrent runs one makes each count: `claimPlan` locks the plan and sets its next day.
 */
export async function makePlannedCounts(db: Db, shopId: number): Promise<void> {
  let isMade = true
  while (isMade) {
    isMade = (await inInstalledShop(db, shopId, (tx) => makeNextCount(tx, shopId))) ?? false
  }
}

async function makeNextCount(tx: Db, shopId: number): Promise<boolean> {
  const plan = await claimPlan(tx, shopId)
  if (!plan) return false
  const problem = plan.isActive ? await makeCount(tx, shopId, plan) : 'unknown_location'
  if (problem !== null) {
    await tx.query(sql.typeAlias('void')`
      update count_plan
      set problem = ${problem}, next_on = ${todayOf(shopId)} + 1
      where shop_id = ${shopId} and id = ${plan.id}
    `)
  }
  return true
}

/** The next due plan without an open count, with its next day set. */
function claimPlan(tx: Db, shopId: number): Promise<DuePlan | null> {
  return tx.maybeOne(sql.type(row(DuePlan))`
    update count_plan p
    set next_on = ${todayOf(shopId)} + p.every_days, problem = null
    from location w
    where p.shop_id = ${shopId} and w.shop_id = ${shopId} and w.id = p.location_id and p.id = (
      select d.id
      from count_plan d
      where d.shop_id = ${shopId} and d.next_on <= ${todayOf(shopId)} and not exists (
        select from stock_count c where c.shop_id = ${shopId} and c.plan_id = d.id and c.status = 'draft'
      )
      order by d.next_on, d.id
      limit 1
      for no key update skip locked
    )
    returning p.id, p.location_id, w.is_active, p.abc_class, p.blind, p.max_items
  `)
}

/** Makes the count, with the products that were counted longest ago. Returns why it made none. */
async function makeCount(tx: Db, shopId: number, plan: DuePlan): Promise<'nothing_to_count' | null> {
  const { locationId, abcClass, blind, maxItems } = plan
  const filter = abcClass === null ? {} : { abcClass }
  const { id } = await tx.one(sql.typeAlias('id')`
    insert into stock_count (shop_id, location_id, created_by, blind, filter, plan_id)
    values (${shopId}, ${locationId}, '', ${blind}, ${JSON.stringify(filter)}::jsonb, ${plan.id})
    returning id
  `)
  const count = { id, locationId, itemCount: 0 }
  const products = await addSheet(tx, shopId, count, filter, { maxRows: maxItems ?? maxRows })
  if (products > 0) return null
  await tx.query(sql.typeAlias('void')`delete from stock_count where shop_id = ${shopId} and id = ${id}`)
  return 'nothing_to_count'
}
