import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Currency } from '../../../schemas/common.ts'
import { isCurrency } from '../../../schemas/currency-codes.ts'
import type { ImportDefaults, ImportSheet } from '../../../schemas/imports.ts'
import { type Notation, readDate, readFlag, readNumber } from '../../kit/csv/values.ts'
import { todayOf } from '../../kit/date-range.ts'
import { currencyOf } from '../../records/shops/currency.ts'
import type { StoredImport } from './imports.ts'
import { supplierKey } from './match-suppliers.ts'
import type { VariantMatcher } from './match-variants.ts'
import type { EarlierShares } from './orders/earlier-shares.ts'
import { orderUnits } from './orders/units.ts'
import type { Made, Outcome } from './outcomes.ts'
import { productFields, type SheetKind } from './read/columns.ts'
import { ownListOf } from './read/own-lists.ts'

/** A row of the file whose cells are read by field; `''` for a field that no column has. */
export type SourceRow = Notation & {
  position: number
  row: number
  sheet: string
  /** The sheet is a list of our own export. */
  isOwn: boolean
  cell: (field: string) => string
  has: (field: string) => boolean
  /** The name of the column that is mapped to the field; of none, the field. */
  column: (field: string) => string
}

/** `receipts`: goods that came without an order; their rows are in the lists of receipts of orders. */
export type UnitKind = SheetKind | 'receipts'

/** Rows that become one record, and are therefore written in one transaction. */
export type Unit = { kind: UnitKind; key: string; rows: SourceRow[] }

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
    const places = placesOf(sheet)
    const notation = notationOf(sheet, stored.defaults)
    const names = sheet.columns.map(({ name }) => name)
    return {
      sheet,
      places,
      names,
      notation,
      isOwn: notation.timeZone !== null || ownListOf(sheet.name, names) !== null,
    }
  })
  for (const { position, sheet: at, row: number, raw } of rows) {
    const reader = readers[at]
    if (!reader || reader.sheet.kind === 'skip') continue
    const { sheet, places, names, notation, isOwn } = reader
    const kind = reader.sheet.kind as SheetKind
    const cell = (field: string) => {
      const place = places.get(field)
      return place === undefined ? '' : (raw[place] ?? '')
    }
    const source = {
      position,
      row: number,
      sheet: sheet.name,
      isOwn,
      cell,
      has: (field: string) => places.has(field),
      column: (field: string) => names[places.get(field) ?? -1] || field,
      ...notation,
    }
    const known = byKind.get(kind)
    if (known) known.push(source)
    else byKind.set(kind, [source])
  }
  const of = (kind: SheetKind) => byKind.get(kind) ?? []
  const single = (kind: SheetKind) =>
    of(kind).map((each) => ({ kind, key: String(each.position), rows: [each] }))
  const [direct, ordered] = split(of('purchase_orders'), isDirectReceipt)
  return [
    ...grouped(of('suppliers'), 'suppliers', supplierKeyOf),
    ...grouped(of('supplier_products'), 'supplier_products', supplierProductKey),
    ...orderUnits(ordered),
    ...grouped(direct, 'receipts', (each) => each.cell('receipt')),
    ...single('costs'),
    ...grouped(of('stock_counts'), 'stock_counts', countKey),
    ...single('reorder_rules'),
    ...grouped(of('adjustments'), 'adjustments', adjustmentKey),
  ]
}

/**
 * The places of the mapped columns, by field. In a list of products that only says how many pieces of an order were received, these
 * pieces are also the ordered ones.
 */
function placesOf({ kind, columns }: ImportSheet): Map<string, number> {
  const places = new Map(columns.flatMap(({ field }, at) => (field ? [[field, at] as const] : [])))
  const received = places.get('received')
  const hasLines = kind === 'purchase_orders' && productFields.some((field) => places.has(field))
  if (hasLines && received !== undefined && !places.has('quantity')) places.set('quantity', received)
  return places
}

/**
 * How a sheet writes numbers and days. The merchant's answer is for the sheets whose cells do not say it: another one of the same
 * import may be proven to be different. Without an answer, a number that can be read in two ways is a fault.
 */
const notationOf = (sheet: ImportSheet, { decimalSign, dayOrder }: ImportDefaults): Notation => ({
  decimalSign: sheet.isDecimalSignCertain === false ? (decimalSign ?? null) : sheet.decimalSign,
  dayOrder: sheet.isDayOrderCertain ? sheet.dayOrder : (dayOrder ?? sheet.dayOrder),
  timeZone: sheet.timeZone ?? null,
})

function split<T>(rows: readonly T[], isFirst: (each: T) => boolean): [T[], T[]] {
  return [rows.filter(isFirst), rows.filter((each) => !isFirst(each))]
}

/** A row of a receipt without an order. */
const isDirectReceipt = (each: SourceRow) => each.has('receipt') && each.cell('number') === ''

const supplierKeyOf = (each: SourceRow) =>
  supplierKey(each.cell('name') || each.cell('companyName')) || `row ${each.position}`

/** Prices of a product may stand in further rows, or in a list of their own. */
const supplierProductKey = (each: SourceRow) =>
  [
    supplierKey(each.cell('supplier') || each.cell('supplierId')),
    ...['inventoryItemId', 'variantId', 'barcode', 'sku'].map((field) => each.cell(field)),
    each.cell('supplierSku'),
  ].join('|')

const adjustmentKey = (each: SourceRow) => each.cell('adjustmentId') || `row ${each.position}`

const countKey = (each: SourceRow) =>
  [
    each.cell('countName') || each.cell('fileName') || each.sheet,
    each.cell('location'),
    each.cell('countedAt'),
  ].join('|')

function grouped(rows: SourceRow[], kind: UnitKind, keyOf: (each: SourceRow) => string): Unit[] {
  const units = new Map<string, Unit>()
  for (const each of rows) {
    const key = keyOf(each)
    const unit = units.get(key)
    if (unit) unit.rows.push(each)
    else units.set(key, { kind, key, rows: [each] })
  }
  return [...units.values()]
}

const ShopTerms = Type.Object({ currency: Type.String(), lastDay: Type.String() })

/** What every row of a run may need. */
export type Terms = {
  shopId: number
  importId: number
  actor: string
  defaults: ImportDefaults
  currency: string
  /** Tomorrow in the shop's time zone, since a file may come from a time zone that is ahead. Later days are in the future. */
  lastDay: string
  isDryRun: boolean
  /** The import has a list of what suppliers sell, so orders need not say it. */
  hasSupplierProducts: boolean
  /** By position of an adjustment: how many equal ones stand above it in the file. Without an entry: none. */
  equalAbove: ReadonlyMap<number, number>
  /** Positions of costs that are left out, since a row above has the cost of the product. */
  repeatedCosts: ReadonlySet<number>
  /** What earlier imports say of the orders whose lines this import has. */
  earlierShares: EarlierShares
}

/** Writes the records of units of one kind, in the transaction of their batch. */
export type UnitWriter = (
  tx: Db,
  terms: Terms,
  units: readonly Unit[],
  match: VariantMatcher,
) => Promise<{ outcomes: Outcome[]; made: Made[] }>

/** Without what is known only after all rows have been matched. */
export type BasicTerms = Omit<Terms, 'isDryRun' | 'equalAbove' | 'repeatedCosts' | 'earlierShares'>

export async function loadTerms(db: Db, shopId: number, stored: StoredImport): Promise<BasicTerms> {
  const shop = await db.one(sql.type(row(ShopTerms))`
    select ${currencyOf(shopId)} as currency, (${todayOf(shopId)} + 1)::text as last_day
  `)
  const hasSupplierProducts = stored.sheets.some(({ kind }) => kind === 'supplier_products')
  return {
    shopId,
    importId: stored.id,
    actor: stored.createdBy,
    defaults: stored.defaults,
    hasSupplierProducts,
    ...shop,
  }
}

/** Reads cells of a row; a cell that is no number, day or currency is a fault that names it. */
export function readerOf(each: SourceRow) {
  const faults: string[] = []
  const shown = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text)
  const between = (field: string, what: string, min: number, max = 1_000_000_000): number | null => {
    const cell = each.cell(field)
    const value = readNumber(cell, each.decimalSign)
    if (value === undefined) {
      const isAmbiguous = each.decimalSign === null && readNumber(cell, '.') !== undefined
      faults.push(
        isAmbiguous
          ? `${what} "${shown(cell)}" can be read in two ways. Choose the decimal sign.`
          : `${what} "${shown(cell)}" is not a number.`,
      )
    } else if (value !== null && (value > max || value < min))
      faults.push(`${what} "${shown(cell)}" is out of range.`)
    else return value
    return null
  }
  return {
    faults,
    text: (field: string, max: number) =>
      each
        .cell(field)
        .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
        .trim()
        .slice(0, max),
    /** A text that may have several lines. */
    lines: (field: string, max: number) =>
      each
        .cell(field)
        .replace(/\r\n?|[\u2028\u2029]/g, '\n')
        .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]+/g, ' ')
        .trim()
        .slice(0, max),
    /** The code of the currency; '' when the cell is empty. */
    currency: (): string => {
      const code = each.cell('currency').trim().toUpperCase()
      if (code === '' || isCurrency(code)) return code
      faults.push(`${each.column('currency')} "${shown(each.cell('currency'))}" ${Currency.rule}.`)
      return ''
    },
    number: (field: string, what: string, max?: number) => between(field, what, 0, max),
    signed: (field: string, what: string) => between(field, what, -1_000_000_000),
    day: (field: string, what: string): string | null => {
      const value = readDate(each.cell(field), each)
      if (value === undefined) faults.push(`${what} "${shown(each.cell(field))}" is not a date.`)
      return value ?? null
    },
    flag: (field: string): boolean => readFlag(each.cell(field)) ?? false,
  }
}
