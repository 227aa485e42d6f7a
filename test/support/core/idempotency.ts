import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../shared/db/db.ts'
import type { Person } from './people.ts'

export const post = (person: Person, url: string, key: string, body?: object) =>
  person.send('POST', url, body, { 'idempotency-key': key })

export const put = (person: Person, url: string, key: string, body: object) =>
  person.send('PUT', url, body, { 'idempotency-key': key })

/** The stored idempotency keys of a shop. */
export const keysOf = (db: Db, { shopId }: Pick<Person, 'shopId'>) =>
  db.anyFirst(sql.type(row(Type.Object({ key: Type.String() })))`
    select key from idempotency_key where shop_id = ${shopId} order by key
  `)
