import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import type { CountedLine, OrderReceipt, RejectOutcome } from '../../../../../shared/schemas/receipts.ts'
import { type FieldErrors, fieldErrors } from '../../../components/forms/form-errors.ts'

/** What the form has of a line; an empty field is `''`. */
export type LineCount = {
  accepted: number | ''
  rejected: number | ''
  rejectReason: string
  rejectOutcome: RejectOutcome
  unitCost: number | ''
}

export type LineCounts = Readonly<Record<number, LineCount>>

export const emptyCount: LineCount = {
  ...{ accepted: '', rejected: '', rejectReason: '', rejectOutcome: 'replace', unitCost: '' },
}

const countsOf = ({ lines }: OrderReceipt): LineCounts =>
  Object.fromEntries(
    lines.map((line) => [
      line.lineItemId,
      {
        accepted: line.accepted || '',
        rejected: line.rejected || '',
        rejectReason: line.rejectReason,
        rejectOutcome: line.rejectOutcome ?? 'replace',
        unitCost: line.unitCost ?? '',
      },
    ]),
  )

export type ReceiptForm = {
  counts: LineCounts
  locationId: string | null
  deliveryNote: string
  notes: string
}

/** The form of a draft, or of a new receipt. */
export const formOf = (order: PurchaseOrder, draft: OrderReceipt | null): ReceiptForm => ({
  counts: draft ? countsOf(draft) : {},
  locationId: draft?.locationId ?? order.destinationLocationId,
  ...{ deliveryNote: draft?.deliveryNote ?? '', notes: draft?.notes ?? '' },
})

export function isSameForm(order: PurchaseOrder, one: ReceiptForm, other: ReceiptForm): boolean {
  const textOf = ({ counts, ...form }: ReceiptForm) =>
    JSON.stringify({ ...form, lines: linesOf(order, counts) })
  return textOf(one) === textOf(other)
}

/** Rejected pieces have arrived, too: of 10 outstanding pieces with 4 rejected, 6 are accepted. */
export const allOutstanding = ({ lineItems }: PurchaseOrder, counts: LineCounts): LineCounts =>
  Object.fromEntries(
    lineItems.map(({ id, outstandingQuantity }) => {
      const count = counts[id] ?? emptyCount
      return [id, { ...count, accepted: Math.max(0, outstandingQuantity - Number(count.rejected)) || '' }]
    }),
  )

/** The pieces that arrived beyond the outstanding ones: 10 accepted and 4 rejected of 10 outstanding are 4 too many. */
export const extraOf = (outstanding: number, { accepted, rejected }: LineCount): number =>
  Math.max(0, Number(accepted) + Number(rejected) - outstanding)

/** Every line of the order, so that the API names a line by its place in the order. */
export const linesOf = ({ lineItems }: PurchaseOrder, counts: LineCounts): CountedLine[] =>
  lineItems.map(({ id }) => {
    const { accepted, rejected, rejectReason, rejectOutcome, unitCost } = counts[id] ?? emptyCount
    return {
      lineItemId: id,
      accepted: Number(accepted),
      rejected: Number(rejected),
      rejectReason: Number(rejected) > 0 ? rejectReason : '',
      rejectOutcome: Number(rejected) > 0 ? rejectOutcome : null,
      unitCost: unitCost === '' ? null : unitCost,
    }
  })

export const isCounted = ({ accepted = 0, rejected = 0 }: CountedLine) => accepted > 0 || rejected > 0

/** The rejected pieces of a line that the order no longer expects, although they never become stock. */
export const creditedOf = ({ rejected = 0, rejectOutcome }: CountedLine) =>
  rejectOutcome === 'credit' ? rejected : 0

/** The errors of a refusal, those of a line as `<line id>.<field>`. */
export function errorsOf(error: unknown, { lineItems }: PurchaseOrder): FieldErrors {
  return Object.fromEntries(
    Object.entries(fieldErrors(error)).map(([field, message]) => {
      const [, index, name] = /^lines\.(\d+)\.(\w+)$/.exec(field) ?? []
      const line = lineItems[Number(index)]
      return [line ? `${line.id}.${name}` : field, message]
    }),
  )
}
