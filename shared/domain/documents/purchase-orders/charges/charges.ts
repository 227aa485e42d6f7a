import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { conflict, notFound } from '../../../../errors.ts'
import {
  ChargeBasis,
  ChargeId,
  type ChargeInput,
  ChargeKind,
  type ChargePatch,
} from '../../../../schemas/charges.ts'
import { Id, Nullable } from '../../../../schemas/common.ts'
import { isoInstant } from '../../../kit/date-range.ts'
import { bookLateCosts } from '../../../ledgers/costs/book.ts'
import { currencyOf } from '../../../records/shops/currency.ts'
import { requireVersion } from '../version.ts'
import { completeCharge } from './charge-rate.ts'
import { requireCharge, type WholeCharge } from './charge-rules.ts'

const maxCharges = 50

const LockedOrder = Type.Object({
  status: Type.String(),
  shopCurrency: Type.String(),
  currency: Type.String(),
  rate: Nullable(Type.Number()),
  version: Type.Integer(),
  chargeCount: Type.Integer(),
})
type LockedOrder = Static<typeof LockedOrder>

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
    if (order.chargeCount >= maxCharges) {
      throw conflict(`An order has at most ${maxCharges} charges. Delete one before you add another.`)
    }
    const charge = await completeCharge(tx, shopId, order, input)
    await requireCharge(tx, shopId, purchaseOrderId, charge)
    if (charge.basis === 'weight') await readWeightsAgain(tx, shopId, purchaseOrderId, charge)
    const created = await tx.one(sql.type(row(ChargeId))`
      insert into purchase_order_charge (
        shop_id, purchase_order_id, kind, amount, currency, rate, is_rate_typed, tax_rate, basis, line_ids, shares, is_estimate,
        created_by
      )
      values (
        ${shopId}, ${purchaseOrderId}, ${charge.kind}, ${charge.amount}, ${charge.currency}, ${charge.rate},
        ${charge.isRateTyped}, ${charge.taxRate}, ${charge.basis}, ${lineIds(charge)}, ${sharesJson(charge)}::jsonb, ${charge.isEstimate}, ${actor}
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
  isRateTyped: Type.Boolean(),
  taxRate: Type.Number(),
  basis: ChargeBasis,
  lineItemIds: Nullable(Type.Array(Id)),
  shares: Nullable(Type.Array(Type.Object({ lineItemId: Id, amount: Type.Number() }))),
  isEstimate: Type.Boolean(),
})

/**
 * Changes the given fields of a charge, for example an estimate to what the bill says. Throws as `addCharge`, and stale_version when
 * `version` is not the current one of the order.
 */
export function updateCharge(
  db: Db,
  shopId: number,
  { id: purchaseOrderId, chargeId }: { id: number; chargeId: number },
  actor: string,
  { version, ...patch }: ChargePatch,
): Promise<Static<typeof ChargeId>> {
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, shopId, purchaseOrderId)
    requireVersion(order, { version })
    const stored = await tx.maybeOne(sql.type(row(StoredCharge))`
      select ${chargeColumns(shopId)} from purchase_order_charge c
      where c.shop_id = ${shopId} and c.purchase_order_id = ${purchaseOrderId} and c.id = ${chargeId}
    `)
    if (!stored) throw notFound('Charge')
    // a charge that becomes one by hand is of all lines, since its shares name them
    const { rate, isRateTyped, shares, lineItemIds, ...kept } = stored
    const input = {
      ...kept,
      ...(patch.basis === undefined || patch.basis === 'manual' ? { shares } : {}),
      ...(patch.basis === 'manual' && stored.basis !== 'manual' ? {} : { lineItemIds }),
      ...patch,
    }
    // another currency has another rate; a rate that repeats the stored one is not typed again
    const isKept = input.currency === stored.currency && (patch.rate === undefined || patch.rate === rate)
    const charge = await completeCharge(tx, shopId, order, input, isKept ? { rate, isRateTyped } : null)
    // a removed line has left a gap in the shares, which another field need not close
    const isSplitAgain = [patch.amount, patch.basis, patch.shares, patch.lineItemIds].some(
      (value) => value !== undefined,
    )
    await requireCharge(tx, shopId, purchaseOrderId, charge, { isSplitAgain })
    if (charge.basis === 'weight') await readWeightsAgain(tx, shopId, purchaseOrderId, charge)
    await tx.query(sql.typeAlias('void')`
      update purchase_order_charge
      set kind = ${charge.kind}, amount = ${charge.amount}, currency = ${charge.currency}, rate = ${charge.rate},
        is_rate_typed = ${charge.isRateTyped}, tax_rate = ${charge.taxRate}, basis = ${charge.basis}, line_ids = ${lineIds(charge)},
        shares = ${sharesJson(charge)}::jsonb, is_estimate = ${charge.isEstimate}, updated_at = now()
      where shop_id = ${shopId} and purchase_order_id = ${purchaseOrderId} and id = ${chargeId}
    `)
    await afterChange(tx, shopId, purchaseOrderId, actor)
    return { id: chargeId }
  })
}

/** Deletes a charge; what it added to the cost of received goods is taken out again. Throws not_found, conflict, stale_version. */
export function deleteCharge(
  db: Db,
  shopId: number,
  { id: purchaseOrderId, chargeId }: { id: number; chargeId: number },
  actor: string,
  { version }: { version?: number } = {},
): Promise<{ message: string }> {
  return db.transaction(async (tx) => {
    requireVersion(await lockOrder(tx, shopId, purchaseOrderId), { version })
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

/** SQL columns of a charge `c` as the API has it. Lines that were removed from the order are left out. */
const chargeColumns = (shopId: number) => sql.fragment`
  c.kind, c.amount, c.currency, c.rate, c.is_rate_typed, c.tax_rate, c.basis, (
    select jsonb_agg(l.id order by l.position)
    from purchase_order_line l
    where l.shop_id = ${shopId} and l.purchase_order_id = c.purchase_order_id and l.id = any(c.line_ids)
  ) as line_item_ids, (
    select jsonb_agg(jsonb_build_object('lineItemId', l.id, 'amount', (c.shares->>(l.id::text))::numeric) order by l.id)
    from purchase_order_line l
    where l.shop_id = ${shopId} and l.purchase_order_id = c.purchase_order_id and c.shares ? l.id::text
  ) as shares, c.is_estimate
`

/** SQL for a JSON list of the charges of an order, oldest first. */
export const chargesOf = (shopId: number, purchaseOrderId: number) => sql.fragment`
  (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', x.id, 'kind', x.kind, 'amount', x.amount, 'currency', x.currency, 'rate', x.rate, 'isRateTyped', x.is_rate_typed,
      'taxRate', x.tax_rate, 'basis', x.basis, 'lineItemIds', x.line_item_ids, 'shares', x.shares, 'isEstimate', x.is_estimate,
      'createdAt', ${isoInstant(sql.fragment`x.created_at`)}
    ) order by x.id), '[]')
    from (
      select c.id, ${chargeColumns(shopId)}, c.created_at
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
    select o.status, o.version, ${currencyOf(shopId)} as shop_currency, coalesce(o.currency, ${currencyOf(shopId)}) as currency, o.rate,
      (
        select count(*) from purchase_order_charge c where c.shop_id = ${shopId} and c.purchase_order_id = o.id
      ) as charge_count
    from purchase_order o
    where o.shop_id = ${shopId} and o.id = ${id}
    for update of o
  `)
  if (!order) throw notFound('Purchase order')
  if (order.status === 'cancelled') throw conflict('This order is cancelled, so its charges cannot change.')
  return order
}

/** An order keeps the weights of its first receipt; saving a charge by weight takes those of today for its lines. */
async function readWeightsAgain(
  tx: Db,
  shopId: number,
  purchaseOrderId: number,
  charge: WholeCharge,
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update purchase_order_line
    set weight_grams = null
    where shop_id = ${shopId} and purchase_order_id = ${purchaseOrderId} and weight_grams is not null
      and (${charge.lineItemIds === null} or id = any(${lineIds(charge)}))
  `)
}

async function afterChange(tx: Db, shopId: number, purchaseOrderId: number, actor: string): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update purchase_order set updated_at = now(), version = version + 1 where shop_id = ${shopId} and id = ${purchaseOrderId}
  `)
  await bookLateCosts(tx, shopId, purchaseOrderId, actor)
}
