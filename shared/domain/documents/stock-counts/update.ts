import { type Db, sql } from '../../../db/db.ts'
import { AppError } from '../../../errors.ts'
import type { StockCountPatch, StockCountStatus, UpdatedStockCount } from '../../../schemas/stock-counts.ts'
import { cleared } from '../../kit/patch.ts'
import { enqueueReadLevels } from '../../ledgers/stock/platform/read-requests.ts'
import { type ChangedEntry, type Counter, changedEntries, sumEntries } from './entries.ts'
import { countingFinished, ended, type LockedCount, lockCount, notFinished, roundEnded } from './lock.ts'
import { storeResult } from './result.ts'
import { getStockCount } from './stock-counts.ts'
import { addEntries } from './store-entries.ts'
import { storeExpectedQuantities, submitNumbers } from './submit.ts'

/**
 * Merges entries by variant, so that several people can count concurrently, and submits or cancels the count when the
 * patch has that status; all in one transaction. Repeating a transition changes nothing and returns `alreadyApplied`.
 * Throws conflict when the count has ended, round_ended for numbers of another round, counting_finished for numbers in
 * review, counting_not_finished, and the errors of `sumEntries`, `changedEntries`, `addEntries` and `submitNumbers`; with
 * levels_not_read the entries are stored all the same.
 */
export async function updateStockCount(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
  patch: StockCountPatch,
): Promise<UpdatedStockCount> {
  const outcome = await db.transaction(async (tx) => {
    const count = await lockCount(tx, shopId, id)
    const { items = [], device, round } = patch
    const isOfOtherRound = items.length > 0 && round !== undefined && round !== count.round
    if (isOfOtherRound && count.status === 'draft') throw roundEnded()
    const counter = { actor, device, round }
    const entries = await changedEntries(tx, shopId, count, counter, sumEntries(items))
    const alreadyApplied = patch.status === count.status && count.status !== 'draft'
    const hasChanges =
      entries.length > 0 ||
      (patch.status ?? count.status) !== count.status ||
      (cleared(patch.notes) ?? count.notes) !== count.notes ||
      (cleared(patch.reason) ?? count.reason) !== count.reason
    if (count.status !== 'draft' && (hasChanges || !alreadyApplied)) throw ended(count.status)
    if (entries.length > 0 && count.phase === 'review') throw countingFinished()
    const refusal = hasChanges ? await applyPatch(tx, shopId, counter, count, { patch, entries }) : null
    return refusal ?? { ...(await getStockCount(tx, shopId, id, actor)), alreadyApplied }
  })
  if (outcome instanceof AppError) throw outcome
  return outcome
}

/** Returns the error when the count must wait for readings: then only entries and notes are stored. */
async function applyPatch(
  tx: Db,
  shopId: number,
  counter: Counter,
  count: LockedCount,
  { patch, entries }: { patch: StockCountPatch; entries: readonly ChangedEntry[] },
): Promise<AppError | null> {
  const { actor } = counter
  if (patch.status === 'submitted') refuseUnfinished(count)
  const counted = await addEntries(tx, shopId, count, counter, entries)
  const reason = cleared(patch.reason) ?? count.reason
  const outcome =
    patch.status === 'submitted'
      ? await submitNumbers(tx, shopId, actor, count, { ...patch, reason }).catch(notYet)
      : { staleItemCount: 0 }
  const refusal = outcome instanceof AppError ? outcome : null
  const status = refusal ? 'draft' : (patch.status ?? 'draft')
  if (status !== 'draft') await storeExpectedQuantities(tx, shopId, [count.id])
  const staleItemCount = outcome instanceof AppError ? 0 : outcome.staleItemCount
  await saveCount(tx, shopId, actor, count, { notes: patch.notes, reason, status, staleItemCount })
  if (status === 'submitted') await storeResult(tx, shopId, count.id)
  await enqueueReadLevels(tx, shopId, counted, { priority: 'count' })
  return refusal
}

function notYet(error: unknown): AppError {
  if (error instanceof AppError && error.kind === 'not_yet') return error
  throw error
}

/** A blind count shows its variances when no more numbers can come, and a recount must end before its numbers count. */
function refuseUnfinished({ phase, blind }: LockedCount): void {
  if (phase === 'recounting' || (phase === 'counting' && blind)) throw notFinished()
}

type SavedCount = {
  notes: StockCountPatch['notes']
  reason: string
  status: StockCountStatus
  staleItemCount: number
}

async function saveCount(
  tx: Db,
  shopId: number,
  actor: string,
  { id }: LockedCount,
  { notes, reason, status, staleItemCount }: SavedCount,
): Promise<void> {
  await tx.one(sql.typeAlias('id')`
    update stock_count
    set status = ${status},
      notes = coalesce(${cleared(notes)}, notes),
      reason = ${reason},
      stale_item_count = ${staleItemCount},
      submitted_at = ${status === 'submitted' ? sql.fragment`now()` : null},
      submitted_by = case when ${status} = 'submitted' then ${actor} end,
      cancelled_at = ${status === 'cancelled' ? sql.fragment`now()` : null},
      updated_at = now()
    where shop_id = ${shopId} and id = ${id} and status = 'draft'
    returning id
  `)
}
