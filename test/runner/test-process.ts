import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { Parser, type Result } from 'tap-parser'
import { type Failure, type Results, watchTests } from './results.ts'
import { aloneFiles } from './test-files.ts'

/**
 * A process runs one file after another, because modules, app, browser, web and worker start slowly. It ends after so many,
 * because each leaves some memory and data behind.
 */
const maxFilesOfProcess = 40

/** Returns a function that takes the next file of the run for one process, until that process must end. */
export function takeFor(left: string[]): () => string | undefined {
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
 * Runs files in a new process and adds to `results`. The process asks for the next file when it has ended one, until `takeFile`
 * returns none. Returns whether it asked: a process that cannot be started does not.
 */
export async function runProcess(
  { root, env, print }: { root: string; env: NodeJS.ProcessEnv; print: (text: string) => void },
  results: Results,
  takeFile: () => string | undefined,
): Promise<boolean> {
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
    results.failures.push(failure)
    print(`FAILED ${failure.name}`)
  }
  const parser = new Parser()
  parser.on('assert', ({ name, ok, time }: Result) => {
    missing.delete(name)
    results.files.push({ file: name, isOk: ok, seconds: (time ?? 0) / 1000 })
  })
  // follows the result of the file
  parser.on('comment', (text) => {
    const [, seconds] = /^# processor time: ([\d.]+) s/.exec(text) ?? []
    const result = results.files.findLast(({ file }) => files.includes(file))
    if (seconds && result) result.processorSeconds = Number(seconds)
  })
  watchTests(parser, results, record)
  child.stdout?.pipe(parser)
  const errors = child.stderr ? readText(child.stderr) : ''
  const code = await new Promise((done) => child.once('close', (code, signal) => done(code ?? signal)))
  if (code === 0 && missing.size === 0 && hasAsked) return true
  print((await errors).trimEnd())
  if (files.length > 1) print(`These files ran in one process: ${files.join(' ')}`)
  if (isRecorded && missing.size === 0) return true
  const name = [...(missing.size > 0 ? missing : files)].join(', ') || 'A test process'
  record({ name, details: `the process ended with ${code}` })
  return hasAsked
}
