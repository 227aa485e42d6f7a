/** Grams of the units of the admin API and of webhooks. */
const gramsOf: Readonly<Record<string, number>> = {
  GRAMS: 1,
  KILOGRAMS: 1000,
  OUNCES: 28.349523125,
  POUNDS: 453.59237,
  g: 1,
  kg: 1000,
  oz: 28.349523125,
  lb: 453.59237,
}

const maxGrams = 1_000_000_000

type PlatformWeight = { value?: number | null | undefined; unit?: string | null | undefined }

/**
 * A weight of the platform in grams, with 3 decimals. 0 says that the platform has no weight, which it reports as 0 kg, too;
 * null says that the report does not have it, or in an unknown unit.
 */
export function readWeight(weight: PlatformWeight | null): number | null {
  if (weight === null) return 0
  const grams = (weight.value ?? Number.NaN) * (gramsOf[weight.unit ?? ''] ?? Number.NaN)
  return grams >= 0 && grams <= maxGrams ? Number(grams.toFixed(3)) : null
}
