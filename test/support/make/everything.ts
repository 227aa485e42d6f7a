import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../shared/db/db.ts'
import type { Person } from '../core/people.ts'
import { queuedJobs } from './orders.ts'

const Table = Type.Object({ name: Type.String() })
const Rows = Type.Object({ name: Type.String(), rows: Type.Unknown() })

/** All rows of a shop in all tables, read by one statement, since some tests compare them for each endpoint. */
export async function allRowsOf(db: Db, person: Person): Promise<Record<string, unknown>> {
  const tables = await db.any(sql.type(row(Table))`
    select table_name::text as name
    from information_schema.columns
    where table_schema = 'public' and column_name = 'shop_id'
    order by 1
  `)
  const ofTables = tables.map(
    ({ name }) => sql.fragment`
      select ${name}::text as name, coalesce(jsonb_agg(to_jsonb(t) order by to_jsonb(t)), '[]') as rows
      from ${sql.identifier([name])} t
      where t.shop_id = ${person.shopId}
    `,
  )
  const rows = await db.any(sql.type(row(Rows))`${sql.join(ofTables, sql.fragment` union all `)}`)
  return {
    jobs: await queuedJobs(db, person),
    ...Object.fromEntries(rows.map(({ name, rows }) => [name, rows])),
  }
}

export const post = (person: Person, url: string, key: string, body?: object) =>
  person.send('POST', url, body, { 'idempotency-key': key })

export const put = (person: Person, url: string, key: string, body: object) =>
  person.send('PUT', url, body, { 'idempotency-key': key })

/** The stored idempotency keys of a shop. */
export const keysOf = (db: Db, { shopId }: Pick<Person, 'shopId'>) =>
  db.anyFirst(sql.type(row(Type.Object({ key: Type.String() })))`
    select key from idempotency_key where shop_id = ${shopId} order by key
  `)
