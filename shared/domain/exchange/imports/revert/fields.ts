import { Type } from '@sinclair/typebox'
import { row, sql } from '../../../../db/db.ts'
import { Id, Nullable } from '../../../../schemas/common.ts'
import { emptyFilledOrders } from '../../../documents/purchase-orders/imported/empty-fields.ts'
import { followDueDates, followLeadTimes } from '../../../documents/purchase-orders/overdue.ts'
import { emptyFilledSuppliers } from '../../../records/suppliers/imported/suppliers.ts'
import { lockRecords } from '../locks.ts'
import { hasNewReceipts, isMailed } from './order-use.ts'
import type { Remover } from './remover.ts'

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

const FilledSupplier = Type.Object({
  id: Id,
  /** In which the import left the supplier. */
  leftVersion: Nullable(Type.Integer()),
  hasDetails: Nullable(Type.Boolean()),
  fields: Nullable(Type.Record(Type.String(), Type.Unknown())),
  keepsCurrency: Type.Boolean(),
})

/**
 * The same for suppliers. If nothing has changed a supplier since this import, the targets of other imports get its new version, so
 * that they can be reverted, too. Contacts and names that this import added stay. A currency stays while an amount, a price or an
 * order of the supplier is in it, since an amount without a currency is in the shop's currency.
 */
export const revertSupplierFields: Remover = async (tx, shopId, importId, ids) => {
  const supplierIds = sql.array([...ids], 'int8')
  const filled = await tx.any(sql.type(row(FilledSupplier))`
    with locked as materialized (
      select * from supplier where shop_id = ${shopId} and id = any(${supplierIds}) order by id for no key update
    )
    select l.id, t.version as left_version, (t.before->>'hasDetails')::boolean as has_details, t.before->'fields' as fields,
      (l.minimum_order_value is not null and l.minimum_order_value is distinct from f.minimum_order_value)
      or (l.free_freight_value is not null and l.free_freight_value is distinct from f.free_freight_value)
      or exists (
        select from supplier_product x
        join supplier_price p on p.shop_id = ${shopId} and p.supplier_product_id = x.id
        where x.shop_id = ${shopId} and x.supplier_id = l.id and p.currency = f.currency
      )
      or exists (
        select from purchase_order o where o.shop_id = ${shopId} and o.supplier_id = l.id and o.currency = f.currency
      ) as keeps_currency
    from locked l
    join import_target t on t.shop_id = ${shopId} and t.import_id = ${importId} and t.target = 'filled_supplier' and t.target_id = l.id
    cross join lateral jsonb_populate_record(null::supplier, t.before->'fields') f
  `)
  const filledOf = new Map(filled.map((each) => [each.id, each]))
  const restored = await emptyFilledSuppliers(tx, shopId, filled)
  const followed = restored.filter(({ id, version }) => version - 1 === filledOf.get(id)?.leftVersion)
  await tx.query(sql.typeAlias('void')`
    update import_target t
    set version = n.version
    from ${sql.unnest(
      followed.map(({ id, version }) => [id, version]),
      ['int8', 'int4'],
    )} as n (id, version)
    where t.shop_id = ${shopId} and t.target in ('supplier', 'filled_supplier') and t.target_id = n.id
      and t.version = n.version - 1
  `)
  await followLeadTimes(tx, shopId, sql.fragment`o.supplier_id = any(${supplierIds})`)
  return restored.flatMap(({ id, name, hasOthers, hasCurrency }) => {
    const message = hasOthers
      ? `${name} has been changed since. What was changed stays.`
      : hasCurrency
        ? `Prices, orders or amounts of ${name} are in its currency, so the currency stays.`
        : filledOf.get(id)?.hasDetails
          ? `The contacts and names that the import added to ${name} stay.`
          : ''
    return message === '' ? [] : [{ targetId: id, message }]
  })
}
