import { type Static, Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import { conflict, type Fault, notFound, refuseFaults, unprocessable } from '../../../errors.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import { ReturnableReceipt } from '../../../schemas/supplier-returns.ts'
import { binAt } from '../../ledgers/stock/bins/bins.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'
import { afterDiscount } from '../purchase-orders/lines/discount.ts'
import { knownCost } from '../purchase-orders/lines/lines.ts'
import { postedAt } from '../receipts/of-order.ts'

/*
 * A receipt limits its returns by variant, not by line: a box does not say to which line its pieces belong.
 * Example: two lines of a cup brought 6 and 4; a return of 7 leaves 3.
 */

/**
 * SQL: the variants of a receipt with their accepted pieces, from the alias of the receipt, and what the supplier charged for one of
 * them, not rounded: the cost that was entered at the receipt, else the price of the order after discounts.
 */
export const receivedVariants = (shopId: number, receipt: string) => sql.fragment`
  select y.variant_id, min(y.position) as position, sum(y.quantity)::int as quantity,
    case when bool_and(y.price is not null) then sum(y.quantity * y.price) / sum(y.quantity) end as unit_price
  from (
    select l.variant_id, l.position, x.quantity, coalesce(
      x.unit_cost,
      ${knownCost('l')} * (1 - l.discount_percent / 100)
        * ${afterDiscount('o')}
    ) as price
    from receipt_line x
    join purchase_order_line l on l.shop_id = ${shopId} and l.id = x.purchase_order_line_id
    join purchase_order o on o.shop_id = ${shopId} and o.id = l.purchase_order_id
    where x.shop_id = ${shopId} and x.receipt_id = ${sql.identifier([receipt, 'id'])} and x.quantity > 0
    union all
    select d.variant_id, d.position, d.quantity, d.unit_cost
    from direct_receipt_line d
    where d.shop_id = ${shopId} and d.receipt_id = ${sql.identifier([receipt, 'id'])}
  ) y
  group by y.variant_id
`

/** SQL: the pieces of a variant that returns of a receipt hold, without cancelled ones and the return `exceptId`. */
export const returnedPieces = (
  shopId: number,
  {
    receipt,
    variant,
    exceptId = 0,
  }: { receipt: FragmentSqlToken; variant: FragmentSqlToken; exceptId?: number },
) => sql.fragment`
  (
    select coalesce(sum(b.quantity), 0)::int
    from supplier_return a
    join supplier_return_line b on b.shop_id = ${shopId} and b.supplier_return_id = a.id
    where a.shop_id = ${shopId} and a.receipt_id = ${receipt} and a.state <> 'cancelled' and a.id <> ${exceptId}
      and b.variant_id = ${variant}
  )
`

/** A variant `x` of the receipt `r`. */
const aliases = { receipt: sql.fragment`r.id`, variant: sql.fragment`x.variant_id` }

/** The pieces of a posted receipt that the merchant can still return. Throws not_found, also for a draft. */
export async function getReturnable(db: Db, shopId: number, receiptId: number): Promise<ReturnableReceipt> {
  const receipt = await db.maybeOne(sql.type(row(ReturnableReceipt))`
    select r.id as receipt_id, s.id as supplier_id, s.name as supplier_name, o.id as purchase_order_id, o.po_number,
      w.gid as location_id, w.name as location_name, ${postedAt('r')} as received_at, r.reversed_at is not null as is_reversed,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'variantId', v.gid, 'sku', v.sku, 'title', ${variantTitle('v', 'p')},
          'bin', ${binAt(shopId, sql.fragment`x.variant_id`, sql.fragment`r.location_id`)}, 'received', x.quantity,
          'returned', back.quantity, 'returnable', greatest(x.quantity - back.quantity, 0)
        ) order by x.position), '[]')
        from (${receivedVariants(shopId, 'r')}) x
        cross join lateral (select ${returnedPieces(shopId, aliases)} as quantity) back
        join variant v on v.shop_id = ${shopId} and v.id = x.variant_id
        join product p on p.shop_id = ${shopId} and p.id = v.product_id
      ) as lines
    from receipt r
    left join purchase_order o on o.shop_id = ${shopId} and o.id = r.purchase_order_id
    left join supplier s on s.shop_id = ${shopId} and s.id = coalesce(o.supplier_id, r.supplier_id)
    join location w on w.shop_id = ${shopId} and w.id = r.location_id
    where r.shop_id = ${shopId} and r.id = ${receiptId} and r.state = 'posted'
  `)
  if (!receipt) throw notFound('Receipt')
  return receipt
}

const LockedReceipt = Type.Object({
  isReversed: Type.Boolean(),
  isPosted: Type.Boolean(),
  supplierId: Nullable(Id),
  currency: Nullable(Type.String()),
  rate: Nullable(Type.Number()),
})
type LockedReceipt = Static<typeof LockedReceipt>

/**
 * Locks a receipt of the supplier: until the transaction ends, it is not reversed and gets no other return. Throws
 * unknown_receipt, and conflict for a draft and a reversed one.
 */
export async function lockReceipt(
  tx: Db,
  shopId: number,
  receiptId: number,
  supplierId: number,
): Promise<LockedReceipt> {
  const receipt = await tx.maybeOne(sql.type(row(LockedReceipt))`
    select r.reversed_at is not null as is_reversed, r.state = 'posted' as is_posted,
      coalesce(o.supplier_id, r.supplier_id) as supplier_id, o.currency, o.rate
    from receipt r
    left join purchase_order o on o.shop_id = ${shopId} and o.id = r.purchase_order_id
    where r.shop_id = ${shopId} and r.id = ${receiptId}
    for no key update of r
  `)
  if (!receipt) throw unknownReceipt('is not a receipt of this shop')
  if (receipt.supplierId !== null && receipt.supplierId !== supplierId) {
    throw unknownReceipt('is not a receipt of this supplier')
  }
  if (!receipt.isPosted) throw conflict('This receipt is a draft. Post it before its goods go back.')
  if (receipt.isReversed) throw conflict('This receipt was reversed, so none of its goods can go back.')
  return receipt
}

const unknownReceipt = (message: string) =>
  unprocessable('unknown_receipt', 'Choose a receipt of goods from this supplier.', [
    { path: '/receiptId', message },
  ])

const Held = Type.Object({ variantId: Id, received: Type.Integer(), returned: Type.Integer() })

/**
 * Checks the lines of a return against its receipt, which the caller must have locked, and its other returns. `id` is
 * that of the return, 0 for a new one. Throws unknown_line and over_return with every fault.
 */
export async function requireReturnable(
  tx: Db,
  shopId: number,
  { id, receiptId }: { id: number; receiptId: number },
  lines: readonly { variantId: number; quantity: number }[],
): Promise<void> {
  const rows = await tx.any(sql.type(row(Held))`
    select x.variant_id, x.quantity as received,
      ${returnedPieces(shopId, { ...aliases, exceptId: id })} as returned
    from receipt r
    cross join lateral (${receivedVariants(shopId, 'r')}) x
    where r.shop_id = ${shopId} and r.id = ${receiptId}
  `)
  const leftOf = new Map(rows.map(({ variantId, received, returned }) => [variantId, received - returned]))
  const unknown = lines.flatMap(({ variantId }, at): Fault[] =>
    leftOf.has(variantId)
      ? []
      : [{ path: `/lines/${at}/variantId`, message: 'did not arrive with this receipt' }],
  )
  refuseFaults('unknown_line', 'Some products did not arrive with this receipt. Remove them.', unknown)
  const wanted = new Map<number, number>()
  for (const { variantId, quantity } of lines) wanted.set(variantId, (wanted.get(variantId) ?? 0) + quantity)
  const over = lines.flatMap(({ variantId }, at): Fault[] => {
    const left = Math.max(leftOf.get(variantId) ?? 0, 0)
    if ((wanted.get(variantId) ?? 0) <= left) return []
    return [{ path: `/lines/${at}/quantity`, message: `only ${left} can still be returned` }]
  })
  refuseFaults(
    'over_return',
    'The quantities exceed what can still be returned from this receipt. Lower them.',
    over,
  )
}
