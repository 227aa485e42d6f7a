/** The reasons that the platform knows for a change of stock, as of its API of 2026-07. */
export const platformReasons = [
  'correction',
  'cycle_count_available',
  'damaged',
  'movement_canceled',
  'movement_created',
  'movement_received',
  'movement_updated',
  'other',
  'promotion',
  'quality_control',
  'received',
  'reservation_created',
  'reservation_deleted',
  'reservation_updated',
  'restock',
  'safety_stock',
  'shrinkage',
] as const
export type PlatformReason = (typeof platformReasons)[number]

/** What merchants write, in the platform's words. The first that fits counts. */
const words: readonly [RegExp, PlatformReason][] = [
  [/\b(damage|broken|defect|spoil|expired)/, 'damaged'],
  [/\b(theft|stolen|shrink|lost|loss|missing)/, 'shrinkage'],
  [/\b(promo|gift|giveaway|donat|sample)/, 'promotion'],
  [/\bquality/, 'quality_control'],
  [/\bsafety/, 'safety_stock'],
  [/\b(restock|return)/, 'restock'],
  [/\b(receiv|deliver)/, 'received'],
  [/\b(cycle|count|stocktake|recount)/, 'cycle_count_available'],
  [/\b(correct|mistake|adjust|error)/, 'correction'],
]

/** The platform takes reasons of its own list only; the merchant's words stay with us. None is a correction. */
export function platformReasonOf(reason: string): PlatformReason {
  const said = reason.toLowerCase()
  if (said === '') return 'correction'
  return words.find(([pattern]) => pattern.test(said))?.[1] ?? 'other'
}
