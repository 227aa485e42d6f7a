import { Type } from '@sinclair/typebox'
import { minorDigitsOf } from '../../../../currency.ts'
import { type Db, row, sql } from '../../../../db/db.ts'
import { Id } from '../../../../schemas/common.ts'
import type { Terms } from '../load.ts'
import type { PlannedLine } from './types.ts'

export type LineToWrite = { orderId: number; currency: string; line: PlannedLine; position: number }

/** Returns the new ids by line. */
export async function insertLines(
  tx: Db,
  { shopId }: Terms,
  lines: readonly LineToWrite[],
): Promise<Map<PlannedLine, number>> {
  if (lines.length === 0) return new Map()
  const records = lines.map(({ orderId, currency, line, position }) => ({
    order_id: orderId,
    position,
    variant_id: line.variant.id,
    sku: line.sku ?? line.variant.sku.slice(0, 255),
    title: line.title ?? (line.variant.title || line.variant.sku || 'Product').slice(0, 500),
    is_own_sku: line.sku !== null && line.sku !== line.variant.sku,
    is_own_title: line.title !== null && line.title !== line.variant.title,
    barcode: line.variant.barcode,
    quantity: line.quantity,
    accepted: line.accepted,
    cancelled: line.cancelled,
    cost: line.cost ?? 0,
    is_cost_known: line.cost !== null,
    supplier_sku: line.supplierSku,
    discount: line.discountPercent,
    tax: line.taxRate,
    digits: minorDigitsOf(currency),
    pack_size: line.packSize,
    credited: line.credited,
    rounded_up_by: line.roundedUpBy,
  }))
  const rows = await tx.any(sql.type(row(Type.Object({ id: Id, orderId: Id, position: Type.Integer() })))`
    insert into purchase_order_line (
      shop_id, purchase_order_id, position, variant_id, sku, title, barcode, is_own_sku, is_own_title, quantity, accepted,
      cancelled, cost_price, is_cost_known, supplier_sku, discount_percent, tax_rate, minor_digits, pack_size, credited, rounded_up_by
    )
    select ${shopId}, order_id, position, variant_id, sku, title, barcode, is_own_sku, is_own_title, quantity,
      accepted, cancelled, cost, is_cost_known, supplier_sku, discount, tax, digits, pack_size, credited, rounded_up_by
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as n (
      order_id bigint, position int, variant_id bigint, sku text, title text, barcode text, quantity int, accepted int,
      cancelled int, cost numeric, supplier_sku text, discount numeric, tax numeric, digits int,
      is_own_sku boolean, is_own_title boolean, pack_size int, credited int, rounded_up_by int,
      is_cost_known boolean
    )
    order by order_id, position
    returning id, purchase_order_id as order_id, position
  `)
  const idOf = new Map(rows.map(({ id, orderId, position }) => [`${orderId} ${position}`, id]))
  return new Map(lines.map(({ orderId, position, line }) => [line, idOf.get(`${orderId} ${position}`) ?? 0]))
}
