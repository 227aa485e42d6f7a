import { Type } from '@sinclair/typebox'
import type { QuerySqlToken } from 'slonik'
import { type DatabasePool, type Db, row, sql } from '../../shared/db/db.ts'

const queryMethods = new Set<string | symbol>(['any', 'anyFirst', 'one', 'oneFirst', 'maybeOne', 'query'])

/** Wraps a pool so that it records each statement before running it, inside transactions, too. */
export function recordStatements(pool: DatabasePool): { db: DatabasePool; statements: QuerySqlToken[] } {
  const statements: QuerySqlToken[] = []
  const recording = <T extends Db>(db: T): T =>
    new Proxy(db, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        if (name === 'transaction')
          return (work: (tx: Db) => unknown) => method.call(target, (tx: Db) => work(recording(tx)))
        if (!queryMethods.has(name)) return method.bind(target)
        return (statement: QuerySqlToken) => {
          statements.push(statement)
          return method.call(target, statement)
        }
      },
    })
  return { db: recording(pool), statements }
}

export async function planOf(
  db: Db,
  statement: QuerySqlToken,
  { isRun = false }: { isRun?: boolean } = {},
): Promise<string> {
  const explain = isRun ? sql.fragment`explain (analyze, buffers)` : sql.fragment`explain`
  const lines = await db.anyFirst(sql.type(row(Type.Object({ 'QUERY PLAN': Type.String() })))`
    ${explain} ${statement}
  `)
  return lines.join('\n')
}
