import { type Db, row, sql } from '../../../db/db.ts'
import { conflict, notFound } from '../../../errors.ts'
import {
  type RestoredSuppliers,
  type SupplierSelection,
  UpdatedSupplier,
} from '../../../schemas/suppliers.ts'
import { requireAll } from './archive.ts'

/** Lists an archived supplier again, with its products, prices and aliases. Throws not_found, conflict. */
export async function restoreSupplier(db: Db, shopId: number, id: number): Promise<UpdatedSupplier> {
  const restored = await db.maybeOne(sql.type(row(UpdatedSupplier))`
    update supplier
    set archived_at = null, updated_at = now(), version = version + 1
    where shop_id = ${shopId} and id = ${id} and archived_at is not null
    returning id, name, updated_at, version
  `)
  if (restored) return restored
  const isListed = await db.exists(sql.typeAlias('void')`
    select 1 from supplier where shop_id = ${shopId} and id = ${id}
  `)
  throw isListed ? conflict('This supplier is not archived. Reload the page.') : notFound('Supplier')
}

/** Lists archived suppliers again, all or none. Throws unknown_supplier. */
export function restoreSuppliers(
  db: Db,
  shopId: number,
  { ids }: SupplierSelection,
): Promise<RestoredSuppliers> {
  return db.transaction(async (tx) => {
    const restored = await tx.anyFirst(sql.typeAlias('id')`
      with due as (
        select id from supplier
        where shop_id = ${shopId} and id = any(${sql.array([...ids], 'int8')}) and archived_at is not null
        order by id
        for update
      )
      update supplier s
      set archived_at = null, updated_at = now(), version = s.version + 1
      from due
      where s.shop_id = ${shopId} and s.id = due.id
      returning s.id
    `)
    requireAll(ids, restored, 'is not an archived supplier of this shop')
    return { restored: restored.length }
  })
}
