import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { conflict, notFound } from '../../../errors.ts'
import { Id } from '../../../schemas/common.ts'
import { StockCount, type StockCountStatus } from '../../../schemas/stock-counts.ts'
import { phaseOf } from './phase.ts'

const LockedCount = Type.Object({
  ...Type.Pick(StockCount, [
    'id',
    'status',
    'phase',
    'blind',
    'notes',
    'reason',
    'itemCount',
    'createdBy',
    'recount',
  ]).properties,
  round: Type.Integer(),
  locationId: Id,
})
export type LockedCount = Static<typeof LockedCount>

const endedMessages = {
  submitted: 'This count has been submitted and can no longer change. Start a new count to correct it.',
  cancelled: 'This count has been cancelled. Start a new one instead.',
}

export const notFinished = () =>
  conflict('Finish counting first, then review the numbers.', 'counting_not_finished')

export const countingFinished = () =>
  conflict(
    'Counting of this count is finished. Ask for a recount, or start another count for what is missing.',
    'counting_finished',
  )

export const roundEnded = () =>
  conflict(
    'These numbers are of another round of this count, and were not saved. Read the count again.',
    'round_ended',
  )

export const ended = (status: Exclude<StockCountStatus, 'draft'>) => conflict(endedMessages[status])

/** Of two concurrent requests to submit a count, the second waits here and then finds it submitted. */
export async function lockCount(tx: Db, shopId: number, id: number): Promise<LockedCount> {
  const count = await tx.maybeOne(sql.type(row(LockedCount))`
    select c.id, c.status, ${phaseOf('c')} as phase, c.blind, c.notes, c.reason, c.item_count, c.created_by, c.round, c.recount,
      c.location_id
    from stock_count c
    where c.shop_id = ${shopId} and c.id = ${id}
    for update
  `)
  if (!count) throw notFound('Stock count')
  return count
}
