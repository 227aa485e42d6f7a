import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { Id } from '../../../../schemas/common.ts'

/** A new line of an imported order, by the names that the statement reads. */
export type ImportedLine = {
  order_id: number
  position: number
  variant_id: number
  sku: string
  title: string
  is_own_sku: boolean
  is_own_title: boolean
  barcode: string
  quantity: number
  accepted: number
  cancelled: number
  cost: number
  is_cost_known: boolean
  supplier_sku: string
  discount: number
  tax: number
  /** Of the currency of the order. */
  digits: number
  pack_size: number
  credited: number
  rounded_up_by: number
}

const NewLine = Type.Object({ id: Id, orderId: Id, position: Type.Integer() })

/** Returns the new ids in the order of the lines. */
export async function insertImportedLines(
  tx: Db,
  shopId: number,
  lines: readonly ImportedLine[],
): Promise<number[]> {
  if (lines.length === 0) return []
  const rows = await tx.any(sql.type(row(NewLine))`
    insert into purchase_order_line (
      shop_id, purchase_order_id, position, variant_id, sku, title, barcode, is_own_sku, is_own_title, quantity, accepted,
      cancelled, cost_price, is_cost_known, supplier_sku, discount_percent, tax_rate, minor_digits, pack_size, credited, rounded_up_by
    )
    select ${shopId}, order_id, position, variant_id, sku, title, barcode, is_own_sku, is_own_title, quantity,
      accepted, cancelled, cost, is_cost_known, supplier_sku, discount, tax, digits, pack_size, credited, rounded_up_by
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as n (
      order_id bigint, position int, variant_id bigint, sku text, title text, barcode text, quantity int, accepted int,
      cancelled int, cost numeric, supplier_sku text, discount numeric, tax numeric, digits int,
      is_own_sku boolean, is_own_title boolean, pack_size int, credited int, rounded_up_by int,
      is_cost_known boolean
    )
    order by order_id, position
    returning id, purchase_order_id as order_id, position
  `)
  const idOf = new Map(rows.map(({ id, orderId, position }) => [`${orderId} ${position}`, id]))
  return lines.map((line) => idOf.get(`${line.order_id} ${line.position}`) ?? 0)
}
