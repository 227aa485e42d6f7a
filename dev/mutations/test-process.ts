import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Parser, type Result } from 'tap-parser'

type Options = { path: string; env: NodeJS.ProcessEnv; maxMs: number }
export type Finding = { file: string; test: string }

/** A process ends after so many files, as in a run of all tests. */
const maxFiles = 40

/** Runs test files of a copy one after another, until one fails. Returns the first failure, or null when all pass. */
export async function findFailure(files: readonly string[], options: Options): Promise<Finding | null> {
  for (let at = 0; at < files.length; at += maxFiles) {
    const found = await runFiles(files.slice(at, at + maxFiles), options)
    if (found) return found
  }
  return null
}

/** A file that runs for longer than `maxMs` has failed, too: a fault may make a test wait for what never comes. */
async function runFiles(files: string[], { path, env, maxMs }: Options): Promise<Finding | null> {
  const child = spawn(process.execPath, ['test/runner/run-files.ts'], {
    cwd: path,
    env: { ...env, TEST_RUNNER: '1' },
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    // a group of its own, with the processes that its tests start
    detached: true,
  })
  let found: Finding | null = null
  let running = ''
  let timer: NodeJS.Timeout | undefined
  const fail = (test: string) => (found ??= { file: running, test })
  child.on('message', (message) => {
    if (message !== 'next') return
    clearTimeout(timer)
    const file = found ? undefined : files.shift()
    running = file ?? running
    if (file) {
      timer = setTimeout(() => {
        fail(`has not ended after ${maxMs / 1000} s`)
        if (child.pid) process.kill(-child.pid, 'SIGKILL')
      }, maxMs)
    }
    child.send(file ?? 'none', () => {})
  })
  const watch = (parser: Parser) => {
    parser.on('child', watch)
    parser.on('fail', ({ fullname, name }: Result) => fail(fullname || name))
  }
  const parser = new Parser()
  watch(parser)
  child.stdout?.pipe(parser)
  const [code] = await once(child, 'close')
  clearTimeout(timer)
  if (code !== 0) fail(`the process ended with ${code}`)
  return found
}
