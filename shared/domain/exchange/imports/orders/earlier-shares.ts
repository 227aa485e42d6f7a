import { Type } from '@sinclair/typebox'
import { arrayOf, type Db, row, sql } from '../../../../db/db.ts'
import { Id } from '../../../../schemas/common.ts'
import { ImportDefaults, StoredSheet } from '../../../../schemas/imports.ts'
import type { BasicTerms, SourceRow, Terms, Unit } from '../load.ts'
import { type SupplierIndex, supplierKey } from '../match-suppliers.ts'
import { numberOfFile, progressOf, readShare, type Share, wordOf } from './read/header.ts'
import { isLineRow } from './read/lines.ts'

/** What the newest list of orders that was imported before says of an order: "3 of 10", or only that some pieces arrived. */
export type EarlierShare = { share: Share | null; isPartial: boolean }

type Named = { supplierRef: string; supplierName: string; supplierId: number | null }
/** By number in lower case, the newest import last. */
export type EarlierShares = ReadonlyMap<string, readonly (EarlierShare & Named)[]>

const EarlierImport = Type.Object({ id: Id, sheets: Type.Array(StoredSheet), defaults: ImportDefaults })
const EarlierRow = Type.Object({
  importId: Id,
  sheet: Type.Integer(),
  raw: Type.Array(Type.String()),
})

const firstCell = (rows: readonly SourceRow[], field: string) =>
  rows.map((each) => each.cell(field).trim()).find((cell) => cell !== '') ?? ''

/** As `readHeader` reads it. */
const numberOf = ({ rows }: Unit) =>
  (
    firstCell(rows, 'sourceNumber') ||
    firstCell(rows, 'number') ||
    firstCell(rows, 'orderId') ||
    numberOfFile(rows)
  ).toLowerCase()

/** Reads what other imports say of the orders whose lines this import has. A row counts also when it was not imported. */
export async function readEarlierShares(
  db: Db,
  { shopId, importId }: BasicTerms,
  units: readonly Unit[],
): Promise<EarlierShares> {
  const found = new Map<string, (EarlierShare & Named)[]>()
  const numbers = units.flatMap((unit) =>
    unit.kind === 'purchase_orders' && unit.rows.some(isLineRow) ? numberOf(unit) || [] : [],
  )
  if (numbers.length === 0) return found
  const imports = await db.any(sql.type(row(EarlierImport))`
    select id, sheets, defaults
    from import
    where shop_id = ${shopId} and id <> ${importId} and state in ('done', 'failed')
      and sheets @> '[{"kind": "purchase_orders"}]' and sheets::text ~ '"field": "(received|status)"'
    order by finished_at, id
  `)
  if (imports.length === 0) return found
  const rows = await db.any(sql.type(row(EarlierRow))`
    select r.import_id, r.sheet, r.raw
    from import_row r
    where r.shop_id = ${shopId} and r.import_id = any(${arrayOf('int8', imports, ({ id }) => id)})
      and r.state in ('new', 'same', 'changed', 'fault') and exists (
        select from jsonb_array_elements_text(r.raw) c (cell) where lower(btrim(c.cell)) = any(${sql.array(numbers, 'text')})
      )
    order by r.position
  `)
  const rowsOf = Map.groupBy(rows, (each) => each.importId)
  for (const { id, sheets, defaults } of imports) {
    for (const { sheet, raw } of rowsOf.get(id) ?? []) {
      const { kind, columns = [] } = sheets[sheet] ?? {}
      const cell = (field: string) => (raw[columns.findIndex((each) => each.field === field)] ?? '').trim()
      if (kind !== 'purchase_orders' || columns.some(({ field }) => field === 'quantity')) continue
      const number = (cell('sourceNumber') || cell('number') || cell('orderId')).toLowerCase()
      const said = {
        share: readShare(cell('received')),
        isPartial: progressOf(wordOf(cell('status'))) === 'partial',
        supplierRef: cell('supplierId'),
        supplierName: cell('supplier'),
        supplierId: defaults.supplierId ?? null,
      }
      found.set(number, [...(found.get(number) ?? []), said])
    }
  }
  return found
}

/** Of an order of the same number and supplier; null when no earlier import says that pieces of it arrived. */
export function earlierShareOf(
  unit: Unit,
  { earlierShares, defaults }: Pick<Terms, 'earlierShares' | 'defaults'>,
  index: SupplierIndex,
): EarlierShare | null {
  const supplierOf = ({ supplierRef, supplierName, supplierId }: Named) => {
    if (supplierRef === '' && supplierName === '') return supplierId
    const known = index.find(supplierRef, supplierName)
    return known && !('fault' in known) ? known.id : supplierKey(supplierName)
  }
  const own = supplierOf({
    supplierRef: firstCell(unit.rows, 'supplierId'),
    supplierName: firstCell(unit.rows, 'supplier'),
    supplierId: defaults.supplierId ?? null,
  })
  const said = (earlierShares.get(numberOf(unit)) ?? []).findLast((each) => supplierOf(each) === own)
  return said && (said.share ? said.share.part > 0 : said.isPartial) ? said : null
}
