import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '../../db/migrate.ts'
import { fillCompileCache } from '../../dev/compile-cache.ts'
import { withClient } from '../../dev/postgres/database.ts'
import { type LocalPostgres, removePostgres, startPostgres } from '../../dev/postgres/postgres.ts'
import { choosePort } from '../../dev/processes/ports.ts'
import { untilReady } from '../../dev/processes/ready.ts'
import { watchStopSignals } from '../../dev/processes/stop-signals.ts'
import { mintSessionToken } from '../../dev/simulator/session-token.ts'
import { type Db, sql } from '../../shared/db/db.ts'
import { recordCheck } from '../../shared/domain/records/shops/subscriptions.ts'
import { createTokenCipher } from '../../shared/token-cipher.ts'

/** Keys for benchmarks only. */
export const benchKeys = {
  PLATFORM_API_KEY: 'bench-api-key',
  PLATFORM_API_SECRET: 'bench-api-secret-of-no-shop-at-all',
  TOKEN_ENCRYPTION_KEYS: Buffer.alloc(32, 'bench key').toString('base64'),
  POSTMARK_SERVER_TOKEN: 'bench-server-token',
}

export type BenchShop = { shopId: number; domain: string; token: string }

export type BenchProcess = { pid: number; origin: string; stop: (signal?: NodeJS.Signals) => Promise<void> }

export type BenchSystem = {
  postgres: LocalPostgres
  databaseUrl: string
  /** Starts a file of this project with the environment of production, and waits until it serves requests. */
  startServer: (file: string, env?: Record<string, string>) => Promise<BenchProcess>
  /** The same for a process without a port. */
  startProcess: (file: string, env?: Record<string, string>) => BenchProcess
}

/** Runs `use` with a Postgres of its own and stops everything afterwards, also on Ctrl-C. */
export async function withBenchSystem<T>(use: (system: BenchSystem) => Promise<T>): Promise<T> {
  await using started = new AsyncDisposableStack()
  const stop = watchStopSignals(() => process.exit(1))
  const stopped = once(stop, 'abort').then(() => {
    throw stop.reason
  })
  return await Promise.race([startSystem(started).then(use), stopped])
}

/** Postgres has its default settings, so that commits reach the disk; it listens on this machine only. */
async function startSystem(started: AsyncDisposableStack): Promise<BenchSystem> {
  const folder = await mkdtemp(join(tmpdir(), 'quartermaster-bench-'))
  started.defer(() => rm(folder, { recursive: true, force: true }))
  const dataDir = join(folder, 'postgres')
  started.defer(() => removePostgres(dataDir))
  const postgres = await startPostgres(dataDir)
  await withClient(postgres.url('postgres'), (client) => client.query('create database bench'))
  const databaseUrl = postgres.url('bench')
  await migrate({ url: databaseUrl, ssl: false })
  // as after the build of a release
  const settings = { ...(await memorySettings()), NODE_COMPILE_CACHE: join(folder, 'compile-cache') }
  await fillCompileCache(process.execPath, settings)
  const start = (file: string, env: Record<string, string>) =>
    startFile(started, file, { ...environment(databaseUrl), ...settings, ...env })
  return {
    postgres,
    databaseUrl,
    async startServer(file, env = {}) {
      const port = await choosePort(0, 'PORT')
      const { child, ...running } = start(file, { ...env, PORT: String(port) })
      const origin = `http://127.0.0.1:${port}`
      await untilReady(`${origin}/readyz`, AbortSignal.timeout(60_000), () => child.exitCode !== null)
      return { ...running, origin }
    },
    startProcess(file, env = {}) {
      const { child: _, ...running } = start(file, env)
      return { ...running, origin: '' }
    },
  }
}

/** The id of the main Postgres process, whose children serve the connections. */
export async function postmasterOf({ postgres }: BenchSystem): Promise<number> {
  const [pid] = (await readFile(join(postgres.dataDir, 'postmaster.pid'), 'utf8')).split('\n')
  return Number(pid)
}

/** The environment of production without an effective rate limit. */
export function environment(databaseUrl: string): Record<string, string> {
  return {
    ...benchKeys,
    DATABASE_URL: databaseUrl,
    APP_URL: 'http://localhost',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    MAIL_FROM: 'Quartermaster <orders@quartermaster.example>',
    NODE_ENV: 'production',
    RATE_LIMIT_PER_MINUTE: '1000000',
  }
}

/** The memory settings of production. They cost processor time, so every benchmark uses them. */
export async function memorySettings(): Promise<Record<string, string>> {
  const file = new URL('../../app.json', import.meta.url)
  const app: { env: Record<string, { value?: string }> } = JSON.parse(await readFile(file, 'utf8'))
  const memoryVariables = /^(NODE_OPTIONS|MALLOC_|MEMORY_)/
  return Object.fromEntries(
    Object.entries(app.env).flatMap(([name, { value }]) =>
      memoryVariables.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  )
}

/** The process writes its log to /dev/null, so that logging has its cost. */
function startFile(started: AsyncDisposableStack, file: string, env: Record<string, string>) {
  const path = fileURLToPath(new URL(`../../${file}`, import.meta.url))
  const child: ChildProcess = spawn(process.execPath, [path], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    await ended
  }
  started.defer(() => stop('SIGKILL'))
  return { child, pid: child.pid ?? 0, stop }
}

let shops = 0

/** An installed shop, with a session token for its admin. */
export async function makeBenchShop(db: Db): Promise<BenchShop> {
  shops += 1
  const domain = `bench-${shops}.myshop.example`
  const { id: shopId } = await db.one(
    sql.typeAlias('id')`insert into shop (domain) values (${domain}) returning id`,
  )
  const sealed = createTokenCipher(benchKeys).seal('bench-access-token', domain)
  await db.query(sql.typeAlias('void')`
    insert into shop_credential (shop_id, access_token) values (${shopId}, ${sealed})
  `)
  await recordCheck(db, shopId, true)
  const { PLATFORM_API_KEY: apiKey, PLATFORM_API_SECRET: apiSecret } = benchKeys
  const token = await mintSessionToken({ shop: domain, apiKey, apiSecret, lifetimeSeconds: 3600 })
  return { shopId, domain, token }
}
