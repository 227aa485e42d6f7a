import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { inspect, parseArgs } from 'node:util'
import { Parser, type Result, type TapError } from 'tap-parser'
import { findBrowser } from '../dev/browser.ts'
import { changedFiles, changedTests } from './runner/changed-tests.ts'
import { makeTemporaryFolder } from './support/core/postgres.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Files share a process, since a process needs four seconds of processor time until its first test runs. These start first, in
 * smaller groups, because they take longest. Tests that measure their process have one of their own.
 */
const groupSizes = {
  'test/dev/start.test.ts': 1,
  'test/shared/pdf/renderer-memory.test.ts': 1,
  'test/api/http/limits.test.ts': 1,
  'test/shared/pdf': 8,
  'test/faults': 3,
  'test/web': 10,
  'test/system': 4,
  'test/dev': 6,
  'test/worker/queue': 3,
  'test/api/http': 5,
}
const otherGroupSize = 18

/** More jobs than cores, since many tests wait. */
const jobs = Math.max(2, availableParallelism() + 1)

const temporary = makeTemporaryFolder(root)
// for this process, too, which unpacks the browser
process.env.TMPDIR = temporary.path

const env = {
  // of a process with all its files
  TAP_TIMEOUT: '1800',
  ...process.env,
  TAP: '1',
  TEST_CLUSTER: join(temporary.path, 'postgres'),
  NODE_COMPILE_CACHE: join(root, '.data/test/compile-cache'),
}

type FileResult = { file: string; isOk: boolean; seconds: number; processorSeconds?: number }
type Failure = { name: string; details: string }

const results: FileResult[] = []
const failures: Failure[] = []
const counts = { passed: 0, skipped: 0 }

/** The test files in the named files and folders. */
function findFiles(names: string[]): string[] {
  const files = globSync('test/**/*.test.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/'))
  const chosen = names.map((name) => name.replace(/^\.\//, '').replace(/\/$/, ''))
  return files.filter((file) => names.length === 0 || chosen.some((name) => isIn(file, name))).sort()
}

const isIn = (file: string, name: string) => file === name || file.startsWith(`${name}/`)

/** The files of each process, in the order in which the processes start. */
function groupFiles(files: string[]): string[][] {
  const left = new Set(files)
  const groups = Object.entries(groupSizes).flatMap(([name, size]) => {
    const own = [...left].filter((file) => isIn(file, name))
    for (const file of own) left.delete(file)
    return divide(own, size)
  })
  return [...groups, ...divide([...left], otherGroupSize)]
}

/** Groups of at most `size` files, as equal as possible. */
function divide(files: string[], size: number): string[][] {
  const groups = Math.ceil(files.length / size)
  return Array.from({ length: groups }, (_, at) => files.filter((_file, index) => index % groups === at))
}

/** Runs the files in a new process, and prints the result of each. */
async function runGroup(files: string[]): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'test/runner/run-files.ts')], {
    cwd: root,
    env: { ...env, TEST_FILES: JSON.stringify(files) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const missing = new Set(files)
  let isRecorded = false
  const record = (failure: Failure) => {
    isRecorded = true
    failures.push(failure)
    console.log(printFailure(failure))
  }
  const parser = new Parser()
  parser.on('assert', ({ name, ok, time }: Result) => {
    const result = { file: name, isOk: ok, seconds: (time ?? 0) / 1000 }
    missing.delete(name)
    results.push(result)
    console.log(printResult(result))
  })
  // follows the result of the file
  parser.on('comment', (text) => {
    const [, seconds] = /^# processor time: ([\d.]+) s/.exec(text) ?? []
    const result = results.findLast(({ file }) => files.includes(file))
    if (seconds && result) result.processorSeconds = Number(seconds)
  })
  watchFailures(parser, record)
  child.stdout.pipe(parser)
  const errors = readText(child.stderr)
  const code = await new Promise((done) => child.once('close', (code, signal) => done(code ?? signal)))
  if (code === 0 && missing.size === 0) return
  console.log((await errors).trimEnd())
  if (isRecorded && missing.size === 0) return
  const name = [...(missing.size > 0 ? missing : files)].join(', ')
  record({ name, details: `the process ended with ${code}` })
}

/** Records what failed below `parser`. A test that failed only because of its parts is not named itself. */
function watchFailures(parser: Parser, record: (failure: Failure) => void): void {
  parser.on('child', (child: Parser) => watchFailures(child, record))
  parser.on('pass', ({ skip }: Result) => {
    if (skip) counts.skipped++
    else counts.passed++
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

const printResult = ({ file, isOk, seconds }: FileResult) =>
  `${isOk ? 'ok    ' : 'FAILED'} ${seconds.toFixed(1).padStart(6)} s  ${file}`

/** A failure with the first lines of its details. */
function printFailure({ name, details }: Failure, maxLines = 60): string {
  const lines = details.split('\n').slice(0, maxLines)
  return [`FAILED ${name}`, ...lines.map((line) => `    ${line}`)].join('\n')
}

const runScript = (path: string) =>
  new Promise((done) => {
    spawn(process.execPath, [join(root, path)], { cwd: root, env, stdio: 'inherit' }).once('close', done)
  })

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { changed: { type: 'boolean' } },
})
const found = findFiles(positionals)
const files = values.changed ? changedTests(root, found, changedFiles(root)) : found
if (files.length === 0) console.log(values.changed ? 'The change touches no test.' : 'There is no such test.')
else {
  const startedAt = performance.now()
  if ((await runScript('test/runner/start-postgres.ts')) !== 0) throw new Error('Postgres did not start')
  if (files.some((file) => isIn(file, 'test/web'))) await findBrowser()
  const groups = groupFiles(files)
  // Ctrl-C ends the running processes, too; the run then removes its Postgres
  process.once('SIGINT', () => groups.splice(0))
  const runNext = async () => {
    for (let group = groups.shift(); group; group = groups.shift()) await runGroup(group)
  }
  await Promise.all(Array.from({ length: jobs }, runNext))
  if ((await runScript('test/runner/after-tests.ts')) !== 0) {
    failures.push({ name: 'The recorded output contains a secret', details: 'see LEAK above' })
  }
  temporary.empty()

  const printSlowest = (what: string, secondsOf: (result: FileResult) => number) => {
    console.log(`\nThe slowest files${what}:`)
    const slowest = results.toSorted((a, b) => secondsOf(b) - secondsOf(a)).slice(0, 10)
    for (const result of slowest) console.log(printResult({ ...result, seconds: secondsOf(result) }))
  }
  printSlowest('', ({ seconds }) => seconds)
  printSlowest(' in processor time of their own process', ({ processorSeconds = 0 }) => processorSeconds)
  console.log(`\n${results.length} files in ${Math.round((performance.now() - startedAt) / 1000)} s`)
  for (const failure of failures.slice(0, 15)) console.log(`\n${printFailure(failure, 8)}`)
  if (failures.length > 15) console.log(`\nand ${failures.length - 15} more, see above`)
  const failedFiles = results.filter(({ isOk }) => !isOk)
  if (failedFiles.length > 0) console.log('\nThe failed files:')
  for (const result of failedFiles) console.log(printResult(result))
  console.log(`${counts.passed} passed, ${failures.length} failed, ${counts.skipped} skipped`)
}
process.exitCode = failures.length > 0 || (files.length === 0 && !values.changed) ? 1 : 0
