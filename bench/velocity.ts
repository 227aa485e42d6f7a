import { type DatabasePool, sql } from '../shared/db/db.ts'
import { recomputeSalesVelocity } from '../shared/domain/ledgers/sales/velocity.ts'
import type { BenchOptions } from './support/command.ts'
import type { Figure } from './support/figures.ts'
import { alternate, median } from './support/rounds.ts'
import type { BenchShop } from './support/system.ts'

type Sized = { variants: number; shop: BenchShop }

/**
 * Times the sales velocity of all variants against the 90-day sums alone, which it needs in any case:
 * 1. again without new sales, as on most nights;
 * 2. after one day of sales;
 * 3. for the first time.
 */
export async function measureVelocity(
  db: DatabasePool,
  { variants, shop: { shopId } }: Sized,
  { isQuick }: BenchOptions,
): Promise<Figure[]> {
  const rounds = isQuick ? 2 : 5
  const recompute = () => timeOf(() => recomputeSalesVelocity(db, shopId, { isWhole: true }))
  const first = await recompute()
  await db.query(sql.typeAlias('void')`vacuum analyze variant_velocity`)
  const unchanged = await alternate(rounds, {
    subject: recompute,
    // a writing statement runs on one processor, so the baseline does too
    baseline: () => timeOf(() => aggregate(db, shopId, { isOnOne: true })),
  })
  let day = 0
  const nights = await alternate(rounds, {
    async subject() {
      day += 1
      await sellForADay(db, shopId, { variants, day })
      return recompute()
    },
    baseline: () => timeOf(() => aggregate(db, shopId, { isOnOne: false })),
  })
  const what = `velocity of ${variants} variants, ${variants * 10} sales`
  const sums = { what: 'the sums alone', value: median(unchanged.baselines) }
  return [
    {
      what,
      unit: 'ms',
      value: median(unchanged.subjects),
      baseline: sums,
      // with few variants, fixed costs dominate
      ...(!isQuick && { target: { of: 'ratio', at: 'max', limit: 1.5 } }),
      detail: unchanged,
    },
    {
      what: `${what}, after a day of sales`,
      unit: 'ms',
      value: median(nights.subjects),
      baseline: { what: 'the sums, on all processors', value: median(nights.baselines) },
      detail: nights,
    },
    { what: `${what}, the first time`, unit: 'ms', value: first, baseline: sums },
  ]
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** Uses the same `work_mem` as the computation. */
function aggregate(db: DatabasePool, shopId: number, { isOnOne }: { isOnOne: boolean }): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.query(sql.typeAlias('void')`set local work_mem = '32MB'`)
    if (isOnOne) await tx.query(sql.typeAlias('void')`set local max_parallel_workers_per_gather = 0`)
    await tx.query(sql.typeAlias('void')`
      select count(*), sum(v.id), sum(s.units_90d), sum(s.units_30d), sum(s.units_7d), sum(s.returned_90d),
        sum(s.revenue), max(s.last_sold_at)
      from variant v
      join (
        select variant_gid, sum(quantity - cancelled) as units_90d, max(ordered_at) as last_sold_at,
          sum(quantity - cancelled) filter (where ordered_at >= current_date - 29) as units_30d,
          sum(quantity - cancelled) filter (where ordered_at >= current_date - 6) as units_7d,
          sum(returned) as returned_90d, sum(revenue) as revenue
        from sale
        where shop_id = ${shopId} and ordered_at >= current_date - 89
        group by variant_gid
      ) s on s.variant_gid = v.gid
      where v.shop_id = ${shopId}
    `)
  })
}

/** Adds a hundredth of the existing sales, which span 100 days. */
async function sellForADay(
  db: DatabasePool,
  shopId: number,
  { variants, day }: { variants: number; day: number },
): Promise<void> {
  await db.query(sql.typeAlias('void')`
    insert into sale (shop_id, order_gid, line_gid, variant_gid, quantity, ordered_at)
    select ${shopId}, 'gid://platform/Order/day-' || ${day}::int || '-' || n / 3,
      'gid://platform/LineItem/day-' || ${day}::int || '-' || n,
      'gid://platform/ProductVariant/' || 1 + floor(${variants}::int * random() ^ 3)::int, 1 + n % 3,
      now() - random() * interval '1 minute'
    from generate_series(1, ${variants / 10}::int) n
  `)
}
