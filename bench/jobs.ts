import { setTimeout as sleep } from 'node:timers/promises'
import { type BenchOptions, runBench } from './command.ts'
import type { Figure } from './figures.ts'
import { measureAdds } from './queues/adding.ts'
import { type BenchQueue, defaultSizes, openBare, openBoss, openOurs } from './queues/queues.ts'
import type { WorkerProcess } from './queues/worker-process.ts'
import { median, takeTurns } from './rounds.ts'
import { withBenchSystem } from './system.ts'

type Sizes = { rounds: number; jobs: number; samples: number; asked: number; adds: number }
const full: Sizes = { rounds: 5, jobs: 3_000, samples: 100, asked: 40, adds: 2_000 }
const quick: Sizes = { rounds: 1, jobs: 300, samples: 10, asked: 2, adds: 100 }

type Running = BenchQueue & { worker: WorkerProcess }

/** Our worker beside graphile-worker alone and pg-boss, on one Postgres, each with a process and a database of its own. */
export async function measureJobs({ isQuick }: BenchOptions): Promise<Figure[]> {
  const sizes = isQuick ? quick : full
  return withBenchSystem(async (system) => {
    const ours = await openOurs(system)
    const bare = await openBare(system)
    const boss = await openBoss(system, { isTold: true })
    const asking = await openBoss(system, { isTold: false })
    try {
      const runs = await withWorkers([ours, bare, boss], (running) => measureRuns(running, sizes))
      const [asked = []] = await withWorkers([asking], (running) =>
        Promise.all(running.map((queue) => sampleLatency(queue, sizes.asked, 500))),
      )
      const adds = await measureAdds(ours, boss, sizes.rounds, sizes.adds)
      const { concurrency, workerPool } = defaultSizes(system.databaseUrl)
      return [...runFigures(runs, asked, { concurrency, workerPool, ...sizes }), ...adds]
    } finally {
      for (const queue of [ours, bare, boss, asking]) await queue.close()
    }
  })
}

/** Starts the workers, and stops them whatever happens. The first job of each has run: it listens. */
async function withWorkers<T>(
  queues: readonly BenchQueue[],
  use: (running: readonly Running[]) => Promise<T>,
): Promise<T> {
  const running = queues.map((queue): Running => ({ ...queue, worker: queue.startWorker() }))
  try {
    for (const { worker, add } of running) {
      const hasRun = await worker.expect(1)
      await add({ at: 0 })
      await hasRun()
    }
    return await use(running)
  } finally {
    await Promise.all(running.map(({ worker }) => worker.stop()))
  }
}

type Runs = { throughput: readonly number[][]; latency: readonly number[][] }

async function measureRuns(running: readonly Running[], { rounds, jobs, samples }: Sizes): Promise<Runs> {
  const throughput = await takeTurns(
    rounds,
    running.map((queue) => () => drain(queue, jobs)),
  )
  const latency = await takeTurns(
    rounds,
    running.map((queue) => () => sampleLatency(queue, samples, 20)),
  )
  return { throughput, latency: latency.map((turns) => turns.flat()) }
}

/**
 * Jobs per second, from the commit that makes all of them visible until the last is written down as done. The process
 * runs already and is idle, as it is in production: how long one takes to start is no property of a queue, and adding
 * is measured by itself.
 */
async function drain({ worker, add: _, addAll, clear, hasLeft }: Running, jobs: number): Promise<number> {
  await clear()
  const haveRun = await worker.expect(jobs)
  await addAll(Array.from({ length: jobs }, (_, at) => ({ at })))
  const startedAt = performance.now()
  await haveRun()
  for (const deadline = startedAt + 60_000; await hasLeft(); await sleep(2)) {
    if (performance.now() > deadline) throw new Error('After a minute a job was not written down as done')
  }
  return jobs / ((performance.now() - startedAt) / 1000)
}

/**
 * Milliseconds from asking for a job until it runs, to a worker that has nothing else to do. The pauses differ, so that
 * whoever asks at intervals is met at any moment of one.
 */
async function sampleLatency(
  { worker, add, clear }: Running,
  samples: number,
  maxPauseMs: number,
): Promise<number[]> {
  await clear()
  const taken: number[] = []
  for (let at = 0; at < samples; at += 1) {
    await sleep(5 + Math.random() * maxPauseMs)
    const hasRun = await worker.expect(1)
    const startedAt = performance.now()
    const adding = add({ at })
    await hasRun()
    taken.push(performance.now() - startedAt)
    await adding
  }
  return taken
}

function runFigures(
  { throughput: [ours = [], bare = [], boss = []], latency: [oursMs = [], bareMs = [], bossMs = []] }: Runs,
  askedMs: readonly number[],
  detail: Record<string, number>,
): Figure[] {
  const besides = [
    { what: 'graphile-worker alone', perSecond: bare, ms: bareMs },
    { what: 'pg-boss', perSecond: boss, ms: bossMs },
  ]
  return [
    ...besides.map(
      ({ what, perSecond }): Figure => ({
        what: `jobs done, beside ${what}`,
        unit: 'jobs/s',
        value: median(ours),
        baseline: { what, value: median(perSecond) },
        detail: { ...detail, ours, [what]: perSecond },
      }),
    ),
    ...[...besides, { what: 'pg-boss without LISTEN', ms: askedMs }].flatMap(({ what, ms }) =>
      [50, 99].map(
        (percent): Figure => ({
          what: `from enqueue to run, p${percent}, beside ${what}`,
          unit: 'ms',
          value: percentile(oursMs, percent),
          baseline: { what, value: percentile(ms, percent) },
          detail: { samples: ms.length, ours: spread(oursMs), [what]: spread(ms) },
        }),
      ),
    ),
  ]
}

const percentile = (values: readonly number[], percent: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil((values.length * percent) / 100) - 1] ?? Number.NaN

const spread = (values: readonly number[]) => ({
  p50: percentile(values, 50),
  p90: percentile(values, 90),
  p99: percentile(values, 99),
  max: Math.max(...values),
})

if (import.meta.main) await runBench('jobs', measureJobs)
