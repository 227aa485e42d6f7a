import { isDeepStrictEqual } from 'node:util'
import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { conflict, notFound, unprocessable } from '../../../errors.ts'
import { enqueue } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import type { Import, ImportPatch, ImportSheet, StoredSheet } from '../../../schemas/imports.ts'
import { resolveLevelKeys } from '../../ledgers/stock/resolve.ts'
import { localeOf } from '../../records/shops/locale.ts'
import { requireSuppliers } from '../../records/suppliers/suppliers.ts'
import { importColumns, kindOf, reasons, resetRows, StoredImport, toImport } from './imports.ts'
import { fieldsOf, guessFields } from './read/columns.ts'
import { guessNotation } from './read/notation.ts'
import { questionsOf } from './read/questions.ts'

/**
 * Changes kinds, mapping and defaults of an import, deletes the preview, and enqueues a dry run unless a question is open. A
 * patch that changes nothing keeps the preview. Throws not_found, conflict, unknown_field.
 */
export function changeImport(db: Db, shopId: number, id: number, patch: ImportPatch): Promise<Import> {
  return db.transaction(async (tx) => {
    const stored = await tx.maybeOne(sql.type(row(StoredImport))`
      select ${importColumns} from import where shop_id = ${shopId} and id = ${id} for no key update
    `)
    if (!stored) throw notFound('Import')
    if (stored.state !== 'ready' && stored.state !== 'checking')
      throw conflict(reasons[stored.state] ?? 'This import cannot be changed now.')
    await requireDefaults(tx, shopId, patch)
    const sheets = await guessAgain(tx, shopId, id, stored.sheets, applyPatch(stored.sheets, patch))
    const defaults = { ...stored.defaults, ...patch.defaults }
    const kind = patch.kind ?? kindOf(sheets)
    const isSame = isDeepStrictEqual([kind, sheets, defaults], [stored.kind, stored.sheets, stored.defaults])
    if (isSame) return toImport(stored)
    const hasQuestion = questionsOf({ sheets, defaults }).length > 0
    const changed = await tx.one(sql.type(row(StoredImport))`
      update import
      set kind = ${kind}, sheets = ${JSON.stringify(sheets)}::jsonb,
        defaults = ${JSON.stringify(defaults)}::jsonb, summary = null, error = '', state = ${hasQuestion ? 'ready' : 'checking'},
        progress = ${hasQuestion ? 1 : 0}
      where shop_id = ${shopId} and id = ${id}
      returning ${importColumns}
    `)
    await resetRows(tx, shopId, id)
    if (!hasQuestion) await enqueue(tx, jobs.workOnImport, { shopId, importId: id })
    return toImport(changed)
  })
}

const Cells = Type.Object({ raw: Type.Array(Type.String()) })
const Locale = Type.Object({ locale: Type.String() })

/** Guesses how the sheets with another mapping write numbers and days: other columns have other cells. */
async function guessAgain(
  tx: Db,
  shopId: number,
  id: number,
  before: readonly StoredSheet[],
  sheets: readonly StoredSheet[],
): Promise<StoredSheet[]> {
  const mapped = (sheet: ImportSheet | undefined) => sheet?.columns.map(({ field }) => field) ?? []
  const guessed: StoredSheet[] = []
  for (const [at, sheet] of sheets.entries()) {
    if (isDeepStrictEqual(mapped(before[at]), mapped(sheet))) {
      guessed.push(sheet)
      continue
    }
    const { locale } = await tx.one(sql.type(row(Locale))`select ${localeOf(shopId)} as locale`)
    const rows = await tx.any(sql.type(row(Cells))`
      select raw from import_row where shop_id = ${shopId} and import_id = ${id} and sheet = ${at}
    `)
    const table = { ...sheet, columns: sheet.columns.map(({ name }) => name) }
    const cellsOf = (column: number) => rows.map(({ raw }) => raw[column] ?? '')
    guessed.push({ ...sheet, ...guessNotation(table, mapped(sheet), cellsOf, locale) })
  }
  return guessed
}

async function requireDefaults(tx: Db, shopId: number, { defaults = {} }: ImportPatch): Promise<void> {
  const { supplierId, locationId } = defaults
  if (supplierId) await requireSuppliers(tx, shopId, [{ id: supplierId, path: '/defaults/supplierId' }])
  if (locationId)
    await resolveLevelKeys(tx, shopId, { locations: [{ id: locationId, path: '/defaults/locationId' }] })
}

function applyPatch(
  all: readonly StoredSheet[],
  { kind, sheets = [], mapping = [] }: ImportPatch,
): StoredSheet[] {
  const stored = all.filter(({ fault }) => fault === undefined)
  const byName = new Map(stored.map((sheet) => [sheet.name, structuredClone(sheet)]))
  if (kind && kind !== 'archive' && stored.length === 1)
    for (const sheet of byName.values()) choose(sheet, kind)
  const unknown: { path: string; message: string }[] = []
  for (const [at, chosen] of sheets.entries()) {
    const sheet = byName.get(chosen.name)
    if (sheet) choose(sheet, chosen.kind)
    else unknown.push({ path: `/sheets/${at}/name`, message: 'is not a sheet of this import' })
  }
  for (const [at, { sheet: name, column: columnName, field }] of mapping.entries()) {
    const sheet = byName.get(name)
    const column = sheet?.columns.find((each) => each.name === columnName)
    if (!sheet || !column) {
      unknown.push({ path: `/mapping/${at}/column`, message: 'is not a column of this sheet' })
      continue
    }
    if (field !== null && (sheet.kind === 'skip' || !fieldsOf(sheet.kind).includes(field))) {
      unknown.push({ path: `/mapping/${at}/field`, message: 'is not a field of this kind of import' })
      continue
    }
    for (const other of sheet.columns) if (field !== null && other.field === field) other.field = null
    column.field = field
  }
  if (unknown.length > 0)
    throw unprocessable(
      'unknown_field',
      'Some sheets, columns or fields do not exist. Reload the import and choose again.',
      unknown,
    )
  return [...byName.values(), ...all.filter(({ fault }) => fault !== undefined)]
}

/** A sheet of another kind gets the guessed mapping of that kind. */
function choose(sheet: ImportSheet, kind: ImportSheet['kind']): void {
  if (sheet.kind === kind) return
  sheet.kind = kind
  const fields =
    kind === 'skip'
      ? []
      : guessFields(
          kind,
          sheet.columns.map(({ name }) => name),
          sheet.name,
        )
  for (const [at, column] of sheet.columns.entries()) column.field = fields[at] ?? null
}
