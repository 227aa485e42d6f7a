import type { Results } from './results.ts'

const intervalMs = 15_000

/**
 * Shows how far a run is: files done of all, failures, and minutes left. A terminal shows one line that changes; a file gets a
 * line every 15 s.
 */
export function createProgress(
  files: readonly string[],
  secondsOf: (file: string) => number,
  results: Results,
  out: NodeJS.WriteStream = process.stdout,
) {
  const startedAt = performance.now()
  const expected = sum(files.map(secondsOf))
  const clearLine = out.isTTY ? '\r\x1b[K' : ''
  const show = () => {
    const done = sum(results.files.map(({ file }) => secondsOf(file)))
    const line = printProgress(
      { files: results.files.length, of: files.length, failed: results.failures.length },
      minutesLeft((performance.now() - startedAt) / 60_000, done / expected),
    )
    out.write(out.isTTY ? clearLine + line : `${line}\n`)
  }
  const timer = setInterval(show, out.isTTY ? 1_000 : intervalMs)
  return {
    /** Prints a line of its own above the progress. */
    print: (text: string) => out.write(`${clearLine}${text}\n`),
    end() {
      clearInterval(timer)
      out.write(clearLine)
    },
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** What is left when `share` of the expected work has taken so many minutes; unknown until a twentieth is done. */
export const minutesLeft = (minutes: number, share: number): number | undefined =>
  share >= 0.05 ? minutes / share - minutes : undefined

export function printProgress(
  done: { files: number; of: number; failed: number },
  minutes: number | undefined,
): string {
  const left = minutes === undefined ? '' : `, about ${Math.ceil(minutes)} min left`
  return `${done.files} of ${done.of} files, failures: ${done.failed}${left}`
}
