import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { conflict, notFound, unprocessable } from '../../../errors.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import {
  CreatedSupplier,
  Supplier,
  type SupplierFilter,
  type SupplierInput,
  SupplierListItem,
  type SupplierPatch,
  type SupplierSort,
  UpdatedSupplier,
} from '../../../schemas/suppliers.ts'
import { readDocumentCursor, toDocumentPage } from '../../kit/pages/grouped-pages.ts'
import { type Page, pageSize, withCount } from '../../kit/pages/pages.ts'
import { isAfter, type SortColumn, SortedKey, sortKeys, sortOrder } from '../../kit/pages/sorted-pages.ts'
import { contains } from '../../kit/search.ts'
import { currencyOf } from '../shops/currency.ts'
import { keepOldName, saveAliases } from './aliases.ts'
import { columnList, columnsFrom, newValues, patchedColumns, supplierColumns } from './columns.ts'
import { isReferenced, releaseRules } from './references.ts'
import { requestDueDates } from './request-due-dates.ts'

const ListRow = Type.Composite([SupplierListItem, SortedKey])

/** Each sort is the order of an index. */
function columnsOfSort(sort: SupplierSort): readonly SortColumn[] {
  const isDescending = sort === 'newest' || sort === '-name'
  const id: SortColumn = { sql: sql.fragment`s.id`, type: 'int8', isDescending }
  return sort.endsWith('name') ? [{ sql: sql.fragment`lower(s.name)`, type: 'text', isDescending }, id] : [id]
}

/**
 * The shop's suppliers by one of the sorts, newest first without one: the listed ones, or the archived ones. The search covers name,
 * aliases and account number.
 */
export async function listSuppliers(
  db: Db,
  shopId: number,
  query: SupplierFilter,
): Promise<Page<SupplierListItem>> {
  const conditions = [
    query.archived ? sql.fragment`s.archived_at is not null` : sql.fragment`s.archived_at is null`,
    isFound(shopId, query.search),
  ]
  const { sort = 'newest' } = query
  const columns = columnsOfSort(sort)
  const after = readDocumentCursor(sort, columns, query.cursor)
  const records = db.any(sql.type(row(ListRow))`
    select s.id, s.name, s.email, s.phone, s.lead_time_days, s.payment_terms, s.account_number, s.currency, s.created_at,
      s.archived_at, ${sortKeys(columns)} as sort_keys
    from supplier s
    where s.shop_id = ${shopId} and ${sql.and([...conditions, after !== null && isAfter(columns, after)])}
    order by ${sortOrder(columns)}
    limit ${pageSize(query) + 1}
  `)
  const page = records.then((rows) => toDocumentPage(sort, rows, query))
  return withCount(
    db,
    query,
    sql.fragment`from supplier s where s.shop_id = ${shopId} and ${sql.and(conditions)}`,
    page,
  )
}

function isFound(shopId: number, search?: string) {
  const byName = contains(sql.fragment`lower(s.name)`, search)
  return (
    byName &&
    sql.fragment`(${byName} or ${contains(sql.fragment`lower(s.account_number)`, search)} or s.id in (
      select a.supplier_id
      from supplier_alias a
      where a.shop_id = ${shopId} and ${contains(sql.fragment`lower(a.vendor_name)`, search)}
    ))`
  )
}

/** Throws alias_taken. */
export function createSupplier(
  db: Db,
  shopId: number,
  { aliases = [], ...input }: SupplierInput,
): Promise<CreatedSupplier> {
  return db.transaction(async (tx) => {
    const supplier = await tx.one(sql.type(row(CreatedSupplier))`
      insert into supplier (shop_id, ${columnList}) values (${shopId}, ${newValues(input)})
      returning id, name, created_at
    `)
    if (aliases.length > 0) await saveAliases(tx, shopId, supplier.id, aliases)
    return supplier
  })
}

/** A supplier, also an archived one, with its contacts, oldest first. Throws not_found. */
export async function getSupplier(db: Db, shopId: number, id: number): Promise<Supplier> {
  const supplier = await db.maybeOne(sql.type(row(Supplier))`
    select s.id, ${supplierColumns('s')}, s.version, s.created_at, s.updated_at, s.archived_at,
      array(
        select a.vendor_name
        from supplier_alias a
        where a.shop_id = ${shopId} and a.supplier_id = s.id
        order by lower(a.vendor_name)
      ) as aliases,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', c.id, 'supplierId', c.supplier_id, 'name', c.name, 'email', c.email, 'phone', c.phone, 'role', c.role,
          'version', c.version
        ) order by c.id), '[]')
        from supplier_contact c
        where c.shop_id = ${shopId} and c.supplier_id = s.id
      ) as contacts
    from supplier s
    where s.shop_id = ${shopId} and s.id = ${id}
  `)
  if (!supplier) throw notFound('Supplier')
  return supplier
}

/**
 * Changes the given fields; `null` clears one, `aliases` is the full list, to which another `name` adds the old one. `updatedAt` and
 * `version` stay when nothing changes. Throws not_found, stale_version when `version` is not the current one, alias_taken.
 */
export function updateSupplier(
  db: Db,
  shopId: number,
  id: number,
  { version, aliases, ...patch }: SupplierPatch,
): Promise<UpdatedSupplier> {
  return db.transaction(async (tx) => {
    const before = await lockSupplier(tx, shopId, id, version)
    const hasNewAliases = aliases !== undefined && (await saveAliases(tx, shopId, id, aliases))
    if (patch.name !== undefined) await keepOldName(tx, shopId, id, patch.name)
    const supplier = await writeSupplier(tx, shopId, id, patch, hasNewAliases)
    const { leadTimeDays = before.leadTimeDays } = patch
    if (leadTimeDays !== before.leadTimeDays) await requestDueDates(tx, shopId)
    return supplier
  })
}

const Locked = Type.Object({ version: Type.Integer(), leadTimeDays: Nullable(Type.Integer()) })

/**
 * Locks a listed supplier, so that its data change one request after the other. Throws not_found, and stale_version
 * when a version is given that is not the current one.
 */
export async function lockSupplier(
  tx: Db,
  shopId: number,
  id: number,
  version?: number,
): Promise<Pick<Static<typeof Locked>, 'leadTimeDays'>> {
  const locked = await tx.maybeOne(sql.type(row(Locked))`
    select version, lead_time_days from supplier
    where shop_id = ${shopId} and id = ${id} and archived_at is null
    for no key update
  `)
  if (!locked) throw notFound('Supplier')
  if (version === undefined || version === locked.version) return locked
  throw conflict('This supplier has changed in the meantime. Reload it before you save.', 'stale_version')
}

/** The caller must have locked the supplier. */
function writeSupplier(
  tx: Db,
  shopId: number,
  id: number,
  patch: SupplierPatch,
  isChanged: boolean,
): Promise<UpdatedSupplier> {
  const isNew = sql.fragment`
    (${isChanged} or (${supplierColumns('s')}) is distinct from (${supplierColumns('n')}))
  `
  return tx.one(sql.type(row(UpdatedSupplier))`
    update supplier s
    set ${columnsFrom('n')},
      updated_at = case when ${isNew} then ${new Date().toISOString()} else s.updated_at end,
      version = s.version + case when ${isNew} then 1 else 0 end
    from (
      select ${patchedColumns('o', patch)} from supplier o where o.shop_id = ${shopId} and o.id = ${id}
    ) n
    where s.shop_id = ${shopId} and s.id = ${id}
    returning s.id, s.name, s.updated_at, s.version
  `)
}

const LockedSupplier = Type.Object({ id: Id, name: Type.String(), currency: Type.String() })
type LockedSupplier = Static<typeof LockedSupplier>

/**
 * Locks suppliers (`for share`), so that none is deleted or archived before the transaction commits, and returns them by id, each
 * with the currency of its orders. `path` is the JSON pointer of an id in the request. Throws unknown_supplier with every fault.
 */
export async function requireSuppliers(
  tx: Db,
  shopId: number,
  given: readonly { id: number; path: string }[],
): Promise<Map<number, LockedSupplier>> {
  if (given.length === 0) return new Map()
  const supplierIds = new Set(given.map(({ id }) => id))
  const known = await tx.any(sql.type(row(LockedSupplier))`
    select s.id, s.name, coalesce(s.currency, ${currencyOf(shopId)}) as currency
    from supplier s
    where s.shop_id = ${shopId} and s.id = any(${sql.array([...supplierIds], 'int8')}) and s.archived_at is null
    order by s.id
    for share of s
  `)
  const suppliers = new Map(known.map((supplier) => [supplier.id, supplier]))
  const faults = given.flatMap(({ id, path }) =>
    suppliers.has(id) ? [] : [{ path, message: 'is not a supplier of this shop' }],
  )
  if (faults.length === 0) return suppliers
  const message =
    faults.length === 1 ? 'This supplier does not exist.' : 'Some of these suppliers do not exist.'
  throw unprocessable('unknown_supplier', message, faults)
}

/**
 * Deletes a supplier without orders, receipts, returns and buying budgets. A supplier with some is archived: it is no longer listed,
 * but they keep it, and its products, prices and aliases stay with it. Its reorder rules lose the supplier. The row lock waits for
 * concurrent transactions that create orders or rules for it. Throws not_found.
 */
export function deleteSupplier(db: Db, shopId: number, id: number): Promise<{ message: string }> {
  return db.transaction(async (tx) => {
    const supplier = await tx.maybeOne(sql.typeAlias('id')`
      select id from supplier
      where shop_id = ${shopId} and id = ${id} and archived_at is null
      for update
    `)
    if (!supplier) throw notFound('Supplier')
    await releaseRules(tx, shopId, [id])
    const isUsed = await isReferenced(tx, shopId, id)
    if (isUsed) {
      await tx.query(sql.typeAlias('void')`
        update supplier set archived_at = now(), updated_at = now() where shop_id = ${shopId} and id = ${id}
      `)
      return {
        message: 'Supplier archived, because it has purchase orders, receipts, returns or buying budgets.',
      }
    }
    await tx.query(sql.typeAlias('void')`delete from supplier where shop_id = ${shopId} and id = ${id}`)
    return { message: 'Supplier deleted.' }
  })
}
