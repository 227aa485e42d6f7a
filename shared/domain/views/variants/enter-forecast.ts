import { type Db, sql } from '../../../db/db.ts'
import { conflict, notFound } from '../../../errors.ts'
import type { ForecastEntry, VariantForecast } from '../../../schemas/forecasts.ts'
import { lockEventsForChange } from '../../ledgers/demand/events.ts'
import { computeForecasts } from '../../planning/forecasts/compute.ts'
import { computePlanning } from '../../planning/planning/compute.ts'
import { getVariantForecast } from './variant-forecast.ts'

/**
 * Stores the weekly number of a variant, or takes it back (null), and computes its forecast and gaps at once. The same number again
 * changes nothing. A `version` of 0 expects that none was ever entered. Throws not_found, stale_version.
 */
export function enterForecast(
  db: Db,
  shopId: number,
  gid: string,
  actor: string,
  { unitsPerWeek, version }: ForecastEntry,
): Promise<VariantForecast> {
  return db.transaction(async (tx) => {
    // waits until forecasts that were computed before this number are stored, also the first one of the variant
    await lockEventsForChange(tx, shopId)
    const variantId = await tx.maybeOneFirst(sql.typeAlias('id')`
      select id from variant where shop_id = ${shopId} and gid = ${gid} and deleted_at is null
    `)
    if (variantId === null) throw notFound('Product')
    const before = await getVariantForecast(tx, shopId, gid)
    if (version !== undefined && version !== before.version) throw staleVersion()
    if (unitsPerWeek === undefined || unitsPerWeek === before.unitsPerWeek) return before
    const stored = await tx.maybeOneFirst(sql.typeAlias('id')`
      insert into forecast_entry as e (shop_id, variant_id, units_per_week, entered_by, entered_at)
      select ${shopId}, ${variantId}, ${unitsPerWeek}, ${actor}, ${new Date().toISOString()}::timestamptz
      where ${version ?? 0}::int = 0
        or exists (select from forecast_entry where shop_id = ${shopId} and variant_id = ${variantId})
      on conflict (shop_id, variant_id) do update
      set units_per_week = excluded.units_per_week, entered_by = excluded.entered_by, entered_at = excluded.entered_at,
        version = e.version + 1
      where ${version === undefined} or e.version = ${version ?? 0}::int
      returning variant_id as id
    `)
    if (stored === null) throw staleVersion()
    await computeForecasts(tx, shopId, [variantId], AbortSignal.timeout(10_000))
    await computePlanning(tx, shopId, [variantId])
    return getVariantForecast(tx, shopId, gid)
  })
}

const staleVersion = () =>
  conflict('Another user has changed this number. Reload it and try again.', 'stale_version')
