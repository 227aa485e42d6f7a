import { type Static, Type } from '@sinclair/typebox'
import { toCsv } from '../../../../csv.ts'
import { type Db, row, sql } from '../../../../db/db.ts'
import { notFound } from '../../../../errors.ts'
import { Id, Nullable } from '../../../../schemas/common.ts'
import { knownCost, shownSku } from '../lines/lines.ts'

const columns = [
  { key: 'sku', header: 'SKU' },
  { key: 'barcode', header: 'Barcode' },
  { key: 'supplierSku', header: 'Supplier SKU' },
  { key: 'quantity', header: 'Quantity' },
  { key: 'cost', header: 'Cost' },
  { key: 'tax', header: 'Tax' },
]

const TemplateLine = Type.Object({
  sku: Type.String(),
  barcode: Type.String(),
  supplierSku: Type.String(),
  quantity: Type.Integer(),
  cost: Nullable(Type.Number()),
  tax: Type.Number(),
})
const TemplateOrder = Type.Object({ id: Id, poNumber: Type.String(), lines: Type.Array(TemplateLine) })
export type TemplateOrder = Static<typeof TemplateOrder>

/** 20 orders of at most 2 000 lines. */
const pageOrders = 20

/** The lines of an order in the columns of the platform's template for importing a purchase order. */
export const templateCsv = ({ lines }: TemplateOrder): string => toCsv(lines, columns)

/**
 * A page of orders after an id, oldest first, or one order, in the terms of the platform's template. It has no discounts:
 * `cost` is the cost of a piece after the line's discount. Example: 12.50 with 10 % off is 11.25. `tax` is in percent.
 */
export function readTemplateOrders(
  db: Db,
  shopId: number,
  { afterId = 0, id = null }: { afterId?: number; id?: number | null },
): Promise<readonly TemplateOrder[]> {
  return db.any(sql.type(row(TemplateOrder))`
    select o.id, o.po_number, (
      select coalesce(json_agg(json_build_object(
        'sku', ${shownSku({ order: 'o', line: 'l', variant: 'v' })}, 'barcode', coalesce(l.barcode, v.barcode), 'supplierSku', l.supplier_sku,
        'quantity', l.quantity, 'cost', trim_scale(round(${knownCost('l')} * (1 - l.discount_percent / 100), 4)),
        'tax', trim_scale(l.tax_rate)
      ) order by l.position), '[]')
      from purchase_order_line l
      join variant v on v.shop_id = ${shopId} and v.id = l.variant_id
      where l.shop_id = ${shopId} and l.purchase_order_id = o.id
    ) as lines
    from purchase_order o
    where o.shop_id = ${shopId} and o.id > ${afterId} and (${id}::int8 is null or o.id = ${id}::int8)
    order by o.id
    limit ${pageOrders}
  `)
}

/** Throws not_found. */
export async function getTemplateOrder(db: Db, shopId: number, id: number): Promise<TemplateOrder> {
  const [order] = await readTemplateOrders(db, shopId, { id })
  if (!order) throw notFound('Purchase order')
  return order
}
