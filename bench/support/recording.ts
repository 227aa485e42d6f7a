import { recordStatements } from '../../dev/postgres/statements.ts'
import type { DatabasePool, Db } from '../../shared/db/db.ts'
import type { Statement } from '../baselines/api-server.ts'

/** The statements that `work` sends, in order, without `begin` and `commit`. */
export async function record(pool: DatabasePool, work: (db: Db) => Promise<unknown>): Promise<Statement[]> {
  const { db, statements } = recordStatements(pool)
  await work(db)
  return statements.map(({ sql, values }) => ({
    // the pool replaces these placeholders when it sends a statement
    text: sql.replace(/\$slonik_(?=\d)/g, '$'),
    values: [...values],
  }))
}
