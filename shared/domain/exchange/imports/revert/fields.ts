import { row, sql } from '../../../../db/db.ts'
import { followDueDates, followLeadTimes } from '../../../documents/purchase-orders/overdue.ts'
import { emptied, hasOtherValues, orderColumns, supplierColumns } from '../filled-fields.ts'
import { hasNewReceipts, isMailed } from './order-use.ts'
import { Kept, type Remover } from './remover.ts'

/**
 * Empties the fields of orders of earlier imports that this one filled in, and deletes the charges that it added, unless the
 * merchant has changed them since. An order that was received or e-mailed since keeps all of them. Runs after `revertLines`, which
 * also restores the discount. Returns the orders that keep something, and why.
 */
export const revertOrderFields: Remover = async (tx, shopId, importId, ids) => {
  const orderIds = sql.array([...ids], 'int8')
  await tx.query(sql.typeAlias('void')`
    select from purchase_order where shop_id = ${shopId} and id = any(${orderIds}) order by id for update
  `)
  const kept = await tx.any(sql.type(row(Kept))`
    with used as materialized (
      select o.id, case
        when ${hasNewReceipts(shopId, 'o')} then 'Receipts of ' || o.po_number || ' have been entered or undone since, so the fields that the import filled in stay.'
        when ${isMailed(shopId, 'o')} then o.po_number || ' has been e-mailed since, so the fields that the import filled in stay.'
      end as message
      from purchase_order o
      where o.shop_id = ${shopId} and o.id = any(${orderIds})
    ),
    restored as (
      update purchase_order o
      set ${emptied(orderColumns, 'o', 'f')},
        tax = case
          when not o.is_own_tax and o.discount = f.discount then (select s.tax from order_state(${shopId}, o.id) s)
          else o.tax
        end,
        version = o.version + 1, updated_at = ${new Date().toISOString()}
      from used u
      join import_target t on t.shop_id = ${shopId} and t.import_id = ${importId} and t.target = 'filled_purchase_order'
        and t.target_id = u.id
      cross join lateral jsonb_populate_record(null::purchase_order, t.before->'fields') f
      where o.shop_id = ${shopId} and o.id = u.id and u.message is null
      returning o.id, o.version, o.po_number, t.before->'charges' as charges, f.discount as filled_discount,
        o.is_own_tax, ${hasOtherValues(orderColumns, 'o', 'f')} as has_others
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
    ),
    followed as (
      update import_target t
      set before = coalesce(t.before, '{}') || jsonb_build_object('version', r.version) || case
        -- the order before the lines of another import: a revert of that import must restore neither this discount nor its tax
        when (t.before->'order'->>'discount')::numeric = r.filled_discount then jsonb_build_object('order',
          t.before->'order' || case when r.is_own_tax then '{"discount": 0}' else '{"discount": 0, "tax": null}'::jsonb end
        )
        else '{}'
      end
      from restored r
      where t.shop_id = ${shopId} and t.target = 'purchase_order' and t.target_id = r.id
        and coalesce((t.before->>'version')::int, t.version) = r.version - 1
    )
    select u.id as target_id, coalesce(u.message, r.po_number || ' has been changed since. What was changed stays.') as message
    from used u
    left join restored r on r.id = u.id
    where u.message is not null or r.has_others or u.id in (select order_id from added where is_changed)
  `)
  await followDueDates(
    tx,
    shopId,
    sql.fragment`o.id = any(${orderIds}) and exists (
      select from import_target t
      where t.shop_id = ${shopId} and t.import_id = ${importId} and t.target = 'filled_purchase_order' and t.target_id = o.id
        and t.before->'fields'->'expected_at' is not null
    )`,
  )
  return kept
}

/**
 * The same for suppliers. If nothing has changed a supplier since this import, the targets of other imports get its new version, so
 * that they can be reverted, too. Contacts and names that this import added stay. A currency stays while an amount, a price or an
 * order of the supplier is in it, since an amount without a currency is in the shop's currency.
 */
export const revertSupplierFields: Remover = async (tx, shopId, importId, ids) => {
  const supplierIds = sql.array([...ids], 'int8')
  const { currency: _currency, ...otherColumns } = supplierColumns
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
