import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'

/** The right to write the file of an export: ends when another attempt begins. */
export type ExportAttempt = { shopId: number; exportId: number; attempt: number }

const Begun = Type.Object({ attempt: Type.Integer() })
type Begun = Static<typeof Begun>

/** Files of a shop that are kept. */
const maxFiles = 2

/** Begins the file again, without the parts of earlier attempts. Returns null when the export has ended. */
export function beginAttempt(
  db: Db,
  shopId: number,
  exportId: number,
  now: string,
): Promise<ExportAttempt | null> {
  return db.transaction(async (tx) => {
    const begun: Begun | null = await tx.maybeOne(sql.type(row(Begun))`
      update export
      set attempt = attempt + 1, progress = 0, progressed_at = ${now}
      where shop_id = ${shopId} and id = ${exportId} and state = 'running'
      returning attempt
    `)
    if (!begun) return null
    await tx.query(sql.typeAlias('void')`
      delete from export_part where shop_id = ${shopId} and export_id = ${exportId}
    `)
    return { shopId, exportId, attempt: begun.attempt }
  })
}

/** Another attempt has begun the file again, or the export has ended: this one must stop. */
export class AttemptEndedError extends Error {}

type StoredPart = { part: number; bytes: Buffer; progress: number; now: string }

/** Throws AttemptEndedError. */
export async function storePart(
  db: Db,
  { shopId, exportId, attempt }: ExportAttempt,
  { part, bytes, progress, now }: StoredPart,
): Promise<void> {
  const { rowCount } = await db.query(sql.typeAlias('void')`
    with writing as (
      update export
      set progress = ${progress}, progressed_at = ${now}
      where shop_id = ${shopId} and id = ${exportId} and attempt = ${attempt} and state = 'running'
      returning id
    )
    insert into export_part (shop_id, export_id, part, bytes)
    select ${shopId}, id, ${part}, ${sql.binary(bytes)} from writing
  `)
  if (rowCount === 0) throw new AttemptEndedError('Another attempt writes this export.')
}

type Finished = {
  fileName: string
  fileCount: number
  rowCount: number
  size: number
  sha256: Buffer
  now: string
}

/** Ends the export and deletes the older files of the shop but one. Throws AttemptEndedError. */
export function finishExport(
  db: Db,
  { shopId, exportId, attempt }: ExportAttempt,
  { fileName, fileCount, rowCount: rows, size, sha256, now }: Finished,
): Promise<void> {
  return db.transaction(async (tx) => {
    const { rowCount } = await tx.query(sql.typeAlias('void')`
      update export
      set state = 'done', progress = 1, file_name = ${fileName}, file_count = ${fileCount}, row_count = ${rows},
        size = ${size}, sha256 = ${sql.binary(sha256)}, progressed_at = ${now}, finished_at = ${now}
      where shop_id = ${shopId} and id = ${exportId} and attempt = ${attempt} and state = 'running'
    `)
    if (rowCount === 0) throw new AttemptEndedError('Another attempt writes this export.')
    await tx.query(sql.typeAlias('void')`
      delete from export
      where shop_id = ${shopId} and state = 'done' and id <= (
        select id from export where shop_id = ${shopId} and state = 'done' order by id desc offset ${maxFiles} limit 1
      )
    `)
  })
}

/** Fails a running export with a sentence for the merchant, and deletes what was written. */
export async function failExport(
  db: Db,
  shopId: number,
  exportId: number,
  { error, now }: { error: string; now: string },
): Promise<void> {
  await db.query(sql.typeAlias('void')`
    with failed as (
      update export
      set state = 'failed', error = ${error}, progressed_at = ${now}, finished_at = ${now}
      where shop_id = ${shopId} and id = ${exportId} and state = 'running'
      returning id
    )
    delete from export_part p using failed where p.shop_id = ${shopId} and p.export_id = failed.id
  `)
}

/** Deletes a batch of exports that are older than `days`; true when more may be left. */
export async function pruneExports(db: Db, days: number): Promise<boolean> {
  const maxPerBatch = 20
  const { rowCount } = await db.query(sql.typeAlias('void')`
    delete from export
    where (shop_id, id) in (
      select shop_id, id from export
      where created_at < now() - make_interval(days => ${days}) and state <> 'running'
      limit ${maxPerBatch}
    )
  `)
  return rowCount === maxPerBatch
}
