import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'

/** Imports of a shop write one after the other, so that two files with the same order do not both create it. */
export const lockShopImports = (tx: Db, shopId: number) =>
  tx.query(sql.typeAlias('void')`
    select from pg_advisory_xact_lock(hashtextextended('imports', ${shopId}::bigint))
  `)

/** Waits until a dry run of the import has ended, which holds what it has written until then. */
export const lockImport = (tx: Db, importId: number) =>
  tx.query(sql.typeAlias('void')`
    select from pg_advisory_xact_lock(hashtextextended('import', ${importId}::bigint))
  `)

/** False when another transaction runs the import, dry or not. */
export const tryLockImport = (tx: Db, importId: number): Promise<boolean> =>
  tx.oneFirst(sql.type(row(Type.Object({ isFree: Type.Boolean() })))`
    select pg_try_advisory_xact_lock(hashtextextended('import', ${importId}::bigint)) as is_free
  `)
