import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { deleteData } from '../../dev/data-folder.ts'
import type { NamedProcess } from '../../dev/processes/run-file.ts'
import { keepOutput } from '../support/core/outputs.ts'

const file = fileURLToPath(new URL('../../dev/start.ts', import.meta.url))

/** A run of `npm start`, with everything that it has printed so far. */
export type Run = { process: ChildProcess; output: () => string; ended: Promise<number | string> }

/** A folder whose processes are ended and whose files are deleted with the test. */
export async function makeDataDir(t: Test): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quartermaster-start-'))
  // Else Postgres, which is not root, would need a copy of its binaries.
  await chmod(dataDir, 0o755)
  t.teardown(async () => {
    await deleteData(dataDir)
    await rm(dataDir, { recursive: true, force: true })
  })
  return dataDir
}

export function run(
  t: Test,
  dataDir: string,
  { args = [], env = {} }: { args?: string[]; env?: Record<string, string> } = {},
): Run {
  const child = spawn(process.execPath, [file, '--data', dataDir, ...args], {
    env: { ...process.env, PORT: '0', SIMULATOR_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => {
      output += text
      keepOutput(text)
    })
  }
  const ended = once(child, 'close').then(([code, signal]): number | string => code ?? signal)
  t.teardown(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await Promise.race([ended, sleep(30_000, undefined, { ref: false })])
    child.kill('SIGKILL')
  })
  return { process: child, output: () => output, ended }
}

/** The addresses and the command that a run has printed, once everything is up. */
export async function untilUp(started: Run) {
  const command = await eventually(() => {
    if (started.process.exitCode !== null) throw new Error(`It ended:\n${started.output()}`)
    return /^curl [\s\S]*?'\{"resend":true\}'$/m.exec(started.output())?.[0]
  }, started)
  const address = (pattern: RegExp) => pattern.exec(started.output())?.[1] ?? ''
  return {
    command,
    webUrl: address(/API\s+(http:\S+)\/docs/),
    simulatorUrl: address(/Inbox\s+(http:\S+)\/inbox/),
  }
}

/** Tries until there is an answer. On a loaded machine this may take long, so it gives up late. */
export async function eventually<T>(
  attempt: () => T | undefined | Promise<T | undefined>,
  started?: Run,
  everyMs = 100,
): Promise<T> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    const answer = await attempt()
    if (answer !== undefined) return answer
    await sleep(everyMs)
  }
  throw new Error(`It did not happen within a minute\n${started?.output() ?? ''}`)
}

/** The processes that a run has recorded. */
export function children(dataDir: string): NamedProcess[] {
  return JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8')).children
}

/** Waits for the worker, which is recorded a moment after each of its starts, unless it is still `former`. */
export async function untilWorker(
  dataDir: string,
  started: Run,
  former?: NamedProcess,
): Promise<NamedProcess> {
  return eventually(
    () => children(dataDir).find(({ name, pid }) => name === 'worker' && pid !== former?.pid),
    started,
  )
}

const postmaster = (dataDir: string) =>
  readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')

export const postgresPort = (dataDir: string) => Number(postmaster(dataDir)[3])

/** Ends the Postgres of a folder so that it can tell nobody. */
export function killPostgres(dataDir: string): void {
  const pid = Number(postmaster(dataDir)[0])
  // 0 would be ourselves, and whoever runs the tests
  if (!(pid > 0)) throw new Error('The file of Postgres names no process')
  process.kill(pid, 'SIGKILL')
}
