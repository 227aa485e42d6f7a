import type { ReorderRule } from '../../../../../shared/schemas/reorder-rules.ts'

/** How often a page reads again what the worker is computing. */
export const computingPollMs = 5_000

/** The text in place of a number of an automatic rule; null: it is computed. */
export function missingNumberText({ mode, computedAt, isComputing }: ReorderRule): string | null {
  if (mode === 'manual' || computedAt !== null) return null
  return isComputing ? 'Computing …' : 'None yet'
}

/** The reason for `missingNumberText`. */
export const missingNumberReason = ({ isComputing }: ReorderRule): string =>
  isComputing ? 'Computing …' : 'Not computed yet. A product needs 7 days of known sales.'
