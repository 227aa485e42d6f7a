import { readerOf, type SourceRow, type Terms, type Unit } from '../load.ts'
import type { VariantMatcher } from '../match-variants.ts'
import type { EarlierShare } from './earlier-shares.ts'
import { isChargeRow, readCharges } from './read/charges.ts'
import { type Header, readHeader, readShare } from './read/header.ts'
import {
  type Arrival,
  hasLineStates,
  isLineRow,
  readArrival,
  readLine,
  repeatedShare,
  saysArrival,
} from './read/lines.ts'
import { readMoney } from './read/money.ts'
import { isReceiptRow, readReceipts } from './read/receipts.ts'
import type { OrderPlan, PlannedLine, PlanResult } from './types.ts'

const maxLines = 2_000
const maxTotal = 1_000_000_000_000

/**
 * What an order of the file becomes. Some of its rows describe the order, some are lines, and many are both.
 *
 *   the file says                                               the order becomes
 *   a draft, or an empty date of ordering and nothing arrived   draft
 *   no date of ordering, and nothing of what arrived            draft
 *   open, or some pieces arrived                                sent or partial, and receiving goes on
 *   closed, archived or all pieces arrived                      received; what did not arrive is cancelled
 *   closed or archived, and nothing arrived                     cancelled
 *   each line was rejected or cancelled                         cancelled
 *
 * A day that the merchant names for the orders counts as a date of ordering where the file has no column for it.
 * "3 of 10" and "partially received" are faults unless the lines say which pieces arrived. With a column of the supplier's cost,
 * the other cost is in the shop's currency, and the rate is their ratio. `earlier` counts when the file does not say what arrived.
 */
export function planOrder(
  { rows }: Unit,
  terms: Terms,
  match: VariantMatcher,
  earlier: EarlierShare | null,
): PlanResult {
  const faults = new Map<number, string>()
  const skipped = new Map<number, string>()
  const failAll = (message: string): PlanResult => ({
    plan: null,
    skipped,
    faults: new Map(rows.map(({ position }) => [position, faults.get(position) ?? message])),
  })
  const own = rows.filter((each) => !isChargeRow(each) && !isReceiptRow(each))
  if (own.length === 0) return failAll('The file has no order of this number.')
  const lineRows = own.filter(isLineRow)
  const isLineState = hasLineStates(lineRows)
  const header = readHeader(own, isLineState, faults)
  if (header.conflict) return failAll(header.conflict)
  if (lineRows.length > maxLines) return failAll(`The order has more than ${maxLines} lines. Split it.`)
  if (header.progress === undefined)
    return failAll(
      `The status "${header.status}" is not known. Change the status in the file, or do not map its column.`,
    )
  const progress = readProgress(header, lineRows, own, isLineState, earlier)
  const isOrdered = isLineState || own.some(saysArrival) || Boolean(terms.defaults.orderedOn)
  if (progress.fault) return failAll(progress.fault)
  const lines = readLines(lineRows, progress, terms, match, faults)
  if (lineRows.length > 0 && lines.length === 0)
    return failAll('None of the lines of this order matches a product.')
  const receipts = readReceipts(rows.filter(isReceiptRow), lines, match, { faults, skipped })
  const charges = readCharges(rows.filter(isChargeRow), header, faults)
  const status = statusOf(header, progress, lines, isOrdered)
  const days = readDays(header, status, lines, receipts, terms)
  if (days.fault) return failAll(days.fault)
  const money = readMoney(lineRows, lines, header, terms)
  for (const line of lines) Object.assign(line, money.costsOf(line))
  if (
    lines.reduce((sum, line) => sum + line.quantity * (line.cost ?? 0), 0) >= maxTotal ||
    header.total >= maxTotal
  )
    return failAll('The total of this order is too large. Check its quantities and costs.')
  const { shipping: _s, adjustments, isArrivalKnown, conflict: _c, canBeDraft: _b, ...rest } = header
  const { progress: _p, isArchived: _a, ...fields } = rest
  const plan: OrderPlan = {
    ...fields,
    currency: money.currency,
    rate: money.rate,
    status,
    createdAt: header.createdAt ?? days.sentAt,
    sentAt: status === 'draft' ? null : days.sentAt,
    isSentAtKnown: days.isSentAtKnown,
    arrivedAt: header.arrivedAt,
    // an adjustment below 0 is a discount
    discount: header.discount + Math.max(-adjustments, 0),
    isArrivalKnown: isArrivalKnown?.[0] ?? days.isArrivalKnown,
    isArrivalSaid: progress.isSaid || progress.isHinted || header.progress !== null || receipts !== null,
    lines,
    receipts,
    charges,
  }
  return { plan, faults, skipped }
}

type ArrivalProgress = {
  fault: string
  arrivals: Arrival[]
  /** The lines themselves say what arrived. */
  isSaid: boolean
  /** The order as a whole says it. */
  isHinted: boolean
  isAll: boolean
  isNone: boolean
  isDone: boolean
  isCancelled: boolean
  /** Only a draft may have lines whose quantity is still open. */
  isDraft: boolean
}

/** Reads the arrival of the order as a whole. */
function readProgress(
  { progress, isArchived }: Header,
  lineRows: readonly SourceRow[],
  own: readonly SourceRow[],
  isLineState: boolean,
  earlier: EarlierShare | null,
): ArrivalProgress {
  const repeated = repeatedShare(lineRows)
  const ownHint =
    own.flatMap((each) => (isLineRow(each) ? [] : (readShare(each.cell('received')) ?? [])))[0] ?? repeated
  const arrivals = lineRows.map((each) => readArrival(each, isLineState, repeated !== null))
  const isSaid = arrivals.some((arrival) => arrival.accepted !== null)
  const isOpen = ownHint === null && progress === null && !isArchived && !isSaid
  const hint = ownHint ?? (isOpen ? (earlier?.share ?? null) : null)
  // "0 of 10" and "10 of 10" are more exact than the status
  const isPartly = hint
    ? hint.part > 0 && hint.part < hint.whole
    : progress === 'partial' || (isOpen && earlier !== null)
  const isPartSaid =
    arrivals.some(({ accepted }) => (accepted ?? 0) > 0) ||
    (isSaid && arrivals.every(({ accepted }) => accepted !== null))
  const part = hint ? `${hint.part} of ${hint.whole} pieces` : 'Some pieces'
  const source = isOpen && earlier !== null ? ', as an earlier import says' : ''
  const advice =
    lineRows.length > 0
      ? 'Give each line its received pieces, in a column of the file, and import it again.'
      : "Import the order's own file, with its lines and a column with the received pieces."
  const fault = isPartly && !isPartSaid ? `${part} arrived${source}, but no line says which. ${advice}` : ''
  const isAll =
    (hint !== null && hint.whole > 0 && hint.part >= hint.whole) || (hint === null && progress === 'done')
  const isNone = hint !== null && hint.part === 0
  return {
    fault,
    arrivals,
    isSaid,
    isHinted: hint !== null || isArchived,
    isAll: isAll || isArchived,
    isNone,
    isDone: progress === 'done' || isArchived,
    isCancelled: progress === 'cancelled',
    isDraft: progress === 'draft' && !isArchived,
  }
}

function readLines(
  lineRows: readonly SourceRow[],
  { arrivals, isSaid, isAll, isNone, isDone, isCancelled, isDraft }: ArrivalProgress,
  { lastDay }: Terms,
  match: VariantMatcher,
  faults: Map<number, string>,
): PlannedLine[] {
  return lineRows.flatMap((each, at): PlannedLine[] => {
    const arrival = arrivals[at] ?? { accepted: null, cancelled: 0, receivedAt: null, fault: '' }
    const line = readLine(each, match, isDraft || (arrival.accepted ?? 0) > 0 || arrival.fault !== '')
    const day = arrival.receivedAt?.slice(0, 10) ?? ''
    const cells = readerOf(each)
    const given = cells.number('cancelled', 'Cancelled')
    const noNumber =
      cells.faults[0] ??
      (given !== null && !Number.isInteger(given) ? 'Cancelled must be a whole number.' : '')
    const fault =
      typeof line === 'string'
        ? line
        : arrival.fault ||
          noNumber ||
          (day > lastDay
            ? `Received on ${day}, which is in the future. Check the order of day and month.`
            : '')
    if (typeof line === 'string' || fault) {
      faults.set(each.position, fault)
      return []
    }
    const isWhole = !isSaid && !isNone && isAll && !isCancelled
    const accepted = arrival.accepted ?? (isWhole ? line.quantity : 0)
    const rest = Math.max(line.quantity - accepted, 0)
    const cancelled = given ?? (isDone || isCancelled ? rest : Math.min(rest, arrival.cancelled))
    return [{ ...line, accepted, cancelled, receivedAt: accepted > 0 ? arrival.receivedAt : null }]
  })
}

function statusOf(
  header: Header,
  { isAll, isNone, isDone, isCancelled }: ArrivalProgress,
  lines: readonly PlannedLine[],
  isOrdered: boolean,
): OrderPlan['status'] {
  const hasArrived =
    lines.some(({ accepted, credited }) => accepted > 0 || credited > 0) ||
    (lines.length === 0 && (isAll || isDone) && !isNone && !isCancelled)
  const isOutstanding = lines.some(({ quantity, accepted, cancelled }) => quantity > accepted + cancelled)
  if (hasArrived) return isOutstanding ? 'partial' : 'received'
  const isDraft = !isDone && header.progress === 'draft'
  if (!isDraft && !isOutstanding && lines.some(({ cancelled }) => cancelled > 0)) return 'cancelled'
  const isUnsent =
    header.progress === null &&
    header.orderedAt === null &&
    header.sentAt === null &&
    (header.canBeDraft || (header.createdAt === null && !isOrdered))
  if (isDraft || (!isDone && isUnsent)) return 'draft'
  return isCancelled || isDone ? 'cancelled' : 'sent'
}

/** When the order was sent, and whether the file says when its goods came. */
function readDays(
  header: Header,
  status: OrderPlan['status'],
  lines: readonly PlannedLine[],
  receipts: OrderPlan['receipts'],
  { defaults, lastDay }: Terms,
): { fault: string; sentAt: string | null; isSentAtKnown: boolean; isArrivalKnown: boolean } {
  const firstArrival =
    [
      ...lines.flatMap(({ receivedAt }) => receivedAt ?? []),
      ...(receipts ?? []).map(({ at }) => at),
    ].sort()[0] ?? null
  const known = header.sentAt ?? header.orderedAt ?? header.createdAt
  const sentAt = known ?? defaults.orderedOn ?? header.invoiceDate ?? firstArrival ?? null
  const day = sentAt?.slice(0, 10) ?? ''
  const isEarly = firstArrival !== null && firstArrival.slice(0, 10) < day
  const hasArrived = status === 'partial' || status === 'received'
  const isDated = receipts !== null || lines.every((line) => line.accepted === 0 || line.receivedAt !== null)
  const fault =
    day > lastDay ? `Ordered on ${day}, which is in the future. Check the order of day and month.` : ''
  const isSentAtKnown = known !== null
  return {
    fault,
    sentAt,
    isSentAtKnown,
    isArrivalKnown: !hasArrived || (lines.length > 0 && !isEarly && isDated),
  }
}
