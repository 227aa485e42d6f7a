import { type Db, row, sql } from '../../db/db.ts'
import { badRequest, conflict, type Fault, notFound } from '../../errors.ts'
import {
  BuyingBudget,
  type BuyingBudgetFilter,
  type BuyingBudgetInput,
  type BuyingBudgetPatch,
} from '../../schemas/buying-budgets.ts'
import { timeZoneOf, todayOf } from '../date-range.ts'
import { type Page, pageSize, toPage } from '../pages.ts'
import { currencyOf } from '../shops/currency.ts'
import { requireSuppliers } from '../suppliers/suppliers.ts'

/**
 * Budgets with what they have spent: the totals with tax of orders that were sent in the period, without cancelled ones,
 * as in the report of procurement spend; and drafts while today is in the period.
 *
 * Example: 8 000 for March; 5 000 were sent in March, and a draft has 1 200: 1 800 remain.
 */
const budgets = (shopId: number, chosen: ReturnType<typeof sql.fragment>) => sql.type(row(BuyingBudget))`
  with shop as materialized (
    select ${currencyOf(shopId)} as currency, ${timeZoneOf(shopId)} as time_zone, ${todayOf(shopId)} as today
  ),
  b as materialized (${chosen}),
  -- the orders of all these budgets are read once, and summed by supplier and day
  spending as materialized (
    select p.supplier_id, p.day, p.is_sent, sum(p.total) as total, count(*) filter (where p.total is null) as unknown
    from (
      select o.supplier_id, (o.sent_at at time zone shop.time_zone)::date as day, true as is_sent, ${totalOf()} as total
      from shop
      cross join (select min(starts_on) as starts_on, max(ends_on) as ends_on from b) span
      join purchase_order o on o.shop_id = ${shopId} and o.status <> 'cancelled'
        and o.sent_at >= span.starts_on::timestamp at time zone shop.time_zone
        and o.sent_at < (span.ends_on + 1)::timestamp at time zone shop.time_zone
      union all
      select o.supplier_id, shop.today, false, ${totalOf()}
      from shop
      join purchase_order o on o.shop_id = ${shopId} and o.status = 'draft'
    ) p
    group by p.supplier_id, p.day, p.is_sent
  )
  select b.id, b.name, b.supplier_id, s.name as supplier_name,
    case
      when date_trunc('month', b.starts_on) = b.starts_on
        and b.ends_on = (date_trunc('month', b.starts_on) + interval '1 month - 1 day')::date
      then to_char(b.starts_on, 'YYYY-MM')
    end as month,
    b.starts_on::text as starts_on, b.ends_on::text as ends_on, b.amount, shop.currency, o.spent, o.drafted,
    b.amount - o.spent - o.drafted as remaining, o.unknown_orders, b.version, b.created_by, b.created_at, b.updated_at
  from b
  cross join shop
  left join supplier s on s.shop_id = ${shopId} and s.id = b.supplier_id
  cross join lateral (
    select coalesce(sum(p.total) filter (where p.is_sent), 0) as spent,
      coalesce(sum(p.total) filter (where not p.is_sent), 0) as drafted, coalesce(sum(p.unknown), 0)::int as unknown_orders
    from spending p
    where p.day between b.starts_on and b.ends_on and (b.supplier_id is null or p.supplier_id = b.supplier_id)
  ) o
  order by b.id desc
`

/** SQL: the total of an order in the currency of the shop; null when its rate is not known. */
function totalOf() {
  return sql.fragment`
    case when coalesce(o.currency = shop.currency, true) then o.total else round(o.total * o.rate, 2) end
  `
}

/** The shop's budgets, newest first. */
export async function listBuyingBudgets(
  db: Db,
  shopId: number,
  filter: BuyingBudgetFilter,
): Promise<Page<BuyingBudget>> {
  const records = await db.any(
    budgets(
      shopId,
      sql.fragment`
        select * from buying_budget
        where ${sql.and([
          sql.fragment`shop_id = ${shopId}`,
          filter.cursor !== undefined && sql.fragment`id < ${filter.cursor}`,
        ])}
        order by id desc
        limit ${pageSize(filter) + 1}
      `,
    ),
  )
  return toPage(records, filter)
}

/** Throws not_found. */
export async function getBuyingBudget(db: Db, shopId: number, id: number): Promise<BuyingBudget> {
  const budget = await db.maybeOne(
    budgets(shopId, sql.fragment`select * from buying_budget where shop_id = ${shopId} and id = ${id}`),
  )
  if (!budget) throw notFound('Budget')
  return budget
}

/** Throws invalid_request, and the errors of `requireSuppliers`. */
export function createBuyingBudget(
  db: Db,
  shopId: number,
  actor: string,
  input: BuyingBudgetInput,
): Promise<BuyingBudget> {
  return db.transaction(async (tx) => {
    const { name, supplierId = null, amount } = input
    const { startsOn, endsOn } = periodOf(input)
    if (supplierId !== null) await requireSuppliers(tx, shopId, [{ id: supplierId, path: '/supplierId' }])
    const at = new Date().toISOString()
    const { id } = await tx.one(sql.typeAlias('id')`
      insert into buying_budget (
        shop_id, name, supplier_id, starts_on, ends_on, amount, created_by, created_at, updated_at
      )
      values (
        ${shopId}, ${name}, ${supplierId}::bigint, ${startsOn}::date, ${endsOn}::date, ${amount}, ${actor},
        ${at}::timestamptz, ${at}::timestamptz
      )
      returning id
    `)
    return getBuyingBudget(tx, shopId, id)
  })
}

/**
 * Changes the given fields; another month replaces both dates. Throws not_found, stale_version, invalid_request, and the
 * errors of `requireSuppliers`.
 */
export function updateBuyingBudget(
  db: Db,
  shopId: number,
  id: number,
  { version, ...patch }: BuyingBudgetPatch,
): Promise<BuyingBudget> {
  return db.transaction(async (tx) => {
    const { supplierId } = patch
    const before = await getBuyingBudget(tx, shopId, id)
    if (typeof supplierId === 'number' && supplierId !== before.supplierId) {
      await requireSuppliers(tx, shopId, [{ id: supplierId, path: '/supplierId' }])
    }
    const isDated = patch.startsOn !== undefined || patch.endsOn !== undefined
    const { startsOn, endsOn } = periodOf({
      ...(!patch.month && { startsOn: before.startsOn, endsOn: before.endsOn }),
      ...(patch.month && { month: patch.month }),
      ...(isDated && patch.startsOn !== undefined && { startsOn: patch.startsOn }),
      ...(isDated && patch.endsOn !== undefined && { endsOn: patch.endsOn }),
    })
    const merged = { ...before, ...patch, startsOn, endsOn }
    if (version !== undefined && version !== before.version) throw staleVersion()
    if (inputFields.every((field) => merged[field] === before[field])) return before
    const changed = await tx.maybeOneFirst(sql.typeAlias('id')`
      update buying_budget
      set name = ${merged.name}, supplier_id = ${merged.supplierId}::bigint, starts_on = ${startsOn}::date,
        ends_on = ${endsOn}::date, amount = ${merged.amount}, updated_at = ${new Date().toISOString()}::timestamptz,
        version = version + 1
      where ${sql.and([
        sql.fragment`shop_id = ${shopId} and id = ${id}`,
        version !== undefined && sql.fragment`version = ${version}`,
      ])}
      returning id
    `)
    if (changed === null) throw staleVersion()
    return getBuyingBudget(tx, shopId, id)
  })
}

const inputFields = ['name', 'supplierId', 'startsOn', 'endsOn', 'amount'] as const

const staleVersion = () =>
  conflict('Another user has changed this budget. Reload it and try again.', 'stale_version')

/** Throws not_found. */
export async function deleteBuyingBudget(db: Db, shopId: number, id: number): Promise<{ message: string }> {
  const deleted = await db.maybeOneFirst(sql.typeAlias('id')`
    delete from buying_budget where shop_id = ${shopId} and id = ${id} returning id
  `)
  if (deleted === null) throw notFound('Budget')
  return { message: 'Budget deleted.' }
}

/** The days of a month, or the given ones; both when they agree, as a read answers them. Throws invalid_request. */
function periodOf({ month, startsOn, endsOn }: Pick<BuyingBudgetInput, 'month' | 'startsOn' | 'endsOn'>) {
  const faults: Fault[] = []
  const fault = (path: string, message: string) => faults.push({ path, message })
  if (month) {
    const [year = 0, number = 1] = month.split('-').map(Number)
    const first = `${month}-01`
    const last = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
    if ((startsOn ?? first) !== first)
      fault('/startsOn', 'must be the first day of the month, or be left out')
    if ((endsOn ?? last) !== last) fault('/endsOn', 'must be the last day of the month, or be left out')
    if (faults.length > 0) throw badRequest(faults)
    return { startsOn: first, endsOn: last }
  }
  if (startsOn === undefined) fault('/startsOn', 'is required without a month')
  if (endsOn === undefined) fault('/endsOn', 'is required without a month')
  if (startsOn && endsOn && endsOn < startsOn) fault('/endsOn', 'must not be before startsOn')
  if (faults.length > 0 || !startsOn || !endsOn) throw badRequest(faults)
  return { startsOn, endsOn }
}
