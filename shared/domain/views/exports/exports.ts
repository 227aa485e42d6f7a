import { Readable } from 'node:stream'
import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { conflict, notFound } from '../../../errors.ts'
import { enqueue } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import { Id, type PageQuery } from '../../../schemas/common.ts'
import { Export } from '../../../schemas/exports.ts'
import { isoInstant } from '../../kit/date-range.ts'
import { type Page, pageSize, toPage } from '../../kit/pages/pages.ts'

/*
 * States of an export. A shop has at most one running export (index export_running).
 *   (none)  -> running  a request starts it; its job is enqueued in the same transaction
 *   running -> running  an attempt begins the file (`attempt` + 1, no parts) or stores a part
 *   running -> done     the last part was stored
 *   running -> failed   the job has no attempts left
 * A part is stored only by the newest attempt, so a worker that was believed dead cannot mix its parts into the file.
 */

/** A file is deleted after these days, and earlier when the shop has two newer ones. */
export const exportDays = 7

const columns = sql.fragment`
  id, state, progress, case when state = 'done' then '/api/exports/' || id || '/file' end as url, file_name, file_count,
  row_count, size, error, created_by, created_at, finished_at,
  case when state = 'done' then ${isoInstant(sql.fragment`(created_at + make_interval(days => ${exportDays}))`)} end as expires_at
`

const Started = Type.Object({ id: Id, isNew: Type.Boolean() })

type Start = { actor: string; now: string; maxAgeMinutes?: number }

/**
 * The running export; else the newest one that was finished in the last `maxAgeMinutes`, if given; else a new one. A running
 * export without progress for 5 minutes gets another job.
 */
export function startExport(
  db: Db,
  shopId: number,
  { actor, now, maxAgeMinutes = 0 }: Start,
): Promise<{ export: Export; isNew: boolean }> {
  return db.transaction(async (tx) => {
    const recent = await tx.maybeOne(sql.type(row(Export))`
      select ${columns}
      from export
      where shop_id = ${shopId} and state = 'done'
        and finished_at > ${now}::timestamptz - make_interval(mins => ${maxAgeMinutes})
        and not exists (select from export where shop_id = ${shopId} and state = 'running')
      order by id desc
      limit 1
    `)
    if (recent) return { export: recent, isNew: false }
    const started = await tx.maybeOne(sql.type(row(Started))`
      insert into export (shop_id, created_by, created_at, progressed_at)
      values (${shopId}, ${actor}, ${now}, ${now})
      on conflict (shop_id) where state = 'running' do update
      set progressed_at = excluded.progressed_at
      where export.progressed_at < excluded.progressed_at - interval '5 minutes'
      returning id, created_at = progressed_at as is_new
    `)
    if (started) await enqueue(tx, jobs.exportShop, { shopId, exportId: started.id })
    const running = await tx.one(sql.type(row(Export))`
      select ${columns} from export where shop_id = ${shopId} order by id desc limit 1
    `)
    return { export: running, isNew: started?.isNew ?? false }
  })
}

/** Newest first. */
export async function listExports(db: Db, shopId: number, filter: PageQuery): Promise<Page<Export>> {
  const { cursor } = filter
  const records = await db.any(sql.type(row(Export))`
    select ${columns}
    from export
    where ${sql.and([
      sql.fragment`shop_id = ${shopId}`,
      cursor !== undefined && sql.fragment`id < ${cursor}`,
    ])}
    order by id desc
    limit ${pageSize(filter) + 1}
  `)
  return toPage(records, filter)
}

/** Throws not_found. */
export async function getExport(db: Db, shopId: number, id: number): Promise<Export> {
  const found = await db.maybeOne(sql.type(row(Export))`
    select ${columns} from export where shop_id = ${shopId} and id = ${id}
  `)
  if (!found) throw notFound('Export')
  return found
}

const StoredFile = Type.Object({ fileName: Type.String(), size: Type.Integer(), sha256: Type.String() })
type StoredFile = Static<typeof StoredFile>
const Part = Type.Object({ bytes: Type.Unsafe<Buffer>(Type.Any()) })

/**
 * The ZIP file as a stream of its parts. Each part is a query of its own, so a slow caller keeps no connection. Throws
 * not_found and export_not_done.
 */
export async function readExportFile(
  db: Db,
  shopId: number,
  id: number,
): Promise<StoredFile & { stream: Readable }> {
  const { state, error } = await getExport(db, shopId, id)
  if (state !== 'done') {
    throw conflict(
      state === 'failed' ? error : 'The file is still being written. Wait until it is done.',
      'export_not_done',
    )
  }
  const file = await db.one(sql.type(row(StoredFile))`
    select file_name, size, encode(sha256, 'hex') as sha256 from export where shop_id = ${shopId} and id = ${id}
  `)
  return { ...file, stream: Readable.from(readParts(db, shopId, id, file.size), { objectMode: false }) }
}

async function* readParts(db: Db, shopId: number, id: number, size: number): AsyncGenerator<Buffer> {
  for (let part = 0, read = 0; read < size; part += 1) {
    const { bytes } = await db.one(sql.type(row(Part))`
      select bytes from export_part where shop_id = ${shopId} and export_id = ${id} and part = ${part}
    `)
    read += bytes.length
    yield bytes
  }
}
