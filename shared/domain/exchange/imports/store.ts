import { createHash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { enqueue } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import type { ImportSheet } from '../../../schemas/imports.ts'
import { localeOf } from '../../records/shops/locale.ts'
import { findImport, kindOf } from './imports.ts'
import { guessFields } from './read/columns.ts'
import { guessKind } from './read/guess-kind.ts'
import { guessNotation } from './read/notation.ts'
import { questionsOf } from './read/questions.ts'

/** A table as it was read from the file. */
export type ReadTable = {
  name: string
  columns: string[]
  rows: { row: number; cells: string[] }[]
  delimiter?: string
  encoding?: string
  /** Of the times of a table, when the file says it. */
  timeZone?: string
}

/** `ignored`: files that are no tables, each with the reason. */
export type ReadContent = {
  tables: readonly ReadTable[]
  ignored?: readonly { name: string; reason: string }[]
}

const Size = Type.Object({ size: Type.Integer() })
const Part = Type.Object({ content: Type.String() })

/** The bytes of an import's file. One part after the other is read, since all together would need their memory twice. */
export async function readImportBytes(
  db: Db,
  shopId: number,
  importId: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const { size } = await db.one(sql.type(row(Size))`
    select coalesce(sum(length(bytes)), 0)::int as size
    from import_file
    where shop_id = ${shopId} and import_id = ${importId}
  `)
  const file = new Uint8Array(size)
  const target = Buffer.from(file.buffer)
  for (let part = 0, read = 0; read < size; part += 1) {
    const { content } = await db.one(sql.type(row(Part))`
      select encode(bytes, 'base64') as content
      from import_file
      where shop_id = ${shopId} and import_id = ${importId} and part = ${part}
    `)
    read += target.write(content, read, 'base64')
  }
  return file
}

export const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const maxSamples = 3
const rowsPerStatement = 2_000
const Locale = Type.Object({ locale: Type.String() })

/**
 * Stores the tables of the file with their guessed kinds and mapping, and enqueues the dry run unless a question is open. Does
 * nothing when the import is not in the state `reading`.
 */
export function storeTables(
  db: Db,
  shopId: number,
  importId: number,
  fileSha256: string,
  { tables, ignored = [] }: ReadContent,
): Promise<void> {
  return db.transaction(async (tx) => {
    const { kind } = await findImport(tx, shopId, importId)
    const { locale } = await tx.one(sql.type(row(Locale))`
      select ${localeOf(shopId)} as locale
    `)
    const names = new Set<string>()
    const sheets = tables.map((table) => {
      const sheet = understand(table, kind, locale)
      for (let times = 2; names.has(sheet.name); times += 1)
        sheet.name = `${table.name.slice(0, 290)} (${times})`
      names.add(sheet.name)
      return sheet
    })
    const unread = ignored.map(({ name, reason }) => ({
      ...understand({ name, columns: [], rows: [] }, null, locale),
      fault: reason,
    }))
    // orders of our own export keep their numbers
    const isOwn = tables.some(({ timeZone }) => timeZone !== undefined)
    const defaults = isOwn ? { continueNumbers: true } : {}
    const hasQuestion = questionsOf({ sheets, defaults }).length > 0
    const stored = await tx.maybeOne(sql.typeAlias('id')`
      update import
      set state = ${hasQuestion ? 'ready' : 'checking'}, kind = ${kindOf(sheets) ?? kind}, progress = ${hasQuestion ? 1 : 0},
        sheets = ${JSON.stringify([...sheets, ...unread])}::jsonb, defaults = ${JSON.stringify(defaults)}::jsonb,
        file_sha256 = ${fileSha256}
      where shop_id = ${shopId} and id = ${importId} and state = 'reading'
      returning id
    `)
    if (!stored) return
    const rows = tables.flatMap((table, sheet) =>
      table.rows.map(({ row: number, cells }) => [sheet, number, JSON.stringify(cells)]),
    )
    for (let from = 0; from < rows.length; from += rowsPerStatement) {
      const slice = rows.slice(from, from + rowsPerStatement).map((cells, at) => [from + at + 1, ...cells])
      await tx.query(sql.typeAlias('void')`
        insert into import_row (shop_id, import_id, position, sheet, row, raw)
        select ${shopId}, ${importId}, position, sheet, row, raw::jsonb
        from ${sql.unnest(slice, ['int4', 'int4', 'int4', 'text'])} as given (position, sheet, row, raw)
      `)
    }
    if (!hasQuestion) await enqueue(tx, jobs.workOnImport, { shopId, importId })
  })
}

function understand(table: ReadTable, wanted: string | null, locale: string): ImportSheet {
  const { name, columns, rows } = table
  const isWanted = wanted !== null && wanted !== 'archive'
  const kind = isWanted ? (wanted as 'suppliers') : guessKind(name, columns)
  const fields = kind ? guessFields(kind, columns, name) : []
  const cellsOf = (at: number) => rows.map(({ cells }) => cells[at] ?? '')
  return {
    name: name.slice(0, 300),
    kind: kind ?? 'skip',
    rows: rows.length,
    ...(table.delimiter && { delimiter: table.delimiter }),
    ...(table.encoding && { encoding: table.encoding }),
    ...(table.timeZone && { timeZone: table.timeZone }),
    ...guessNotation(table, fields, cellsOf, locale),
    columns: columns.map((column, at) => ({
      name: column,
      field: fields[at] ?? null,
      samples: [...new Set(cellsOf(at).filter((cell) => cell !== ''))]
        .slice(0, maxSamples)
        .map((sample) => sample.slice(0, 100)),
    })),
  }
}

const checkMessage =
  'The check failed because of an error on our side. Change the mapping or the options, or check the file again.'

/**
 * Ends the work of an import that failed for good. `message` says what to do; a revert and a dry run have messages of their own. The
 * merchant may repeat a failed revert. After a failed dry run the import is ready, without a preview.
 */
export async function failImport(
  db: Db,
  shopId: number,
  importId: number,
  message: string,
  revertMessage = message,
): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update import
    set state = case when state = 'checking' then 'ready' else 'failed' end,
      finished_at = case when state in ('reading', 'running') then ${new Date().toISOString()}::timestamptz else finished_at end,
      progress = case when state = 'checking' then 1 else progress end,
      error = case
        when state = 'reverting' then ${revertMessage}
        when state = 'checking' then ${checkMessage}
        else ${message}
      end
    where shop_id = ${shopId} and id = ${importId} and state in ('reading', 'checking', 'running', 'reverting')
  `)
}
