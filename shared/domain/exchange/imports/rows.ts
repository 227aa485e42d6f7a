import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { ImportRow, type ImportRowFilter } from '../../../schemas/imports.ts'
import { type Page, pageSize, toPage } from '../../kit/pages/pages.ts'
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
