import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { type Fault, refuseFaults } from '../../../errors.ts'
import { Id } from '../../../schemas/common.ts'
import type { CountedLine, ReceiptInput, RejectOutcome } from '../../../schemas/receipts.ts'

/** What was counted of a line of an order; `path` is that of the entry in the request. */
export type Count = {
  lineItemId: number
  path: string
  accepted: number
  rejected: number
  rejectReason: string
  rejectOutcome: RejectOutcome | null
  unitCost: number | null
}

/** The counts of a request or a draft. A fault of a quantity names `field` of its entry. */
export type CountSheet = {
  counts: readonly Count[]
  field: 'quantityReceived' | 'accepted'
  /** Faults also name the line and its outstanding pieces. */
  namesLines: boolean
}

export const receivedSheet = ({ lineItems }: ReceiptInput): CountSheet => ({
  field: 'quantityReceived',
  namesLines: false,
  counts: lineItems.map(({ lineItemId, quantityReceived }, index) => ({
    lineItemId,
    path: `/lineItems/${index}`,
    accepted: quantityReceived,
    rejected: 0,
    rejectReason: '',
    rejectOutcome: null,
    unitCost: null,
  })),
})

/** The lines of a draft as they are stored: rejected pieces are replaced unless the request says `credit`. */
export const draftCounts = (lines: readonly CountedLine[]): Count[] =>
  lines.map(({ lineItemId, accepted = 0, rejected = 0, rejectReason, rejectOutcome, unitCost }, index) => ({
    lineItemId,
    path: `/lines/${index}`,
    accepted,
    rejected,
    rejectReason: rejected > 0 ? (rejectReason ?? '') : '',
    rejectOutcome: rejected > 0 ? (rejectOutcome ?? 'replace') : null,
    unitCost: unitCost ?? null,
  }))

const creditedOf = ({ rejectOutcome, rejected }: Count) => (rejectOutcome === 'credit' ? rejected : 0)

/** The counts by line; several entries of one line are added up. */
export function sumCounts(counts: readonly Count[]): ReadonlyMap<number, Count & { credited: number }> {
  const sums = new Map<number, Count & { credited: number }>()
  for (const count of counts) {
    const earlier = sums.get(count.lineItemId)
    const accepted = (earlier?.accepted ?? 0) + count.accepted
    const credited = (earlier?.credited ?? 0) + creditedOf(count)
    sums.set(count.lineItemId, { ...count, accepted, credited })
  }
  return sums
}

const LineToReceive = Type.Object({
  id: Id,
  variantId: Id,
  accepted: Type.Integer(),
  cancelled: Type.Integer(),
  outstanding: Type.Integer(),
  /** Pieces that can still be received with the tolerance of the shop. */
  allowed: Type.Integer(),
  /** False: the platform does not track this variant, so receiving it moves no stock. */
  isStocked: Type.Boolean(),
})
export type LineToReceive = Static<typeof LineToReceive>

const maxPieces = 1_000_000_000

/**
 * The lines of an order in a sheet, by id. The caller must hold the row lock of the order. Throws, with every faulty
 * entry: unknown_line; over_receipt when more of a line is accepted or credited than may still be received, unless allowed;
 * quantity_too_large when more than 1 000 000 000 pieces of a line are accepted or credited.
 * Example: 10 ordered with a tolerance of 15 %, 4 accepted before: floor(11.5) - 4 = 7 may still be received.
 */
export async function requireLines(
  tx: Db,
  shopId: number,
  purchaseOrderId: number,
  { counts, field, namesLines }: CountSheet,
  { allowOverReceipt = false }: { allowOverReceipt?: boolean | undefined },
): Promise<ReadonlyMap<number, LineToReceive>> {
  const sums = sumCounts(counts)
  const lines = await findLines(tx, shopId, purchaseOrderId, [...sums.keys()])
  requireKnown(counts, lines)
  const faultsOf = (describe: (line: LineToReceive, accepted: number, credited: number) => string | false) =>
    counts.flatMap(({ lineItemId, path }): Fault[] => {
      const [line, sum] = [lines.get(lineItemId), sums.get(lineItemId)]
      const message = line && sum && describe(line, sum.accepted, sum.credited)
      if (!message) return []
      const outstanding = Math.max(line.outstanding, 0)
      return [{ path: `${path}/${field}`, message, ...(namesLines && { lineItemId, outstanding }) }]
    })

  if (!allowOverReceipt) {
    const over = faultsOf(
      (line, accepted, credited) =>
        accepted + credited > Math.max(line.allowed, 0) && describeOver(line, accepted + credited),
    )
    refuseFaults(
      'over_receipt',
      'The quantity is more than what was ordered. Correct it, or allow over-receipt.',
      over,
    )
  }
  const tooLarge = faultsOf(
    (line, accepted, credited) =>
      Math.max(line.accepted + accepted, line.cancelled + credited) > maxPieces &&
      'exceeds the total of 1 000 000 000 pieces',
  )
  refuseFaults('quantity_too_large', 'At most 1 000 000 000 pieces of a line can be received.', tooLarge)
  return lines
}

function describeOver({ outstanding, allowed }: LineToReceive, pieces: number): string {
  const rest = Math.max(outstanding, 0)
  if (allowed <= rest) return `is ${pieces - rest} more than the ${rest} still expected`
  return `is ${pieces - allowed} more than the ${allowed} that the tolerance allows for the ${rest} still expected`
}

/** Throws unknown_line with every entry that names no line of the order. */
export function requireKnown(counts: readonly Count[], lines: { has: (id: number) => boolean }): void {
  const unknown = counts.flatMap(({ lineItemId, path }) =>
    lines.has(lineItemId) ? [] : [{ path: `${path}/lineItemId`, message: 'is not a line of this order' }],
  )
  refuseFaults('unknown_line', 'Some lines do not belong to this order. Reload it.', unknown)
}

/** Throws duplicate_line: a draft has each line once, since each has one cost and one reason. */
export function requireDistinct(counts: readonly Count[]): void {
  const known = new Set<number>()
  const faults = counts.flatMap(({ lineItemId, path }) => {
    const isRepeated = known.has(lineItemId)
    known.add(lineItemId)
    return isRepeated ? [{ path: `${path}/lineItemId`, message: 'is in this list twice' }] : []
  })
  refuseFaults('duplicate_line', 'A line occurs twice. Combine its quantities.', faults)
}

async function findLines(
  tx: Db,
  shopId: number,
  purchaseOrderId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, LineToReceive>> {
  const lines = await tx.any(sql.type(row(LineToReceive))`
    select l.id, l.variant_id, l.accepted, l.cancelled, l.quantity - l.accepted - l.cancelled as outstanding,
      floor(l.quantity * (100 + coalesce(t.over_receipt_percent, 0))::numeric / 100)::bigint - l.accepted - l.cancelled as allowed,
      v.is_tracked and v.deleted_at is null as is_stocked
    from purchase_order_line l
    join variant v on v.shop_id = ${shopId} and v.id = l.variant_id
    left join shop_setting t on t.shop_id = ${shopId}
    where l.shop_id = ${shopId} and l.purchase_order_id = ${purchaseOrderId}
      and l.id = any(${sql.array([...ids], 'int8')})
  `)
  return new Map(lines.map((line) => [line.id, line]))
}
