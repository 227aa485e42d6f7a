import { Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import { complianceTopics } from '../../../queue/jobs.ts'
import { Id } from '../../../schemas/common.ts'

const Pruned = Type.Object({ count: Type.Integer() })
const maxPerBatch = 5_000

/** Rows that are deleted when their time is over. `maxRows` is that of a statement. */
type Lifetime = { table: string; isOver: FragmentSqlToken; maxRows?: number }

const age = (column: string, age: string) =>
  sql.fragment`${sql.identifier([column])} < now() - ${age}::interval`

/** The lifetimes of rows of all shops. Those of idempotency keys and exports have functions of their own. */
export const lifetimes: readonly Lifetime[] = [
  {
    table: 'webhook_delivery',
    // a request about a customer's data is kept for a year
    isOver: sql.fragment`
      ${age('received_at', '30 days')} and state in ('applied', 'ignored', 'rejected')
      and (${age('received_at', '1 year')} or topic <> all(${sql.array([...complianceTopics], 'text')}))
    `,
  },
  { table: 'stock_push', isOver: age('settled_at', '30 days') },
  { table: 'alert', isOver: age('resolved_at', '1 year') },
  // parts of files have up to 2 MiB
  { table: 'import_file', isOver: age('created_at', '30 days'), maxRows: 200 },
  { table: 'job_run', isOver: age('ended_at', '7 days') },
  { table: 'digest', isOver: age('created_at', '90 days') },
  { table: 'job_crash', isOver: age('last_at', '7 days') },
  { table: 'schedule_slot', isOver: age('slot', '90 days') },
  // an installation that was not finished
  { table: 'oauth_state', isOver: age('created_at', '1 day') },
]

/**
 * Deletes a batch of rows of each table whose time is over; true when more may be left. On several machines a `ctid` may name several rows; the
 * second condition keeps those whose time is not over.
 */
export async function pruneBatch(db: Db): Promise<boolean> {
  let isMore = false
  for (const { table, isOver, maxRows = maxPerBatch } of lifetimes) {
    const count = await db.oneFirst(sql.type(row(Pruned))`
      with expired as (
        delete from ${sql.identifier([table])}
        where ctid = any(array(select ctid from ${sql.identifier([table])} where ${isOver} limit ${maxRows}))
          and ${isOver}
        returning 1
      )
      select count(*) as count from expired
    `)
    if (count === maxRows) isMore = true
  }
  return isMore
}

const Expired = Type.Object({ shopId: Id, keys: Type.Integer() })

/**
 * Deletes a batch of idempotency keys that are older than 24 hours; true when more may be left. Each shop has a transaction of its
 * own, so that requests of a shop do not wait for the keys of others.
 */
export async function pruneKeys(db: Db): Promise<boolean> {
  const expired = await db.any(sql.type(row(Expired))`
    select shop_id, count(*)::int as keys
    from (
      select shop_id from idempotency_key where created_at <= now() - interval '24 hours' limit ${maxPerBatch}
    ) k
    group by shop_id
  `)
  let deleted = 0
  for (const { shopId } of expired) deleted += await pruneKeysOf(db, shopId)
  const found = expired.reduce((sum, { keys }) => sum + keys, 0)
  return found === maxPerBatch && deleted > 0
}

const pruneKeysOf = (db: Db, shopId: number): Promise<number> =>
  db.oneFirst(sql.type(row(Pruned))`
    with deleted as (
      delete from idempotency_key
      where shop_id = ${shopId} and key in (
        select key
        from idempotency_key
        where shop_id = ${shopId} and created_at <= now() - interval '24 hours'
        limit ${maxPerBatch}
        for update skip locked -- a concurrent request may be claiming an expired key again
      )
      returning 1
    )
    select count(*) as count from deleted
  `)
