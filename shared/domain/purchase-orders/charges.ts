import { type Static, Type } from '@sinclair/typebox'
import { minorDigitsOf } from '../../currency.ts'
import { type Db, row, sql } from '../../db/db.ts'
import { badRequest, conflict, type Fault, notFound, unprocessable } from '../../errors.ts'
import {
  ChargeBasis,
  ChargeId,
  type ChargeInput,
  ChargeKind,
  type ChargePatch,
} from '../../schemas/charges.ts'
import { Id, Nullable } from '../../schemas/common.ts'
import { bookLateCosts } from '../costs/book.ts'
import { isoInstant } from '../date-range.ts'
import { keepTypedRate, lastRateOf } from '../exchange-rates/exchange-rates.ts'
import { currencyOf } from '../shops/currency.ts'

const maxCharges = 50

const LockedOrder = Type.Object({
  status: Type.String(),
  shopCurrency: Type.String(),
  currency: Type.String(),
  rate: Nullable(Type.Number()),
  chargeCount: Type.Integer(),
})
type LockedOrder = Static<typeof LockedOrder>

/** The fields of a charge, complete. `shares` has the merchant's amount by line id. */
type WholeCharge = {
  kind: ChargeKind
  amount: number
  currency: string
  rate: number
  taxRate: number
  basis: ChargeBasis
  lineItemIds: number[] | null
  shares: { lineItemId: number; amount: number }[] | null
  isEstimate: boolean
}

/**
 * Adds a charge to an order in any state but cancelled. Costs of goods that were received before are booked at once.
 * Throws not_found, conflict, and the errors of `requireCharge`.
 */
export function addCharge(
  db: Db,
  shopId: number,
  purchaseOrderId: number,
  actor: string,
  input: ChargeInput,
): Promise<Static<typeof ChargeId>> {
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, shopId, purchaseOrderId)
    if (order.chargeCount >= maxCharges) throw conflict(`An order has at most ${maxCharges} charges.`)
    const charge = await completeCharge(tx, shopId, order, input)
    await requireCharge(tx, shopId, purchaseOrderId, charge)
    const created = await tx.one(sql.type(row(ChargeId))`
      insert into purchase_order_charge (
        shop_id, purchase_order_id, kind, amount, currency, rate, tax_rate, basis, line_ids, shares, is_estimate, created_by
      )
      values (
        ${shopId}, ${purchaseOrderId}, ${charge.kind}, ${charge.amount}, ${charge.currency}, ${charge.rate},
        ${charge.taxRate}, ${charge.basis}, ${lineIds(charge)}, ${sharesJson(charge)}::jsonb, ${charge.isEstimate}, ${actor}
      )
      returning id
    `)
    await afterChange(tx, shopId, purchaseOrderId, actor)
    return created
  })
}

const StoredCharge = Type.Object({
  kind: ChargeKind,
  amount: Type.Number(),
  currency: Type.String(),
  rate: Type.Number(),
  taxRate: Type.Number(),
  basis: ChargeBasis,
  lineItemIds: Nullable(Type.Array(Id)),
  shares: Nullable(Type.Array(Type.Object({ lineItemId: Id, amount: Type.Number() }))),
  isEstimate: Type.Boolean(),
})

/** Changes the given fields of a charge, for example an estimate to what the bill says. Throws as `addCharge`. */
export function updateCharge(
  db: Db,
  shopId: number,
  { id: purchaseOrderId, chargeId }: { id: number; chargeId: number },
  actor: string,
  patch: ChargePatch,
): Promise<Static<typeof ChargeId>> {
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, shopId, purchaseOrderId)
    const stored = await tx.maybeOne(sql.type(row(StoredCharge))`
      select ${chargeColumns} from purchase_order_charge c
      where c.shop_id = ${shopId} and c.purchase_order_id = ${purchaseOrderId} and c.id = ${chargeId}
    `)
    if (!stored) throw notFound('Charge')
    // another currency has another rate, and shares belong to the basis that the merchant chooses
    const { rate, shares, ...kept } = stored
    const input = {
      ...kept,
      ...(patch.currency === undefined || patch.currency === stored.currency ? { rate } : {}),
      ...(patch.basis === undefined || patch.basis === 'manual' ? { shares } : {}),
      ...patch,
    }
    const charge = await completeCharge(tx, shopId, order, input)
    await requireCharge(tx, shopId, purchaseOrderId, charge)
    await tx.query(sql.typeAlias('void')`
      update purchase_order_charge
      set kind = ${charge.kind}, amount = ${charge.amount}, currency = ${charge.currency}, rate = ${charge.rate},
        tax_rate = ${charge.taxRate}, basis = ${charge.basis}, line_ids = ${lineIds(charge)},
        shares = ${sharesJson(charge)}::jsonb, is_estimate = ${charge.isEstimate}, updated_at = now()
      where shop_id = ${shopId} and purchase_order_id = ${purchaseOrderId} and id = ${chargeId}
    `)
    await afterChange(tx, shopId, purchaseOrderId, actor)
    return { id: chargeId }
  })
}

/** Deletes a charge; what it added to the cost of received goods is taken out again. Throws not_found, conflict. */
export function deleteCharge(
  db: Db,
  shopId: number,
  { id: purchaseOrderId, chargeId }: { id: number; chargeId: number },
  actor: string,
): Promise<{ message: string }> {
  return db.transaction(async (tx) => {
    await lockOrder(tx, shopId, purchaseOrderId)
    const deleted = await tx.maybeOne(sql.typeAlias('id')`
      delete from purchase_order_charge
      where shop_id = ${shopId} and purchase_order_id = ${purchaseOrderId} and id = ${chargeId}
      returning id
    `)
    if (!deleted) throw notFound('Charge')
    await afterChange(tx, shopId, purchaseOrderId, actor)
    return { message: 'Charge deleted.' }
  })
}

/** SQL columns of a charge `c` as the API has it. */
export const chargeColumns = sql.fragment`
  c.kind, c.amount, c.currency, c.rate, c.tax_rate, c.basis, to_jsonb(c.line_ids) as line_item_ids, (
    select jsonb_agg(jsonb_build_object('lineItemId', key::bigint, 'amount', value::numeric) order by key::bigint)
    from jsonb_each_text(c.shares)
  ) as shares, c.is_estimate
`

/** SQL for a JSON list of the charges of an order, oldest first. */
export const chargesOf = (shopId: number, purchaseOrderId: number) => sql.fragment`
  (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', x.id, 'kind', x.kind, 'amount', x.amount, 'currency', x.currency, 'rate', x.rate, 'taxRate', x.tax_rate,
      'basis', x.basis, 'lineItemIds', x.line_item_ids, 'shares', x.shares, 'isEstimate', x.is_estimate,
      'createdAt', ${isoInstant(sql.fragment`x.created_at`)}
    ) order by x.id), '[]')
    from (
      select c.id, ${chargeColumns}, c.created_at
      from purchase_order_charge c
      where c.shop_id = ${shopId} and c.purchase_order_id = ${purchaseOrderId}
    ) x
  )
`

const lineIds = ({ lineItemIds }: WholeCharge) =>
  lineItemIds ? sql.array(lineItemIds, 'int8') : sql.fragment`null::int8[]`

const sharesJson = ({ shares }: WholeCharge) =>
  shares && JSON.stringify(Object.fromEntries(shares.map(({ lineItemId, amount }) => [lineItemId, amount])))

/** Locks the order, so that a receipt and a change of its charges follow each other. */
async function lockOrder(tx: Db, shopId: number, id: number): Promise<LockedOrder> {
  const order = await tx.maybeOne(sql.type(row(LockedOrder))`
    select o.status, ${currencyOf(shopId)} as shop_currency, coalesce(o.currency, ${currencyOf(shopId)}) as currency, o.rate,
      (
        select count(*) from purchase_order_charge c where c.shop_id = ${shopId} and c.purchase_order_id = o.id
      ) as charge_count
    from purchase_order o
    where o.shop_id = ${shopId} and o.id = ${id}
    for update of o
  `)
  if (!order) throw notFound('Purchase order')
  if (order.status === 'cancelled') throw conflict('A cancelled order has no costs.')
  return order
}

/** Fills in currency and rate. A typed rate is kept by day, as the default of later charges. */
async function completeCharge(
  tx: Db,
  shopId: number,
  order: LockedOrder,
  input: ChargeInput,
): Promise<WholeCharge> {
  const currency = input.currency ?? order.shopCurrency
  const faults: Fault[] = []
  const digits = minorDigitsOf(currency)
  if (Number(input.amount.toFixed(digits)) !== input.amount) {
    faults.push({ path: '/amount', message: `must have at most ${digits} decimals in ${currency}` })
  }
  if (currency === order.shopCurrency && input.rate !== undefined && input.rate !== 1) {
    faults.push({ path: '/rate', message: `must be 1, since ${currency} is the shop's currency` })
  }
  if (faults.length > 0) throw badRequest(faults)
  return {
    ...input,
    currency,
    rate: await rateOf(tx, shopId, order, { currency, rate: input.rate }),
    taxRate: input.taxRate ?? 0,
    lineItemIds: input.lineItemIds ?? null,
    shares: input.basis === 'manual' ? (input.shares ?? []) : null,
    isEstimate: input.isEstimate ?? false,
  }
}

async function rateOf(
  tx: Db,
  shopId: number,
  order: LockedOrder,
  { currency, rate }: { currency: string; rate: number | undefined },
): Promise<number> {
  if (currency === order.shopCurrency) return 1
  if (rate !== undefined) {
    await keepTypedRate(tx, shopId, { currency, rate })
    return rate
  }
  if (currency === order.currency && order.rate !== null) return order.rate
  const last = await tx.one(sql.type(row(Type.Object({ rate: Nullable(Type.Number()) })))`
    select ${lastRateOf(shopId, currency)} as rate
  `)
  if (last.rate !== null) return last.rate
  const details = [{ path: '/rate', message: `is required, since no rate of ${currency} is known` }]
  throw unprocessable('rate_missing', `Enter the exchange rate of ${currency}.`, details)
}

const ChargedLine = Type.Object({ id: Id, title: Type.String(), hasWeight: Type.Boolean() })

/**
 * Throws unknown_line; weight_missing with every line without a weight, for the basis weight; shares_do_not_add_up when the
 * merchant's shares are not the amount.
 */
async function requireCharge(
  tx: Db,
  shopId: number,
  purchaseOrderId: number,
  { basis, amount, lineItemIds, shares }: WholeCharge,
): Promise<void> {
  const lines = await tx.any(sql.type(row(ChargedLine))`
    select l.id, l.title, coalesce(v.weight_grams, 0) > 0 as has_weight
    from purchase_order_line l
    join variant v on v.shop_id = ${shopId} and v.id = l.variant_id
    where l.shop_id = ${shopId} and l.purchase_order_id = ${purchaseOrderId}
    order by l.position
  `)
  if (lines.length === 0) throw conflict('Add lines to the order before its charges.')
  const known = new Set(lines.map(({ id }) => id))
  const unknown = [
    ...(lineItemIds ?? []).map((id, at) => ({ id, path: `/lineItemIds/${at}` })),
    ...(shares ?? []).map(({ lineItemId: id }, at) => ({ id, path: `/shares/${at}/lineItemId` })),
  ].filter(({ id }) => !known.has(id))
  if (unknown.length > 0) {
    const details = unknown.map(({ path }) => ({ path, message: 'is not a line of this order' }))
    throw unprocessable('unknown_line', 'Some lines do not belong to this order.', details)
  }
  if (basis === 'weight') {
    const charged = lines.filter(({ id }) => lineItemIds === null || lineItemIds.includes(id))
    const details = charged
      .filter(({ hasWeight }) => !hasWeight)
      .map(({ title }) => ({ path: '/basis', message: `needs a weight of ${title}` }))
    if (details.length > 0) {
      const message = 'Some products have no weight. Enter it in your shop, or choose another basis.'
      throw unprocessable('weight_missing', message, details)
    }
  }
  if (shares) requireSum(shares, amount)
}

/** In ten-thousandths, which are exact: amounts have at most 4 decimals. */
function requireSum(shares: readonly { amount: number }[], amount: number): void {
  const units = (value: number) => BigInt(Math.round(value * 10_000))
  const sum = shares.reduce((total, share) => total + units(share.amount), 0n)
  if (sum === units(amount)) return
  const details = [
    { path: '/shares', message: `must add up to ${amount}, and add up to ${Number(sum) / 10_000}` },
  ]
  throw unprocessable('shares_do_not_add_up', 'The shares must add up to the charge.', details)
}

async function afterChange(tx: Db, shopId: number, purchaseOrderId: number, actor: string): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update purchase_order set updated_at = now(), version = version + 1 where shop_id = ${shopId} and id = ${purchaseOrderId}
  `)
  await bookLateCosts(tx, shopId, purchaseOrderId, actor)
}
