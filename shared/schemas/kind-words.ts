import type { AlertType } from './alerts.ts'
import type { StockMovementKind } from './stock-movements.ts'

/** What the admin and the CSV files call each kind of movement. */
export const movementKindWords: Record<StockMovementKind, string> = {
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

/** What the admin and the CSV files call each type of alert. */
export const alertTypeWords: Record<AlertType, string> = {
  low_stock: 'Low stock',
  po_overdue: 'Overdue order',
  mail_failed: 'E-mail not sent',
  sync_conflict: 'Stock not synced',
}
