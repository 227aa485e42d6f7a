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

/** Each of these files runs in a separate process, because it measures its process or starts many others. */
const aloneFiles = [
  'test/dev/start.test.ts',
  'test/shared/pdf/renderer-memory.test.ts',
  'test/api/http/limits.test.ts',
]

/** These start first, since they take longest: a process that runs alone at the end uses one core. */
const slowFiles = [
  ...aloneFiles,
  'test/web/layout.test.ts',
  'test/web/accessibility.test.ts',
  'test/faults',
  'test/system',
  'test/worker/queue',
  'test/worker/cli',
  'test/worker/tasks/exports',
  'test/worker/tasks/costs',
  'test/worker/tasks/imports/archive.test.ts',
  'test/dev',
  'test/web',
]

/**
 * A process runs one file after another, because modules, app, browser, web and worker start slowly. It ends after so many,
 * because each leaves some memory and data behind.
 */
const maxFilesOfProcess = 40

/** More jobs than cores, since tests wait for Postgres; each may need 40 of its connections. */
const maxJobs = Math.min(2 * availableParallelism(), 10)

const temporary = makeTemporaryFolder(root)
// for this process, too, which unpacks the browser
process.env.TMPDIR = temporary.path

const env = {
  // of a process with all its files
  TAP_TIMEOUT: '3600',
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

/** The test files in the named files and folders, in this order; without names all, the slowest first. */
function findFiles(names: string[]): string[] {
  const files = globSync('test/**/*.test.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/'))
  const chosen = names.map((name) => name.replace(/^\.\//, '').replace(/\/$/, ''))
  return names.length === 0 ? orderFiles(files.sort()) : takeInOrder(files.sort(), chosen)
}

const isIn = (file: string, name: string) => file === name || file.startsWith(`${name}/`)

const takeInOrder = (files: string[], names: string[]) => [
  ...new Set(names.flatMap((name) => files.filter((file) => isIn(file, name)))),
]

const orderFiles = (files: string[]) => [...new Set([...takeInOrder(files, slowFiles), ...files])]

/** Returns a function that takes the next file of the run for one process, until that process must end. */
function takeFor(left: string[]): () => string | undefined {
  let mayTake = maxFilesOfProcess
  return () => {
    // a process that has run another file does not take one that runs alone
    if (mayTake === 0 || (mayTake < maxFilesOfProcess && aloneFiles.includes(left[0] ?? ''))) return undefined
    const file = left.shift()
    mayTake = file && aloneFiles.includes(file) ? 0 : mayTake - 1
    return file
  }
}

/**
 * Runs files in a new process, and prints the result of each. The process asks for the next file when it has ended one, until
 * `takeFile` returns none. Returns whether it asked: a process that cannot be started does not.
 */
async function runProcess(takeFile: () => string | undefined): Promise<boolean> {
  const child = spawn(process.execPath, [join(root, 'test/runner/run-files.ts')], {
    cwd: root,
    env: { ...env, TEST_RUNNER: '1' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const files: string[] = []
  const missing = new Set<string>()
  let hasAsked = false
  child.on('message', (message) => {
    // tap sends its timeout, too
    if (message !== 'next') return
    hasAsked = true
    const file = takeFile()
    if (file) {
      files.push(file)
      missing.add(file)
    }
    // a process that has ended meanwhile reports no result, which fails the run below
    child.send(file ?? 'none', () => {})
  })
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
  child.stdout?.pipe(parser)
  const errors = child.stderr ? readText(child.stderr) : ''
  const code = await new Promise((done) => child.once('close', (code, signal) => done(code ?? signal)))
  if (code === 0 && missing.size === 0 && hasAsked) return true
  console.log((await errors).trimEnd())
  if (files.length > 1) console.log(`These files ran in one process: ${files.join(' ')}`)
  if (isRecorded && missing.size === 0) return true
  const name = [...(missing.size > 0 ? missing : files)].join(', ') || 'A test process'
  record({ name, details: `the process ended with ${code}` })
  return hasAsked
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
  options: { changed: { type: 'boolean' }, jobs: { type: 'string' } },
})
const found = findFiles(positionals)
const files = values.changed ? changedTests(root, found, changedFiles(root)) : found
if (files.length === 0) console.log(values.changed ? 'The change touches no test.' : 'There is no such test.')
else {
  const startedAt = performance.now()
  if ((await runScript('test/runner/start-postgres.ts')) !== 0) throw new Error('Postgres did not start')
  if (files.some((file) => isIn(file, 'test/web'))) await findBrowser()
  const left = [...files]
  // Ctrl-C ends the running processes, too; the run then removes its Postgres
  process.once('SIGINT', () => left.splice(0))
  const runProcesses = async () => {
    while (left.length > 0) if (!(await runProcess(takeFor(left)))) left.splice(0)
  }
  const jobs = Math.min(Number(values.jobs ?? maxJobs), files.length)
  await Promise.all(Array.from({ length: jobs }, runProcesses))
  const notRun = files.filter((file) => !results.some((result) => result.file === file))
  if (notRun.length > 0) {
    failures.push({ name: `${notRun.length} files have no result`, details: notRun.join('\n') })
  }
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
