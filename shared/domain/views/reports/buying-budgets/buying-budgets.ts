import { Type } from '@sinclair/typebox'
import { minorDigitsOf } from '../../../../currency.ts'
import { type Db, row, sql } from '../../../../db/db.ts'
import { badRequest, conflict, type Fault, notFound } from '../../../../errors.ts'
import type {
  BuyingBudget,
  BuyingBudgetFilter,
  BuyingBudgetInput,
  BuyingBudgetPatch,
} from '../../../../schemas/buying-budgets.ts'
import { type Page, pageSize, toPage } from '../../../kit/pages/pages.ts'
import { currencyOf } from '../../../records/shops/currency.ts'
import { requireSuppliers } from '../../../records/suppliers/suppliers.ts'
import { budgetsWithSpending } from './spending.ts'

/** The shop's budgets, newest first. */
export async function listBuyingBudgets(
  db: Db,
  shopId: number,
  filter: BuyingBudgetFilter,
): Promise<Page<BuyingBudget>> {
  const records = await db.any(
    budgetsWithSpending(
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
    budgetsWithSpending(
      shopId,
      sql.fragment`select * from buying_budget where shop_id = ${shopId} and id = ${id}`,
    ),
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
    await requireMinorUnits(tx, shopId, amount)
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
    const { supplierId, amount } = patch
    await lockBudget(tx, shopId, id)
    const before = await getBuyingBudget(tx, shopId, id)
    if (amount !== undefined && amount !== before.amount) await requireMinorUnits(tx, shopId, amount)
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
    await tx.query(sql.typeAlias('void')`
      update buying_budget
      set name = ${merged.name}, supplier_id = ${merged.supplierId}::bigint, starts_on = ${startsOn}::date,
        ends_on = ${endsOn}::date, amount = ${merged.amount}, updated_at = ${new Date().toISOString()}::timestamptz,
        version = version + 1
      where shop_id = ${shopId} and id = ${id}
    `)
    return getBuyingBudget(tx, shopId, id)
  })
}

/** Locks a budget, so that its data change one request after the other. Throws not_found. */
async function lockBudget(tx: Db, shopId: number, id: number): Promise<void> {
  const locked = await tx.maybeOneFirst(sql.typeAlias('id')`
    select id from buying_budget where shop_id = ${shopId} and id = ${id} for no key update
  `)
  if (locked === null) throw notFound('Budget')
}

const Shop = Type.Object({ currency: Type.String() })

/** Throws invalid_request for an amount with more decimals than the currency of the shop has. */
async function requireMinorUnits(tx: Db, shopId: number, amount: number): Promise<void> {
  const { currency } = await tx.one(sql.type(row(Shop))`select ${currencyOf(shopId)} as currency`)
  const digits = minorDigitsOf(currency)
  if (Number(amount.toFixed(digits)) === amount) return
  throw badRequest([{ path: '/amount', message: `must have at most ${digits} decimals in ${currency}` }])
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
