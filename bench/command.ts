import { type Figure, judge, printFigures, resultsOf, writeResults } from './figures.ts'

/** `isQuick` is for every day: less of all, so that it ends in a fraction of the time and says less. */
export type BenchOptions = { isQuick: boolean }

/** What runs when a benchmark's file is started: measures, prints, and keeps the result under the file's name. */
export async function runBench(
  name: string,
  measure: (options: BenchOptions) => Promise<Figure[]>,
): Promise<void> {
  const isQuick = process.argv.includes('--quick')
  const verdicts = (await measure({ isQuick })).map(judge)
  await writeResults(resultsOf(name, isQuick), verdicts)
  printFigures(verdicts)
  // one short round may miss a target by chance
  if (!isQuick && verdicts.some(({ isReached }) => isReached === false)) process.exitCode = 1
}
