import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'

const Counter = Type.Object({ lastNumber: Type.Integer() })
const UsedNumber = Type.Object({ number: Type.Integer() })

/** Takes a number for each new order: the wanted one where it is free, else the next of ours. Ours go on after the largest wanted one. */
export async function takeOrderNumbers(
  tx: Db,
  shopId: number,
  wanted: readonly (number | null)[],
): Promise<number[]> {
  const largest = Math.max(0, ...wanted.map((number) => number ?? 0))
  const take = (count: number, min: number) =>
    tx.one(sql.type(row(Counter))`
      insert into purchase_order_counter as c (shop_id, last_number)
      values (${shopId}, ${Math.max(min, 0) + count})
      on conflict (shop_id) do update set last_number = greatest(c.last_number, ${min}::int) + ${count}::int
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
