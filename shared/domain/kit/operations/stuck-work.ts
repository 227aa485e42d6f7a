import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'

const StuckWork = Type.Object({ unknownMails: Type.Integer(), refusedShops: Type.Integer() })

/** Counts what the queue does not show: unknown mails of the last day, and shops whose token is refused. */
export function countStuckWork(db: Db): Promise<Static<typeof StuckWork>> {
  return db.one(sql.type(row(StuckWork))`
    select
      (
        select count(*) from outgoing_mail where state = 'unknown' and settled_at > now() - interval '1 day'
      ) as unknown_mails,
      (
        select count(*)
        from shop_credential c
        join shop s on s.id = c.shop_id
        where c.revoked_at is not null and s.uninstalled_at is null
      ) as refused_shops
  `)
}
