/** A seeded generator (mulberry32) of numbers from 0 to 1, the same at every run. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A whole number with the Poisson distribution, by inversion; `mean` below 500. */
export function poisson(random: () => number, mean: number): number {
  let probability = Math.exp(-mean)
  let cumulated = probability
  let count = 0
  for (const limit = random(); limit > cumulated && count < 1_000; ) {
    count += 1
    probability *= mean / count
    cumulated += probability
  }
  return count
}
