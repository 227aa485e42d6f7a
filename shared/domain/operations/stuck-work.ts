import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'

const Troubles = Type.Object({ unknownMails: Type.Integer(), refusedShops: Type.Integer() })

/**
 * What merchants are told and operators cannot see in the queue, of all shops: mails of the last day that nobody knows
 * to have left, and shops whose token the platform refuses.
 */
export function countStuckWork(db: Db): Promise<Static<typeof Troubles>> {
  return db.one(sql.type(row(Troubles))`
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
