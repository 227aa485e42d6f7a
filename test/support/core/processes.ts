import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { recordOutput } from './outputs.ts'
import { until } from './until.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export type TestProcess = {
  child: ChildProcess
  /** All its output so far. */
  output: () => string
  /** The exit status, or the signal that killed it. */
  ended: Promise<number | string>
  kill: (signal: NodeJS.Signals) => void
}

/** What each process of a test run shares: its folder of temporary files, and the compiled code. */
function sharedEnvironment(): Record<string, string> {
  const { NODE_COMPILE_CACHE = '', TMPDIR = '' } = process.env
  return { NODE_COMPILE_CACHE, TMPDIR }
}

/** Runs a command of the project, as developers do, and waits for its end. */
export function runCommand(file: string, env: Record<string, string>, args: readonly string[] = []) {
  return spawnSync(process.execPath, [resolve(root, file), ...args], {
    env: { ...sharedEnvironment(), ...env },
    encoding: 'utf8',
  })
}

/**
 * Runs `api/server.ts` or `worker/main.ts` as in production, or another file by its full path, and kills it with
 * the test. Its log is never silent: all output is recorded (`outputs.ts`).
 */
export function startProcess(
  t: Pick<Test, 'teardown'>,
  file: string,
  env: Record<string, string>,
): TestProcess {
  const path = resolve(root, file)
  const ownEnv = {
    ...sharedEnvironment(),
    ...env,
    ...(env.LOG_LEVEL === 'silent' && { LOG_LEVEL: 'info' }),
  }
  const child = spawn(process.execPath, [path], { env: ownEnv, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => {
      output += text
      recordOutput(text)
    })
  }
  const ended = once(child, 'close').then(([code, signal]): number | string => code ?? signal)
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, output: () => output, ended, kill: (signal) => child.kill(signal) }
}

/** Waits until web takes requests, and returns its origin. Throws with its output when it ends before. */
export const untilListening = ({ child, output, ended }: TestProcess): Promise<string> =>
  until(async () => {
    const origin = /listening at (http:\/\/[\d.:]+)/.exec(output())?.[1]
    if (origin || (child.exitCode === null && child.signalCode === null)) return origin
    throw new Error(`web ended with ${await ended}: ${output().slice(-2000)}`)
  }, 'web listens')

export type SupervisedProcess = {
  /** The process that is running now. */
  current: () => TestProcess
  /** The exit status or signal of each process that has ended, oldest first. */
  exits: readonly (number | string)[]
  /** The output of all processes. */
  output: () => string
  /** Stops the process without a restart, as a deploy does. Returns its exit status. */
  stop: () => Promise<number | string>
}

/** Restarts a process whenever it ends, as the host does, until the test is over. */
export function startSupervised(
  t: Pick<Test, 'teardown'>,
  file: string,
  env: Record<string, string>,
  pauseMs = 200,
): SupervisedProcess {
  const exits: (number | string)[] = []
  const all: TestProcess[] = []
  let isStopped = false
  let current: TestProcess
  const start = () => {
    const started = startProcess(t, file, env)
    all.push(started)
    current = started
    void started.ended.then(async (end) => {
      exits.push(end)
      await sleep(pauseMs)
      if (!isStopped) start()
    })
    return started
  }
  current = start()
  t.teardown(() => {
    isStopped = true
  })
  return {
    current: () => current,
    exits,
    output: () => all.map((process) => process.output()).join(''),
    async stop() {
      isStopped = true
      current.kill('SIGTERM')
      return current.ended
    },
  }
}
