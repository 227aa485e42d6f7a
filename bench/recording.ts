import type { QuerySqlToken } from 'slonik'
import type { DatabasePool, Db } from '../shared/db.ts'
import type { Statement } from './baselines/api-server.ts'

const asking = new Set<string | symbol>(['any', 'anyFirst', 'exists', 'maybeOne', 'one', 'oneFirst', 'query'])

/** The statements that `work` sends, in order, without those that begin and end its transactions. */
export async function record(pool: DatabasePool, work: (db: Db) => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = []
  const recording = <T extends Db>(db: T): T =>
    new Proxy(db, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        if (name === 'transaction')
          return (inTransaction: (tx: Db) => unknown) =>
            method.call(target, (tx: Db) => inTransaction(recording(tx)))
        if (!asking.has(name)) return method.bind(target)
        return (statement: QuerySqlToken) => {
          // the pool numbers the values when it sends them
          const text = statement.sql.replace(/\$slonik_(?=\d)/g, '$')
          statements.push({ text, values: [...statement.values] })
          return method.call(target, statement)
        }
      },
    })
  await work(recording(pool))
  return statements
}
