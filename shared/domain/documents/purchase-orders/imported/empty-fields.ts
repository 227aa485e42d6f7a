import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { Id, Nullable } from '../../../../schemas/common.ts'
import { emptied, hasOtherValues } from '../../../kit/filled-fields.ts'
import { orderColumns } from './fill.ts'

/** What an import filled in on an order: fields by column (`fillImportedOrders`), and ids of charges. */
export type OrderToEmpty = { id: number; fields: unknown; charges: readonly number[] }

const Emptied = Type.Object({
  id: Id,
  version: Type.Integer(),
  poNumber: Type.String(),
  isOwnTax: Type.Boolean(),
  /** Null: the import did not fill it in. */
  filledDiscount: Nullable(Type.Number()),
  /** A field has another value, or a charge was changed; both stay. */
  hasOthers: Type.Boolean(),
})

/**
 * Empties the fields of orders that an import filled in and that still have the imported value, and deletes the charges that it
 * added, unless they have been changed since. The caller must have locked the orders.
 */
export async function emptyFilledOrders(
  tx: Db,
  shopId: number,
  orders: readonly OrderToEmpty[],
): Promise<readonly Static<typeof Emptied>[]> {
  if (orders.length === 0) return []
  return tx.any(sql.type(row(Emptied))`
    with restored as (
      update purchase_order o
      set ${emptied(orderColumns, 'o', 'f')},
        tax = case
          when not o.is_own_tax and o.discount = f.discount then (select s.tax from order_state(${shopId}, o.id) s)
          else o.tax
        end,
        version = o.version + 1, updated_at = ${new Date().toISOString()}
      from jsonb_to_recordset(${JSON.stringify(orders)}::jsonb) as n (id bigint, fields jsonb, charges jsonb)
      cross join lateral jsonb_populate_record(null::purchase_order, n.fields) f
      where o.shop_id = ${shopId} and o.id = n.id
      returning o.id, o.version, o.po_number, o.is_own_tax, n.charges, f.discount as filled_discount,
        ${hasOtherValues(orderColumns, 'o', 'f')} as has_others
    ),
    added as materialized (
      select c.id, c.updated_at > c.created_at as is_changed, r.id as order_id
      from restored r
      join purchase_order_charge c on c.shop_id = ${shopId} and c.purchase_order_id = r.id
        and r.charges @> to_jsonb(c.id)
    ),
    removed as (
      delete from purchase_order_charge c
      using added a
      where c.shop_id = ${shopId} and c.id = a.id and not a.is_changed
    )
    select id, version, po_number, is_own_tax, filled_discount,
      has_others or id in (select order_id from added where is_changed) as has_others
    from restored
  `)
}
