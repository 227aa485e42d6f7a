import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'

/** A table that names a supplier, and how a merge locks and changes its rows. */
type Reference = {
  table: string
  lock: 'update' | 'no key update' | 'none'
  isVersioned: boolean
  hasTime: boolean
}

/**
 * The tables that name a supplier, in the order of their locks, except those that belong to it: its products, contacts and vendor names.
 * `test/shared/domain/records/suppliers/references.test.ts` compares them with the foreign keys of the schema.
 */
export const supplierReferences = [
  { table: 'purchase_order', lock: 'update', isVersioned: true, hasTime: true },
  { table: 'supplier_return', lock: 'update', isVersioned: true, hasTime: true },
  { table: 'buying_budget', lock: 'no key update', isVersioned: true, hasTime: true },
  { table: 'reorder_rule', lock: 'no key update', isVersioned: false, hasTime: true },
  { table: 'receipt', lock: 'none', isVersioned: false, hasTime: false },
] as const satisfies readonly Reference[]

type ReferenceTable = (typeof supplierReferences)[number]['table']

/** Locks the rows that name a supplier, before the supplier: an edit of a document locks it before its supplier, too. */
export async function lockReferences(tx: Db, shopId: number, supplierId: number): Promise<void> {
  for (const { table, lock } of supplierReferences) {
    if (lock === 'none') continue
    await tx.query(sql.typeAlias('void')`
      select from ${sql.identifier([table])}
      where shop_id = ${shopId} and supplier_id = ${supplierId}
      order by id
      ${lock === 'update' ? sql.fragment`for update` : sql.fragment`for no key update`}
    `)
  }
}

/** Lets all rows that name a supplier, which the caller has locked, name another one. Returns how many each table has. */
export async function moveReferences(
  tx: Db,
  shopId: number,
  supplierId: number,
  intoId: number,
): Promise<Record<ReferenceTable, number>> {
  const moved = { purchase_order: 0, supplier_return: 0, buying_budget: 0, reorder_rule: 0, receipt: 0 }
  for (const { table, isVersioned, hasTime } of supplierReferences) {
    const { rowCount } = await tx.query(sql.typeAlias('void')`
      update ${sql.identifier([table])}
      set supplier_id = ${intoId}
        ${isVersioned ? sql.fragment`, version = version + 1` : sql.fragment``}
        ${hasTime ? sql.fragment`, updated_at = now()` : sql.fragment``}
      where shop_id = ${shopId} and supplier_id = ${supplierId}
    `)
    moved[table] = rowCount
  }
  return moved
}

/** Whether a document or a budget names the supplier, so that it cannot be deleted. A reorder rule loses its supplier instead. */
export function isReferenced(tx: Db, shopId: number, supplierId: number): Promise<boolean> {
  const kept = supplierReferences.filter(({ table }) => table !== 'reorder_rule')
  return tx.exists(sql.typeAlias('void')`
    ${sql.join(
      kept.map(
        ({ table }) => sql.fragment`
          select from ${sql.identifier([table])} where shop_id = ${shopId} and supplier_id = ${supplierId}
        `,
      ),
      sql.fragment` union all `,
    )}
  `)
}

const Released = Type.Object({ rules: Type.Integer() })

/** Takes suppliers, which are locked, out of the reorder rules. Returns how many rules had one of them. */
export async function releaseRules(tx: Db, shopId: number, supplierIds: readonly number[]): Promise<number> {
  const rules = sql.identifier(['reorder_rule' satisfies ReferenceTable])
  return tx.oneFirst(sql.type(row(Released))`
    with due as (
      select id from ${rules}
      where shop_id = ${shopId} and supplier_id = any(${sql.array([...supplierIds], 'int8')})
      order by id
      for no key update
    ),
    released as (
      update ${rules} r
      set supplier_id = null, updated_at = now()
      from due
      where r.shop_id = ${shopId} and r.id = due.id
      returning 1
    )
    select count(*)::int as rules from released
  `)
}
