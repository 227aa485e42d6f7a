import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '../db/migrate.ts'
import { withClient } from '../dev/postgres/database.ts'
import { type LocalPostgres, removePostgres, startPostgres } from '../dev/postgres/postgres.ts'
import { choosePort } from '../dev/processes/ports.ts'
import { untilReady } from '../dev/processes/ready.ts'
import { watchStopSignals } from '../dev/processes/stop-signals.ts'
import { createUndo, type Undo } from '../dev/processes/undo.ts'
import { mintSessionToken } from '../dev/simulator/session-token.ts'
import { type Db, sql } from '../shared/db/db.ts'
import { createTokenCipher } from '../shared/token-cipher.ts'

/** Keys that open nothing but benchmarks. */
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
  /** Starts a file of this project as a process with the environment of production, and waits until it answers. */
  startServer: (file: string, env?: Record<string, string>) => Promise<BenchProcess>
  /** The same for one that listens nowhere. */
  startProcess: (file: string, env?: Record<string, string>) => BenchProcess
}

/**
 * A Postgres with its usual settings, so that a commit is on the disk, and what runs on it; for as long as `use` takes.
 * Only this machine reaches it.
 */
export async function withBenchSystem<T>(use: (system: BenchSystem) => Promise<T>): Promise<T> {
  const undo = createUndo()
  // who is interrupted leaves nothing running either
  const stop = watchStopSignals(() => process.exit(1))
  let ending: Promise<void> | undefined
  const end = () => {
    ending ??= undo.run()
    return ending
  }
  stop.addEventListener('abort', () => void end().finally(() => process.exit(130)))
  try {
    const folder = await mkdtemp(join(tmpdir(), 'quartermaster-bench-'))
    undo.add(() => rm(folder, { recursive: true, force: true }))
    const dataDir = join(folder, 'postgres')
    undo.add(() => removePostgres(dataDir))
    const postgres = await startPostgres(dataDir)
    await withClient(postgres.url('postgres'), (client) => client.query('create database bench'))
    const databaseUrl = postgres.url('bench')
    await migrate({ url: databaseUrl, ssl: false })
    const settings = await memorySettings()
    const start = (file: string, env: Record<string, string>) =>
      startFile(undo, file, { ...environment(databaseUrl), ...settings, ...env })
    return await use({
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
    })
  } finally {
    await end()
  }
}

/** The process of Postgres whose children serve the connections. */
export async function postmasterOf({ postgres }: BenchSystem): Promise<number> {
  const [pid] = (await readFile(join(postgres.dataDir, 'postmaster.pid'), 'utf8')).split('\n')
  return Number(pid)
}

/** As in production, but that nobody is told to come later. */
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

/** What we tell the host about memory: to keep it small costs time, so it counts for every figure. */
async function memorySettings(): Promise<Record<string, string>> {
  const file = new URL('../app.json', import.meta.url)
  const app: { env: Record<string, { value?: string }> } = JSON.parse(await readFile(file, 'utf8'))
  const about = /^(NODE_OPTIONS|MALLOC_|MEMORY_)/
  return Object.fromEntries(
    Object.entries(app.env).flatMap(([name, { value }]) =>
      about.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  )
}

/** What it logs is written, and goes nowhere. */
function startFile(undo: Undo, file: string, env: Record<string, string>) {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url))
  const child: ChildProcess = spawn(process.execPath, [path], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    await ended
  }
  undo.add(() => stop('SIGKILL'))
  return { child, pid: child.pid ?? 0, stop }
}

let shops = 0

/** A shop that has installed the app, and somebody in its admin. */
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
  await db.query(sql.typeAlias('void')`
    insert into webhook_subscription_check (shop_id, checked_at, is_complete) values (${shopId}, now(), true)
  `)
  const { PLATFORM_API_KEY: apiKey, PLATFORM_API_SECRET: apiSecret } = benchKeys
  const token = await mintSessionToken({ shop: domain, apiKey, apiSecret, lifetimeSeconds: 3600 })
  return { shopId, domain, token }
}
