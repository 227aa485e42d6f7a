import { compareWithTarget, type Figure, printFigures, resultsOf, writeResults } from './figures.ts'

/** `isQuick`: a run with less data and fewer rounds, in a fraction of the time and with less precision. */
export type BenchOptions = { isQuick: boolean }

/** Measures, prints the figures, and writes them to the result file of `name`. */
export async function runBench(
  name: string,
  measure: (options: BenchOptions) => Promise<Figure[]>,
): Promise<void> {
  const isQuick = process.argv.includes('--quick')
  const results = (await measure({ isQuick })).map(compareWithTarget)
  await writeResults(resultsOf(name, isQuick), results)
  printFigures(results)
  // one short round may miss a target by chance
  if (!isQuick && results.some(({ isReached }) => isReached === false)) process.exitCode = 1
}
