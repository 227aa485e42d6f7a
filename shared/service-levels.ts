/** Of a product without a class, in percent. */
export const defaultServiceLevel = 95

/** In percent, by ABC class. */
export const serviceLevels: Readonly<Record<string, number>> = { A: 98, B: 95, C: 90 }

export const serviceLevelOf = (abcClass: string | null) =>
  serviceLevels[abcClass ?? ''] ?? defaultServiceLevel
