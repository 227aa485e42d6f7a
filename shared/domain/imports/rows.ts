import { Type } from '@sinclair/typebox'
import { toCsv } from '../../csv.ts'
import { type Db, row, sql } from '../../db/db.ts'
import { ImportRow, type ImportRowFilter } from '../../schemas/imports.ts'
import { type Page, pageSize, toPage } from '../pages.ts'
import { findImport } from './imports.ts'

const StoredRow = Type.Object({ ...Type.Omit(ImportRow, ['sheet']).properties, sheet: Type.Integer() })

/** Rows in the order of the file. Throws not_found. */
export async function listImportRows(
  db: Db,
  shopId: number,
  importId: number,
  filter: ImportRowFilter,
): Promise<Page<ImportRow>> {
  const { sheets } = await findImport(db, shopId, importId)
  const records = await db.any(sql.type(row(StoredRow))`
    select position as id, sheet, row, state, message, target, target_id, raw
    from import_row
    where ${sql.and([
      sql.fragment`shop_id = ${shopId} and import_id = ${importId}`,
      filter.state !== undefined && sql.fragment`state = ${filter.state}`,
      filter.cursor !== undefined && sql.fragment`position > ${filter.cursor}`,
    ])}
    order by position
    limit ${pageSize(filter) + 1}
  `)
  const { records: page, next } = toPage(records, filter)
  return { records: page.map((each) => ({ ...each, sheet: sheets[each.sheet]?.name ?? '' })), next }
}

const Faulty = Type.Object({
  sheet: Type.Integer(),
  row: Type.Integer(),
  message: Type.String(),
  raw: Type.Array(Type.String()),
})

/**
 * The rows that did not import, with the columns of their sheets and the reason, so that the merchant can correct and import them again. Rows of
 * several sheets have the columns of all. Throws not_found.
 */
export async function faultsCsv(db: Db, shopId: number, importId: number): Promise<string> {
  const { sheets } = await findImport(db, shopId, importId)
  const rows = await db.any(sql.type(row(Faulty))`
    select sheet, row, message, raw
    from import_row
    where shop_id = ${shopId} and import_id = ${importId} and state = 'fault'
    order by position
  `)
  const names = [...new Set(rows.map(({ sheet }) => sheet))].flatMap(
    (sheet) => sheets[sheet]?.columns.map(({ name }) => name) ?? [],
  )
  const columns = [...new Set(names)]
  const records = rows.map(({ sheet, row: number, message, raw }) => ({
    ...Object.fromEntries((sheets[sheet]?.columns ?? []).map(({ name }, at) => [`c ${name}`, raw[at] ?? ''])),
    reason: message,
    place: `${sheets[sheet]?.name ?? ''}, row ${number}`,
  }))
  return toCsv(records, [
    ...columns.map((name) => ({ key: `c ${name}`, header: name })),
    { key: 'reason', header: 'Reason' },
    { key: 'place', header: 'Place' },
  ])
}
