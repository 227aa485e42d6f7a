import { type Static, Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../db/db.ts'
import { badRequest } from '../../errors.ts'
import { type DateRange, Nullable } from '../../schemas/common.ts'

// plain strings: after the time zone and the added day, an instant may be outside the range that `Timestamp` allows
const Period = Type.Object({ from: Nullable(Type.String()), to: Nullable(Type.String()) })
/** ISO instants: `from` is included, `to` is excluded, null means no limit. */
export type Period = Static<typeof Period>

/**
 * Converts the dates of a request to a period. A date such as 2026-03-01 is a day in the shop's time zone. The period
 * includes the whole end day, or the whole millisecond when `endDate` is an instant. Throws invalid_request when the
 * period ends before it begins.
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

/** SQL for an instant inside JSON, in the format of the API: there, the type parsers of the connection do not apply. */
export const isoInstant = (column: FragmentSqlToken) =>
  sql.fragment`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** SQL for the shop's time zone; UTC while the shop has no settings. */
export const timeZoneOf = (shopId: number) => sql.fragment`
  coalesce((select time_zone from shop_setting where shop_id = ${shopId}), 'UTC')
`

/** SQL for the instant of a text with a day or an instant, as files of merchants have it: of a day, noon in the shop's time zone. */
export const noonOrInstant = (shopId: number, text: FragmentSqlToken) => sql.fragment`
  case when length(${text}) = 10 then (${text} || ' 12:00')::timestamp at time zone ${timeZoneOf(shopId)}
    else ${text}::timestamptz end
`

/** SQL for the current date in the shop's time zone. */
export const todayOf = (shopId: number) => sql.fragment`(now() at time zone ${timeZoneOf(shopId)})::date`

/** SQL for the first instant of tomorrow in the shop's time zone. */
export const endOfToday = (shopId: number) => sql.fragment`
  ((${todayOf(shopId)} + 1)::timestamp at time zone ${timeZoneOf(shopId)})
`

/** SQL for the start of a period of `days` days whose last day is today: midnight in the shop's time zone. */
export const startOfDays = (shopId: number, days: number) => sql.fragment`
  ((${todayOf(shopId)} - ${days - 1}::int)::timestamp at time zone ${timeZoneOf(shopId)})
`

function instantOf(date: string | undefined, days: 0 | 1) {
  if (date === undefined) return sql.fragment`null::timestamptz`
  return date.length === 'yyyy-mm-dd'.length
    ? sql.fragment`(${date}::date + ${days}::int)::timestamp at time zone shop.time_zone`
    : sql.fragment`${date}::timestamptz + ${days}::int * interval '1 millisecond'`
}

/** Conditions for `sql.and` that limit a column to a period. */
export const within = (column: FragmentSqlToken, { from, to }: Period) => [
  from !== null && sql.fragment`${column} >= ${from}::timestamptz`,
  to !== null && sql.fragment`${column} < ${to}::timestamptz`,
]
