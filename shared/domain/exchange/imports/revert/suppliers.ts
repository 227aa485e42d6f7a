import { Type } from '@sinclair/typebox'
import { row, sql } from '../../../../db/db.ts'
import { Id } from '../../../../schemas/common.ts'
import { contactsHash } from '../../../records/suppliers/contacts.ts'
import { deleteUnusedProducts } from '../../../records/suppliers/imported/products.ts'
import { deleteImportedSuppliers } from '../../../records/suppliers/imported/suppliers.ts'
import { lockRecords } from '../locks.ts'
import { Kept, type Remover } from './remover.ts'

const Made = Type.Object({ id: Id, version: Type.Integer() })

/** A product that was changed or ordered since stays with its supplier. */
export const revertSupplierProducts: Remover = async (tx, shopId, importId, ids) => {
  const made = await tx.any(sql.type(row(Made))`
    select target_id as id, version
    from import_target
    where shop_id = ${shopId} and import_id = ${importId} and target = 'supplier_product' and version is not null
      and target_id = any(${sql.array(ids, 'int8')})
  `)
  await deleteUnusedProducts(tx, shopId, made)
  const kept = await tx.any(sql.type(row(Kept))`
    select x.id as target_id, case
      when x.version <> t.version then 'The product of the supplier has been changed since.'
      else 'The product of the supplier is in orders.'
    end as message
    from supplier_product x
    join import_target t on t.shop_id = ${shopId} and t.import_id = ${importId} and t.target = 'supplier_product'
      and t.target_id = x.id
    where x.shop_id = ${shopId} and x.id = any(${sql.array(ids, 'int8')})
  `)
  return kept
}

export const revertSuppliers: Remover = async (tx, shopId, importId, ids) => {
  await lockRecords(tx, shopId, 'supplier', ids)
  const kept = await tx.any(sql.type(row(Kept))`
    select s.id as target_id, used.message
    from supplier s
    join import_target t on t.shop_id = ${shopId} and t.import_id = ${importId} and t.target = 'supplier'
      and t.target_id = s.id
    cross join lateral (
      select case
        when exists (select from purchase_order o where o.shop_id = ${shopId} and o.supplier_id = s.id)
          then s.name || ' has orders.'
        when exists (select from supplier_product x where x.shop_id = ${shopId} and x.supplier_id = s.id)
          then s.name || ' has products.'
        when exists (select from buying_budget b where b.shop_id = ${shopId} and b.supplier_id = s.id)
          then s.name || ' has a budget.'
        when s.version <> t.version
          or exists (select from reorder_rule r where r.shop_id = ${shopId} and r.supplier_id = s.id)
          or exists (select from receipt r where r.shop_id = ${shopId} and r.supplier_id = s.id)
          or exists (select from supplier_return x where x.shop_id = ${shopId} and x.supplier_id = s.id)
          or (select count(*) from supplier_contact c where c.shop_id = ${shopId} and c.supplier_id = s.id)
            > coalesce((t.before->>'contacts')::int, 0)
          or t.before->>'contactsHash' <> ${contactsHash(shopId, sql.fragment`s.id`)}
          or (select count(*) from supplier_alias a where a.shop_id = ${shopId} and a.supplier_id = s.id)
            > coalesce((t.before->>'aliases')::int, 0)
        then s.name || ' has been changed since.'
      end as message
    ) used
    where s.shop_id = ${shopId} and s.id = any(${sql.array(ids, 'int8')}) and used.message is not null
  `)
  const used = new Set(kept.map(({ targetId }) => targetId))
  const free = ids.filter((id) => !used.has(id))
  await deleteImportedSuppliers(tx, shopId, free)
  return kept
}
