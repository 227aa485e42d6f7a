import { type Db, row, sql } from '../../db/db.ts'
import { notFound, unprocessable } from '../../errors.ts'
import {
  CreatedSupplier,
  Supplier,
  type SupplierFilter,
  type SupplierInput,
  SupplierListItem,
  type SupplierPatch,
  UpdatedSupplier,
} from '../../schemas/suppliers.ts'
import { type Page, pageSize, toPage } from '../pages.ts'
import { cleared } from '../patch.ts'
import { contains } from '../search.ts'

/** The shop's suppliers, newest first, without the archived ones. The search covers the name. */
export async function listSuppliers(
  db: Db,
  shopId: number,
  query: SupplierFilter,
): Promise<Page<SupplierListItem>> {
  const records = await db.any(sql.type(row(SupplierListItem))`
    select id, name, phone, lead_time_days, payment_terms, created_at
    from supplier
    where ${sql.and([
      sql.fragment`shop_id = ${shopId} and archived_at is null`,
      contains(sql.fragment`lower(name)`, query.search),
      query.cursor !== undefined && sql.fragment`id < ${query.cursor}`,
    ])}
    order by id desc
    limit ${pageSize(query) + 1}
  `)
  return toPage(records, query)
}

export function createSupplier(db: Db, shopId: number, input: SupplierInput): Promise<CreatedSupplier> {
  return db.one(sql.type(row(CreatedSupplier))`
    insert into supplier (shop_id, name, email, phone, address, lead_time_days, payment_terms, notes)
    values (
      ${shopId}, ${input.name}, ${input.email ?? ''}, ${input.phone ?? ''}, ${input.address ?? ''},
      ${input.leadTimeDays ?? null}, ${input.paymentTerms ?? ''}, ${input.notes ?? ''}
    )
    returning id, name, created_at
  `)
}

/** A supplier with its contacts, oldest first. Throws not_found, also for an archived supplier. */
export async function getSupplier(db: Db, shopId: number, id: number): Promise<Supplier> {
  const supplier = await db.maybeOne(sql.type(row(Supplier))`
    select s.id, s.name, s.email, s.phone, s.address, s.lead_time_days, s.payment_terms, s.notes,
      s.created_at, s.updated_at,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', c.id, 'supplierId', c.supplier_id, 'name', c.name, 'email', c.email, 'phone', c.phone, 'role', c.role
        ) order by c.id), '[]')
        from supplier_contact c
        where c.shop_id = s.shop_id and c.supplier_id = s.id
      ) as contacts
    from supplier s
    where s.shop_id = ${shopId} and s.id = ${id} and s.archived_at is null
  `)
  if (!supplier) throw notFound('Supplier')
  return supplier
}

/** Changes the given fields; `null` clears one. `updatedAt` stays when nothing changes. Throws not_found. */
export async function updateSupplier(
  db: Db,
  shopId: number,
  id: number,
  patch: SupplierPatch,
): Promise<UpdatedSupplier> {
  const supplier = await db.maybeOne(sql.type(row(UpdatedSupplier))`
    update supplier s
    set name = n.name, email = n.email, phone = n.phone, address = n.address, lead_time_days = n.lead_time_days,
      payment_terms = n.payment_terms, notes = n.notes,
      updated_at = case
        when (s.name, s.email, s.phone, s.address, s.lead_time_days, s.payment_terms, s.notes)
          is distinct from (n.name, n.email, n.phone, n.address, n.lead_time_days, n.payment_terms, n.notes)
        then now()
        else s.updated_at
      end
    from (
      select coalesce(${patch.name ?? null}, name) as name,
        coalesce(${cleared(patch.email)}, email) as email,
        coalesce(${cleared(patch.phone)}, phone) as phone,
        coalesce(${cleared(patch.address)}, address) as address,
        case
          when ${patch.leadTimeDays !== undefined} then ${patch.leadTimeDays ?? null}::int
          else lead_time_days
        end as lead_time_days,
        coalesce(${cleared(patch.paymentTerms)}, payment_terms) as payment_terms,
        coalesce(${cleared(patch.notes)}, notes) as notes
      from supplier
      where shop_id = ${shopId} and id = ${id} and archived_at is null
      for no key update
    ) n
    where s.shop_id = ${shopId} and s.id = ${id}
    returning s.id, s.name, s.updated_at
  `)
  if (!supplier) throw notFound('Supplier')
  return supplier
}

/**
 * Locks suppliers (`for share`), so that none is deleted or archived before the transaction commits. `path` is the JSON
 * pointer of an id in the request. Throws unknown_supplier with every fault.
 */
export async function requireSuppliers(
  tx: Db,
  shopId: number,
  given: readonly { id: number; path: string }[],
): Promise<void> {
  if (given.length === 0) return
  const supplierIds = new Set(given.map(({ id }) => id))
  const known = await tx.anyFirst(sql.typeAlias('id')`
    select id from supplier
    where shop_id = ${shopId} and id = any(${sql.array([...supplierIds], 'int8')}) and archived_at is null
    order by id
    for share
  `)
  const ids = new Set(known)
  const faults = given.flatMap(({ id, path }) =>
    ids.has(id) ? [] : [{ path, message: 'is not a supplier of this shop' }],
  )
  if (faults.length === 0) return
  const message =
    faults.length === 1 ? 'This supplier does not exist.' : 'Some of these suppliers do not exist.'
  throw unprocessable('unknown_supplier', message, faults)
}

/**
 * Deletes a supplier without orders. A supplier with orders is archived: it is no longer listed, but its orders keep
 * it. Its reorder rules lose the supplier. The row lock waits for concurrent transactions that create orders or rules
 * for it. Throws not_found.
 */
export function deleteSupplier(db: Db, shopId: number, id: number): Promise<{ message: string }> {
  return db.transaction(async (tx) => {
    const supplier = await tx.maybeOne(sql.typeAlias('id')`
      select id from supplier
      where shop_id = ${shopId} and id = ${id} and archived_at is null
      for update
    `)
    if (!supplier) throw notFound('Supplier')
    await tx.query(sql.typeAlias('void')`
      with due as (
        select id from reorder_rule where shop_id = ${shopId} and supplier_id = ${id} order by id for no key update
      )
      update reorder_rule r
      set supplier_id = null, updated_at = now()
      from due
      where r.shop_id = ${shopId} and r.id = due.id
    `)
    const hasOrders = await tx.exists(sql.typeAlias('void')`
      select 1 from purchase_order where shop_id = ${shopId} and supplier_id = ${id}
    `)
    if (hasOrders) {
      await tx.query(sql.typeAlias('void')`
        update supplier set archived_at = now(), updated_at = now() where shop_id = ${shopId} and id = ${id}
      `)
      return { message: 'Supplier archived, because it has purchase orders.' }
    }
    await tx.query(sql.typeAlias('void')`delete from supplier where shop_id = ${shopId} and id = ${id}`)
    return { message: 'Supplier deleted.' }
  })
}
