import { isDeepStrictEqual } from 'node:util'
import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { badRequest, unprocessable } from '../../../errors.ts'
import { enqueue } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import type { LabelFormat } from '../../../schemas/labels.ts'
import { Settings, type SettingsPatch } from '../../../schemas/settings.ts'
import { cleared } from '../../kit/patch.ts'
import { chooseLocation } from '../catalogue/locations.ts'
import { reasonsOf } from './adjustment-reasons.ts'
import { localeOf } from './locale.ts'
import { logoOf } from './logo.ts'
import { paperOf } from './paper.ts'

const defaultLabelFormat: LabelFormat = { format: '62x29', dpi: 203, price: true }

/** A field has the merchant's value, else the platform's (`shop-details.ts`), else the default. */
export function getSettings(db: Db, shopId: number): Promise<Settings> {
  return db.one(sql.type(row(Settings))`
    select coalesce(t.company_name, '') as company_name, coalesce(t.address, '') as address,
      coalesce(t.phone, '') as phone, coalesce(t.email, '') as email, coalesce(t.currency, 'USD') as currency,
      coalesce(t.tax_id, '') as tax_id, coalesce(t.ordered_by, '') as ordered_by,
      coalesce(t.mail_copy_to, '') as mail_copy_to, coalesce(t.paper, 'auto') as paper, ${paperOf(shopId)} as paper_in_use,
      ${logoOf(shopId)} as logo,
      coalesce(t.time_zone, 'UTC') as time_zone, ${localeOf(shopId)} as locale,
      coalesce(t.cost_write_back, 'off') as cost_write_back,
      coalesce(t.over_receipt_percent, 0) as over_receipt_percent,
      ${sql.jsonb(defaultLabelFormat)} || coalesce(t.label_format, '{}') as label_format,
      (select gid from location where shop_id = ${shopId} and is_chosen) as default_location_id,
      t.count_approval_value, ${reasonsOf('t')} as adjustment_reasons,
      coalesce(t.is_setup_hidden, false) as is_setup_hidden,
      coalesce(t.adjustment_reason_required, false) as adjustment_reason_required
    from (select ${shopId}::bigint as shop_id) shop
    left join shop_setting t on t.shop_id = ${shopId}
  `)
}

/** Creates the settings of a shop that has none. */
export async function createSettings(tx: Db, shopId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    insert into shop_setting (shop_id) values (${shopId}) on conflict do nothing
  `)
}

/**
 * A new time zone moves sales to other days: jobs recompute them, and the next night rolls up all demand (`demand/roll-up.ts`). A field
 * that repeats the current value is not stored, so a derived setting keeps following the platform or the default. Throws unknown_location,
 * unknown_time_zone.
 */
export async function storeSettings(
  tx: Db,
  shopId: number,
  input: SettingsPatch,
): Promise<{ before: Settings; settings: Settings }> {
  refuseRepeated(input.adjustmentReasons ?? [])
  await createSettings(tx, shopId)
  await tx.query(sql.typeAlias('void')`
    select from shop_setting where shop_id = ${shopId} for no key update
  `)
  const before = await getSettings(tx, shopId)
  const patch = changesOf(before, input)
  const timeZone = patch.timeZone === undefined ? before.timeZone : await findTimeZone(tx, patch.timeZone)
  await tx.query(sql.typeAlias('void')`
    update shop_setting
    set company_name = coalesce(${cleared(patch.companyName)}, company_name),
      address = coalesce(${cleared(patch.address)}, address),
      phone = coalesce(${cleared(patch.phone)}, phone),
      email = coalesce(${cleared(patch.email)}, email),
      tax_id = coalesce(${cleared(patch.taxId)}, tax_id),
      ordered_by = coalesce(${cleared(patch.orderedBy)}, ordered_by),
      mail_copy_to = coalesce(${cleared(patch.mailCopyTo)}, mail_copy_to),
      paper = case when ${patch.paper === undefined} then paper else nullif(${patch.paper ?? 'auto'}, 'auto') end,
      time_zone = ${timeZone},
      locale = coalesce(${patch.locale ?? null}, locale),
      label_format = label_format || ${sql.jsonb(patch.labelFormat ?? {})},
      cost_write_back = ${patch.costWriteBack ?? before.costWriteBack},
      count_approval_value = ${patch.countApprovalValue === undefined ? before.countApprovalValue : patch.countApprovalValue},
      adjustment_reasons = case
        when ${patch.adjustmentReasons === undefined} then adjustment_reasons
        else ${patch.adjustmentReasons ? sql.array(patch.adjustmentReasons, 'text') : sql.fragment`null`}
      end,
      adjustment_reason_required = ${patch.adjustmentReasonRequired ?? before.adjustmentReasonRequired},
      is_setup_hidden = ${patch.isSetupHidden ?? before.isSetupHidden},
      over_receipt_percent = ${patch.overReceiptPercent ?? before.overReceiptPercent},
      updated_at = now()
    where shop_id = ${shopId}
  `)
  // one that was chosen before stays, even if it is no longer in use
  if (patch.defaultLocationId !== undefined) {
    await chooseLocation(tx, shopId, patch.defaultLocationId)
  }
  if (timeZone !== before.timeZone) {
    await enqueue(tx, jobs.recomputeSalesVelocity, { shopId, isWhole: true })
    await enqueue(tx, jobs.recomputeReorderPoints, { shopId })
  }
  return { before, settings: await getSettings(tx, shopId) }
}

/** The fields of a patch whose values differ. */
function changesOf(before: Settings, patch: SettingsPatch): SettingsPatch {
  const fields = Object.entries(patch)
  return Object.fromEntries(
    fields.filter(([name, value]) => !isDeepStrictEqual(value, before[name as keyof Settings])),
  )
}

function refuseRepeated(reasons: readonly string[]): void {
  const faults = reasons.flatMap((reason, at) =>
    reasons.indexOf(reason) < at
      ? [{ path: `/adjustmentReasons/${at}`, message: 'must not be in the list twice' }]
      : [],
  )
  if (faults.length > 0) throw badRequest(faults)
}

const ZoneName = Type.Object({ name: Type.String() })

/** The name in the spelling of Postgres. With an unknown zone, every statement about days would fail. */
async function findTimeZone(tx: Db, name: string): Promise<string> {
  const zone = await tx.maybeOne(sql.type(row(ZoneName))`
    select name from pg_timezone_names where lower(name) = ${name.toLowerCase()} limit 1
  `)
  if (zone) return zone.name
  const fault = { path: '/timeZone', message: 'is not supported; choose a similar one' }
  throw unprocessable('unknown_time_zone', 'Choose another time zone.', [fault])
}
