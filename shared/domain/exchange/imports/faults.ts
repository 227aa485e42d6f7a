import { buffer } from 'node:stream/consumers'
import { Type } from '@sinclair/typebox'
import { ZipFile } from 'yazl'
import { toCsv } from '../../../csv.ts'
import { type Db, row, sql } from '../../../db/db.ts'
import type { ImportSheet } from '../../../schemas/imports.ts'
import { plainName } from '../../kit/csv/rows.ts'
import { readDate } from '../../kit/csv/values.ts'
import { findImport, type StoredImport } from './imports.ts'
import { loadUnits, type SourceRow, type Unit } from './load.ts'
import { readShare } from './orders/read/header.ts'
import { aliases, guessFields, type SheetKind } from './read/columns.ts'
import { ownListOf } from './read/own-lists.ts'

const Faulty = Type.Object({
  position: Type.Integer(),
  sheet: Type.Integer(),
  row: Type.Integer(),
  message: Type.String(),
  raw: Type.Array(Type.String()),
})
type Faulty = { position: number; sheet: number; row: number; message: string; raw: string[] }

export type FaultsFile = { type: string; name: string; content: string | Buffer }

/**
 * The rows that did not import, so that the merchant can correct the file and import it: a CSV with the columns of the list, the
 * reason, and what the order or count of the row has in other rows, in the name of the file or in the defaults. Several
 * lists are a ZIP of such files. Throws not_found.
 */
export async function faultsFile(db: Db, shopId: number, importId: number): Promise<FaultsFile> {
  const stored = await findImport(db, shopId, importId)
  const rows = await db.any(sql.type(row(Faulty))`
    select position, sheet, row, message, raw
    from import_row
    where shop_id = ${shopId} and import_id = ${importId} and state = 'fault'
    order by position
  `)
  const unitOf = new Map<number, Unit>()
  for (const unit of await loadUnits(db, shopId, stored))
    for (const { position } of unit.rows) unitOf.set(position, unit)
  const defaults = await readDefaults(db, shopId, stored)
  const lists = [...new Set(rows.map(({ sheet }) => sheet))].flatMap((at) => {
    const sheet = stored.sheets[at]
    const own = rows.filter((each) => each.sheet === at)
    return sheet ? [{ sheet, text: toList(sheet, own, unitOf, defaults) }] : []
  })
  const [first] = lists
  // a list of our own export is known by its name
  const isZip = lists.length > 1 || (first !== undefined && isOwnList(first.sheet))
  if (!isZip)
    return {
      type: 'text/csv; charset=utf-8',
      name: `not-imported-${importId}.csv`,
      content: first?.text ?? toCsv([], ['Fault', 'Place']),
    }
  const zip = new ZipFile()
  const names = new Set<string>()
  for (const { sheet, text } of lists) zip.addBuffer(Buffer.from(text), fileNameOf(sheet, names))
  zip.end()
  return {
    type: 'application/zip',
    name: `not-imported-${importId}.zip`,
    content: await buffer(zip.outputStream),
  }
}

const isOwnList = ({ name, columns }: ImportSheet) =>
  ownListOf(
    name,
    columns.map((column) => column.name),
  ) !== null

function fileNameOf({ name }: ImportSheet, taken: Set<string>): string {
  const plain = name.replace(/[\\/:*?"<>|\u0000-\u001f]+/g, ' ').replace(/\.\w{2,5}$/, '')
  let file = `${plain}.csv`
  for (let times = 2; taken.has(file); times += 1) file = `${plain} (${times}).csv`
  taken.add(file)
  return file
}

type Defaults = { supplier: string; location: string; currency: string; day: string }
const Names = Type.Object({ supplier: Type.String(), location: Type.String() })

/** The merchant's defaults for rows without these values, as texts of a file. */
async function readDefaults(db: Db, shopId: number, { defaults }: StoredImport): Promise<Defaults> {
  const { supplierId = null, locationId = null, currency, orderedOn } = defaults
  const names = await db.one(sql.type(row(Names))`
    select
      coalesce((select name from supplier where shop_id = ${shopId} and id = ${supplierId}), '') as supplier,
      coalesce((select name from location where shop_id = ${shopId} and gid = ${locationId}), '') as location
  `)
  return { ...names, currency: currency ?? '', day: orderedOn ?? '' }
}

function toList(
  sheet: ImportSheet,
  rows: readonly Faulty[],
  unitOf: ReadonlyMap<number, Unit>,
  defaults: Defaults,
): string {
  const names = headersOf(sheet)
  const plain = new Set(names.map(plainName))
  const given = new Set(sheet.columns.map(({ field }) => field))
  const missing = (isOwnList(sheet) ? [] : added).filter(
    ({ field, header, kinds }) =>
      kinds.includes(sheet.kind) && !given.has(field) && !plain.has(plainName(header)),
  )
  // once per unit, since each value may read all its rows
  const valuesOf = new Map<Unit, Record<string, string>>()
  const readValues = (unit: Unit) => {
    const known = valuesOf.get(unit)
    if (known) return known
    const values = Object.fromEntries(missing.map(({ field, value }) => [field, value(unit.rows, defaults)]))
    valuesOf.set(unit, values)
    return values
  }
  const records = rows.map(({ position, row: number, message, raw }) => {
    const unit = unitOf.get(position)
    return {
      ...Object.fromEntries(names.map((_, at) => [`c${at}`, raw[at] ?? ''])),
      ...(unit ? readValues(unit) : Object.fromEntries(missing.map(({ field }) => [field, '']))),
      fault: message,
      place: `${sheet.name}, row ${number}`,
    }
  })
  const filled = missing.filter(({ field }) =>
    records.some((record) => (record as Record<string, string>)[field] !== ''),
  )
  return toCsv(records, [
    ...names.map((header, at) => ({ key: `c${at}`, header })),
    ...filled.map(({ field, header }) => ({ key: field, header })),
    { key: 'fault', header: 'Fault' },
    { key: 'place', header: 'Place' },
  ])
}

/** The names of the columns; one that the merchant has mapped by hand gets a name that is known. */
function headersOf({ name, kind, columns }: ImportSheet): string[] {
  const names = columns.map((column) => column.name)
  if (kind === 'skip') return names
  const guessed = guessFields(kind, names, name)
  return columns.map(({ name: own, field }, at) => {
    if (field === guessed[at]) return own
    return field === null ? `${own} (not imported)` : firstAlias(kind, field) || own
  })
}

const firstAlias = (kind: SheetKind, field: string) =>
  ((aliases[kind] as Record<string, string>)[field] ?? '').split(' ')[0]

type Rows = readonly SourceRow[]
type Added = {
  field: string
  header: string
  kinds: readonly string[]
  value: (rows: Rows, defaults: Defaults) => string
}

/** Of each field, the first row that has it. */
const cellOf = (rows: Rows, field: string) =>
  rows.map((each) => each.cell(field)).find((cell) => cell !== '') ?? ''

/** A day as 2024-05-13, since the order of day and month may differ between lists. */
function dayOf(rows: Rows, field: string): string {
  const each = rows.find(({ cell }) => cell(field) !== '')
  return each ? (readDate(each.cell(field), each) ?? each.cell(field)) : ''
}

const fileOf = (rows: Rows) => cellOf(rows, 'fileName') || (rows[0]?.sheet ?? '')

/** A list of orders may only say that all pieces of an order have come. */
function statusOf(rows: Rows): string {
  const share = readShare(rows.map((each) => each.cell('received')).find((cell) => readShare(cell)) ?? '')
  const isWhole = share !== null && share.whole > 0 && share.part >= share.whole
  return (
    cellOf(
      rows.filter((each) => !each.has('quantity')),
      'status',
    ) || (isWhole ? 'received' : '')
  )
}

const orders = ['purchase_orders']
const places = ['purchase_orders', 'stock_counts', 'adjustments']

/** The columns that an order or a count needs besides those of the row. */
const added: readonly Added[] = [
  { field: 'number', header: 'PO number', kinds: orders, value: (rows) => cellOf(rows, 'number') },
  {
    field: 'fileName',
    header: 'File name',
    kinds: orders,
    value: (rows) => (cellOf(rows, 'number') || cellOf(rows, 'orderId') ? '' : fileOf(rows)),
  },
  {
    field: 'fileName',
    header: 'File name',
    kinds: ['stock_counts'],
    value: (rows) => (cellOf(rows, 'countName') ? '' : fileOf(rows)),
  },
  { field: 'supplierId', header: 'Supplier ID', kinds: orders, value: (rows) => cellOf(rows, 'supplierId') },
  {
    field: 'supplier',
    header: 'Supplier',
    kinds: ['purchase_orders', 'supplier_products'],
    value: (rows, { supplier }) =>
      cellOf(rows, 'supplier') || (cellOf(rows, 'supplierId') === '' ? supplier : ''),
  },
  { field: 'status', header: 'Order status', kinds: orders, value: statusOf },
  { field: 'archived', header: 'Archived', kinds: orders, value: (rows) => cellOf(rows, 'archived') },
  {
    field: 'orderedAt',
    header: 'Order date',
    kinds: orders,
    value: (rows, { day }) => dayOf(rows, 'orderedAt') || (cellOf(rows, 'createdAt') === '' ? day : ''),
  },
  { field: 'createdAt', header: 'Created at', kinds: orders, value: (rows) => dayOf(rows, 'createdAt') },
  {
    field: 'currency',
    header: 'Currency',
    kinds: orders,
    value: (rows, { currency }) => cellOf(rows, 'currency') || currency,
  },
  {
    field: 'location',
    header: 'Location',
    kinds: places,
    value: (rows, { location }) => cellOf(rows, 'location') || location,
  },
  {
    field: 'countedAt',
    header: 'Counted at',
    kinds: ['stock_counts'],
    value: (rows, { day }) => dayOf(rows, 'countedAt') || day,
  },
  {
    field: 'adjustedAt',
    header: 'Adjusted at',
    kinds: ['adjustments'],
    value: (rows, { day }) => dayOf(rows, 'adjustedAt') || day,
  },
  { field: 'reason', header: 'Reason', kinds: ['adjustments'], value: (rows) => cellOf(rows, 'reason') },
]
