import { type Db, row, sql } from '../../db/db.ts'
import { conflict, notFound } from '../../errors.ts'
import { UpdatedSupplier } from '../../schemas/suppliers.ts'

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
  throw isListed ? conflict('This supplier is not archived.') : notFound('Supplier')
}
