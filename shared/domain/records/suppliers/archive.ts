import { type Db, sql } from '../../../db/db.ts'
import { refuseFaults } from '../../../errors.ts'
import type { ArchivedSuppliers, SupplierSelection } from '../../../schemas/suppliers.ts'
import { releaseRules } from './references.ts'

/**
 * Archives suppliers, all or none, also those without orders: they are no longer listed, and all that names them stays. Their
 * reorder rules lose the supplier. The row locks wait for concurrent transactions that create orders or rules for
 * them. Throws unknown_supplier.
 */
export function archiveSuppliers(
  db: Db,
  shopId: number,
  { ids }: SupplierSelection,
): Promise<ArchivedSuppliers> {
  return db.transaction(async (tx) => {
    const locked = await tx.anyFirst(sql.typeAlias('id')`
      select id from supplier
      where shop_id = ${shopId} and id = any(${sql.array([...ids], 'int8')}) and archived_at is null
      order by id
      for update
    `)
    requireAll(ids, locked, 'is not a supplier of this shop, or is archived')
    const rules = await releaseRules(tx, shopId, ids)
    await tx.query(sql.typeAlias('void')`
      update supplier
      set archived_at = now(), updated_at = now()
      where shop_id = ${shopId} and id = any(${sql.array([...ids], 'int8')})
    `)
    return { archived: locked.length, rules }
  })
}

/** Throws unknown_supplier with every id of the request that is not among the found ones. */
export function requireAll(ids: readonly number[], found: readonly number[], message: string): void {
  const known = new Set(found)
  const faults = ids.flatMap((id, at) => (known.has(id) ? [] : [{ path: `/ids/${at}`, message }]))
  refuseFaults('unknown_supplier', 'A selected supplier has changed. Reload the list.', faults)
}
