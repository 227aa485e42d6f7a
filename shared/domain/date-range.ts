import { type Static, Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../db/db.ts'
import { badRequest } from '../errors.ts'
import { type DateRange, Nullable } from '../schemas/common.ts'

// no `Timestamp`: a time zone or the day that is added may lead beyond what a request may say
const Period = Type.Object({ from: Nullable(Type.String()), to: Nullable(Type.String()) })
/** From the first instant to before the second; null is open. */
export type Period = Static<typeof Period>

/**
 * The period that two dates name: a day is a day in the shop's time zone, and the end includes its day, or its
 * millisecond where it names an instant. Throws invalid_request when it ends before it begins.
 */
export async function resolveDates(
  db: Db,
  shopId: number,
  { startDate, endDate }: DateRange,
): Promise<Period> {
  if (startDate === undefined && endDate === undefined) return { from: null, to: null }
  const period = await db.one(sql.type(row(Period))`
    select ${instantOf(startDate, 0)} as from, ${instantOf(endDate, 1)} as to
    from (select ${timeZoneOf(shopId)} as time_zone) shop
  `)
  if (period.from !== null && period.to !== null && period.from >= period.to) {
    throw badRequest([{ path: '/startDate', message: 'must not be after endDate' }])
  }
  return period
}

/** The shop's time zone, for a statement. */
export const timeZoneOf = (shopId: number) => sql.fragment`
  coalesce((select time_zone from shop_setting where shop_id = ${shopId}), 'UTC')
`

/** The day that it is in the shop. */
export const todayOf = (shopId: number) => sql.fragment`(now() at time zone ${timeZoneOf(shopId)})::date`

/** When the day ends that it is in the shop: the first instant of the next. */
export const endOfToday = (shopId: number) => sql.fragment`
  ((${todayOf(shopId)} + 1)::timestamp at time zone ${timeZoneOf(shopId)})
`

/** When a period of so many days begins that ends with today: at midnight in the shop. */
export const startOfDays = (shopId: number, days: number) => sql.fragment`
  ((${todayOf(shopId)} - ${days - 1}::int)::timestamp at time zone ${timeZoneOf(shopId)})
`

function instantOf(date: string | undefined, days: 0 | 1) {
  if (date === undefined) return sql.fragment`null::timestamptz`
  return date.length === 'yyyy-mm-dd'.length
    ? sql.fragment`(${date}::date + ${days}::int)::timestamp at time zone shop.time_zone`
    : sql.fragment`${date}::timestamptz + ${days}::int * interval '1 millisecond'`
}

/** The members of a `sql.and` that keep a column within a period. */
export const within = (column: FragmentSqlToken, { from, to }: Period) => [
  from !== null && sql.fragment`${column} >= ${from}::timestamptz`,
  to !== null && sql.fragment`${column} < ${to}::timestamptz`,
]
