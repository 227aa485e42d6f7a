import { AsyncLocalStorage } from 'node:async_hooks'
import { isDeepStrictEqual } from 'node:util'
import { type Db, row, sql } from '../../../db/db.ts'
import { enqueue } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import type { ImportSummary } from '../../../schemas/imports.ts'
import { findImport, importColumns, StoredImport } from './imports.ts'
import { tryLockImport } from './locks.ts'
import { type Outcome, writeMade, writeOutcomes } from './outcomes.ts'
import { load, type Options, skipTheRest, summarise, writeUnits } from './work.ts'

/** Longer than the 8 s after which Postgres ends a statement, also that of a killed worker. */
const retrySeconds = 15

type Result = { outcomes: Outcome[]; summary: ImportSummary }

/** Thrown to roll back the transaction of a dry run. `result` is null when the merchant changed or started the import meanwhile. */
class DryRunEnd extends Error {
  readonly result: Result | null

  constructor(result: Result | null) {
    super('The dry run is rolled back')
    this.result = result
  }
}

/**
 * Runs the whole import in one transaction, rolls it back, and then stores the outcomes of the rows. So the preview shows what a
 * run would do now. When the merchant changes the mapping or the defaults, the dry run ends at its next batch and stores nothing.
 * Returns false when another dry run is due.
 *
 * Each change enqueues a job, but only one dry run of an import runs at a time:
 *   1. The job that has the lock runs the import. At the end it compares the merchant's choices with those at its start.
 *   2. A job that finds the lock taken leaves the work to the first one, which sees the committed change at its end.
 *   3. It also enqueues a job for later, because the lock may belong to a killed worker whose statement still runs.
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
  await enqueue(db, jobs.workOnImport, { shopId, importId }, { inSeconds: retrySeconds })
  return true
}

/** Stores the result if the merchant has not changed the choices since. Returns false when another dry run is due. */
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

/** Writes outside the transaction of the dry run, so that the merchant sees the progress. Returns false when a change has outdated the dry run. */
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
