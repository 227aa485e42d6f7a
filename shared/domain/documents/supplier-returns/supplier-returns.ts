import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { type AppError, conflict, notFound, unprocessable } from '../../../errors.ts'
import { Id } from '../../../schemas/common.ts'
import {
  ChangedSupplierReturn,
  CreatedSupplierReturn,
  SupplierReturn,
  type SupplierReturnInput,
  type SupplierReturnLineInput,
  type SupplierReturnState,
} from '../../../schemas/supplier-returns.ts'
import { binAt } from '../../ledgers/stock/bins/bins.ts'
import { resolveLocation } from '../../ledgers/stock/resolve.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'
import { currencyOf } from '../../records/shops/currency.ts'
import { lockSupplierTerms, rateOf, rateToShop } from '../purchase-orders/currency.ts'
import { lockReceipt, receivedVariants, requireReturnable } from './returnable.ts'

/*
 * States of a return to a supplier, and the stock that each step moves:
 *   draft    -> shipped    ship: the pieces leave the location
 *   draft    -> cancelled  cancel: nothing moves
 *   shipped  -> credited   credit: the supplier's credit note
 *   shipped  -> cancelled  undo: the pieces come back to the location
 *   credited -> credited   credit: a corrected credit note
 * A return that is not cancelled keeps its receipt from being reversed.
 */

/** SQL columns of a return `b`, as `returnJoins` joins it. */
export const returnFields = (shopId: number) => sql.fragment`
  b.id, b.number, b.supplier_id, s.name as supplier_name, b.state, b.receipt_id, o.id as purchase_order_id, o.po_number,
  w.name as location_name, (
    select sum(l.quantity)::bigint
    from supplier_return_line l
    where l.shop_id = ${shopId} and l.supplier_return_id = b.id
  ) as pieces,
  coalesce(b.currency, ${currencyOf(shopId)}) as currency, b.credit_amount, b.credit_reference, b.created_at, b.shipped_at,
  b.credited_at
`

export const returnJoins = (shopId: number) => sql.fragment`
  join supplier s on s.shop_id = ${shopId} and s.id = b.supplier_id
  join location w on w.shop_id = ${shopId} and w.id = b.location_id
  left join receipt r on r.shop_id = ${shopId} and r.id = b.receipt_id
  left join purchase_order o on o.shop_id = ${shopId} and o.id = r.purchase_order_id
`

/**
 * Creates a draft, which moves no stock. Its currency is that of the receipt's order, the shop's for a receipt without an order, and
 * the supplier's without a receipt; the rate that of the order, else the last typed one.
 * Throws unknown_supplier, unknown_location, unknown_variant, and the errors of `lockReceipt` and `requireReturnable`.
 */
export function createSupplierReturn(
  db: Db,
  shopId: number,
  actor: string,
  input: SupplierReturnInput,
): Promise<CreatedSupplierReturn> {
  return db.transaction(async (tx) => {
    const { currency: ownCurrency, shopCurrency } = await lockSupplierTerms(tx, shopId, input.supplierId)
    const lines = await resolveLines(tx, shopId, input.lines)
    const locationId = await resolveLocation(tx, shopId, input.locationId)
    const { receiptId = null } = input
    const receipt = receiptId === null ? null : await lockReceipt(tx, shopId, receiptId, input.supplierId)
    if (receiptId !== null) await requireReturnable(tx, shopId, { id: 0, receiptId }, lines)
    const currency = receipt ? receipt.currency : ownCurrency
    return tx.one(sql.type(row(CreatedSupplierReturn))`
      with counter as (
        insert into supplier_return_counter as c (shop_id, last_number)
        values (${shopId}, 1)
        on conflict (shop_id) do update set last_number = c.last_number + 1
        returning last_number
      ),
      created as (
        insert into supplier_return (
          shop_id, serial, supplier_id, receipt_id, location_id, notes, supplier_reference, currency, rate, created_by
        )
        select ${shopId}, last_number, ${input.supplierId}, ${receiptId}::bigint, ${locationId}, ${input.notes ?? ''},
          ${input.supplierReference ?? ''}, ${currency}::text,
          ${rateOf(shopId, currency ?? shopCurrency, shopCurrency, receipt?.rate ?? null)}, ${actor}
        from counter
        returning id, number, state
      ),
      lines as (
        insert into supplier_return_line (shop_id, supplier_return_id, position, variant_id, quantity, reason)
        select ${shopId}, created.id, line.position, line.variant_id, line.quantity, line.reason
        from created, ${lineRows(lines)}
      )
      select id, number, state from created
    `)
  })
}

/** A return with its lines. Throws not_found. */
export async function getSupplierReturn(db: Db, shopId: number, id: number): Promise<SupplierReturn> {
  const found = await db.maybeOne(sql.type(row(SupplierReturn))`
    select ${returnFields(shopId)}, w.gid as location_id, b.notes, b.supplier_reference,
      ${rateToShop(shopId, 'b')} as rate,
      case when line.is_priced then round(line.worth, minor_digits(coalesce(b.currency, ${currencyOf(shopId)}))) end
        as expected_credit,
      b.created_by, coalesce(b.shipped_by, '') as shipped_by, b.updated_at, b.cancelled_at,
      coalesce(b.cancelled_by, '') as cancelled_by, b.version, line.lines
    from supplier_return b
    ${returnJoins(shopId)}
    cross join lateral (
      select coalesce(bool_and(x.unit_price is not null), false) as is_priced, sum(l.quantity * x.unit_price) as worth,
        coalesce(jsonb_agg(jsonb_build_object(
          'id', l.id, 'variantId', v.gid, 'sku', v.sku, 'title', ${variantTitle('v', 'p')},
          'bin', ${binAt(shopId, sql.fragment`l.variant_id`, sql.fragment`b.location_id`)}, 'quantity', l.quantity,
          'reason', l.reason, 'unitPrice', round(x.unit_price, 4), 'isStocked', l.is_stocked
        ) order by l.position), '[]') as lines
      from supplier_return_line l
      join variant v on v.shop_id = ${shopId} and v.id = l.variant_id
      join product p on p.shop_id = ${shopId} and p.id = v.product_id
      left join lateral (${receivedVariants(shopId, 'r')}) x on x.variant_id = l.variant_id
      where l.shop_id = ${shopId} and l.supplier_return_id = b.id
    ) line
    where b.shop_id = ${shopId} and b.id = ${id}
  `)
  if (!found) throw notFound('Supplier return')
  return found
}

export type ResolvedLine = { variantId: number; quantity: number; reason: string }

const Variant = Type.Object({ id: Id, gid: Type.String() })

/**
 * The row ids of the lines' variants, also of untracked and deleted ones: their goods can go back, too. Throws
 * unknown_variant with every fault.
 */
export async function resolveLines(
  tx: Db,
  shopId: number,
  lines: readonly SupplierReturnLineInput[],
): Promise<ResolvedLine[]> {
  const gids = [...new Set(lines.map(({ variantId }) => variantId))]
  const variants = await tx.any(sql.type(row(Variant))`
    select id, gid from variant where shop_id = ${shopId} and gid = any(${sql.array(gids, 'text')})
  `)
  const idOf = new Map(variants.map(({ id, gid }) => [gid, id]))
  const faults = lines.flatMap(({ variantId }, at) =>
    idOf.has(variantId) ? [] : [{ path: `/lines/${at}/variantId`, message: 'is not a variant of this shop' }],
  )
  if (faults.length > 0) {
    throw unprocessable('unknown_variant', 'A product in this request is not in this shop.', faults)
  }
  return lines.map(({ variantId, ...line }) => ({ ...line, variantId: idOf.get(variantId) ?? 0 }))
}

/** SQL row source `line` (position, variant_id, quantity, reason). */
export function lineRows(lines: readonly ResolvedLine[]) {
  const rows = lines.map(({ variantId, quantity, reason }, position) => [
    position,
    variantId,
    quantity,
    reason,
  ])
  return sql.fragment`
    ${sql.unnest(rows, ['int4', 'int8', 'int4', 'text'])} as line (position, variant_id, quantity, reason)
  `
}

const Current = Type.Omit(ChangedSupplierReturn, ['alreadyApplied'])

/**
 * For a guarded statement that changed no row: the return as it is when it is in the wanted state already. Throws
 * not_found, and conflict with the reason for its state.
 */
export async function transitionRefused(
  tx: Db,
  shopId: number,
  id: number,
  applied: readonly SupplierReturnState[],
  reasons: Partial<Record<SupplierReturnState, string>>,
): Promise<ChangedSupplierReturn> {
  const found = await tx.maybeOne(sql.type(row(Current))`
    select id, number, state, version from supplier_return where shop_id = ${shopId} and id = ${id}
  `)
  if (!found) throw notFound('Supplier return')
  if (applied.includes(found.state)) return { ...found, alreadyApplied: true }
  throw refusalOf(found.state, reasons)
}

const refusalOf = (
  state: SupplierReturnState,
  reasons: Partial<Record<SupplierReturnState, string>>,
): AppError => conflict(reasons[state] ?? 'This return was just changed by another user. Reload it.')
