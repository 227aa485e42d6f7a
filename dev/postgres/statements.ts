import { Type } from '@sinclair/typebox'
import type { QuerySqlToken } from 'slonik'
import { type DatabasePool, type Db, row, sql } from '../../shared/db/db.ts'

const reading = new Set<string | symbol>(['any', 'anyFirst', 'one', 'oneFirst', 'maybeOne', 'query'])

/** A pool that notes each statement before it runs it, in transactions, too. */
export function noteStatements(pool: DatabasePool): { db: DatabasePool; statements: QuerySqlToken[] } {
  const statements: QuerySqlToken[] = []
  const noting = <T extends Db>(db: T): T =>
    new Proxy(db, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        if (name === 'transaction')
          return (work: (tx: Db) => unknown) => method.call(target, (tx: Db) => work(noting(tx)))
        if (!reading.has(name)) return method.bind(target)
        return (statement: QuerySqlToken) => {
          statements.push(statement)
          return method.call(target, statement)
        }
      },
    })
  return { db: noting(pool), statements }
}

/** How Postgres runs a statement, without running it unless `isRun`. */
export async function planOf(
  db: Db,
  statement: QuerySqlToken,
  { isRun = false }: { isRun?: boolean } = {},
): Promise<string> {
  const how = isRun ? sql.fragment`explain (analyze, buffers)` : sql.fragment`explain`
  const lines = await db.anyFirst(sql.type(row(Type.Object({ 'QUERY PLAN': Type.String() })))`
    ${how} ${statement}
  `)
  return lines.join('\n')
}
