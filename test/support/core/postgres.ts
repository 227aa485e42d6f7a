import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, rmSync, statfsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { migrate } from '../../../db/migrate.ts'
import { withClient } from '../../../dev/postgres/database.ts'
import { type LocalPostgres, removePostgres, startPostgres } from '../../../dev/postgres/postgres.ts'

const folder = new URL('../../../.data/test/', import.meta.url)

/** `test/run.ts` chooses another one. */
export const clusterFolder = process.env.TEST_CLUSTER ?? fileURLToPath(new URL('postgres', folder))
/** The file with the address of the running cluster. */
export const addressFile = fileURLToPath(new URL('address', folder))
export const template = 'quartermaster_template'

export const migrateTest = (url: string) => migrate({ url, ssl: false })

/**
 * Tells Postgres that all rows of a table belong to one shop. Without statistics it expects a different shop in each row, and
 * checks foreign keys by reading all rows of the shop: a statement with 10 000 rows then took longer than the limit of 8 s.
 */
export const describeShops = (url: string) =>
  withClient(url, async (client) => {
    // Postgres 18 has this function; the tests that run on 15 analyze their tables
    const { rowCount } = await client.query(
      `select from pg_proc where proname = 'pg_restore_attribute_stats'`,
    )
    if (rowCount === 0) return
    await client.query(`
      select pg_restore_attribute_stats(
        'schemaname', 'public', 'relname', c.relname::text, 'attname', 'shop_id', 'inherited', false,
        'null_frac', 0::real, 'avg_width', 8, 'n_distinct', 1::real
      )
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'shop_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    `)
  })

const memory = '/dev/shm'
const neededBytes = 4 * 2 ** 30

/**
 * Makes the folder of a run's temporary files, in memory where there is room: Postgres clones a database ten times
 * as fast there. The same clone always gets the same folder, so a run finds what a killed run left.
 */
export function makeTemporaryFolder(root: string): { path: string; empty: () => void } {
  const name = `quartermaster-test-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`
  const path = join(hasRoom() ? memory : tmpdir(), name)
  mkdirSync(path, { recursive: true })
  // Postgres runs as another user when root starts it
  chmodSync(path, 0o755)
  return { path, empty: () => rmSync(path, { recursive: true, force: true }) }
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize > neededBytes
  } catch {
    return false
  }
}

export type OwnPostgres = LocalPostgres & {
  /** The address of a migrated database in it. */
  database: string
  /** Closes all connections of the database. */
  terminateAll: () => Promise<void>
  /** Allows or forbids writes in new sessions, and closes the open ones. */
  allowWriting: (isAllowed: boolean) => Promise<void>
}

/** Starts a separate Postgres that a test may stop, restart and overload without affecting other tests. */
export async function startOwnPostgres(t: Test): Promise<OwnPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'quartermaster-faults-'))
  const dataDir = join(folder, 'postgres')
  // no test cuts the power, so fsync is off; a crash of the server loses nothing either way
  const postgres = await startPostgres(dataDir, ['max_connections=60', 'fsync=off'])
  t.teardown(async () => {
    await removePostgres(dataDir)
    await rm(folder, { recursive: true, force: true })
  })
  const admin = postgres.url('postgres')
  await withClient(admin, (client) => client.query('create database faults'))
  const database = postgres.url('faults')
  await migrateTest(database)
  const terminateAll = () =>
    withClient(admin, async (client) => {
      await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'faults'`)
    })
  return {
    ...postgres,
    database,
    terminateAll,
    async allowWriting(isAllowed) {
      await withClient(admin, (client) =>
        client.query(`alter database faults set default_transaction_read_only = ${isAllowed ? 'off' : 'on'}`),
      )
      await terminateAll()
    },
  }
}

export type TestProxy = {
  /** The target's address through the proxy. */
  url: string
  /** Accepts data and forwards nothing, without closing connections: a network partition. */
  swallow: () => void
  /** Closes all connections and refuses new ones. */
  refuse: () => void
  /** How many connections it has accepted so far. */
  accepted: () => number
  /** Forwards new connections again. Connections from before `swallow` stay dead. */
  pass: () => void
}

/** A TCP proxy between a process and a server that simulates network failures. */
export async function startProxy(t: Test, target: string, ownPort = 0): Promise<TestProxy> {
  const { hostname, port } = new URL(target)
  let mode: 'pass' | 'swallow' | 'refuse' = 'pass'
  const pairs = new Set<[Socket, Socket]>()
  let accepted = 0
  const server = createServer((from) => {
    accepted += 1
    if (mode === 'refuse') return from.destroy()
    if (mode === 'swallow') return from.on('error', () => {}).resume()
    const to = connect(Number(port), hostname)
    const pair: [Socket, Socket] = [from, to]
    pairs.add(pair)
    const end = () => {
      for (const socket of pair) socket.destroy()
      pairs.delete(pair)
    }
    for (const socket of pair) socket.setNoDelay().on('error', end).on('close', end)
    from.pipe(to)
    to.pipe(from)
  })
  server.listen(ownPort, '127.0.0.1')
  await once(server, 'listening')
  const endAll = () => {
    for (const [from, to] of pairs) {
      from.destroy()
      to.destroy()
    }
    pairs.clear()
  }
  t.teardown(() => {
    endAll()
    server.close()
  })
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    accepted: () => accepted,
    swallow() {
      mode = 'swallow'
      for (const [from, to] of pairs) {
        from.unpipe(to).removeAllListeners('close').resume()
        to.unpipe(from).removeAllListeners('close').resume()
      }
    },
    refuse() {
      mode = 'refuse'
      endAll()
    },
    pass() {
      mode = 'pass'
    },
  }
}
