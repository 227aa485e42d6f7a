import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { enqueue, jobKey } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import { Id } from '../../../schemas/common.ts'
import { forVariantBatches, variantsPerStatement } from '../../records/catalogue/variant-batches.ts'
import { inInstalledShop } from '../../records/shops/shops.ts'
import { startOfKnownDays } from '../demand/known-days.ts'
import { markVariants } from '../demand/marks.ts'
import { rolledUntil } from '../demand/sold-at-location.ts'
import { removeVelocityMarks } from '../demand/velocity-marks.ts'
import { recomputeMarginsOf } from '../margins/recompute.ts'
import { requestPoints } from './request-points.ts'
import { Starts, writeUnits } from './write-units.ts'

const classesPerStatement = 5_000

/**
 * Computes the sales velocity of the shop's variants: with `isWhole` of all that are not deleted, else of those whose
 * sales changed since the last run. Periods end with today, in the shop's time zone, and do not begin before the sales
 * of the shop are known. Revenue is that of the order lines of 90 days; sales of an earlier release count at the current
 * price. The ABC classes are computed with `isWhole`, and when sales of earlier days changed: A while the variants that
 * earn more make up less than 80 % of the revenue, B while less than 95 %, else C; C without revenue. Changed sales of
 * earlier days also enqueue the automatic reorder points of their variants, and mark their demand
 * (`shared/domain/ledgers/demand/`). It also refreshes the stored margins of these variants; with `isWhole`, the job `recompute-margins`
 * does it. With `isWhole` it enqueues the first roll-up of demand once the orders are read, so that the forecasts do not wait for the
 * night; the roll-up reads the first days of the variants. May run twice; concurrent runs wait.
 */
export async function recomputeSalesVelocity(
  db: Db,
  shopId: number,
  { isWhole }: { isWhole: boolean },
): Promise<void> {
  await inInstalledShop(db, shopId, async (tx) => {
    // locks the row until the end, so that a run which read earlier cannot write later
    await tx.query(sql.typeAlias('void')`
      insert into velocity_run (shop_id, ran_at)
      values (${shopId}, now())
      on conflict (shop_id) do update set ran_at = excluded.ran_at
    `)
    const starts = await tx.one(sql.type(row(Starts))`
      select ${startOfKnownDays(shopId, 7)} as from7d, ${startOfKnownDays(shopId, 30)} as from30d,
        ${startOfKnownDays(shopId, 90)} as from90d
    `)
    const marked = await removeVelocityMarks(tx, shopId)
    if (isWhole) {
      // enough to hash and sort 100 000 variants without the disk
      await tx.query(sql.typeAlias('void')`set local work_mem = '32MB'`)
      await forVariantBatches(tx, shopId, (variants) => writeUnits(tx, shopId, starts, variants))
      await removeDeleted(tx, shopId)
    } else {
      const ids = marked.map(({ id }) => id)
      for (let from = 0; from < ids.length; from += variantsPerStatement) {
        const batch = ids.slice(from, from + variantsPerStatement)
        await writeUnits(tx, shopId, starts, sql.fragment`v.id = any(${sql.array(batch, 'int8')})`)
      }
      await recomputeMarginsOf(tx, shopId, ids)
    }
    const past = marked.filter(({ isPast }) => isPast).map(({ id }) => id)
    if (isWhole || past.length > 0) await writeClasses(tx, shopId)
    await markVariants(tx, shopId, past)
    await requestPoints(tx, shopId, past)
    if (!isWhole) return
    await enqueue(tx, jobs.recomputeMargins, { shopId })
    if (await isFirstRollUpDue(tx, shopId)) {
      await enqueue(tx, jobs.rollUpDemand, { shopId }, { key: jobKey(jobs.rollUpDemand, shopId) })
    }
  })
}

/** The orders of the shop are read, and its demand was never rolled up. */
function isFirstRollUpDue(tx: Db, shopId: number): Promise<boolean> {
  return tx.exists(sql.typeAlias('void')`
    select from sales_reading
    where shop_id = ${shopId} and read_until is not null and ${rolledUntil(shopId)} is null
  `)
}

const Changed = Type.Object({ id: Id, abcClass: Type.String() })

/** Ranks the whole shop in one statement, and writes the classes that changed in batches: a write takes longer. */
async function writeClasses(tx: Db, shopId: number): Promise<void> {
  const changed = await tx.any(sql.type(row(Changed))`
    select variant_id as id, abc_class
    from (
      select variant_id, abc_class as stored,
        case
          when revenue_90d = 0 then 'C'
          when sum(revenue_90d) over best - revenue_90d < 0.80 * sum(revenue_90d) over () then 'A'
          when sum(revenue_90d) over best - revenue_90d < 0.95 * sum(revenue_90d) over () then 'B'
          else 'C'
        end as abc_class
      from variant_velocity
      where shop_id = ${shopId}
      window best as (order by revenue_90d desc, variant_id desc rows unbounded preceding)
    ) classed
    where abc_class <> stored
    order by variant_id
  `)
  const rows = changed.map(({ id, abcClass }) => [id, abcClass])
  for (let from = 0; from < rows.length; from += classesPerStatement) {
    const batch = rows.slice(from, from + classesPerStatement)
    await tx.query(sql.typeAlias('void')`
      update variant_velocity y
      set abc_class = c.abc_class, computed_at = now()
      from ${sql.unnest(batch, ['int8', 'text'])} as c (variant_id, abc_class)
      where y.shop_id = ${shopId} and y.variant_id = c.variant_id
    `)
  }
}

async function removeDeleted(tx: Db, shopId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    delete from variant_velocity y
    using variant v
    where y.shop_id = ${shopId} and v.shop_id = ${shopId} and v.id = y.variant_id and v.deleted_at is not null
  `)
}
