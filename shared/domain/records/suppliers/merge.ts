import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { notFound, unprocessable } from '../../../errors.ts'
import type { MergedSupplier, SupplierMerge } from '../../../schemas/suppliers.ts'
import { tidyName } from './aliases.ts'
import { lockReferences, moveReferences } from './references.ts'
import { requestDueDates } from './request-due-dates.ts'

const Named = Type.Object({ id: Type.Integer(), name: Type.String() })

/**
 * Moves all that refers to a supplier to another one, and deletes it:
 *
 * 1. orders, receipts of goods without an order, returns, buying budgets and reorder rules
 * 2. contacts that the surviving supplier does not have
 * 3. products; where both sell the same variant under the same supplier SKU, the row of the surviving supplier stays
 *    and gets the prices that do not overlap its own
 * 4. aliases, and the name as a further one
 *
 * The surviving supplier keeps its own details. Throws not_found, unknown_supplier, same_supplier.
 */
export function mergeSupplier(
  db: Db,
  shopId: number,
  id: number,
  { intoId }: SupplierMerge,
): Promise<MergedSupplier> {
  return db.transaction(async (tx) => {
    await lockReferences(tx, shopId, id)
    const { source, target } = await lockBoth(tx, shopId, id, intoId)
    const moved = await moveReferences(tx, shopId, id, intoId)
    await moveContacts(tx, shopId, id, intoId)
    const products = await moveProducts(tx, shopId, id, intoId)
    await moveAliases(tx, shopId, source, intoId)
    await tx.query(sql.typeAlias('void')`
      update supplier set version = version + 1, updated_at = now() where shop_id = ${shopId} and id = ${intoId}
    `)
    await tx.query(sql.typeAlias('void')`delete from supplier where shop_id = ${shopId} and id = ${id}`)
    if (moved.purchase_order > 0) await requestDueDates(tx, shopId)
    return {
      id: intoId,
      name: target.name,
      orders: moved.purchase_order,
      reorderRules: moved.reorder_rule,
      products: products.length,
    }
  })
}

/** No order, return, budget or rule can be added to a locked supplier. */
async function lockBoth(tx: Db, shopId: number, id: number, intoId: number) {
  const locked = await tx.any(sql.type(row(Named))`
    select id, name from supplier
    where shop_id = ${shopId} and id = any(${sql.array([id, intoId], 'int8')}) and archived_at is null
    order by id
    for update
  `)
  const source = locked.find((supplier) => supplier.id === id)
  const target = locked.find((supplier) => supplier.id === intoId)
  if (!source) throw notFound('Supplier')
  if (id === intoId) throw refusal('same_supplier', 'must be another supplier')
  if (!target) throw refusal('unknown_supplier', 'is not a supplier of this shop')
  return { source, target }
}

const refusal = (code: string, message: string) =>
  unprocessable(code, 'Choose another supplier of this shop that stays.', [{ path: '/intoId', message }])

async function moveContacts(tx: Db, shopId: number, id: number, intoId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update supplier_contact c
    set supplier_id = ${intoId}
    where c.shop_id = ${shopId} and c.supplier_id = ${id} and not exists (
      select from supplier_contact o
      where o.shop_id = ${shopId} and o.supplier_id = ${intoId} and lower(o.name) = lower(c.name)
        and lower(o.email) = lower(c.email)
    )
  `)
}

async function moveProducts(tx: Db, shopId: number, id: number, intoId: number): Promise<readonly number[]> {
  await tx.query(sql.typeAlias('void')`
    update supplier_price c
    set supplier_product_id = kept.id
    from supplier_product moved
    join supplier_product kept on kept.shop_id = ${shopId} and kept.supplier_id = ${intoId}
      and kept.variant_id = moved.variant_id and kept.supplier_sku = moved.supplier_sku
    where c.shop_id = ${shopId} and moved.shop_id = ${shopId} and moved.supplier_id = ${id}
      and c.supplier_product_id = moved.id and not exists (
        select from supplier_price o
        where o.shop_id = ${shopId} and o.supplier_product_id = kept.id and o.min_quantity = c.min_quantity
          and o.currency = c.currency
          and daterange(o.valid_from, o.valid_to, '[]') && daterange(c.valid_from, c.valid_to, '[]')
      )
  `)
  return tx.anyFirst(sql.typeAlias('id')`
    update supplier_product p
    set supplier_id = ${intoId}, version = version + 1, updated_at = now()
    where p.shop_id = ${shopId} and p.supplier_id = ${id} and not exists (
      select from supplier_product o
      where o.shop_id = ${shopId} and o.supplier_id = ${intoId} and o.variant_id = p.variant_id
        and o.supplier_sku = p.supplier_sku
    )
    returning p.id
  `)
}

async function moveAliases(
  tx: Db,
  shopId: number,
  { id, name }: { id: number; name: string },
  intoId: number,
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update supplier_alias set supplier_id = ${intoId} where shop_id = ${shopId} and supplier_id = ${id}
  `)
  await tx.query(sql.typeAlias('void')`
    insert into supplier_alias (shop_id, supplier_id, vendor_name)
    values (${shopId}, ${intoId}, ${tidyName(sql.fragment`${name}::text`)})
    on conflict (shop_id, lower(vendor_name)) do nothing
  `)
}
