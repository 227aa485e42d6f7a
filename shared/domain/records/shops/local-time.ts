import { Type } from '@sinclair/typebox'
import { sql } from '../../../db/db.ts'

export const Zone = Type.Object({ timeZone: Type.String() })

/** SQL: the time zone of a shop, from the alias of its settings. */
export const zoneOf = (setting: string) =>
  sql.fragment`coalesce(${sql.identifier([setting, 'time_zone'])}, 'UTC')`

/**
 * The date and the hour in a time zone, as in 2026-03-01 and 8. An unknown zone counts as UTC: it would fail
 * the statement of Postgres that serves every shop.
 */
export function localTime(now: Date, timeZone: string): [day: string, hour: number] {
  const read = (zone: string): [string, number] => [
    new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(now),
    Number(new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit' }).format(now)),
  ]
  try {
    return read(timeZone)
  } catch {
    return read('UTC')
  }
}
