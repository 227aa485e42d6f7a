import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../shared/db/db.ts'
import { queuedJobs } from '../core/jobs.ts'
import type { Person } from '../core/people.ts'

const Table = Type.Object({ name: Type.String() })
const Rows = Type.Object({ name: Type.String(), rows: Type.Unknown() })

/** All rows of a shop in all tables, and its jobs. */
export const allRowsOf = (db: Db, person: Person): Promise<Record<string, unknown>> =>
  readTables(db, person, 'rows_of')

/** The same with a hash of the rows of each table, for tests that compare them at each endpoint. */
export const hashesOf = (db: Db, person: Person): Promise<Record<string, unknown>> =>
  readTables(db, person, 'hashes_of')

const readers = new WeakMap<Db, Promise<void>>()

/** Functions that read all tables of the schema, because planning that statement takes longer than running it. */
async function createReaders(db: Db): Promise<void> {
  // not information_schema, which is ten times as slow
  const tables = await db.anyFirst(sql.type(row(Table))`
    select c.relname::text as name
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'shop_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    order by 1
  `)
  const create = async (name: string, rows: ReturnType<typeof sql.fragment>) => {
    const ofTables = tables.map(
      (table) => sql.fragment`
        select ${sql.literalValue(table)}::text, ${rows} from ${sql.identifier([table])} t where t.shop_id = in_shop
      `,
    )
    const body = sql.fragment`begin return query ${sql.join(ofTables, sql.fragment` union all `)}; end`
    await db.query(sql.typeAlias('void')`
      create or replace function ${sql.identifier([name])}(in_shop bigint) returns table(name text, rows jsonb)
      language plpgsql as ${sql.literalValue(body.sql)}
    `)
  }
  await create('rows_of', sql.fragment`coalesce(jsonb_agg(to_jsonb(t) order by to_jsonb(t)), '[]')`)
  await create(
    'hashes_of',
    sql.fragment`to_jsonb(md5(coalesce(string_agg(t::text, ' ' order by t::text), '')))`,
  )
}

async function readTables(db: Db, person: Person, reader: 'rows_of' | 'hashes_of') {
  const created = readers.get(db) ?? createReaders(db)
  readers.set(db, created)
  await created
  const read = await db.any(sql.type(row(Rows))`
    select name, rows from ${sql.identifier([reader])}(${person.shopId})
  `)
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
