import type { Static } from '@sinclair/typebox'
import { choices } from './common.ts'

/**
 * Why a level has moved: `platform` is what the platform did (sales, edits in its admin), `repair` makes the ledger
 * fit its level again; the others are ours.
 */
export const StockMovementKind = choices(
  'platform',
  'receipt',
  'reversal',
  'transfer',
  'count',
  'set',
  'delta',
  'repair',
)
export type StockMovementKind = Static<typeof StockMovementKind>
