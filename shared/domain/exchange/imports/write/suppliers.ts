import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { Id } from '../../../../schemas/common.ts'
import { followLeadTimes } from '../../../documents/purchase-orders/overdue.ts'
import { contactsHash } from '../../../records/suppliers/contacts.ts'
import { addImportedAliases, addImportedContacts } from '../../../records/suppliers/imported/details.ts'
import {
  fillImportedSuppliers,
  insertImportedSuppliers,
} from '../../../records/suppliers/imported/suppliers.ts'
import type { SourceRow, UnitWriter } from '../load.ts'
import { readSuppliers } from '../match-suppliers.ts'
import type { Made, Outcome } from '../outcomes.ts'
import { hasDetail, isDetail, readSupplier, type SupplierRow } from './supplier-rows.ts'

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
  const rowsOfCreated = created.map((read) => ({ ...rowOf(read), isHidden: read.isHidden }))
  const ids = await insertImportedSuppliers(tx, terms.shopId, rowsOfCreated)
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

/** What the room of suppliers writes of a row. */
const rowOf = ({ position, name, columns }: SupplierRow & { position: number }) => ({
  at: position,
  name,
  columns,
})

/**
 * Fills in empty fields. Returns the supplier's version and these fields by the position of the row that changed it. If nothing has
 * changed the supplier since an earlier import, the target of that import gets the new version, so that its revert finds no
 * change by the merchant.
 */
async function fillSuppliers(
  tx: Db,
  shopId: number,
  reads: readonly (SupplierRow & { position: number; id: number })[],
) {
  const rows = reads.map((read) => ({ ...rowOf(read), id: read.id }))
  const changed = await fillImportedSuppliers(tx, shopId, rows)
  const ids = [...new Set([...changed.values()].map(({ id }) => id))]
  await tx.query(sql.typeAlias('void')`
    update import_target t
    set version = s.version
    from supplier s
    where s.shop_id = ${shopId} and s.id = any(${sql.array(ids, 'int8')})
      and t.shop_id = ${shopId} and t.target in ('supplier', 'filled_supplier') and t.target_id = s.id
      and t.version = s.version - 1
  `)
  return changed
}

/** Adds contacts and other names that the suppliers do not have; returns the positions of the rows that did. */
async function addDetails(
  tx: Db,
  shopId: number,
  reads: readonly (SupplierRow & { position: number; id: number })[],
): Promise<Set<number>> {
  const contacts = reads.flatMap(({ position, id, contacts: own }) =>
    own.map(({ name, email, phone, role }) => {
      const texts = { email: email ?? '', phone: phone ?? '', role: role ?? '' }
      return { at: position, supplierId: id, name, ...texts }
    }),
  )
  const aliases = reads.flatMap(({ position, id, aliases: own }) =>
    own.map((name) => ({ at: position, supplierId: id, name })),
  )
  const withContacts = await addImportedContacts(tx, shopId, contacts)
  return new Set([...withContacts, ...(await addImportedAliases(tx, shopId, aliases))])
}
