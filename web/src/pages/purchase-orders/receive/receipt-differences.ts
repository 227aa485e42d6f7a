import type { OrderReceipt } from '../../../../../shared/schemas/receipts.ts'
import type { Format as AnyFormat } from '../../../components/shop/formats.ts'

type Format = Pick<AnyFormat, 'count' | 'cost'>

type Counted = Pick<
  OrderReceipt['lines'][number],
  'lineItemId' | 'accepted' | 'rejected' | 'rejectReason' | 'rejectOutcome' | 'unitCost'
>

/** The draft as it was. A line of the order that it lacks was not counted. */
type Base = Pick<OrderReceipt, 'locationName' | 'deliveryNote' | 'notes'> & { lines: readonly Counted[] }

/** Lists what another page changed in a draft, one line for each change. */
export function differencesOf(base: Base | null, theirs: OrderReceipt, format: Format): string[] {
  const before = new Map(base?.lines.map((line) => [line.lineItemId, describe(line, format)]))
  const lines = theirs.lines.flatMap((line) => {
    const was = before.get(line.lineItemId) ?? 'not counted'
    const now = describe(line, format)
    return was === now ? [] : [`${line.title || line.sku}: ${was} → ${now}`]
  })
  const fields = [
    ['Received at', base?.locationName, theirs.locationName],
    ['Delivery note', base?.deliveryNote, theirs.deliveryNote],
    ['Notes', base?.notes, theirs.notes],
  ] as const
  const changed = fields.filter(([, was, now]) => was !== now)
  return [...lines, ...changed.map(([name, was, now]) => `${name}: ${was || 'empty'} → ${now || 'empty'}`)]
}

/** A line in words: 5 accepted, 2 rejected (crushed), to be credited, at $2.75. */
function describe(line: Counted, { count, cost }: Format): string {
  const { accepted, rejected, rejectReason, rejectOutcome, unitCost } = line
  const parts = [
    accepted > 0 && `${count(accepted)} accepted`,
    rejected > 0 && `${count(rejected)} rejected${rejectReason && ` (${rejectReason})`}`,
    rejected > 0 && (rejectOutcome === 'credit' ? 'to be credited' : 'to be replaced'),
    unitCost !== null && `at ${cost(unitCost)}`,
  ]
  return parts.filter(Boolean).join(', ') || 'not counted'
}
