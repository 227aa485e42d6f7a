/** A pseudo-random number in [0, 1) that depends on its arguments only, the same on every machine. */
export function fraction(...seeds: number[]): number {
  let state = 0x9e3779b9
  for (const seed of seeds)
    state = mix(state ^ (seed | 0) ^ Math.imul(Math.floor(seed / 2 ** 32), 0x85ebca6b))
  return mix(state) / 2 ** 32
}

function mix(input: number): number {
  let state = (input + 0x6d2b79f5) | 0
  state = Math.imul(state ^ (state >>> 15), state | 1)
  state ^= state + Math.imul(state ^ (state >>> 7), state | 61)
  return (state ^ (state >>> 14)) >>> 0
}

/** A pseudo-random whole number from `low` to `high`, both included. */
export const between = (low: number, high: number, ...seeds: number[]) =>
  low + Math.floor(fraction(...seeds) * (high - low + 1))

export function pick<T>(list: readonly T[], ...seeds: number[]): T {
  const found = list[Math.floor(fraction(...seeds) * list.length)]
  if (found === undefined) throw new Error('The list is empty')
  return found
}
