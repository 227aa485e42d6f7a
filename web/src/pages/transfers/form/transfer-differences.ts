import type { StockTransfer } from '../../../../../shared/schemas/stock-transfers.ts'
import type { Format } from '../../../components/shop/formats.ts'
import { transferStatusName } from '../transfer-status.tsx'

/** One line for each change that another user has made. */
export function differencesOf(base: StockTransfer, theirs: StockTransfer, { count }: Format): string[] {
  const differences: string[] = []
  const fields = [
    ['Status', transferStatusName(base.status), transferStatusName(theirs.status)],
    ['Notes', base.notes, theirs.notes],
  ] as const
  for (const [name, before, now] of fields) {
    if (before !== now) differences.push(`${name}: ${before || 'nothing'} → ${now || 'nothing'}`)
  }
  const pieces = new Map(sumsOf(base))
  for (const [variantId, { title, quantity }] of sumsOf(theirs)) {
    const was = pieces.get(variantId)
    pieces.delete(variantId)
    if (!was) differences.push(`${title}: added, ${count(quantity)}`)
    else if (was.quantity !== quantity)
      differences.push(`${title}: ${count(was.quantity)} → ${count(quantity)}`)
  }
  for (const { title } of pieces.values()) differences.push(`${title}: removed`)
  return differences
}

/** Items have no ids, so they are compared by product. */
function sumsOf({ items }: StockTransfer): Map<string, { title: string; quantity: number }> {
  const sums = new Map<string, { title: string; quantity: number }>()
  for (const { variantId, title, quantity } of items) {
    sums.set(variantId, { title, quantity: (sums.get(variantId)?.quantity ?? 0) + quantity })
  }
  return sums
}
