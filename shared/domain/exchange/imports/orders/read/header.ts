import { readerOf, type SourceRow } from '../../load.ts'
import { fileNumber, fileOf } from '../units.ts'

/** `partial`: some pieces arrived; how many, the word does not say. */
export type Progress = 'draft' | 'open' | 'partial' | 'done' | 'cancelled' | null

const states: [RegExp, Progress][] = [
  [/^(draft|new|planned|unsent|notordered|created)$/, 'draft'],
  [/^(cancell?ed|void|voided|deleted)$/, 'cancelled'],
  [/^(received|closed|complete|completed|done|fulfilled|archived|finished|fullyreceived)$/, 'done'],
  [/^part(ial|ially|ly)?(received|delivered|fulfilled)?$/, 'partial'],
  [/^(open|ordered|sent|placed|inprogress|pending|incoming|intransit|active|submitted|confirmed)$/, 'open'],
]

/** A status without capitals, spaces and punctuation. */
export const wordOf = (text: string) => text.toLowerCase().replace(/\P{L}/gu, '')

/** Undefined for a word that is not known. */
export const progressOf = (word: string): Progress | undefined =>
  word === '' ? null : states.find(([pattern]) => pattern.test(word))?.[1]

export type Share = { part: number; whole: number }

/** "3 of 10", "3/10"; null for other text. */
export function readShare(text: string): Share | null {
  const match = /^\s*(\d+)\s*(?:of|\/|out of)\s*(\d+)\s*$/i.exec(text)
  return match ? { part: Number(match[1]), whole: Number(match[2]) } : null
}

type Cells = ReturnType<typeof readerOf>
type Read = { each: SourceRow; cells: Cells }

/**
 * The fields of the order itself: of each, the first row that has it. Rows must not contradict each other. A cell that cannot
 * be read is added to `faults`, by position, and is the conflict of the order.
 */
export function readHeader(rows: readonly SourceRow[], isLineState: boolean, faults: Map<number, string>) {
  const readers: Read[] = rows.map((each) => ({ each, cells: readerOf(each) }))
  const first = <T>(read: (cells: Cells, each: SourceRow) => T | null | ''): T | null => {
    for (const { each, cells } of readers) {
      const value = read(cells, each)
      if (value !== null && value !== '') return value
    }
    return null
  }
  const text = (field: string, max: number) => first((cells) => cells.text(field, max)) ?? ''
  const lines = (field: string) => first((cells) => cells.lines(field, 5_000)) ?? ''
  const day = (field: string, what: string) => first((cells) => cells.day(field, what))
  const number = (field: string, what: string) => first((cells) => cells.number(field, what))
  const isLine = (each: SourceRow) => each.has('quantity')
  const ofOrder = <T>(read: (cells: Cells) => T | null) =>
    first((cells, each) => (isLine(each) ? null : read(cells)))
  const suppliers = new Set(rows.map((each) => each.cell('supplier').trim().toLowerCase()).filter(Boolean))
  const status = first((cells, each) => (isLineState && isLine(each) ? '' : cells.text('status', 50))) ?? ''
  const ownNumber = text('number', 100) || text('orderId', 100) || numberOfFile(rows)
  const header = {
    conflict:
      suppliers.size > 1
        ? `The rows of this order name ${suppliers.size} suppliers. Give each order its own number.`
        : '',
    number: ownNumber,
    sourceNumber: text('sourceNumber', 100) || ownNumber,
    supplierRef: text('supplierId', 200),
    supplierName: text('supplier', 200),
    status,
    progress: progressOf(wordOf(status)),
    isArchived: first((cells) => cells.flag('archived') || null) ?? false,
    orderedAt: day('orderedAt', 'Ordered'),
    sentAt: day('sentAt', 'Sent'),
    createdAt: day('createdAt', 'Created'),
    arrivedAt: day('arrivedAt', 'Received'),
    closedAt: day('closedAt', 'Closed'),
    closedBy: text('closedBy', 200),
    cancelledAt: day('cancelledAt', 'Cancelled'),
    cancelledBy: text('cancelledBy', 200),
    /** The file has a column for the date of ordering, so an empty one says something. */
    canBeDraft: rows.some((each) => each.has('orderedAt')),
    expectedAt: day('expectedAt', 'Expected'),
    invoiceNumber: text('invoiceNumber', 100),
    invoiceDate: day('invoiceDate', 'Invoice date')?.slice(0, 10) ?? null,
    paymentDueOn: day('paymentDueOn', 'Payment due')?.slice(0, 10) ?? null,
    paidAt: null as string | null,
    currency: first((cells) => cells.currency()) ?? '',
    rate: ofOrder((cells) => cells.number('rate', 'Exchange rate')),
    location: text('location', 200),
    notes: lines('notes'),
    supplierNotes: lines('supplierNotes'),
    reference: text('ownReference', 200),
    supplierReference: text('supplierReference', 200),
    copies: text('copies', 3_000)
      .split(/[,;]\s*/)
      .filter(Boolean),
    revision: Math.round(number('revision', 'Revision') ?? 0),
    discount: number('discountAmount', 'Discount') ?? 0,
    tax: first((cells, each) => (each.has('isOwnTax') && cells.flag('isOwnTax') ? true : null))
      ? number('taxAmount', 'Tax')
      : null,
    shipping: first((cells) => cells.number('shipping', 'Shipping') || null) ?? 0,
    adjustments: first((cells) => cells.signed('adjustments', 'Adjustments') || null) ?? 0,
    isArrivalKnown: first((cells, each) =>
      each.has('isArrivalKnown') ? [cells.flag('isArrivalKnown')] : null,
    ),
    total: 0,
  }
  header.paidAt = paidAt(first, header)
  for (const { each, cells } of readers) {
    if (!isLine(each)) header.total ||= cells.number('total', 'Total', 1e12) ?? 0
    const [fault] = cells.faults
    if (fault) faults.set(each.position, fault)
  }
  const [fault = ''] = faults.values()
  return { ...header, conflict: header.conflict || fault }
}

export type Header = ReturnType<typeof readHeader>

/** The number that the name of the file has. */
export const numberOfFile = ([first]: readonly SourceRow[]) => (first ? fileNumber(fileOf(first)) : '')

/** "Yes" without a day counts as paid on the day of the invoice or of the order. */
function paidAt(
  first: <T>(read: (cells: Cells, each: SourceRow) => T | null) => T | null,
  { invoiceDate, orderedAt, createdAt }: Record<'invoiceDate' | 'orderedAt' | 'createdAt', string | null>,
): string | null {
  const day = first((cells, each) => (/\d{2}/.test(each.cell('paidAt')) ? cells.day('paidAt', 'Paid') : null))
  if (day !== null) return day
  const isPaid = first((cells) => cells.flag('paidAt') || null) === true
  return isPaid ? (invoiceDate ?? orderedAt ?? createdAt) : null
}
