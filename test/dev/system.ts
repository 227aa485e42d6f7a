import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { deleteData } from '../../dev/data-folder.ts'
import { postgresFolder } from '../../dev/postgres/database.ts'
import { locateData } from '../../dev/postgres/home.ts'
import type { NamedProcess } from '../../dev/processes/run-file.ts'
import { recordOutput } from '../support/core/outputs.ts'

const file = fileURLToPath(new URL('../../dev/start.ts', import.meta.url))

/** A run of `npm start` with its output so far. */
export type Run = { process: ChildProcess; output: () => string; ended: Promise<number | string> }

/** Makes a data folder. Its processes are stopped and its files deleted with the test. */
export async function makeDataDir(t: Test): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quartermaster-start-'))
  // Otherwise Postgres, which does not run as root, needs a copy of its binaries.
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
      recordOutput(text)
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

/** Waits until the system is up. Returns the addresses and the command that the run has printed. */
export async function untilUp(started: Run) {
  const command = await eventually(() => {
    if (started.process.exitCode !== null) throw new Error(`npm start exited:\n${started.output()}`)
    return /^curl [\s\S]*?'\{"resend":true\}'$/m.exec(started.output())?.[0]
  }, started)
  const address = (pattern: RegExp) => pattern.exec(started.output())?.[1] ?? ''
  return {
    command,
    webUrl: address(/API\s+(http:\S+)\/docs/),
    simulatorUrl: address(/Inbox\s+(http:\S+)\/inbox/),
  }
}

/** Polls until the attempt returns a value. The timeout is long, for slow machines. */
export async function eventually<T>(
  attempt: () => T | undefined | Promise<T | undefined>,
  started?: Run,
): Promise<T> {
  const deadline = Date.now() + 150_000
  while (Date.now() < deadline) {
    const value = await attempt()
    if (value !== undefined) return value
    await sleep(100)
  }
  throw new Error(`Timeout after 150 s\n${started?.output() ?? ''}`)
}

/** The processes that a run has recorded. */
export function children(dataDir: string): NamedProcess[] {
  return JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8')).children
}

/** Waits until a worker other than `former` is recorded, which happens shortly after each start. */
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

/** The file that a running Postgres writes. Its folder is elsewhere when other users cannot enter `dataDir`. */
export async function postmasterFile(dataDir: string): Promise<string> {
  const { dataDir: actual } = await locateData(resolve(postgresFolder(dataDir)))
  return join(actual, 'postmaster.pid')
}

const postmaster = async (dataDir: string) =>
  (await readFile(await postmasterFile(dataDir), 'utf8')).split('\n')

export const postgresPort = async (dataDir: string) => Number((await postmaster(dataDir))[3])

/** Kills the Postgres of a folder. */
export async function killPostgres(dataDir: string): Promise<void> {
  const pid = Number((await postmaster(dataDir))[0])
  // 0 would kill this process group
  if (!(pid > 0)) throw new Error('postmaster.pid contains no process id')
  process.kill(pid, 'SIGKILL')
}
