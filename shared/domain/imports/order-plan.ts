import { readerOf, type SourceRow, type Terms, type Unit } from './load.ts'
import type { FoundVariant, VariantMatcher } from './match-variants.ts'

/** A line of an order that is imported. `accepted` arrived before the import; `cancelled` will not arrive. */
export type PlannedLine = {
  position: number
  variant: FoundVariant
  quantity: number
  accepted: number
  cancelled: number
  /** A day, an instant, or null when the file does not say it. */
  receivedAt: string | null
  cost: number
  supplierSku: string
  taxRate: number
  discountPercent: number
}

export type OrderPlan = {
  number: string
  supplierRef: string
  supplierName: string
  currency: string | null
  rate: number | null
  status: 'draft' | 'sent' | 'partial' | 'received' | 'cancelled'
  createdAt: string | null
  sentAt: string | null
  expectedAt: string | null
  orderedAt: string | null
  invoiceNumber: string
  invoiceDate: string | null
  paymentDueOn: string | null
  paidAt: string | null
  location: string
  notes: string
  supplierReference: string
  /** Of an order without lines. */
  total: number
  isArrivalKnown: boolean
  lines: PlannedLine[]
}

export type PlanResult = { plan: OrderPlan | null /** By position. */; faults: Map<number, string> }

type Progress = 'draft' | 'open' | 'done' | 'cancelled' | null

const states: [RegExp, Progress][] = [
  [/^(draft|new|planned|unsent|notordered|created)$/, 'draft'],
  [/^(cancell?ed|void|voided|deleted)$/, 'cancelled'],
  [/^(received|closed|complete|completed|done|fulfilled|archived|finished|fullyreceived)$/, 'done'],
  [
    /^(open|ordered|sent|placed|partial|partiallyreceived|partlyreceived|inprogress|pending|incoming|intransit|active|submitted|confirmed)$/,
    'open',
  ],
]

const progressOf = (text: string): Progress | undefined => {
  const plain = text.toLowerCase().replace(/[^a-z]/g, '')
  return plain === '' ? null : states.find(([pattern]) => pattern.test(plain))?.[1]
}

/** "3 of 10", "3/10"; null for other text. */
function readShare(text: string): { part: number; whole: number } | null {
  const match = /^\s*(\d+)\s*(?:of|\/|out of)\s*(\d+)\s*$/i.exec(text)
  return match ? { part: Number(match[1]), whole: Number(match[2]) } : null
}

const maxLines = 2_000
const maxTotal = 1_000_000_000_000

/**
 * What an order of the file becomes, from its rows: some say something of the order, some are lines, and many are both.
 *
 *   the file says                                          the order becomes
 *   a draft, or no date of ordering and nothing received   draft
 *   open, some pieces arrived                              sent or partial, and receiving goes on
 *   closed, archived or all pieces arrived                 received; what did not arrive is cancelled
 *   closed or archived, and nothing arrived                cancelled
 *
 * "3 of 10" without lines that say which is a fault. With a column of the supplier's cost, the other cost is in the
 * shop's currency; the rate is what both together say.
 */
export function planOrder({ rows }: Unit, terms: Terms, match: VariantMatcher): PlanResult {
  const faults = new Map<number, string>()
  const failAll = (message: string): PlanResult => ({
    plan: null,
    faults: new Map(rows.map(({ position }) => [position, faults.get(position) ?? message])),
  })
  const lineRows = rows.filter(
    (each) => each.has('quantity') && (each.cell('quantity') !== '' || hasProduct(each)),
  )
  const isLineState = hasLineStates(lineRows)
  const header = readHeader(rows, isLineState, faults)
  if (header.conflict) return failAll(header.conflict)
  if (lineRows.length > maxLines) return failAll(`The order has more than ${maxLines} lines. Split it.`)
  const hint = lineRows.length === 0 || rows.length > lineRows.length ? readShare(header.received) : null
  const { progress } = header
  if (progress === undefined)
    return failAll(`The status "${header.status}" is not known. Map the column to nothing, or change it.`)

  const arrivals = lineRows.map((each) => readArrival(each, isLineState))
  const isSaid = arrivals.some((arrival) => arrival.accepted !== null)
  const isPartly = hint !== null && hint.part > 0 && hint.part < hint.whole
  if (isPartly && !isSaid)
    return failAll(
      `${hint.part} of ${hint.whole} pieces arrived, but no line says which. Import the order's own file, with its lines.`,
    )
  const isAll =
    (hint !== null && hint.whole > 0 && hint.part >= hint.whole) || (hint === null && progress === 'done')
  const isNone = hint !== null && hint.part === 0
  const isDone = progress === 'done' || header.isArchived
  const lines: PlannedLine[] = []
  for (const [at, each] of lineRows.entries()) {
    const line = readLine(each, match)
    if (typeof line === 'string') {
      faults.set(each.position, line)
      continue
    }
    const arrival = arrivals[at] ?? { accepted: null, cancelled: 0, receivedAt: null, fault: '' }
    if (arrival.fault !== '') {
      faults.set(each.position, arrival.fault)
      continue
    }
    const isWhole = !isSaid && !isNone && (isAll || header.isArchived) && progress !== 'cancelled'
    const accepted = arrival.accepted ?? (isWhole ? line.quantity : 0)
    if (arrival.receivedAt !== null && arrival.receivedAt.slice(0, 10) > terms.today) {
      faults.set(
        each.position,
        `Received on ${arrival.receivedAt.slice(0, 10)}, which is in the future. Check the order of day and month.`,
      )
      continue
    }
    const isClosed = isDone || progress === 'cancelled'
    const cancelled = Math.min(
      Math.max(line.quantity - accepted, 0),
      isClosed ? Math.max(line.quantity - accepted, 0) : arrival.cancelled,
    )
    lines.push({ ...line, accepted, cancelled, receivedAt: accepted > 0 ? arrival.receivedAt : null })
  }
  if (lineRows.length > 0 && lines.length === 0)
    return failAll('None of the lines of this order matches a product.')
  const hasArrived =
    lines.some(({ accepted }) => accepted > 0) || (lines.length === 0 && (isAll || (isDone && !isNone)))
  const isOutstanding = lines.some(({ quantity, accepted, cancelled }) => quantity > accepted + cancelled)
  const isDraft =
    !hasArrived &&
    !isDone &&
    (progress === 'draft' ||
      (progress === null && header.orderedAt === null && (header.canBeDraft || header.createdAt === null)))
  const status = isDraft
    ? 'draft'
    : !hasArrived && (progress === 'cancelled' || isDone)
      ? 'cancelled'
      : hasArrived
        ? isOutstanding
          ? 'partial'
          : 'received'
        : 'sent'
  const firstArrival = lines.flatMap(({ receivedAt }) => receivedAt ?? []).sort()[0] ?? null
  const sentAt =
    header.orderedAt ??
    header.createdAt ??
    terms.defaults.orderedOn ??
    header.invoiceDate ??
    firstArrival ??
    null
  if (status !== 'draft' && sentAt === null)
    return failAll(
      'The file does not say when this was ordered. Map a column with the date, or name a day for all orders.',
    )
  if (sentAt !== null && sentAt.slice(0, 10) > terms.today)
    return failAll(
      `Ordered on ${sentAt.slice(0, 10)}, which is in the future. Check the order of day and month.`,
    )
  const early = firstArrival !== null && sentAt !== null && firstArrival.slice(0, 10) < sentAt.slice(0, 10)
  const money = readMoney(lineRows, lines, header, terms)
  if (typeof money === 'string') return failAll(money)
  for (const line of lines) line.cost = money.costOf(line)
  if (lines.reduce((sum, line) => sum + line.quantity * line.cost, 0) >= maxTotal || header.total >= maxTotal)
    return failAll('The total of this order is too large.')
  const isArrivalKnown =
    !hasArrived ||
    (lines.length > 0 && !early && lines.every((line) => line.accepted === 0 || line.receivedAt !== null))
  const plan: OrderPlan = {
    number: header.number,
    supplierRef: header.supplierRef,
    supplierName: header.supplierName,
    currency: money.currency,
    rate: money.rate,
    status,
    createdAt: header.createdAt ?? sentAt,
    sentAt: status === 'draft' ? null : sentAt,
    expectedAt: header.expectedAt,
    orderedAt: header.orderedAt,
    invoiceNumber: header.invoiceNumber,
    invoiceDate: header.invoiceDate,
    paymentDueOn: header.paymentDueOn,
    paidAt: header.paidAt,
    location: header.location,
    notes: header.notes,
    supplierReference: header.supplierReference,
    total: header.total,
    isArrivalKnown,
    lines,
  }
  return { plan, faults }
}

const productFields = ['inventoryItemId', 'variantId', 'barcode', 'sku'] as const
const hasProduct = (each: SourceRow) => productFields.some((field) => each.cell(field) !== '')

const stateOf = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')
const lineStates = /^(notreceived|unreceived|outstanding|rejected|extrareceived)$/

/** A column `status` is that of the lines when one of them says what only a line can be, or when they differ. */
function hasLineStates(rows: readonly SourceRow[]): boolean {
  const found = new Set(rows.map((each) => stateOf(each.cell('status'))))
  return found.size > 1 || [...found].some((state) => lineStates.test(state))
}

/** The fields of the order itself: of each, the first row that has it. Rows must not contradict each other. */
function readHeader(rows: readonly SourceRow[], isLineState: boolean, faults: Map<number, string>) {
  const readers = rows.map((each) => ({ each, cells: readerOf(each) }))
  const first = <T>(
    read: (cells: ReturnType<typeof readerOf>, each: SourceRow) => T | null | '',
  ): T | null => {
    for (const { each, cells } of readers) {
      const value = read(cells, each)
      if (value !== null && value !== '') return value
    }
    return null
  }
  const text = (field: string, max: number) => first((cells) => cells.text(field, max)) ?? ''
  const day = (field: string, what: string) => first((cells) => cells.day(field, what))
  const isLine = (each: SourceRow) => each.has('quantity')
  const fileNumber = (text('fileName', 200) || rows[0]?.sheet || '')
    .replace(/\.\w{2,5}$/, '')
    .replace(/^(purchase[ _-]?order|po)s?[ _#-]*/i, '')
    .trim()
  const suppliers = new Set(rows.map((each) => each.cell('supplier').trim().toLowerCase()).filter(Boolean))
  const status = first((cells, each) => (isLineState && isLine(each) ? '' : cells.text('status', 50))) ?? ''
  const paid = text('paidAt', 50)
  const paidDay = first((cells, each) =>
    /\d{2}/.test(each.cell('paidAt')) ? cells.day('paidAt', 'Paid') : null,
  )
  const header = {
    conflict:
      suppliers.size > 1
        ? `The rows of this order name ${suppliers.size} suppliers. Give each order its own number.`
        : '',
    number: text('number', 100) || text('orderId', 100) || fileNumber.slice(0, 100),
    supplierRef: text('supplierId', 200),
    supplierName: text('supplier', 200),
    status,
    progress: progressOf(status),
    isArchived: first((cells) => cells.flag('archived') || null) ?? false,
    orderedAt: day('orderedAt', 'Ordered'),
    createdAt: day('createdAt', 'Created'),
    /** The file has a column for the date of ordering, so an empty one says something. */
    canBeDraft: rows.some((each) => each.has('orderedAt')),
    expectedAt: day('expectedAt', 'Expected'),
    invoiceNumber: text('invoiceNumber', 100),
    invoiceDate: day('invoiceDate', 'Invoice date')?.slice(0, 10) ?? null,
    paymentDueOn: day('paymentDueOn', 'Payment due')?.slice(0, 10) ?? null,
    /** "Yes" without a day counts as paid on the day of the invoice or of the order. */
    paidAt: null as string | null,
    currency: text('currency', 10).toUpperCase(),
    location: text('location', 200),
    notes: text('notes', 5000),
    supplierReference: text('supplierReference', 200),
    received:
      first((_cells, each) =>
        readShare(each.cell('received')) || !isLine(each) ? each.cell('received') : null,
      ) ?? '',
    total: 0,
  }
  const isPaid = paidDay !== null || first((cells) => cells.flag('paidAt') || null) === true
  if (isPaid && paid !== '')
    header.paidAt = paidDay ?? header.invoiceDate ?? header.orderedAt ?? header.createdAt
  for (const { each, cells } of readers) {
    if (!isLine(each)) header.total ||= cells.number('total', 'Total', 1e12) ?? 0
    const [fault] = cells.faults
    if (fault) faults.set(each.position, fault)
  }
  return faults.size > 0
    ? { ...header, conflict: header.conflict || ([...faults.values()][0] ?? '') }
    : header
}

type Arrival = { accepted: number | null; cancelled: number; receivedAt: string | null; fault: string }

/** What a line says of its arrival; `accepted` null: nothing. */
function readArrival(each: SourceRow, isLineState: boolean): Arrival {
  const cells = readerOf(each)
  const quantity = cells.number('quantity', 'Quantity') ?? 0
  const receivedAt = cells.day('receivedAt', 'Received')
  const share = readShare(each.cell('received'))
  const state = stateOf(each.cell('lineStatus') || (isLineState ? each.cell('status') : ''))
  const given = share ? null : cells.number('received', 'Received')
  const fault =
    cells.faults[0] ?? (given !== null && !Number.isInteger(given) ? 'Received is no whole number.' : '')
  const said = (accepted: number | null, cancelled = 0) => ({ accepted, cancelled, receivedAt, fault })
  if (given !== null) return said(given, state === 'rejected' ? Math.max(quantity - given, 0) : 0)
  if (share && each.has('quantity') && share.whole === quantity) return said(share.part)
  if (/^(notreceived|unreceived|outstanding|pending)$/.test(state)) return said(0)
  if (state === 'rejected') return said(0, quantity)
  if (/^(received|extrareceived|fullyreceived)$/.test(state)) return said(quantity)
  return receivedAt === null ? said(null) : said(quantity)
}

function readLine(
  each: SourceRow,
  match: VariantMatcher,
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
  if (quantity === null || quantity === 0 || !Number.isInteger(quantity)) {
    return cells.faults[0] ?? 'The quantity is no whole number of pieces above 0.'
  }
  const [fault] = cells.faults
  if (fault) return fault
  const variant = match(each)
  if ('fault' in variant) return variant.fault
  return {
    position: each.position,
    variant,
    quantity,
    cost: 0,
    supplierSku: cells.text('supplierSku', 255),
    taxRate: Math.round(taxRate * 1000) / 1000,
    discountPercent: Math.round(discountPercent * 1000) / 1000,
  }
}

/**
 * Currency, rate and cost of the lines.
 * Example: 10 pieces with a supplier cost of 4.00 EUR and a cost of 4.40 in a shop of USD: 4.00 EUR at a rate of 1.1.
 */
function readMoney(
  rows: readonly SourceRow[],
  lines: readonly PlannedLine[],
  header: { currency: string },
  { currency: shopCurrency, defaults }: Terms,
): { currency: string | null; rate: number | null; costOf: (line: PlannedLine) => number } | string {
  const byPosition = new Map(rows.map((each) => [each.position, each]))
  const read = (line: PlannedLine, field: string) => {
    const each = byPosition.get(line.position)
    return each ? readerOf(each).number(field, field) : null
  }
  const isInSuppliers = lines.some((line) => read(line, 'supplierCost') !== null)
  const base = (line: PlannedLine) => read(line, 'baseCost') ?? (isInSuppliers ? read(line, 'cost') : null)
  const named = header.currency || defaults.currency || ''
  if (named !== '' && !/^[A-Z]{3}$/.test(named))
    return `The currency "${named}" is no code of three letters, as in EUR.`
  const isInBase = !isInSuppliers && lines.some((line) => base(line) !== null)
  const currency = isInBase ? shopCurrency : named || null
  const costOf = (line: PlannedLine) =>
    rounded((isInSuppliers ? read(line, 'supplierCost') : isInBase ? base(line) : read(line, 'cost')) ?? 0)
  if (!isInSuppliers || currency === shopCurrency) return { currency, rate: null, costOf }
  const priced = lines.filter((line) => base(line) !== null && (read(line, 'supplierCost') ?? 0) > 0)
  const sum = (of: (line: PlannedLine) => number) =>
    priced.reduce((total, line) => total + of(line) * line.quantity, 0)
  const rate =
    priced.length > 0 ? sum((line) => base(line) ?? 0) / sum((line) => read(line, 'supplierCost') ?? 0) : 0
  const isUsable = rate >= 0.000_000_01 && rate <= 1_000_000
  return { currency, rate: isUsable ? Math.round(rate * 1e8) / 1e8 : null, costOf }
}

const rounded = (amount: number) => Math.round(amount * 10_000) / 10_000
