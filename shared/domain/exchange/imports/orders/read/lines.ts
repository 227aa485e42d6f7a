import { readerOf, type SourceRow } from '../../load.ts'
import type { VariantMatcher } from '../../match-variants.ts'
import type { PlannedLine } from '../types.ts'
import { progressOf, readShare, type Share, wordOf } from './header.ts'

const productFields = ['inventoryItemId', 'variantId', 'barcode', 'sku'] as const
const hasProduct = (each: SourceRow) => productFields.some((field) => each.cell(field) !== '')

export const isLineRow = (each: SourceRow) =>
  each.has('quantity') && (each.cell('quantity') !== '' || hasProduct(each))

const lineStates =
  /^(notreceived|unreceived|outstanding|rejected|extrareceived|cancell?ed|void|voided|deleted)$/

/** Whether the row of a line says what arrived of it. */
export const saysArrival = (each: SourceRow) => each.has('lineStatus') || each.has('received')

/** The column `status` describes the lines when one of its values is only for lines, or when the values differ. */
export function hasLineStates(rows: readonly SourceRow[]): boolean {
  const found = new Set(rows.map((each) => wordOf(each.cell('status'))))
  return found.size > 1 || [...found].some((state) => lineStates.test(state))
}

export type Arrival = {
  /** Null: the line does not say it. */
  accepted: number | null
  cancelled: number
  receivedAt: string | null
  fault: string
}

/** The "3 of 10" that each line repeats, when 10 is the sum of their quantities: then it describes the order. */
export function repeatedShare(rows: readonly SourceRow[]): Share | null {
  const [first] = rows
  const share = first ? readShare(first.cell('received')) : null
  if (!share || rows.length < 2) return null
  const quantities = rows.map((each) => readerOf(each).number('quantity', 'Quantity') ?? 0)
  const isSame = (other: Share | null) => other?.part === share.part && other.whole === share.whole
  const isOfOrder =
    quantities.reduce((sum, quantity) => sum + quantity, 0) === share.whole &&
    rows.every((each) => isSame(readShare(each.cell('received'))))
  return isOfOrder ? share : null
}

/** As the largest number of a cell. */
const maxPieces = 1_000_000_000

/** Reads the arrival of a line. `isShareOfOrder`: its "3 of 10" counts the pieces of the whole order. */
export function readArrival(each: SourceRow, isLineState: boolean, isShareOfOrder: boolean): Arrival {
  const cells = readerOf(each)
  const quantity = cells.number('quantity', 'Quantity') ?? 0
  const receivedAt = cells.day('receivedAt', 'Received')
  const share = isShareOfOrder ? null : readShare(each.cell('received'))
  const status = cells.text('lineStatus', 50) || (isLineState ? cells.text('status', 50) : '')
  const state = wordOf(status)
  const progress = progressOf(state)
  const isClosed = /^(closed|archived)$/.test(state)
  const isEnded = isClosed || progress === 'cancelled' || state === 'rejected'
  const given = share || isShareOfOrder ? null : cells.number('received', 'Received')
  const fault =
    cells.faults[0] ?? (given !== null && !Number.isInteger(given) ? 'Received must be a whole number.' : '')
  const said = (accepted: number | null, cancelled = 0) => ({ accepted, cancelled, receivedAt, fault })
  const rest = (accepted: number) => (isEnded ? Math.max(quantity - accepted, 0) : 0)
  const unclear = (message: string) => ({ ...said(null), fault: fault || message })
  if (given !== null) return said(given, rest(given))
  if (share && share.part > maxPieces)
    return unclear(`The line says "${each.cell('received')}" received, which is out of range.`)
  if (share?.whole === quantity) return said(share.part, rest(share.part))
  if (/^(notreceived|unreceived|outstanding|pending)$/.test(state)) return said(0)
  if (isEnded && !isClosed) return said(0, quantity)
  if (progress === 'partial' || (state === 'extrareceived' && quantity === 0))
    return unclear(
      `The line says "${status}", but not how many pieces. Map a column with the received pieces.`,
    )
  if (state === 'extrareceived' || (progress === 'done' && !isClosed)) return said(quantity)
  if (progress === undefined)
    return unclear(
      `The line status "${status}" is not known. Change the status in the file, or do not map its column.`,
    )
  if (share)
    return unclear(`The line says "${each.cell('received')}" received, but its quantity is ${quantity}.`)
  if (receivedAt !== null) return said(quantity)
  // no more pieces come; the order may say that all have arrived
  return said(null, isClosed ? quantity : 0)
}

/** A line without its arrival and cost; a sentence when it cannot be imported. `canBeZero`: nothing needs to be ordered. */
export function readLine(
  each: SourceRow,
  match: VariantMatcher,
  canBeZero: boolean,
): Omit<PlannedLine, 'accepted' | 'cancelled' | 'receivedAt'> | string {
  const cells = readerOf(each)
  const quantity = cells.number('quantity', 'Quantity')
  const taxRate = cells.number('taxRate', 'Tax', 100) ?? 0
  const discountPercent = cells.number('discountPercent', 'Discount', 100) ?? 0
  for (const [field, what] of [
    ['cost', 'Cost'],
    ['baseCost', 'Cost'],
    ['supplierCost', 'Supplier cost'],
  ] as const)
    cells.number(field, what)
  const whole = (field: string, what: string) => Math.round(cells.number(field, what, 1_000_000) ?? 0)
  const lineIndex = cells.number('line', 'Line')
  const packSize = whole('packSize', 'Pack size')
  const credited = whole('credited', 'Credited')
  const roundedUpBy = whole('roundedUpBy', 'Rounded up by')
  if (quantity === null || (quantity === 0 && !canBeZero) || !Number.isInteger(quantity)) {
    return cells.faults[0] ?? 'The quantity must be a whole number above 0.'
  }
  const [fault] = cells.faults
  if (fault) return fault
  const variant = match(each)
  if ('fault' in variant) return variant.fault
  return {
    position: each.position,
    lineIndex: each.has('line') ? lineIndex : null,
    variant,
    sku: each.has('lineTitle') ? cells.text('sku', 255) : null,
    title: cells.text('lineTitle', 500) || null,
    quantity,
    roundedUpBy,
    packSize: packSize || 1,
    credited,
    cost: null,
    baseCost: null,
    supplierSku: cells.text('supplierSku', 255),
    taxRate: Math.round(taxRate * 1000) / 1000,
    discountPercent: Math.round(discountPercent * 1000) / 1000,
  }
}
