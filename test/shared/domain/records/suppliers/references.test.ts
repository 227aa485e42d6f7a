import { Type } from '@sinclair/typebox'
import t from 'tap'
import { row, sql } from '../../../../../shared/db/db.ts'
import { supplierReferences } from '../../../../../shared/domain/records/suppliers/references.ts'
import { openTestDb } from '../../../../support/core/database.ts'

/** These belong to a supplier; `merge.ts` moves them with rules of their own. */
const ownTables = ['supplier_alias', 'supplier_contact', 'supplier_product']

t.test('a merge knows every table that names a supplier', async (t) => {
  const { db } = await openTestDb(t)
  const tables = await db.anyFirst(sql.type(row(Type.Object({ name: Type.String() })))`
    select conrelid::regclass::text as name
    from pg_constraint
    where contype = 'f' and confrelid = 'supplier'::regclass
    order by 1
  `)
  const references = supplierReferences.map(({ table }) => table)
  t.strictSame(tables, [...ownTables, ...references].sort())
})
