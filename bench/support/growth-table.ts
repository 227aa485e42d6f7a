/** Median response times in milliseconds by address, in the order of the shop sizes. */
export type Times = ReadonlyMap<string, readonly number[]>

/** The exponent of the best fit `time = c * size^n`: 0 is constant time, 1 grows in proportion to the shop. */
export function growthOf(sizes: readonly number[], times: readonly number[]): number {
  const points = sizes.map((size, index) => ({ x: Math.log(size), y: Math.log(times[index] ?? Number.NaN) }))
  const mean = (of: 'x' | 'y') => points.reduce((sum, point) => sum + point[of], 0) / points.length
  const [x, y] = [mean('x'), mean('y')]
  const covariance = points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0)
  const variance = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0)
  return covariance / variance
}

export function printGrowth(sizes: readonly number[], times: Times): void {
  const line = (name: string, cells: readonly string[]) =>
    console.log([name.padEnd(44), ...cells.map((cell) => cell.padStart(9))].join(' '))
  line(
    'p50 in ms by variants',
    [...sizes, 'growth'].map((size) => size.toLocaleString('en-US')),
  )
  for (const [name, medians] of times) {
    const growth = `n^${growthOf(sizes, medians).toFixed(2)}`
    line(name, [...medians.map((time) => time.toFixed(1)), growth])
  }
  console.log()
}
