import { noteStatements } from '../dev/postgres/statements.ts'
import type { DatabasePool, Db } from '../shared/db/db.ts'
import type { Statement } from './baselines/api-server.ts'

/** The statements that `work` sends, in order, without those that begin and end its transactions. */
export async function record(pool: DatabasePool, work: (db: Db) => Promise<unknown>): Promise<Statement[]> {
  const { db, statements } = noteStatements(pool)
  await work(db)
  return statements.map(({ sql, values }) => ({
    // the pool numbers the values when it sends them
    text: sql.replace(/\$slonik_(?=\d)/g, '$'),
    values: [...values],
  }))
}
