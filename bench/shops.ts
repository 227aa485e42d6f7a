import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import { loadConfig } from '../shared/config.ts'
import { type Db, openDb, row, sql } from '../shared/db/db.ts'
import { seeded } from '../test/support/make/series.ts'
import { nightly } from '../worker/schedule.ts'
import { type Day, runDay, type Times } from './shops/day.ts'
import { type JobWaits, readJobWaits, readWaiting, recordDueTimes } from './shops/job-waits.ts'
import { makeShops, openShops, type PlatformProcess } from './shops/make-shops.ts'
import { planDay } from './shops/sizes.ts'
import { type BenchOptions, runBench } from './support/command.ts'
import type { Figure } from './support/figures.ts'
import { readMemory } from './support/process-memory.ts'
import { processorTime } from './support/processor-time.ts'
import { openClient } from './support/requests.ts'
import { type BenchProcess, environment, postmasterOf, withBenchSystem } from './support/system.ts'
import { claimSlots } from './support/timers.ts'

const numberOption = (name: string, value: number) =>
  Number(new RegExp(`--${name}[ =](\\d+)`).exec(process.argv.join(' '))?.[1] ?? value)

/** How long the work that the day leaves may take. */
const maxRestSeconds = process.argv.includes('--quick') ? 60 : 600

/**
 * A day of many shops on one Postgres, one web and one worker, in a few minutes: webhooks and work in the admin by the hours of each shop,
 * and its nightly jobs after its midnight. `--shops 200 --minutes 2` changes the size.
 */
async function measureShops({ isQuick }: BenchOptions): Promise<Figure[]> {
  const count = isQuick ? 20 : numberOption('shops', 1_000)
  const seconds = isQuick ? 20 : numberOption('minutes', 5) * 60
  return withBenchSystem(async (system) => {
    const db = await openDb(loadConfig(environment(system.databaseUrl), 'web'), 4)
    let platform: PlatformProcess | undefined
    try {
      await claimSlots(db)
      const made = await makeShops(db, count)
      platform = made.platform
      const env = {
        POSTMARK_API_URL: platform.url,
        PLATFORM_GRAPHQL_URL: `${platform.url}/shops/{shop_domain}/admin/api/2026-07/graphql.json`,
      }
      const web = await system.startServer('api/server.ts', env)
      const worker = system.startProcess('worker/main.ts', env)
      const postmaster = await postmasterOf(system)
      const client = openClient(web.origin, 16)
      const opened = await openShops(db, client, made.shops, 1_800)
      client.close()
      await untilIdle(db)
      await recordDueTimes(db)
      const events = planDay(
        opened.shops.map(({ size }) => size),
        nightly,
        seeded(31),
      )
      console.log(
        `${count} shops, synchronized in ${opened.seconds.toFixed(0)} s; a day of ${events.length} events in ${seconds} s`,
      )
      const parts = { web: web.pid, worker: worker.pid, postgres: postmaster }
      const from = new Date()
      const before = await spentBy(parts)
      const { bytes: bytesBefore } = await sizeOf(db)
      const { setStock } = platform
      const day = await runDay({ db, origin: web.origin, shops: opened.shops, setStock }, events, seconds)
      const rest = await untilIdle(db)
      const after = await spentBy(parts)
      const waits = await readJobWaits(db, from)
      const { bytes, variants } = await sizeOf(db)
      const processor = Object.fromEntries(
        Object.entries(after).map(([part, ms]) => [part, (ms - (before[part] ?? 0)) / 1000]),
      )
      const memory = await memoryOf(web, worker, postmaster)
      const facts = {
        ...{
          shops: count,
          variants,
          syncSeconds: opened.seconds,
          restSeconds: rest.seconds,
          left: rest.left,
          processor,
          memory,
          bytes,
        },
        bytesOfDay: bytes - bytesBefore,
      }
      printWaits(waits)
      return figuresOf(day, waits, facts)
    } finally {
      platform?.stop()
      await db.end()
    }
  })
}

type Facts = {
  shops: number
  variants: number
  syncSeconds: number
  restSeconds: number
  /** Jobs that were not done in time. */
  left: number
  /** Seconds of the day and of the work that it left. */
  processor: Readonly<Record<string, number>>
  memory: Readonly<Record<string, number>>
  bytes: number
  bytesOfDay: number
}

/** Waits until no job is due, for a limited time; returns the seconds, and how many jobs are left. */
async function untilIdle(db: Db): Promise<{ seconds: number; left: number }> {
  const startedAt = performance.now()
  for (;;) {
    const waiting = await readWaiting(db)
    const seconds = (performance.now() - startedAt) / 1000
    if (waiting.length === 0) return { seconds, left: 0 }
    if (seconds > maxRestSeconds) {
      console.log('left:', waiting)
      return { seconds, left: waiting.reduce((sum, { jobs }) => sum + jobs, 0) }
    }
    await sleep(500)
  }
}

async function spentBy(parts: Readonly<Record<string, number>>): Promise<Record<string, number>> {
  const spent = await Promise.all(
    Object.entries(parts).map(async ([part, pid]) => [part, (await processorTime(pid)) ?? Number.NaN]),
  )
  return Object.fromEntries(spent)
}

const Size = Type.Object({ bytes: Type.Number(), variants: Type.Integer() })

const sizeOf = (db: Db) =>
  db.one(sql.type(row(Size))`
    select pg_database_size(current_database())::float8 as bytes, (select count(*)::int from variant) as variants
  `)

/** Peaks of web and worker, and what Postgres has now: its processes share memory, so each page counts in parts. */
async function memoryOf(web: BenchProcess, worker: BenchProcess, postmaster: number) {
  const shares = await Promise.all(
    (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map((pid) => shareOf(pid, postmaster)),
  )
  return {
    web: (await readMemory(web.pid)).peak,
    worker: (await readMemory(worker.pid)).peak,
    postgres: shares.reduce((sum, share) => sum + share, 0),
  }
}

async function shareOf(pid: string, postmaster: number): Promise<number> {
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')
  const parent = /^PPid:\s+(\d+)/m.exec(await read('status'))?.[1]
  if (Number(pid) !== postmaster && Number(parent) !== postmaster) return 0
  return Number(/^Pss:\s+(\d+)/m.exec(await read('smaps_rollup'))?.[1] ?? 0) / 1024
}

function printWaits(waits: readonly JobWaits[]): void {
  console.log(
    `${'job'.padEnd(32)}${['jobs', 'failed', 'median', 'p99', 'max', 'takes'].map((name) => name.padStart(10)).join('')}`,
  )
  for (const { task, jobs, failed, median, p99, max, meanMs } of waits) {
    const cells = [
      ...[jobs, failed].map(String),
      ...[median, p99, max].map((seconds) => `${seconds.toFixed(2)} s`),
      `${meanMs.toFixed(0)} ms`,
    ]
    console.log(`${task.padEnd(32)}${cells.map((cell) => cell.padStart(10)).join('')}`)
  }
}

function figuresOf(day: Day, waits: readonly JobWaits[], facts: Facts): Figure[] {
  const { pages, saves, webhooks } = day
  const answers = (what: string, times: Times): Figure => ({
    what: `${what}, p99 of ${times.count}`,
    unit: 'ms',
    value: times.p99,
    baseline: { what: 'the median', value: times.p50 },
    detail: times,
  })
  const total = day.seconds + facts.restSeconds
  const part = (name: 'web' | 'worker' | 'postgres'): Figure[] => [
    {
      what: `processor time of ${name}, of one core`,
      unit: '%',
      value: (100 * (facts.processor[name] ?? Number.NaN)) / total,
    },
    { what: `memory of ${name}`, unit: 'MiB', value: facts.memory[name] ?? Number.NaN },
  ]
  return [
    { ...answers(`pages of ${facts.shops} shops`, pages), detail: { day, facts, waits } },
    answers('saves', saves),
    answers('acknowledgements of webhooks', webhooks),
    { what: 'the longest delay of a request after its time', unit: 'ms', value: day.lateMs },
    { what: 'requests refused by web', unit: '', value: pages.refused + saves.refused + webhooks.refused },
    ...waits.map(({ task, jobs, p99, max }) => ({
      what: `wait of ${jobs} ${task}, p99`,
      unit: 's',
      value: p99,
      baseline: { what: 'the longest', value: max },
    })),
    { what: 'jobs left after the day were done in', unit: 's', value: facts.restSeconds },
    {
      what: 'jobs that were not done',
      unit: '',
      value: facts.left,
      target: { of: 'value', at: 'max', limit: 0 },
    },
    ...(['web', 'worker', 'postgres'] as const).flatMap(part),
  ]
}

if (import.meta.main) await runBench('shops', measureShops)
