import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { Id } from '../../../../schemas/common.ts'
import { followLeadTimes } from '../../../documents/purchase-orders/overdue.ts'
import { filledFields } from '../../../kit/filled-fields.ts'
import { tidyName } from '../../../records/suppliers/aliases.ts'
import { fillableColumns, optional, texts } from '../../../records/suppliers/columns.ts'
import { contactsHash } from '../../../records/suppliers/contacts.ts'
import type { SourceRow, UnitWriter } from '../load.ts'
import { readSuppliers } from '../match-suppliers.ts'
import type { Made, Outcome } from '../outcomes.ts'
import { hasDetail, isDetail, readSupplier, type SupplierRow } from './supplier-rows.ts'

const Written = Type.Object({ at: Type.Integer(), id: Id })

/**
 * Creates the suppliers that the shop does not have, and fills in empty fields of those it has; what the merchant
 * typed stays. A value that a supplier cannot have is left out, and the row says so. The rows of a supplier may each have a
 * contact or another name. The number of statements does not depend on the number of rows.
 */
export const writeSuppliers: UnitWriter = async (tx, terms, units) => {
  const index = await readSuppliers(tx, terms.shopId)
  const outcomes: Outcome[] = []
  const created: (SupplierRow & { position: number })[] = []
  const filled: (SupplierRow & { position: number; id: number })[] = []
  const rowsOf = new Map<number, SourceRow[]>()
  for (const { rows } of units) {
    const first = rows.find((each) => !isDetail(each)) ?? rows[0]
    if (!first) continue
    const { position } = first
    const read = readSupplier(first, rows)
    const message = read.leftOut.length > 0 ? `Left out: ${read.leftOut.join(', ')}.` : ''
    const found = index.find(String(read.columns.external_ref ?? ''), read.name)
    const fault =
      read.name === ''
        ? 'The row has no name of a supplier.'
        : found && 'fault' in found
          ? found.fault
          : isDetail(first) && !found
            ? 'No supplier has this name. Import the suppliers first.'
            : ''
    if (fault) {
      outcomes.push(
        ...rows.map((each) => ({ position: each.position, state: 'fault' as const, message: fault })),
      )
      continue
    }
    rowsOf.set(position, rows)
    if (found && !('fault' in found)) {
      filled.push({ ...read, position, id: found.id })
      outcomes.push({ position, state: 'same', message, target: 'supplier', targetId: found.id })
    } else {
      created.push({ ...read, position })
      outcomes.push({ position, state: 'new', message, target: 'supplier' })
    }
  }
  const ids = await insertSuppliers(tx, terms.shopId, created)
  const changed = await fillSuppliers(tx, terms.shopId, filled)
  const changedIds = filled.filter(({ position }) => changed.has(position)).map(({ id }) => id)
  await followLeadTimes(tx, terms.shopId, sql.fragment`o.supplier_id = any(${sql.array(changedIds, 'int8')})`)
  const all = [...created.map((read) => ({ ...read, id: ids.get(read.position) ?? 0 })), ...filled]
  const added = await addDetails(tx, terms.shopId, all)
  const hashes = await hashContacts(tx, terms.shopId, [...ids.values()])
  const madeByFilling = filled.flatMap(({ position, id }): Made[] => {
    const { version, fields } = changed.get(position) ?? {}
    const before = { fields, hasDetails: added.has(position) }
    return version === undefined ? [] : [{ target: 'filled_supplier', targetId: id, version, before }]
  })
  const made = created.map(({ position, contacts, aliases }): Made => {
    const targetId = ids.get(position) ?? 0
    const before = {
      contacts: contacts.length,
      aliases: aliases.length,
      contactsHash: hashes.get(targetId),
    }
    return { target: 'supplier', targetId, version: 1, before }
  })
  return {
    made: [...made, ...madeByFilling],
    outcomes: outcomes.flatMap((outcome): Outcome[] => {
      if (outcome.state === 'fault') return [outcome]
      const { position } = outcome
      const isNew = outcome.state === 'new'
      const targetId = isNew ? (ids.get(position) ?? null) : (outcome.targetId ?? null)
      const state = !isNew && (changed.has(position) || added.has(position)) ? 'changed' : outcome.state
      const others = (rowsOf.get(position) ?? []).filter((each) => each.position !== position)
      return [
        { ...outcome, state, targetId },
        ...others.map((each): Outcome => {
          const own = { position: each.position, target: 'supplier' as const, targetId }
          return isDetail(each) || hasDetail(each)
            ? { ...own, state }
            : { position: each.position, state: 'skipped', message: 'An earlier row has the same supplier.' }
        }),
      ]
    }),
  }
}

const Hashed = Type.Object({ id: Id, hash: Type.String() })

/** By supplier, so that a revert finds contacts that were changed since. */
async function hashContacts(tx: Db, shopId: number, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await tx.any(sql.type(row(Hashed))`
    select s.id, ${contactsHash(shopId, sql.fragment`s.id`)} as hash
    from supplier s
    where s.shop_id = ${shopId} and s.id = any(${sql.array([...ids], 'int8')})
  `)
  return new Map(rows.map(({ id, hash }) => [id, hash]))
}

const textColumns = Object.values(texts)
const allColumns = [...textColumns, ...Object.values(optional).map(([column]) => column)]
const listed = (parts: readonly string[], of?: string) =>
  sql.join(
    parts.map((column) => sql.identifier(of ? [of, column] : [column])),
    sql.fragment`, `,
  )

/** SQL for suppliers as rows, with empty texts. */
function suppliersOf(reads: readonly (SupplierRow & { position: number; id?: number })[]) {
  const records = reads.map(({ position, id, name, columns, isHidden }) => ({
    at: position,
    id,
    name,
    is_hidden: isHidden,
    ...Object.fromEntries(textColumns.map((column) => [column, ''])),
    ...columns,
  }))
  return sql.fragment`jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as n (
    at int, id bigint, name text, is_hidden boolean, ${sql.join(
      [
        ...textColumns.map((column) => sql.fragment`${sql.identifier([column])} text`),
        ...Object.values(optional).map(
          ([column, type]) => sql.fragment`${sql.identifier([column])} ${sql.identifier([type])}`,
        ),
      ],
      sql.fragment`, `,
    )}
  )`
}

/** Returns the new ids by the positions of the rows. */
async function insertSuppliers(
  tx: Db,
  shopId: number,
  reads: readonly (SupplierRow & { position: number })[],
): Promise<Map<number, number>> {
  if (reads.length === 0) return new Map()
  const written = await tx.any(sql.type(row(Written))`
    with given as materialized (select * from ${suppliersOf(reads)}),
    numbered as materialized (
      select given.*, nextval(pg_get_serial_sequence('supplier', 'id')) as new_id from given order by at
    ),
    created as (
      insert into supplier (shop_id, id, name, archived_at, ${listed(allColumns)})
      overriding system value
      select ${shopId}, new_id, name, case when is_hidden then now() end, ${listed(allColumns)} from numbered
    )
    select at, new_id as id from numbered
  `)
  return new Map(written.map(({ at, id }) => [at, id]))
}

const Filled = Type.Object({ at: Type.Integer(), id: Id, version: Type.Integer(), fields: Type.Unknown() })
type Filled = Static<typeof Filled>

/**
 * Fills in empty fields. Returns the supplier's version and these fields by the position of the row that changed it. If nothing has
 * changed the supplier since an earlier import, the target of that import gets the new version, so that its revert finds no
 * change by the merchant.
 */
async function fillSuppliers(
  tx: Db,
  shopId: number,
  reads: readonly (SupplierRow & { position: number; id: number })[],
): Promise<Map<number, Filled>> {
  if (reads.length === 0) return new Map()
  const ids = sql.array([...new Set(reads.map(({ id }) => id))], 'int8')
  const isEmpty = (column: string) =>
    (textColumns as readonly string[]).includes(column)
      ? sql.fragment`(${sql.identifier(['s', column])} = '' and ${sql.identifier(['n', column])} <> '')`
      : sql.fragment`(${sql.identifier(['s', column])} is null and ${sql.identifier(['n', column])} is not null)`
  const written = await tx.any(sql.type(row(Filled))`
    with b as materialized (
      select * from supplier where shop_id = ${shopId} and id = any(${ids}) order by id for no key update
    )
    update supplier s
    set ${sql.join(
      allColumns.map(
        (column) =>
          sql.fragment`${sql.identifier([column])} = case when ${isEmpty(column)} then ${sql.identifier(['n', column])} else ${sql.identifier(['s', column])} end`,
      ),
      sql.fragment`, `,
    )}, version = s.version + 1, updated_at = now()
    from ${suppliersOf(reads)}
    join b on b.id = n.id
    where s.shop_id = ${shopId} and s.id = n.id and (${sql.join(allColumns.map(isEmpty), sql.fragment` or `)})
    returning n.at, s.id, s.version, ${filledFields(fillableColumns, 'b', 's')} as fields
  `)
  await tx.query(sql.typeAlias('void')`
    update import_target t
    set version = s.version
    from supplier s
    where s.shop_id = ${shopId} and s.id = any(${sql.array([...new Set(written.map(({ id }) => id))], 'int8')})
      and t.shop_id = ${shopId} and t.target in ('supplier', 'filled_supplier') and t.target_id = s.id
      and t.version = s.version - 1
  `)
  return new Map(written.map((each) => [each.at, each]))
}

/** Adds contacts and other names that the suppliers do not have; returns the positions of the rows that did. */
async function addDetails(
  tx: Db,
  shopId: number,
  reads: readonly (SupplierRow & { position: number; id: number })[],
): Promise<Set<number>> {
  const contacts = reads.flatMap(({ position, id, contacts: own }) =>
    own.map(({ name, email, phone, role }) => [position, id, name, email ?? '', phone ?? '', role ?? '']),
  )
  const names = reads.flatMap(({ position, id, aliases }) => aliases.map((alias) => [position, id, alias]))
  const added =
    contacts.length === 0
      ? []
      : await tx.any(sql.type(row(Written))`
    with given as materialized (
      select distinct on (supplier_id, lower(name), lower(email)) *
      from ${sql.unnest(contacts, ['int4', 'int8', 'text', 'text', 'text', 'text'])} with ordinality
        as n (at, supplier_id, name, email, phone, role, place)
      order by supplier_id, lower(name), lower(email), place
    ),
    added as (
      insert into supplier_contact (shop_id, supplier_id, name, email, phone, role)
      select ${shopId}::bigint, supplier_id, name, email, phone, role
      from given g
      where not exists (
        select from supplier_contact c
        where c.shop_id = ${shopId} and c.supplier_id = g.supplier_id and lower(c.name) = lower(g.name)
          and (lower(c.email) = lower(g.email) or g.email = '')
      )
      order by place
      returning supplier_id as id
    )
    select distinct g.at, a.id from added a join given g on g.supplier_id = a.id
  `)
  const named =
    names.length === 0
      ? []
      : await tx.any(sql.type(row(Written))`
    with given as materialized (
      select n.at, n.supplier_id, ${tidyName(sql.fragment`n.name`)} as name
      from ${sql.unnest(names, ['int4', 'int8', 'text'])} as n (at, supplier_id, name)
    ),
    added as (
      insert into supplier_alias (shop_id, supplier_id, vendor_name)
      select distinct on (lower(name)) ${shopId}::bigint, supplier_id, name from given where name <> '' order by lower(name), at
      on conflict (shop_id, lower(vendor_name)) do nothing
      returning supplier_id as id
    )
    select distinct g.at, a.id from added a join given g on g.supplier_id = a.id
  `)
  return new Set([...added, ...named].map(({ at }) => at))
}
