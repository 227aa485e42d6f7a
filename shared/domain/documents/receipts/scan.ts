import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { AppError, conflict, notFound } from '../../../errors.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import { PurchaseOrderStatus } from '../../../schemas/purchase-orders.ts'
import { ScannedLine } from '../../../schemas/receipts.ts'
import { contains } from '../../kit/search.ts'
import { hasBarcode, hasPackBarcode, hasSku } from '../../records/catalogue/has-code.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'

const Match = Type.Object({
  status: PurchaseOrderStatus,
  /** Null when the code names no line of the order. */
  line: Nullable(ScannedLine),
})

/**
 * Finds the line of an order that a code names, without regard to case and to the leading zeros of a barcode. Of several lines, one with
 * outstanding pieces comes first, then the first kind of code that matches:
 *
 *   1  barcode of the product                2  SKU        3  supplier SKU        4  barcode of a pack: counts its pieces
 *
 * The barcode of a pack is the manufacturer's, so it counts from the catalogue of any supplier, that of the order's supplier first.
 *
 * Throws not_found for an unknown order, unknown_code, on_other_order when another order expects the product, complete when no
 * piece of the line is outstanding, and conflict when the order is a draft or cancelled.
 */
export async function scanCode(
  db: Db,
  shopId: number,
  purchaseOrderId: number,
  given: string,
): Promise<ScannedLine> {
  const code = given.trim()
  const match = await findInOrder(db, shopId, purchaseOrderId, code)
  if (!match) throw notFound('Purchase order')
  if (match.status === 'draft')
    throw conflict('This order is a draft. Send it before you receive goods against it.')
  if (match.status === 'cancelled')
    throw conflict('This order is cancelled. Create a new one for goods that still arrive.')
  const { line } = match
  if (!line) throw await explain(db, shopId, purchaseOrderId, code)
  if (line.outstanding > 0) return line
  const fault = {
    path: '/code',
    message: 'has no outstanding pieces',
    lineItemId: line.lineItemId,
    outstanding: 0,
  }
  throw new AppError('conflict', 'complete', `All pieces of ${line.title} have arrived.`, [fault])
}

function findInOrder(
  db: Db,
  shopId: number,
  purchaseOrderId: number,
  code: string,
): Promise<Static<typeof Match> | null> {
  return db.maybeOne(sql.type(row(Match))`
    with wanted as (select lower(${code}) as code, scan_code(${code}) as barcode)
    select o.status, (
      select jsonb_build_object(
        'lineItemId', l.id, 'sku', l.sku, 'title', l.title, 'outstanding', rest.outstanding,
        'packSize', case when kind.kind = 4 then sold.pack_size else 1 end
      )
      from wanted
      cross join purchase_order_line l
      join variant v on v.shop_id = ${shopId} and v.id = l.variant_id
      left join lateral (
        select p.pack_size, scan_code(p.pack_barcode) as pack_barcode,
          case when p.supplier_id = o.supplier_id then lower(p.supplier_sku) end as supplier_sku
        from supplier_product p
        where p.shop_id = ${shopId} and p.variant_id = l.variant_id
          and (
            wanted.barcode = scan_code(p.pack_barcode)
            or p.supplier_id = o.supplier_id and wanted.code = lower(p.supplier_sku)
          )
        order by p.supplier_id = o.supplier_id desc, p.is_active desc, p.rank, p.id
        limit 1
      ) sold on true
      cross join lateral (
        select case
          when wanted.barcode in (scan_code(v.barcode), scan_code(coalesce(l.barcode, ''))) then 1
          when wanted.code in (lower(l.sku), lower(v.sku)) then 2
          when wanted.code = lower(l.supplier_sku) or wanted.code = sold.supplier_sku then 3
          when wanted.barcode = sold.pack_barcode then 4
        end as kind
      ) kind
      cross join lateral (select greatest(l.quantity - l.accepted - l.cancelled, 0) as outstanding) rest
      where l.shop_id = ${shopId} and l.purchase_order_id = o.id and kind.kind is not null
      order by rest.outstanding > 0 desc, kind.kind, l.position
      limit 1
    ) as line
    from purchase_order o
    where o.shop_id = ${shopId} and o.id = ${purchaseOrderId}
  `)
}

const Named = Type.Object({
  title: Type.String(),
  /** A line of this order has the product, though not by this code: it is the SKU of another supplier. */
  isOnThisOrder: Type.Boolean(),
  purchaseOrderId: Nullable(Id),
  poNumber: Nullable(Type.String()),
})

/** The error for a code that names no line of the order. The oldest other order that expects its product comes first. */
async function explain(db: Db, shopId: number, purchaseOrderId: number, code: string): Promise<AppError> {
  const inProduct = contains(sql.fragment`lower(p.supplier_sku || ' ' || p.pack_barcode)`, code)
  const named =
    inProduct &&
    (await db.maybeOne(sql.type(row(Named))`
      with wanted as (select lower(${code}) as code, scan_code(${code}) as barcode),
      named as (
        select v.id as variant_id, null::bigint as supplier_id
        from wanted
        join variant v on v.shop_id = ${shopId} and ${hasBarcode('v', 'wanted')}
        where v.deleted_at is null
        union
        select v.id, null
        from wanted
        join variant v on v.shop_id = ${shopId} and ${hasSku('v', 'wanted')}
        where v.deleted_at is null
        union
        select p.variant_id, null
        from wanted
        join supplier_product p on p.shop_id = ${shopId} and ${hasPackBarcode('p', 'wanted')}
        union
        select p.variant_id, p.supplier_id
        from wanted
        join supplier_product p on p.shop_id = ${shopId} and ${inProduct} and lower(p.supplier_sku) = wanted.code
      )
      select ${variantTitle('v', 'p')} as title, other.id as purchase_order_id, other.po_number,
        exists (
          select from purchase_order_line l
          where l.shop_id = ${shopId} and l.purchase_order_id = ${purchaseOrderId} and l.variant_id = named.variant_id
        ) as is_on_this_order
      from named
      join variant v on v.shop_id = ${shopId} and v.id = named.variant_id
      join product p on p.shop_id = ${shopId} and p.id = v.product_id
      left join lateral (
        select o.id, o.po_number
        from purchase_order_line l
        join purchase_order o on o.shop_id = ${shopId} and o.id = l.purchase_order_id
        where l.shop_id = ${shopId} and l.variant_id = named.variant_id and l.quantity > l.accepted + l.cancelled
          and o.status in ('sent', 'partial') and o.id <> ${purchaseOrderId}
          and (named.supplier_id is null or o.supplier_id = named.supplier_id)
        order by o.id
        limit 1
      ) other on true
      order by other.id nulls last, is_on_this_order desc
      limit 1
    `))
  if (!named) return unknownCode('No product has this code.', 'is not a code of any product')
  const { title, isOnThisOrder, purchaseOrderId: otherId, poNumber } = named
  if (otherId === null || poNumber === null) {
    if (isOnThisOrder) {
      const text = `This order has ${title}, but this is the SKU of another supplier. Scan its barcode or SKU.`
      return unknownCode(text, 'is the SKU of another supplier')
    }
    return unknownCode(`No open order expects ${title}.`, 'names a product that no open order expects')
  }
  return new AppError('conflict', 'on_other_order', `${title} is on ${poNumber} instead.`, [
    { path: '/code', message: `is on ${poNumber}`, purchaseOrderId: otherId, poNumber },
  ])
}

const unknownCode = (text: string, message: string) =>
  new AppError('not_found', 'unknown_code', text, [{ path: '/code', message }])
