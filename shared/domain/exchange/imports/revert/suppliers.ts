import { row, sql } from '../../../../db/db.ts'
import { contactsHash } from '../../../records/suppliers/contacts.ts'
import { lockRecords } from '../locks.ts'
import { Kept, type Remover } from './remover.ts'

/** A product that was changed or ordered since stays with its supplier. */
export const revertSupplierProducts: Remover = async (tx, shopId, importId, ids) => {
  await tx.query(sql.typeAlias('void')`
    delete from supplier_product x
    using import_target t
    where x.shop_id = ${shopId} and x.id = any(${sql.array(ids, 'int8')}) and t.shop_id = ${shopId}
      and t.import_id = ${importId} and t.target = 'supplier_product' and t.target_id = x.id and x.version = t.version
      and not exists (
        select from purchase_order_line l
        join purchase_order o on o.shop_id = ${shopId} and o.id = l.purchase_order_id and o.supplier_id = x.supplier_id
        where l.shop_id = ${shopId} and l.variant_id = x.variant_id
      )
  `)
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
  await tx.query(sql.typeAlias('void')`
    delete from supplier where shop_id = ${shopId} and id = any(${sql.array(free, 'int8')})
  `)
  return kept
}
