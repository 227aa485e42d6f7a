import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'

const StuckWork = Type.Object({ unknownMails: Type.Integer(), refusedShops: Type.Integer() })

/**
 * Counts, for all shops, problems that raise an alert for the merchant but are not visible in the queue: mails of the
 * last day with an unknown outcome, and shops whose token the platform refuses.
 */
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
