import { sql } from '../../../db/db.ts'
import { timeZoneOf, todayOf } from '../../kit/date-range.ts'

/** Fewer known days say too little: no ABC class and no automatic reorder point. */
export const minKnownDays = 7

/**
 * SQL: since when the sales of the shop are known; null while that is not determined, in a shop of an earlier release.
 */
export const knownSinceOf = (shopId: number) => sql.fragment`
  (select known_since from sales_reading where shop_id = ${shopId})
`

/**
 * SQL: the start of a period of `days` days whose last day is today, but not before the sales of the shop are known.
 */
export const startOfKnownDays = (shopId: number, days: number) => sql.fragment`
  greatest(
    ((${todayOf(shopId)} - ${days - 1}::int)::timestamp at time zone ${timeZoneOf(shopId)}), ${knownSinceOf(shopId)}
  )
`

/** SQL for the constants of a shop that `daysKnown` reads: a row with `today` and `known_day`. */
export const knownDaysOf = (shopId: number) => sql.fragment`
  select ${todayOf(shopId)} as today, known.since as known_since,
    (known.since at time zone ${timeZoneOf(shopId)})::date as known_day
  from (select ${knownSinceOf(shopId)} as since) known
`

/**
 * SQL: for how many days the sales of a variant are known, at most `days`. `known` is an alias of `knownDaysOf`, `y` one
 * of `variant_velocity`. Both its ends are partial days, which count as one.
 *
 * Example: today is the 70th day of the year, the sales are known since day 10 and the variant's first day was 58:
 * 70 - 58 = 12 days.
 */
export function daysKnown(known: string, y: string, days: number) {
  const k = sql.identifier([known])
  return sql.fragment`
    least(coalesce(${k}.today - greatest(${k}.known_day, ${sql.identifier([y])}.first_day), ${days}::int), ${days}::int)
  `
}

/** SQL: the number of days that an average over `days` days divides by. */
export const periodDays = (known: string, y: string, days: number) => sql.fragment`
  greatest(${daysKnown(known, y, days)}, ${minKnownDays}::int)
`

/** SQL condition: the days known are enough for an average. */
export const isKnownEnough = (known: string, y: string) => sql.fragment`
  ${daysKnown(known, y, minKnownDays)} >= ${minKnownDays}::int
`
