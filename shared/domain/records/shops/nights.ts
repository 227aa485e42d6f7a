import { type Db, row, sql } from '../../../db/db.ts'
import { localTime, Zone, zoneOf } from './local-time.ts'

/**
 * Returns the installed shops whose local date is later than that of their last night, and stores the date: each date
 * of a shop starts one night. A shop without a night gets one at once; missed dates make one night together.
 * - Dates are compared, not times of day: a midnight that does not exist, or comes twice, is no special case.
 * - A time zone farther east may begin the next date at once. One farther west repeats a date, which starts nothing.
 */
export async function claimNights(tx: Db, now: Date): Promise<readonly number[]> {
  const zones = await tx.any(sql.type(row(Zone))`
    select distinct ${zoneOf('t')} as time_zone
    from shop s
    left join shop_setting t on t.shop_id = s.id
    where s.uninstalled_at is null
  `)
  const rows = zones.map(({ timeZone }) => [timeZone, localTime(now, timeZone)[0]])
  return tx.anyFirst(sql.typeAlias('id')`
    insert into shop_night as n (shop_id, day)
    select s.id, local.day
    from shop s
    join shop_credential c on c.shop_id = s.id
    left join shop_setting t on t.shop_id = s.id
    join ${sql.unnest(rows, ['text', 'date'])} as local (time_zone, day) on local.time_zone = ${zoneOf('t')}
    where s.uninstalled_at is null and c.revoked_at is null
    order by s.id
    on conflict (shop_id) do update set day = excluded.day where n.day < excluded.day
    returning shop_id as id
  `)
}
