import { inspect } from 'node:util'
import type { Parser, Result, TapError } from 'tap-parser'

export type FileResult = { file: string; isOk: boolean; seconds: number; processorSeconds?: number }
export type Failure = { name: string; details: string }

/** What a run has found so far. */
export type Results = {
  files: FileResult[]
  failures: Failure[]
  passed: number
  skipped: number
}

/** Records what failed below `parser`. A test that failed only because of its parts is not named itself. */
export function watchTests(parser: Parser, results: Results, record: (failure: Failure) => void): void {
  parser.on('child', (child: Parser) => watchTests(child, results, record))
  parser.on('pass', ({ skip }: Result) => {
    if (skip) results.skipped++
    else results.passed++
  })
  parser.on('complete', ({ failures: failed }: { failures: TapError[] }) => {
    for (const failure of failed) {
      if ('closingTestPoint' in failure && failure.closingTestPoint && !failure.diag?.expired) continue
      const name = 'fullname' in failure ? String(failure.fullname) : parser.fullname
      record({ name, details: printDetails(failure) })
    }
  })
}

function printDetails(failure: TapError): string {
  const {
    diff,
    at,
    stack,
    source: _source,
    ...rest
  } = ('diag' in failure && failure.diag) || { error: failure.tapError }
  const place = at?.fileName ? `at ${at.fileName}:${at.lineNumber}` : undefined
  const facts = Object.keys(rest).length > 0 ? inspect(rest, { depth: 6, breakLength: 100 }) : undefined
  return [place, diff, facts, stack].filter(Boolean).join('\n')
}

const printResult = ({ isOk, file }: FileResult, seconds: number) =>
  `${isOk ? 'ok    ' : 'FAILED'} ${seconds.toFixed(1).padStart(6)} s  ${file}`

/** A failure with the first lines of its details. */
function printFailure({ name, details }: Failure, maxLines: number): string {
  const lines = details.split('\n').slice(0, maxLines)
  return [`FAILED ${name}`, ...lines.map((line) => `    ${line}`)].join('\n')
}

const maxFailures = 30
const maxLines = 30
const slowestCount = 10

/** The end of a run: the failures with their first lines, the slowest files, and the counts. */
export function printSummary({ files, failures, passed, skipped }: Results, seconds: number): string {
  const shown = failures.slice(0, maxFailures).map((failure) => printFailure(failure, maxLines))
  const printSlowest = (what: string, secondsOf: (result: FileResult) => number) => [
    `\nThe slowest files${what}:`,
    ...files
      .toSorted((a, b) => secondsOf(b) - secondsOf(a))
      .slice(0, slowestCount)
      .map((result) => printResult(result, secondsOf(result))),
  ]
  const failed = files.filter(({ isOk }) => !isOk)
  return [
    ...shown.map((failure) => `\n${failure}`),
    ...(failures.length > maxFailures ? [`\nand ${failures.length - maxFailures} more`] : []),
    ...printSlowest('', (result) => result.seconds),
    ...printSlowest(
      ' in processor time of their own process',
      ({ processorSeconds = 0 }) => processorSeconds,
    ),
    ...(failed.length > 0 ? ['\nThe failed files:'] : []),
    ...failed.map((result) => printResult(result, result.seconds)),
    `\n${files.length} files in ${Math.round(seconds)} s`,
    `${passed} passed, ${failures.length} failed, ${skipped} skipped`,
  ].join('\n')
}
