import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findBrowser } from '../dev/browser.ts'
import { changedFiles, changedTests } from './runner/changed-tests.ts'
import { measureMachine } from './runner/machine-factor.ts'
import { nearestFirst, takeWithin } from './runner/nearest-tests.ts'
import { createProgress } from './runner/progress.ts'
import { printSummary, type Results } from './runner/results.ts'
import { durationsFile, findTests, orderTests, readDurations } from './runner/test-files.ts'
import { runProcess, takeFor } from './runner/test-process.ts'
import { makeTemporaryFolder } from './support/core/postgres.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** More jobs than cores, since tests wait for Postgres; each may need 40 of its connections. */
const maxJobs = Math.min(2 * availableParallelism(), 10)

/** The seconds of tests that each process of `npm run test:changed` gets. With its start the run answers within two minutes. */
const changedSeconds = 80

const temporary = makeTemporaryFolder(root)
// for this process, too, which unpacks the browser
process.env.TMPDIR = temporary.path

const env: NodeJS.ProcessEnv = {
  // of a process with all its files
  TAP_TIMEOUT: '3600',
  ...process.env,
  TAP: '1',
  TEST_CLUSTER: join(temporary.path, 'postgres'),
  NODE_COMPILE_CACHE: join(root, '.data/test/compile-cache'),
}

const runScript = (path: string) =>
  new Promise((done) => {
    spawn(process.execPath, [join(root, path)], { cwd: root, env, stdio: 'inherit' }).once('close', done)
  })

/** Runs the files in so many processes, and returns what they have found. */
async function runTests(files: readonly string[], jobs: number): Promise<Results> {
  const startedAt = performance.now()
  const results: Results = { files: [], failures: [], passed: 0, skipped: 0 }
  const factor = await measureMachine()
  env.TEST_MACHINE_FACTOR = String(factor)
  console.log(
    `${files.length} files in ${jobs} processes; deadlines are ${factor} times those of an idle machine`,
  )
  if ((await runScript('test/runner/start-postgres.ts')) !== 0) throw new Error('Postgres did not start')
  if (files.some((file) => file.startsWith('test/web/'))) await findBrowser()
  const left = [...files]
  // Ctrl-C ends the running processes, too; the run then removes its Postgres
  process.once('SIGINT', () => left.splice(0))
  const progress = createProgress(files, durations.secondsOf, results)
  const place = { root, env, print: progress.print }
  const runProcesses = async () => {
    while (left.length > 0) if (!(await runProcess(place, results, takeFor(left)))) left.splice(0)
  }
  await Promise.all(Array.from({ length: jobs }, runProcesses))
  progress.end()
  const notRun = files.filter((file) => !results.files.some((result) => result.file === file))
  if (notRun.length > 0) {
    results.failures.push({ name: `${notRun.length} files have no result`, details: notRun.join('\n') })
  }
  if ((await runScript('test/runner/after-tests.ts')) !== 0) {
    results.failures.push({ name: 'The recorded output contains a secret', details: 'see LEAK above' })
  }
  temporary.empty()
  durations.store(Object.fromEntries(results.files.map(({ file, seconds }) => [file, seconds])))
  console.log(printSummary(results, (performance.now() - startedAt) / 1000))
  return results
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { changed: { type: 'boolean' }, jobs: { type: 'string' } },
})
const durations = readDurations(durationsFile(root))
// a change may also affect what npm test leaves out
const found = findTests(root, values.changed && positionals.length === 0 ? ['test'] : positionals)
const files = values.changed ? chooseChanged() : found

/** The tests that the change can affect, the nearest first, as many as two minutes are enough for. */
function chooseChanged(): string[] {
  const changed = changedFiles(root)
  const affected = nearestFirst(root, changedTests(root, found, changed), changed)
  const chosen = takeWithin(affected, durations.secondsOf, changedSeconds * maxJobs)
  const left = affected.length - chosen.length
  if (left > 0) console.log(`The change can affect ${left} more files of tests.`)
  return chosen
}

if (files.length === 0) console.log('The change touches no test.')
else {
  const jobs = Math.min(Number(values.jobs ?? maxJobs), files.length)
  // one process runs the files in the named order, to repeat a failure
  const ordered = jobs === 1 ? files : orderTests(files, durations)
  const { failures } = await runTests(ordered, jobs)
  process.exitCode = failures.length > 0 ? 1 : 0
}
