import { sql } from '../../../db/db.ts'

/** SQL: the phase of a count (`stock-counts.ts`), from the alias of its table. */
export function phaseOf(count: string) {
  const c = sql.identifier([count])
  return sql.fragment`
    case
      when ${c}.status <> 'draft' then ${c}.status
      when ${c}.finished_at is not null then 'review'
      when ${c}.round > 1 then 'recounting'
      else 'counting'
    end
  `
}

/**
 * SQL: a count is blind and takes numbers, so nothing may leave the API from which the expected quantities follow. One
 * that was cancelled before its review stays hidden.
 */
export function isHiddenCount(count: string) {
  const c = sql.identifier([count])
  return sql.fragment`(${c}.blind and ${c}.finished_at is null and ${c}.status <> 'submitted')`
}
