import { type Db, row, sql } from '../../../db/db.ts'
import { badRequest, conflict, unprocessable } from '../../../errors.ts'
import { DigestSettings, type DigestSettingsPatch } from '../../../schemas/digest.ts'
import { timeZoneOf } from '../../kit/date-range.ts'

/** Off, at 8, without recipients, until the merchant changes it. */
export function getDigestSettings(db: Db, shopId: number): Promise<DigestSettings> {
  return db.one(sql.type(row(DigestSettings))`
    select coalesce(d.is_on, false) as enabled, coalesce(d.hour, 8) as hour, coalesce(d.version, 1) as version,
      to_jsonb(coalesce(d.recipients, '{}')) as recipients, (
        select jsonb_build_object(
          'day', to_char(newest.day, 'YYYY-MM-DD'), 'state', newest.state,
          'sent', count(*) filter (where m.state = 'sent'),
          'failed', count(*) filter (where m.state in ('failed', 'unknown') and m.settled_at is not null),
          'pending', count(*) filter (where m.id is not null and m.settled_at is null)
        )
        from (
          select id, day, state from digest where shop_id = ${shopId} and day is not null order by day desc limit 1
        ) newest
        left join digest_mail m on m.shop_id = ${shopId} and m.digest_id = newest.id
        group by newest.id, newest.day, newest.state
      ) as last
    from (select ${shopId}::bigint as shop_id) shop
    left join digest_setting d on d.shop_id = ${shopId}
  `)
}

/**
 * Changes the given fields. A digest that is turned on after its hour begins the next day. Throws invalid_request for an
 * address that is in the list twice, stale_version, and digest_without_recipients.
 */
export async function updateDigestSettings(
  db: Db,
  shopId: number,
  { version, ...patch }: DigestSettingsPatch,
  now: Date,
): Promise<DigestSettings> {
  refuseRepeated(patch.recipients ?? [])
  return db.transaction(async (tx) => {
    await tx.query(sql.typeAlias('void')`
      insert into digest_setting (shop_id, first_day, updated_at)
      values (${shopId}, '-infinity', ${now.toISOString()})
      on conflict do nothing
    `)
    await tx.query(sql.typeAlias('void')`
      select from digest_setting where shop_id = ${shopId} for no key update
    `)
    const before = await getDigestSettings(tx, shopId)
    if (version !== undefined && version !== before.version) {
      throw conflict(
        'The digest was changed in the meantime, or a recipient has unsubscribed. Reload the page and try again.',
        'stale_version',
      )
    }
    const after = { ...before, ...patch }
    if (after.enabled && after.recipients.length === 0) {
      const fault = { path: '/recipients', message: 'must have an address when the digest is on' }
      throw unprocessable('digest_without_recipients', 'Enter at least one recipient.', [fault])
    }
    await tx.query(sql.typeAlias('void')`
      update digest_setting
      set is_on = ${after.enabled}, hour = ${after.hour}, recipients = ${sql.array(after.recipients, 'text')},
        first_day = case
          when ${after.enabled && !before.enabled}
            then local.at::date + case when extract(hour from local.at) >= ${after.hour}::int then 1 else 0 end
          else first_day
        end,
        version = version + case
          when (is_on, hour, recipients)
            is distinct from (${after.enabled}::boolean, ${after.hour}::smallint, ${sql.array(after.recipients, 'text')})
          then 1 else 0
        end,
        updated_at = ${now.toISOString()}
      from (select ${now.toISOString()}::timestamptz at time zone ${timeZoneOf(shopId)} as at) local
      where shop_id = ${shopId}
    `)
    return getDigestSettings(tx, shopId)
  })
}

function refuseRepeated(addresses: readonly string[]): void {
  const lower = addresses.map((address) => address.toLowerCase())
  const faults = lower.flatMap((address, at) =>
    lower.indexOf(address) < at
      ? [{ path: `/recipients/${at}`, message: 'must not be in the list twice' }]
      : [],
  )
  if (faults.length > 0) throw badRequest(faults)
}
