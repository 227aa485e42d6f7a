import { AsyncLocalStorage } from 'node:async_hooks'
import { Type } from '@sinclair/typebox'
import { csvHead, csvPage } from '../../../csv.ts'
import { type Db, row, sql } from '../../../db/db.ts'
import type { Settings } from '../../../schemas/settings.ts'
import { readTemplateOrders, templateCsv } from '../../documents/purchase-orders/mail/platform-template.ts'
import { getLogoFile } from '../../records/shops/logo.ts'
import { getSettings } from '../../records/shops/settings.ts'
import { type ExportAttempt, finishExport, storePart } from './attempt.ts'
import { exportedLists } from './files.ts'
import type { ExportedList } from './list.ts'
import { countRows, readList, type ShopTerms } from './read-list.ts'
import { type AddFile, type ArchivedFile, type Piece, writeArchive } from './write-archive.ts'

/** Exports that all workers together write at one time, so that exports neither delay the jobs of other shops nor overload Postgres. */
const maxAtOnce = 2

const Slot = Type.Object({ isFree: Type.Boolean() })
const Snapshot = Type.Object({ domain: Type.String(), at: Type.String(), day: Type.String() })

type Contents = { fileName: string; fileCount: number; rowCount: number }
type Progress = { done: number; total: number }

/**
 * Writes every list of the shop into one ZIP file. All lists are of one instant: one transaction that only reads (repeatable
 * read), beside the writes of the parts on another connection. Returns false when `maxAtOnce` exports are being written.
 * Throws AttemptEndedError.
 */
export async function writeExport(db: Db, attempt: ExportAttempt, signal: AbortSignal): Promise<boolean> {
  // slonik refuses queries on other connections in the context of a transaction, and the parts are no part of it
  const outside = AsyncLocalStorage.snapshot()
  const written = await db.transaction(async (tx) => {
    await tx.query(sql.typeAlias('void')`set transaction isolation level repeatable read, read only`)
    if (!(await takeSlot(tx))) return null
    const { shopId } = attempt
    const terms = await getSettings(tx, shopId)
    const snapshot = await tx.one(sql.type(row(Snapshot))`
      select domain, to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at,
        to_char(now() at time zone ${terms.timeZone}, 'YYYY-MM-DD') as day
      from shop where id = ${shopId}
    `)
    const progress = await expectedRows(tx, shopId)
    const contents: Contents = { fileName: `quartermaster-${snapshot.day}.zip`, fileCount: 0, rowCount: 0 }
    const file = await writeArchive(
      new Date(snapshot.at),
      async (add) => {
        const files: ArchivedFile[] = []
        for (const list of exportedLists) {
          const path = `${list.name}-${snapshot.day}.csv`
          files.push(await add(path, piecesOf(tx, shopId, list, terms, progress, signal)))
        }
        files.push(...(await addTemplates(tx, shopId, add, progress, signal)))
        files.push(...(await addLogo(tx, shopId, add, terms)))
        files.push(await add('README.txt', [{ text: readme(files, terms, snapshot), rows: 0 }]))
        contents.fileCount = files.length
        contents.rowCount = files.reduce((sum, { path, rows }) => sum + (isTemplate(path) ? 0 : rows), 0)
        const { timeZone, currency } = terms
        const manifest = {
          format: 1,
          shop: snapshot.domain,
          createdAt: snapshot.at,
          timeZone,
          currency,
          files,
        }
        await add('manifest.json', [{ text: `${JSON.stringify(manifest, null, 2)}\n`, rows: 0 }])
      },
      (part, bytes) =>
        outside(() => storePart(db, attempt, { part, bytes, progress: shareOf(progress), now: nowIso() })),
    )
    return { ...contents, ...file }
  })
  if (!written) return false
  await finishExport(db, attempt, { ...written, now: nowIso() })
  return true
}

/** A lock of the transaction, so that it ends with it, also when the worker is killed. */
async function takeSlot(tx: Db): Promise<boolean> {
  for (let slot = 0; slot < maxAtOnce; slot += 1) {
    const { isFree } = await tx.one(sql.type(row(Slot))`
      select pg_try_advisory_xact_lock(hashtextextended('export', ${slot}::bigint)) as is_free
    `)
    if (isFree) return true
  }
  return false
}

async function expectedRows(tx: Db, shopId: number): Promise<Progress> {
  let total = 0
  for (const list of exportedLists) {
    const rows = await countRows(tx, shopId, list)
    total += list.table === 'purchase_order' ? 2 * rows : rows
  }
  return { done: 0, total }
}

/** Below 1 until the export is done. */
const shareOf = ({ done, total }: Progress) =>
  Math.min(0.999, Math.floor((done / Math.max(total, 1)) * 1000) / 1000)

async function* piecesOf(
  tx: Db,
  shopId: number,
  list: ExportedList,
  terms: ShopTerms,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<Piece> {
  yield { text: csvHead(Object.keys(list.columns)), rows: 0 }
  for await (const page of readList(tx, shopId, list, terms)) {
    signal.throwIfAborted()
    yield { text: csvPage(page.map(({ cells }) => cells)), rows: page.length }
    progress.done += page.length
  }
}

const templateFolder = 'purchase-orders/'
const isTemplate = (path: string) => path.startsWith(templateFolder)

/** Each order as a file in the platform's own template, which takes one order a file. */
async function addTemplates(
  tx: Db,
  shopId: number,
  add: AddFile,
  progress: Progress,
  signal: AbortSignal,
): Promise<ArchivedFile[]> {
  const files: ArchivedFile[] = []
  for (let afterId: number | undefined = 0; afterId !== undefined; ) {
    const orders = await readTemplateOrders(tx, shopId, { afterId })
    for (const order of orders) {
      signal.throwIfAborted()
      const piece = { text: templateCsv(order), rows: order.lines.length }
      files.push(await add(`${templateFolder}${order.poNumber}.csv`, [piece]))
      progress.done += 1
    }
    afterId = orders.at(-1)?.id
  }
  return files
}

/** The picture of documents as it is stored; without one, no file. */
async function addLogo(tx: Db, shopId: number, add: AddFile, { logo }: Settings): Promise<ArchivedFile[]> {
  if (!logo) return []
  const { bytes } = await getLogoFile(tx, shopId)
  return [await add(logoPath, [{ text: bytes, rows: 0 }])]
}

const logoPath = 'logo.png'

function readme(
  files: readonly ArchivedFile[],
  { timeZone, currency }: ShopTerms,
  { domain, at, day }: { domain: string; at: string; day: string },
): string {
  const lists = exportedLists.map(({ name, about }) => {
    const rows = files.find(({ path }) => path === `${name}-${day}.csv`)?.rows ?? 0
    return `${name}-${day}.csv: ${about} (${rows} ${rows === 1 ? 'row' : 'rows'})`
  })
  return [
    `The lists of ${domain}, all of the same instant: ${at}.`,
    `Times are in the time zone ${timeZone}. Amounts without a currency of their own are in ${currency}.`,
    'The files are CSV in UTF-8 with commas. manifest.json has the SHA-256 of each file.',
    '',
    ...lists,
    ...(files.some(({ path }) => path === logoPath) ? [`${logoPath}: the logo of your documents`] : []),
    `${templateFolder}: each order as a file in the template of the shop admin (SKU, Barcode, Supplier SKU, Quantity, Cost, Tax)`,
    '',
  ].join('\r\n')
}

const nowIso = () => new Date().toISOString()
