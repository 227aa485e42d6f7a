import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import type { Terms } from '../load.ts'
import type { Planned } from './written.ts'

const Counter = Type.Object({ lastNumber: Type.Integer() })
const UsedNumber = Type.Object({ number: Type.Integer() })
const maxContinued = 100_000_000

/**
 * A dry run does not lock the counter, because orders that users create would wait for it. It shares no number with another
 * dry run, and its numbers are rolled back. The largest is 2 139 999 999, which fits into 32 bits.
 */
const firstOfDryRun = 2_000_000_000
const dryRuns = 7_000
const ordersPerDryRun = 20_000

/** Our numbers for orders: the next ones, or with `continueNumbers` the old ones where they are free. */
export async function takeNumbers(
  tx: Db,
  { shopId, importId, defaults, isDryRun }: Terms,
  created: readonly Planned[],
): Promise<number[]> {
  if (isDryRun) {
    const taken = await tx.oneFirst(sql.type(row(Type.Object({ count: Type.Integer() })))`
      select count(*) from import_target
      where shop_id = ${shopId} and import_id = ${importId} and target = 'purchase_order'
    `)
    const first = firstOfDryRun + (importId % dryRuns) * ordersPerDryRun
    return created.map((_, at) => first + taken + at)
  }
  const wanted = created.map(({ plan }) => {
    const number = Number(/(\d{1,9})$/.exec(plan.number)?.[1] ?? 0)
    return defaults.continueNumbers && number > 0 && number <= maxContinued ? number : null
  })
  const largest = Math.max(0, ...wanted.map((number) => number ?? 0))
  const take = (count: number, least: number) =>
    tx.one(sql.type(row(Counter))`
      insert into purchase_order_counter as c (shop_id, last_number)
      values (${shopId}, ${Math.max(least, 0) + count})
      on conflict (shop_id) do update set last_number = greatest(c.last_number, ${least}::int) + ${count}::int
      returning last_number
    `)
  await take(0, largest)
  const used = await tx.any(sql.type(row(UsedNumber))`
    select number
    from purchase_order
    where shop_id = ${shopId} and number = any(${sql.array(
      wanted.flatMap((number) => number ?? []),
      'int4',
    )})
  `)
  const taken = new Set(used.map(({ number }) => number))
  const own = wanted.map((number) => {
    if (number === null || taken.has(number)) return null
    taken.add(number)
    return number
  })
  const count = own.filter((number) => number === null).length
  const { lastNumber } = await take(count, 0)
  let next = lastNumber - count
  return own.map((number) => {
    if (number !== null) return number
    next += 1
    return next
  })
}
