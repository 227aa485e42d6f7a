import { AsyncLocalStorage } from 'node:async_hooks'
import { isDeepStrictEqual } from 'node:util'
import { type Db, row, sql } from '../../db/db.ts'
import { enqueue } from '../../queue/enqueue.ts'
import { jobs } from '../../queue/jobs.ts'
import type { ImportSummary } from '../../schemas/imports.ts'
import { findImport, importColumns, StoredImport } from './imports.ts'
import { tryLockImport } from './locks.ts'
import { type Outcome, writeMade, writeOutcomes } from './outcomes.ts'
import { load, type Options, skipTheRest, summarise, writeUnits } from './work.ts'

/** More than the 8 s that Postgres allows a statement. */
const lookAgainSeconds = 15

type Result = { outcomes: Outcome[]; summary: ImportSummary }

/** Rolls the transaction of a dry run back. `result` is null when the merchant has changed or started the import meanwhile. */
class DryRunEnd extends Error {
  readonly result: Result | null

  constructor(result: Result | null) {
    super('The dry run is rolled back')
    this.result = result
  }
}

/**
 * Runs the whole import in one transaction that is rolled back, and stores what became of the rows afterwards. So the
 * preview is what a run would do now. A change of the mapping or the defaults ends the dry run at its next batch, and its result
 * is not stored. Returns false when another dry run is due.
 *
 * Each change enqueues a job, and one dry run of an import is under way at a time. The job of a change that finds it under way
 * leaves the work to it: the dry run compares the choices of the merchant after it has ended, when the change is committed. Another
 * job looks again later, since the lock may be that of a killed worker, whose statement Postgres has not ended yet.
 */
export async function runDry(
  db: Db,
  shopId: number,
  importId: number,
  { signal }: Options,
): Promise<boolean> {
  const stored = await findImport(db, shopId, importId)
  const { terms, batches, match, rows } = await load(db, shopId, stored)
  // slonik refuses queries of another connection in the context of a transaction
  const outside = AsyncLocalStorage.snapshot()
  const end = await db
    .transaction(async (tx): Promise<null> => {
      if (!(await tryLockImport(tx, importId))) return null
      const outcomes: Outcome[] = []
      let done = 0
      for (const batch of batches) {
        signal.throwIfAborted()
        const written = await writeUnits(tx, { ...terms, isDryRun: true }, batch.units, match)
        await writeOutcomes(tx, terms, written.outcomes)
        await writeMade(tx, terms, written.made)
        outcomes.push(...written.outcomes)
        done += batch.rows
        const isCurrent = await outside(() => showProgress(db, stored, shopId, done / Math.max(rows, 1)))
        if (!isCurrent) throw new DryRunEnd(null)
      }
      await skipTheRest(tx, shopId, importId)
      throw new DryRunEnd({ outcomes, summary: await summarise(tx, shopId, importId, true) })
    })
    .catch((error: unknown) => {
      if (error instanceof DryRunEnd) return error
      throw error
    })
  if (end !== null) return storePreview(db, shopId, stored, end.result)
  await enqueue(db, jobs.workOnImport, { shopId, importId }, { inSeconds: lookAgainSeconds })
  return true
}

/** Stores the result when it is that of the merchant's present choices. Returns false when another dry run is due. */
function storePreview(db: Db, shopId: number, stored: StoredImport, result: Result | null): Promise<boolean> {
  const importId = stored.id
  return db.transaction(async (tx) => {
    const current = await tx.maybeOne(sql.type(row(StoredImport))`
      select ${importColumns}
      from import
      where shop_id = ${shopId} and id = ${importId} and state = 'checking'
      for no key update
    `)
    if (!current) return true
    if (!result || !hasSameChoices(current, stored)) return false
    await tx.query(sql.typeAlias('void')`
      update import
      set state = 'ready', progress = 1, summary = ${JSON.stringify(result.summary)}::jsonb
      where shop_id = ${shopId} and id = ${importId}
    `)
    const preview = result.outcomes.map((outcome) => ({ ...outcome, targetId: null }))
    for (let from = 0; from < preview.length; from += 5_000)
      await writeOutcomes(tx, { shopId, importId }, preview.slice(from, from + 5_000))
    await skipTheRest(tx, shopId, importId)
    return true
  })
}

const hasSameChoices = (one: StoredImport, other: StoredImport) =>
  isDeepStrictEqual([one.sheets, one.defaults], [other.sheets, other.defaults])

/** Outside the transaction of the dry run, so that the merchant sees it. Returns false when the dry run is no longer due. */
async function showProgress(
  db: Db,
  stored: StoredImport,
  shopId: number,
  progress: number,
): Promise<boolean> {
  const current = await db.maybeOne(sql.type(row(StoredImport))`
    update import
    set progress = ${Math.min(progress, 0.999)}
    where shop_id = ${shopId} and id = ${stored.id} and state = 'checking'
    returning ${importColumns}
  `)
  return current !== null && hasSameChoices(current, stored)
}
