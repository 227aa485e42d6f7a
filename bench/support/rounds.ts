/** The two sides of a comparison. They are measured in turns, so that a slow phase of the machine affects both. */
export type Sides<T> = { subject: () => Promise<T>; baseline: () => Promise<T> }

/**
 * Measures both sides in turns, the baseline first in even rounds and last in odd ones. One uncounted turn of each
 * side warms up code and caches.
 */
export async function alternate<T>(rounds: number, { subject, baseline }: Sides<T>) {
  await baseline()
  await subject()
  const subjects: T[] = []
  const baselines: T[] = []
  for (let round = 0; round < rounds; round += 1) {
    const isEven = round % 2 === 0
    if (isEven) baselines.push(await baseline())
    subjects.push(await subject())
    if (!isEven) baselines.push(await baseline())
  }
  return { subjects, baselines }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const upper = sorted[half] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? Number.NaN)) / 2
}

/** The same for any number of sides: each round starts with another side, and odd rounds run in reverse order. */
export async function takeTurns<T>(
  rounds: number,
  sides: readonly (() => Promise<T>)[],
): Promise<readonly T[][]> {
  for (const side of sides) await side()
  const results = sides.map((): T[] => [])
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < sides.length; turn += 1) {
      const at = (round + (round % 2 === 0 ? turn : sides.length - 1 - turn)) % sides.length
      const side = sides[at]
      if (side) results[at]?.push(await side())
    }
  }
  return results
}
