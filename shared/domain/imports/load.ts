import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import type { ImportDefaults } from '../../schemas/imports.ts'
import { currencyOf } from '../shops/currency.ts'
import type { SheetKind } from './columns.ts'
import type { StoredImport } from './imports.ts'
import { type Notation, readDate, readFlag, readNumber } from './values.ts'

/** A row of the file whose cells are read by field; `''` for a field that no column has. */
export type SourceRow = Notation & {
  position: number
  row: number
  sheet: string
  cell: (field: string) => string
  has: (field: string) => boolean
}

/** Rows that become one record, and are therefore written in one transaction. */
export type Unit = { kind: SheetKind; key: string; rows: SourceRow[] }

const StoredRow = Type.Object({
  position: Type.Integer(),
  sheet: Type.Integer(),
  row: Type.Integer(),
  raw: Type.Array(Type.String()),
})

/** The units of an import in the order in which they are written: orders need suppliers, and the oldest order comes first. */
export async function loadUnits(db: Db, shopId: number, stored: StoredImport): Promise<Unit[]> {
  const rows = await db.any(sql.type(row(StoredRow))`
    select position, sheet, row, raw
    from import_row
    where shop_id = ${shopId} and import_id = ${stored.id}
    order by position
  `)
  const byKind = new Map<SheetKind, SourceRow[]>()
  const readers = stored.sheets.map((sheet) => {
    const places = new Map(sheet.columns.flatMap(({ field }, at) => (field ? [[field, at] as const] : [])))
    const notation = {
      decimalSign: stored.defaults.decimalSign ?? sheet.decimalSign,
      dayOrder: stored.defaults.dayOrder ?? sheet.dayOrder,
    }
    return { sheet, places, notation }
  })
  for (const { position, sheet: at, row: number, raw } of rows) {
    const reader = readers[at]
    if (!reader || reader.sheet.kind === 'skip') continue
    const { sheet, places, notation } = reader
    const kind = reader.sheet.kind as SheetKind
    const cell = (field: string) => {
      const place = places.get(field)
      return place === undefined ? '' : (raw[place] ?? '')
    }
    const source = {
      position,
      row: number,
      sheet: sheet.name,
      cell,
      has: (field: string) => places.has(field),
      ...notation,
    }
    const known = byKind.get(kind)
    if (known) known.push(source)
    else byKind.set(kind, [source])
  }
  const of = (kind: SheetKind) => byKind.get(kind) ?? []
  return [
    ...of('suppliers').map((each) => ({
      kind: 'suppliers' as const,
      key: String(each.position),
      rows: [each],
    })),
    ...orderUnits(of('purchase_orders')),
    ...of('costs').map((each) => ({ kind: 'costs' as const, key: String(each.position), rows: [each] })),
    ...grouped(of('stock_counts'), 'stock_counts', countKey),
  ]
}

const countKey = (each: SourceRow) =>
  [
    each.cell('countName') || each.cell('fileName') || each.sheet,
    each.cell('location'),
    each.cell('countedAt'),
  ].join('|')

/** The rows of an order have its id, else its number, else come from one file. An id and a number in one row are of one order. */
function orderUnits(rows: SourceRow[]): Unit[] {
  const idOf = new Map<string, string>()
  for (const each of rows) {
    const [id, number] = [each.cell('orderId'), each.cell('number').toLowerCase()]
    if (id !== '' && number !== '') idOf.set(number, id)
  }
  const units = grouped(rows, 'purchase_orders', (each) => {
    const number = each.cell('number').toLowerCase()
    const id = each.cell('orderId') || idOf.get(number)
    if (id) return `id ${id}`
    return number === '' ? `file ${each.cell('fileName') || each.sheet}` : `number ${number}`
  })
  const dated = units.map((unit) => ({ unit, day: dayOfOrder(unit) }))
  return dated.sort((a, b) => (a.day < b.day ? -1 : Number(a.day > b.day))).map(({ unit }) => unit)
}

function dayOfOrder({ rows }: Unit): string {
  for (const field of ['orderedAt', 'createdAt', 'invoiceDate', 'receivedAt', 'expectedAt']) {
    for (const each of rows) {
      const day = readDate(each.cell(field), each.dayOrder)
      if (day) return day
    }
  }
  return ''
}

function grouped(rows: SourceRow[], kind: SheetKind, keyOf: (each: SourceRow) => string): Unit[] {
  const units = new Map<string, Unit>()
  for (const each of rows) {
    const key = keyOf(each)
    const unit = units.get(key)
    if (unit) unit.rows.push(each)
    else units.set(key, { kind, key, rows: [each] })
  }
  return [...units.values()]
}

const ShopTerms = Type.Object({ currency: Type.String(), today: Type.String() })

/** What every row of a run may need. */
export type Terms = {
  shopId: number
  importId: number
  actor: string
  defaults: ImportDefaults
  currency: string
  today: string
  isRehearsal: boolean
}

export async function loadTerms(
  db: Db,
  shopId: number,
  stored: StoredImport,
): Promise<Omit<Terms, 'isRehearsal'>> {
  const shop = await db.one(sql.type(row(ShopTerms))`
    select ${currencyOf(shopId)} as currency, (now() + interval '1 day')::date::text as today
  `)
  return { shopId, importId: stored.id, actor: stored.createdBy, defaults: stored.defaults, ...shop }
}

/** Reads cells of a row; a cell that is no number or day is a fault that names it. */
export function readerOf(each: SourceRow) {
  const faults: string[] = []
  const shown = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text)
  return {
    faults,
    text: (field: string, max: number) =>
      each
        .cell(field)
        .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
        .trim()
        .slice(0, max),
    number: (field: string, what: string, max = 1_000_000_000): number | null => {
      const value = readNumber(each.cell(field), each.decimalSign)
      if (value === undefined) faults.push(`${what} "${shown(each.cell(field))}" is not a number.`)
      else if (value !== null && (value > max || value < 0))
        faults.push(`${what} "${shown(each.cell(field))}" is out of range.`)
      else return value
      return null
    },
    day: (field: string, what: string): string | null => {
      const value = readDate(each.cell(field), each.dayOrder)
      if (value === undefined) faults.push(`${what} "${shown(each.cell(field))}" is not a date.`)
      return value ?? null
    },
    flag: (field: string): boolean => readFlag(each.cell(field)) ?? false,
  }
}
