/** The reasons that the platform accepts for a stock change (API version 2026-07). */
export type PlatformReason =
  | 'correction'
  | 'cycle_count_available'
  | 'damaged'
  | 'movement_canceled'
  | 'movement_created'
  | 'movement_received'
  | 'movement_updated'
  | 'other'
  | 'promotion'
  | 'quality_control'
  | 'received'
  | 'reservation_created'
  | 'reservation_deleted'
  | 'reservation_updated'
  | 'restock'
  | 'safety_stock'
  | 'shrinkage'

/** Maps a merchant's free text to a platform reason. The first matching pattern wins. */
const patterns: readonly [RegExp, PlatformReason][] = [
  [/\b(damage|broken|defect|spoil|expired)/, 'damaged'],
  [/\b(theft|stolen|shrink|lost|loss|missing)/, 'shrinkage'],
  [/\b(promo|gift|giveaway|donat|sample)/, 'promotion'],
  [/\bquality/, 'quality_control'],
  [/\bsafety/, 'safety_stock'],
  [/\b(restock|return)/, 'restock'],
  [/\b(receiv|deliver)/, 'received'],
  [/\b(cycle|count|stocktake|recount)/, 'cycle_count_available'],
  [/\b(correct|found|mistake|adjust|error)/, 'correction'],
]

/** The platform reason for a merchant's text: `correction` for an empty text, `other` when no pattern matches. */
export function platformReasonOf(reason: string): PlatformReason {
  const text = reason.toLowerCase()
  if (text === '') return 'correction'
  return patterns.find(([pattern]) => pattern.test(text))?.[1] ?? 'other'
}
