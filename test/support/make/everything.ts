import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../shared/db/db.ts'
import type { Person } from '../core/people.ts'
import { queuedJobs } from './orders.ts'

const Table = Type.Object({ name: Type.String() })
const Rows = Type.Object({ name: Type.String(), rows: Type.Unknown() })

/** All rows of a shop in all tables. */
export const allRowsOf = (db: Db, person: Person): Promise<Record<string, unknown>> =>
  readTables(db, person, sql.fragment`coalesce(jsonb_agg(to_jsonb(t) order by to_jsonb(t)), '[]')`)

/** A hash of a shop's rows for each table, for tests that compare them at each endpoint. */
export const hashesOf = (db: Db, person: Person): Promise<Record<string, unknown>> =>
  readTables(db, person, sql.fragment`to_jsonb(md5(coalesce(string_agg(t::text, ' ' order by t::text), '')))`)

/** Reads `rows` of each table by one statement, and the jobs of the shop. */
async function readTables(db: Db, person: Person, rows: ReturnType<typeof sql.fragment>) {
  // not information_schema, which is ten times as slow
  const tables = await db.any(sql.type(row(Table))`
    select c.relname::text as name
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'shop_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    order by 1
  `)
  const ofTables = tables.map(
    ({ name }) => sql.fragment`
      select ${name}::text as name, ${rows} as rows from ${sql.identifier([name])} t where t.shop_id = ${person.shopId}
    `,
  )
  const read = await db.any(sql.type(row(Rows))`${sql.join(ofTables, sql.fragment` union all `)}`)
  return {
    jobs: await queuedJobs(db, person),
    ...Object.fromEntries(read.map(({ name, rows }) => [name, rows])),
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
