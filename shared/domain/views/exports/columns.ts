import type { FragmentSqlToken } from 'slonik'
import { sql } from '../../../db/db.ts'

/*
 * The cells of an exported list. A column is a tag around its SQL expression: `t` is the row of the list, the joins of the
 * list have the names of its entry, and `shop` has `time_zone` and `currency`.
 */

type Tag = typeof sql.fragment
type Parts = Parameters<Tag>

/** Texts, days, ids and arrays of words. */
export const text: Tag = (...parts: Parts) => sql.fragment`(${sql.fragment(...parts)})::text`

/** A number, without trailing zeros. */
export const number: Tag = (...parts: Parts) => sql.fragment`trim_scale((${sql.fragment(...parts)})::numeric)`

/** An instant in the shop's time zone, in a form that spreadsheets read as a date. */
export const instant: Tag = (...parts: Parts) =>
  sql.fragment`to_char((${sql.fragment(...parts)}) at time zone shop.time_zone, 'YYYY-MM-DD HH24:MI:SS')`

/** A boolean; empty when it is null. */
export const yesNo: Tag = (...parts: Parts) => {
  const value = sql.fragment(...parts)
  return sql.fragment`case when ${value} then 'yes' when not ${value} then 'no' end`
}

/** An array of texts, with commas. */
export const words: Tag = (...parts: Parts) => sql.fragment`array_to_string(${sql.fragment(...parts)}, ', ')`

export type Column = FragmentSqlToken
