import { sql } from '../../db/db.ts'

/** SQL: the phase of count `c` (`stock-counts.ts`). */
export const phaseOf = sql.fragment`
  case
    when c.status <> 'draft' then c.status
    when c.finished_at is not null then 'review'
    when c.round > 1 then 'recounting'
    else 'counting'
  end
`

/**
 * SQL: count `c` is blind and takes numbers, so nothing may leave the API from which the expected quantities follow. One
 * that was cancelled before its review stays hidden.
 */
export const isHiddenCount = sql.fragment`(c.blind and c.finished_at is null and c.status <> 'submitted')`
