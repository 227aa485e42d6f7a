import { readerOf, type SourceRow } from '../../load.ts'
import type { VariantMatcher } from '../../match-variants.ts'
import type { OrderPlan, PlannedLine, PlannedReceipt } from '../types.ts'

export const isReceiptRow = (each: SourceRow) => each.has('receipt')
/** A line of a receipt; else a row says something of the receipt itself. */
export const isReceiptLine = (each: SourceRow) => each.has('accepted')

/**
 * The receipts of an order as its file lists them; null when it lists none. A draft and a reversed receipt are left out: neither
 * changed what arrived.
 */
export function readReceipts(
  rows: readonly SourceRow[],
  lines: readonly PlannedLine[],
  match: VariantMatcher,
  { faults, skipped }: { faults: Map<number, string>; skipped: Map<number, string> },
): PlannedReceipt[] | null {
  if (rows.length === 0) return null
  const found: PlannedReceipt[] = []
  for (const own of Map.groupBy(rows, (each) => each.cell('receipt')).values()) {
    const head = own.find((each) => !isReceiptLine(each))
    const reason = head ? skippedReason(head) : 'The list of receipts does not have this receipt.'
    if (!head || reason !== '') {
      for (const { position } of own) skipped.set(position, reason)
      continue
    }
    const cells = readerOf(head)
    const at = cells.day('receivedAt', 'Received') ?? cells.day('createdAt', 'Created')
    const receipt: PlannedReceipt = {
      at: at ?? '',
      location: cells.text('location', 200),
      deliveryNote: cells.text('deliveryNote', 200),
      notes: cells.lines('notes', 5_000),
      lines: own.filter(isReceiptLine).flatMap((each) => readReceiptLine(each, lines, match, faults)),
    }
    if (cells.faults[0] || at === null)
      faults.set(head.position, cells.faults[0] ?? 'The receipt has no date.')
    else if (receipt.lines.length > 0) found.push(receipt)
  }
  return found
}

export function skippedReason(head: SourceRow): string {
  if (head.cell('reversedAt') !== '') return 'The receipt was reversed.'
  return head.cell('receiptState') === 'draft' ? 'The receipt is a draft.' : ''
}

function readReceiptLine(
  each: SourceRow,
  lines: readonly PlannedLine[],
  match: VariantMatcher,
  faults: Map<number, string>,
): PlannedReceipt['lines'] {
  const cells = readerOf(each)
  const quantity = cells.number('accepted', 'Accepted') ?? 0
  const rejected = cells.number('rejected', 'Rejected') ?? 0
  const lineIndex = cells.number('line', 'Line')
  const unitCost = cells.number('cost', 'Unit cost')
  const outcome = cells.text('rejectOutcome', 20)
  const variant = match(each)
  const variantId = 'fault' in variant ? null : variant.id
  const line = lines.find((one) =>
    lineIndex !== null && one.lineIndex !== null ? one.lineIndex === lineIndex : one.variant.id === variantId,
  )
  const fault =
    cells.faults[0] ??
    (line ? undefined : 'The order has no such line.') ??
    (Number.isInteger(quantity) && Number.isInteger(rejected)
      ? ''
      : 'Accepted and rejected must be whole numbers.')
  if (fault || !line) {
    faults.set(each.position, fault)
    return []
  }
  return [
    {
      line,
      quantity,
      rejected,
      rejectReason: cells.text('rejectReason', 200),
      rejectOutcome: rejected > 0 ? (outcome === 'credit' ? 'credit' : 'replace') : null,
      unitCost,
    },
  ]
}

/** The receipts of these lines: those of the file, else one for each day on which goods came. */
export function receiptsOf(plan: OrderPlan, lines: readonly PlannedLine[]): PlannedReceipt[] {
  if (plan.receipts) {
    return plan.receipts.flatMap((receipt) => {
      const own = receipt.lines.filter(({ line }) => lines.includes(line))
      return own.length > 0 ? [{ ...receipt, lines: own }] : []
    })
  }
  const arrived = lines.filter(({ accepted }) => accepted > 0)
  const days = Map.groupBy(arrived, ({ receivedAt }) => receivedAt ?? plan.sentAt ?? '')
  return [...days]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([at, own]) => ({
      at,
      location: '',
      deliveryNote: '',
      notes: '',
      lines: own.map((line) => ({
        line,
        quantity: line.accepted,
        rejected: 0,
        rejectReason: '',
        rejectOutcome: null,
        unitCost: null,
      })),
    }))
}
