import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { deleteData } from '../../dev/data-folder.ts'
import { postgresFolder } from '../../dev/postgres/database.ts'
import { locateData } from '../../dev/postgres/home.ts'
import { isRunning } from '../../dev/processes/processes.ts'
import type { NamedProcess } from '../../dev/processes/run-file.ts'
import { recordOutput } from '../support/core/outputs.ts'
import { until } from '../support/core/until.ts'

const shell = promisify(execFile)
export const getText = async (url: string) => (await fetch(url)).text()
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

/** Polls until the attempt returns a value. A failure shows the output of the run. */
export async function eventually<T>(
  attempt: () => T | undefined | Promise<T | undefined>,
  started?: Run,
): Promise<T> {
  try {
    return await until(attempt, 'npm start gets there')
  } catch (error) {
    throw new Error(started?.output() ?? '', { cause: error })
  }
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
/** Runs the printed command until it succeeds: the order's earlier mail may still be pending. */
export async function runCommand(command: string, started: Run): Promise<void> {
  await eventually(async () => {
    const { stdout } = await shell('sh', ['-c', command])
    return JSON.parse(stdout).success || undefined
  }, started)
}

/** Waits for `count` mails and returns the addresses of their pages, newest first. */
export async function untilMails(simulatorUrl: string, count: number, started: Run): Promise<string[]> {
  return eventually(async () => {
    const links = [...(await getText(`${simulatorUrl}/inbox`)).matchAll(/href="(\/inbox\/[^"?]+)"/g)]
    return links.length >= count ? links.map(([, path]) => `${simulatorUrl}${path}`) : undefined
  }, started)
}

export async function expectStopped(
  t: Test,
  started: Run,
  processes: ReturnType<typeof children>,
  dataDir: string,
  status = 0,
) {
  t.equal(await started.ended, status)
  for (const process of processes) t.notOk(await isRunning(process), process.name)
  t.notOk(existsSync(await postmasterFile(dataDir)))
  t.notOk(existsSync(join(dataDir, 'run.json')))
}
