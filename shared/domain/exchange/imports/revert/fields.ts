import { Type } from '@sinclair/typebox'
import { row, sql } from '../../../../db/db.ts'
import { Id, Nullable } from '../../../../schemas/common.ts'
import { emptyFilledOrders } from '../../../documents/purchase-orders/imported/empty-fields.ts'
import { followDueDates, followLeadTimes } from '../../../documents/purchase-orders/overdue.ts'
import { emptied, hasOtherValues } from '../../../kit/filled-fields.ts'
import { fillableColumns } from '../../../records/suppliers/columns.ts'
import { lockRecords } from '../locks.ts'
import { hasNewReceipts, isMailed } from './order-use.ts'
import { Kept, type Remover } from './remover.ts'

const FilledOrder = Type.Object({
  id: Id,
  /** Why the order keeps all; null: nothing has used it. */
  message: Nullable(Type.String()),
  fields: Nullable(Type.Record(Type.String(), Type.Unknown())),
  charges: Nullable(Type.Array(Id)),
})

/**
 * Empties the fields of orders of earlier imports that this one filled in, and deletes the charges that it added, unless the
 * merchant has changed them since. An order that was received or e-mailed since keeps all of them. Runs after `revertLines`, which
 * also restores the discount. Returns the orders that keep something, and why.
 */
export const revertOrderFields: Remover = async (tx, shopId, importId, ids) => {
  await lockRecords(tx, shopId, 'purchase_order', ids)
  const orders = await tx.any(sql.type(row(FilledOrder))`
    select o.id, t.before->'fields' as fields, t.before->'charges' as charges, case
      when ${hasNewReceipts(shopId, 'o')} then 'Receipts of ' || o.po_number || ' have been entered or undone since, so the fields that the import filled in stay.'
      when ${isMailed(shopId, 'o')} then o.po_number || ' has been e-mailed since, so the fields that the import filled in stay.'
    end as message
    from purchase_order o
    join import_target t on t.shop_id = ${shopId} and t.import_id = ${importId} and t.target = 'filled_purchase_order'
      and t.target_id = o.id
    where o.shop_id = ${shopId} and o.id = any(${sql.array(ids, 'int8')})
  `)
  const free = orders.filter(({ message }) => message === null)
  const restored = await emptyFilledOrders(
    tx,
    shopId,
    free.map(({ id, fields, charges }) => ({ id, fields, charges: charges ?? [] })),
  )
  await tx.query(sql.typeAlias('void')`
    update import_target t
    set before = coalesce(t.before, '{}') || jsonb_build_object('version', n.version) || case
      -- the order before the lines of another import: a revert of that import must restore neither this discount nor its tax
      when (t.before->'order'->>'discount')::numeric = n.filled_discount then jsonb_build_object('order',
        t.before->'order' || case when n.is_own_tax then '{"discount": 0}' else '{"discount": 0, "tax": null}'::jsonb end
      )
      else '{}'
    end
    from ${sql.unnest(
      restored.map(({ id, version, filledDiscount, isOwnTax }) => [id, version, filledDiscount, isOwnTax]),
      ['int8', 'int4', 'numeric', 'bool'],
    )} as n (id, version, filled_discount, is_own_tax)
    where t.shop_id = ${shopId} and t.target = 'purchase_order' and t.target_id = n.id
      and coalesce((t.before->>'version')::int, t.version) = n.version - 1
  `)
  const expected = orders.flatMap(({ id, fields }) => (fields && 'expected_at' in fields ? [id] : []))
  await followDueDates(tx, shopId, sql.fragment`o.id = any(${sql.array(expected, 'int8')})`)
  return [
    ...orders.flatMap(({ id, message }) => (message === null ? [] : [{ targetId: id, message }])),
    ...restored.flatMap(({ id, poNumber, hasOthers }) =>
      hasOthers
        ? [{ targetId: id, message: `${poNumber} has been changed since. What was changed stays.` }]
        : [],
    ),
  ]
}

/**
 * The same for suppliers. If nothing has changed a supplier since this import, the targets of other imports get its new version, so
 * that they can be reverted, too. Contacts and names that this import added stay. A currency stays while an amount, a price or an
 * order of the supplier is in it, since an amount without a currency is in the shop's currency.
 */
export const revertSupplierFields: Remover = async (tx, shopId, importId, ids) => {
  const supplierIds = sql.array([...ids], 'int8')
  const { currency: _currency, ...otherColumns } = fillableColumns
  const kept = await tx.any(sql.type(row(Kept))`
    with locked as materialized (
      select * from supplier where shop_id = ${shopId} and id = any(${supplierIds}) order by id for no key update
    ),
    filled as materialized (
      select l.id, t.version, (t.before->>'hasDetails')::boolean as has_details, t.before->'fields' as fields,
        (l.minimum_order_value is not null and l.minimum_order_value is distinct from f.minimum_order_value)
        or (l.free_freight_value is not null and l.free_freight_value is distinct from f.free_freight_value)
        or exists (
          select from supplier_product x
          join supplier_price p on p.shop_id = ${shopId} and p.supplier_product_id = x.id
          where x.shop_id = ${shopId} and x.supplier_id = l.id and p.currency = f.currency
        )
        or exists (
          select from purchase_order o where o.shop_id = ${shopId} and o.supplier_id = l.id and o.currency = f.currency
        ) as has_amounts
      from locked l
      join import_target t on t.shop_id = ${shopId} and t.import_id = ${importId} and t.target = 'filled_supplier' and t.target_id = l.id
      cross join lateral jsonb_populate_record(null::supplier, t.before->'fields') f
    ),
    restored as (
      update supplier s
      set ${emptied(otherColumns, 's', 'f')},
        currency = case when x.has_amounts then s.currency else nullif(s.currency, f.currency) end,
        version = s.version + 1, updated_at = ${new Date().toISOString()}
      from filled x
      cross join lateral jsonb_populate_record(null::supplier, x.fields) f
      where s.shop_id = ${shopId} and s.id = x.id
      returning s.id, s.name, s.version, x.version as left_version, x.has_details,
        x.has_amounts and s.currency = f.currency as has_currency, ${hasOtherValues(otherColumns, 's', 'f')} as has_others
    ),
    followed as (
      update import_target t
      set version = r.version
      from restored r
      where t.shop_id = ${shopId} and t.target in ('supplier', 'filled_supplier') and t.target_id = r.id
        and r.version = r.left_version + 1 and t.version = r.left_version
    )
    select id as target_id, case
      when has_others then name || ' has been changed since. What was changed stays.'
      when has_currency then 'Prices, orders or amounts of ' || name || ' are in its currency, so the currency stays.'
      else 'The contacts and names that the import added to ' || name || ' stay.'
    end as message
    from restored
    where has_others or has_currency or has_details
  `)
  await followLeadTimes(tx, shopId, sql.fragment`o.supplier_id = any(${supplierIds})`)
  return kept
}
