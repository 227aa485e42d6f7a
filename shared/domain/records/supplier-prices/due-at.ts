import { sql } from '../../../db/db.ts'

/** SQL for the due date of an order: its expected date, else the date it was sent plus its supplier's lead time. */
export function dueAt(order: string, supplier: string) {
  const o = sql.identifier([order])
  const s = sql.identifier([supplier])
  return sql.fragment`coalesce(${o}.expected_at, ${o}.sent_at + make_interval(days => ${s}.lead_time_days))`
}
