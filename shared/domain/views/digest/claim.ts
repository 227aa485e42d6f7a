import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { enqueueAll } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import { Id } from '../../../schemas/common.ts'
import { localTime, Zone, zoneOf } from '../../records/shops/local-time.ts'

const Claimed = Type.Object({ shopId: Id, digestId: Id })

/**
 * Makes the row of today's digest of each shop whose hour has come, and the job that computes it. The unique key (shop, day)
 * decides between workers. Local dates and hours are compared, so a clock change is no special case:
 * - An hour that does not exist: at 01:00 UTC Paris goes from 01:59 to 03:00, and 3 is not before 2.
 * - An hour that comes twice: the row of the day exists when it comes again.
 * - A time zone farther west repeats a date, which has its row.
 */
export async function claimDigests(tx: Db, now: Date): Promise<void> {
  const zones = await tx.any(sql.type(row(Zone))`
    select distinct ${zoneOf('t')} as time_zone
    from digest_setting d
    left join shop_setting t on t.shop_id = d.shop_id
    where d.is_on
  `)
  const rows = zones.map(({ timeZone }) => [timeZone, ...localTime(now, timeZone)])
  const claimed = await tx.any(sql.type(row(Claimed))`
    insert into digest (shop_id, day, created_at)
    select d.shop_id, local.day, ${now.toISOString()}::timestamptz
    from digest_setting d
    join shop s on s.id = d.shop_id
    join shop_credential c on c.shop_id = d.shop_id
    left join shop_setting t on t.shop_id = d.shop_id
    join ${sql.unnest(rows, ['text', 'date', 'int4'])} as local (time_zone, day, hour) on local.time_zone = ${zoneOf('t')}
    where d.is_on and s.uninstalled_at is null and c.revoked_at is null
      and local.hour >= d.hour and local.day >= d.first_day
      and not exists (select from digest g where g.shop_id = d.shop_id and g.day >= local.day)
    order by d.shop_id
    on conflict (shop_id, day) do nothing
    returning shop_id, id as digest_id
  `)
  await enqueueAll(tx, jobs.makeDigest, claimed)
}
