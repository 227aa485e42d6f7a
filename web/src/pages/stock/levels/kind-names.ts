import type { StockMovementKind } from '../../../../../shared/schemas/stock-movements.ts'

/** The CSV of movements has the same words (`shared/schemas/csv-lists.ts`). */
export const kindNames: Record<StockMovementKind, string> = {
  platform: 'Sale or edit in your shop',
  receipt: 'Received',
  reversal: 'Receipt reversed',
  transfer: 'Transferred',
  count: 'Counted',
  set: 'Set',
  delta: 'Adjusted',
  discard: 'Change discarded',
  repair: 'Repaired automatically',
  supplier_return: 'Returned to the supplier',
}
