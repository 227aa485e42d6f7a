/** How a supplier sells a variant, in pieces. */
export type Packaging = { packSize: number; minimumQuantity: number | null; quantityMultiple: number }

/**
 * The smallest quantity that the supplier accepts and that is not less than the wanted one: at least the minimum, in
 * whole packs and whole multiples.
 *
 * Example: 10 wanted, packs of 6, multiple 4, minimum 20. Packs and multiple meet at lcm(6, 4) = 12, and 12 × 2 = 24
 * is the first step that is not below 20: 24, rounded up by 14.
 */
export function roundUpToPacks(wanted: number, packaging: Packaging): number {
  const step = stepOf(packaging)
  return Math.ceil(Math.max(wanted, packaging.minimumQuantity ?? 0) / step) * step
}

/** The pieces by which a quantity grows: the least common multiple of pack size and quantity multiple. */
export const stepOf = ({ packSize, quantityMultiple }: Packaging): number =>
  (packSize / greatestCommonDivisor(packSize, quantityMultiple)) * quantityMultiple

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b)
