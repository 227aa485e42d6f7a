import { type Db, sql } from '../../../db/db.ts'
import { badRequest, conflict } from '../../../errors.ts'
import type { RecountInput, StockCount } from '../../../schemas/stock-counts.ts'
import { isoInstant } from '../../kit/date-range.ts'
import { ended, lockCount, notFinished } from './lock.ts'
import { linesOf } from './result.ts'
import { getStockCount } from './stock-counts.ts'
import { countUnread } from './unread.ts'

/**
 * Starts a recount of the counted products whose variance is above a value or a percentage of what is expected; in either
 * direction. A variance of unknown value is above every value, and one where nothing is expected above every percentage.
 * A product keeps its number until another person counts it again (`entries.ts`). A recount removes the approval. Throws
 * invalid_request without a limit, counting_not_finished, levels_not_read, nothing_to_recount.
 */
export function recountVariances(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
  { varianceValueAbove, variancePercentAbove }: RecountInput,
): Promise<StockCount> {
  const value = varianceValueAbove ?? null
  const percent = variancePercentAbove ?? null
  if (value === null && percent === null)
    throw badRequest([{ path: '/varianceValueAbove', message: 'or variancePercentAbove must be given' }])
  return db.transaction(async (tx) => {
    const { status, phase } = await lockCount(tx, shopId, id)
    if (status !== 'draft') throw ended(status)
    if (phase !== 'review') throw notFinished()
    await countUnread(tx, shopId, id, true)
    const listed = await tx.anyFirst(sql.typeAlias('id')`
      update stock_count_item i
      set round = c.round + 1
      from stock_count c
      where i.shop_id = ${shopId} and i.count_id = ${id} and c.shop_id = ${shopId} and c.id = ${id}
        and i.variant_id in (
          select x.variant_id
          from (${linesOf(shopId, 'c')}) x
          where x.difference <> 0 and (
            (${value}::numeric is not null and coalesce(abs(x.difference_value) > ${value}::numeric, true))
            or (${percent}::numeric is not null
              and (x.expected <= 0 or abs(x.difference) * 100.0 / x.expected > ${percent}::numeric))
          )
        )
      returning i.variant_id as id
    `)
    if (listed.length === 0)
      throw conflict(
        'No variance is above this limit. Choose a lower one, or submit the count.',
        'nothing_to_recount',
      )
    await tx.one(sql.typeAlias('id')`
      update stock_count
      set round = round + 1, finished_at = null, finished_by = null, approved_at = null, approved_by = null,
        approved_variances = null, updated_at = now(),
        recount = jsonb_build_object(
          'round', round + 1, 'varianceValueAbove', ${value}::numeric, 'variancePercentAbove', ${percent}::numeric,
          'itemCount', ${listed.length}::int, 'requestedBy', ${actor}::text,
          'requestedAt', ${isoInstant(sql.fragment`now()`)}
        )
      where shop_id = ${shopId} and id = ${id} and status = 'draft' and finished_at is not null
      returning id
    `)
    return getStockCount(tx, shopId, id, actor)
  })
}
