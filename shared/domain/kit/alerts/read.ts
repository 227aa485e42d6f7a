import { type Db, row, sql } from '../../../db/db.ts'
import { notFound } from '../../../errors.ts'
import { ReadAlert, ReadAlerts, type ReadAllAlerts } from '../../../schemas/alerts.ts'

/** Marks an alert as read, even if it is read or resolved already. Throws not_found. */
export async function readAlert(db: Db, shopId: number, id: number): Promise<ReadAlert> {
  const alert = await db.maybeOne(sql.type(row(ReadAlert))`
    update alert set is_read = true where shop_id = ${shopId} and id = ${id}
    returning id, is_read as read
  `)
  if (!alert) throw notFound('Alert')
  return alert
}

/** Marks open alerts as read: all, those of one type, or some. Returns the number of alerts that were unread. */
export function readAllAlerts(db: Db, shopId: number, { type, ids }: ReadAllAlerts): Promise<ReadAlerts> {
  return db.one(sql.type(row(ReadAlerts))`
    with unread as (
      select id
      from alert
      where ${sql.and([
        sql.fragment`shop_id = ${shopId} and resolved_at is null and is_read = false`,
        type !== undefined && sql.fragment`type = ${type}`,
        ids !== undefined && sql.fragment`id = any(${sql.array([...ids], 'int8')})`,
      ])}
      order by id
      for no key update
    ),
    marked as (
      update alert a
      set is_read = true
      from unread
      where a.shop_id = ${shopId} and a.id = unread.id
      returning 1
    )
    select count(*) as read from marked
  `)
}
