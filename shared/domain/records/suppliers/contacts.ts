import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import { type AppError, conflict, notFound } from '../../../errors.ts'
import {
  SupplierContact,
  type SupplierContactInput,
  type SupplierContactPatch,
} from '../../../schemas/suppliers.ts'
import { cleared } from '../../kit/patch.ts'

/** An archived supplier and its contacts cannot be changed. */
const ofListedSupplier = (shopId: number) => sql.fragment`exists (
  select 1
  from supplier s
  where s.shop_id = ${shopId} and s.id = supplier_contact.supplier_id and s.archived_at is null
)`

/** Adds a contact to a supplier. Throws not_found when the supplier does not exist or is archived. */
export async function addSupplierContact(
  db: Db,
  shopId: number,
  supplierId: number,
  input: SupplierContactInput,
): Promise<SupplierContact> {
  return db.transaction(async (tx) => {
    const supplier = await tx.maybeOne(sql.typeAlias('id')`
      select id from supplier where shop_id = ${shopId} and id = ${supplierId} and archived_at is null for update
    `)
    if (!supplier) throw notFound('Supplier')
    return tx.one(sql.type(row(SupplierContact))`
      insert into supplier_contact (shop_id, supplier_id, name, email, phone, role)
      values (
        ${shopId}, ${supplierId}, ${input.name}, ${input.email ?? ''}, ${input.phone ?? ''}, ${input.role ?? ''}
      )
      returning id, supplier_id, name, email, phone, role, version
    `)
  })
}

/** Changes the given fields of a contact; `null` clears one. `version` stays when nothing changes. Throws not_found, stale_version. */
export async function updateSupplierContact(
  db: Db,
  shopId: number,
  supplierId: number,
  id: number,
  { version, ...patch }: SupplierContactPatch,
): Promise<SupplierContact> {
  const changed = {
    name: sql.fragment`coalesce(${patch.name ?? null}, name)`,
    email: sql.fragment`coalesce(${cleared(patch.email)}, email)`,
    phone: sql.fragment`coalesce(${cleared(patch.phone)}, phone)`,
    role: sql.fragment`coalesce(${cleared(patch.role)}, role)`,
  }
  const contact = await db.maybeOne(sql.type(row(SupplierContact))`
    update supplier_contact
    set name = ${changed.name}, email = ${changed.email}, phone = ${changed.phone}, role = ${changed.role},
      version = version + case
        when (name, email, phone, role) = (${changed.name}, ${changed.email}, ${changed.phone}, ${changed.role}) then 0
        else 1
      end
    where shop_id = ${shopId} and supplier_id = ${supplierId} and id = ${id} and ${ofListedSupplier(shopId)}
      and version = coalesce(${version ?? null}, version)
    returning id, supplier_id, name, email, phone, role, version
  `)
  if (!contact) throw await whyNotChanged(db, shopId, supplierId, id)
  return contact
}

async function whyNotChanged(db: Db, shopId: number, supplierId: number, id: number): Promise<AppError> {
  const contact = await db.maybeOne(sql.typeAlias('id')`
    select id
    from supplier_contact
    where shop_id = ${shopId} and supplier_id = ${supplierId} and id = ${id} and ${ofListedSupplier(shopId)}
  `)
  if (!contact) return notFound('Contact')
  return conflict('This contact was changed in the meantime. Reload it before you save.', 'stale_version')
}

/** Throws not_found. */
export async function deleteSupplierContact(
  db: Db,
  shopId: number,
  supplierId: number,
  id: number,
): Promise<{ message: string }> {
  const contact = await db.maybeOne(sql.typeAlias('id')`
    delete from supplier_contact
    where shop_id = ${shopId} and supplier_id = ${supplierId} and id = ${id} and ${ofListedSupplier(shopId)}
    returning id
  `)
  if (!contact) throw notFound('Contact')
  return { message: 'Contact deleted.' }
}

/**
 * SQL for a hash of the contacts of a supplier. A change of contacts leaves the version of the supplier, which an open form of
 * the supplier would otherwise find changed.
 */
export const contactsHash = (shopId: number, supplierId: FragmentSqlToken) => sql.fragment`(
  select md5(coalesce(jsonb_agg(jsonb_build_array(c.name, c.email, c.phone, c.role) order by c.id), '[]')::text)
  from supplier_contact c
  where c.shop_id = ${shopId} and c.supplier_id = ${supplierId}
)`
