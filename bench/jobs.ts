import { setTimeout as sleep } from 'node:timers/promises'
import { measureAdds } from './queues/adding.ts'
import { type BenchQueue, defaultSizes, openBare, openBoss, openOurs } from './queues/queues.ts'
import type { WorkerProcess } from './queues/worker-process.ts'
import { type BenchOptions, runBench } from './support/command.ts'
import type { Figure } from './support/figures.ts'
import { median, takeTurns } from './support/rounds.ts'
import { withBenchSystem } from './support/system.ts'

type Sizes = { rounds: number; jobs: number; samples: number; pollSamples: number; adds: number }
const full: Sizes = { rounds: 5, jobs: 3_000, samples: 100, pollSamples: 40, adds: 2_000 }
const quick: Sizes = { rounds: 1, jobs: 300, samples: 10, pollSamples: 2, adds: 100 }

type Running = BenchQueue & { worker: WorkerProcess }

/**
 * Compares our worker with graphile-worker alone and pg-boss on one Postgres. Each has its own process and
 * database.
 */
async function measureJobs({ isQuick }: BenchOptions): Promise<Figure[]> {
  const sizes = isQuick ? quick : full
  return withBenchSystem(async (system) => {
    const ours = await openOurs(system)
    const bare = await openBare(system)
    const boss = await openBoss(system, { usesListen: true })
    const polling = await openBoss(system, { usesListen: false })
    try {
      const runs = await withWorkers([ours, bare, boss], (running) => measureRuns(running, sizes))
      const [polled = []] = await withWorkers([polling], (running) =>
        Promise.all(running.map((queue) => sampleLatency(queue, sizes.pollSamples, 500))),
      )
      const adds = await measureAdds(ours, boss, sizes.rounds, sizes.adds)
      const { concurrency, workerPool } = defaultSizes(system.databaseUrl)
      return [...runFigures(runs, polled, { concurrency, workerPool, ...sizes }), ...adds]
    } finally {
      for (const queue of [ours, bare, boss, polling]) await queue.close()
    }
  })
}

/** Starts the workers, runs one job in each so that all are listening, and stops them in any case. */
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
 * Jobs per second, from the commit that makes all of them visible until the last is recorded as done. The worker
 * runs already and is idle, as in production: its start is not measured here, nor is adding jobs.
 */
async function drain({ worker, add: _, addAll, clear, hasLeft }: Running, jobs: number): Promise<number> {
  await clear()
  const haveRun = await worker.expect(jobs)
  await addAll(Array.from({ length: jobs }, (_, at) => ({ at })))
  const startedAt = performance.now()
  await haveRun()
  for (const deadline = startedAt + 60_000; await hasLeft(); await sleep(2)) {
    if (performance.now() > deadline) throw new Error('A job was not recorded as done within a minute')
  }
  return jobs / ((performance.now() - startedAt) / 1000)
}

/**
 * Milliseconds from the call that adds a job until an idle worker runs it. The pauses vary, so that the samples
 * spread evenly over the poll interval of a queue without LISTEN.
 */
async function sampleLatency(
  { worker, add, clear }: Running,
  samples: number,
  maxPauseMs: number,
): Promise<number[]> {
  await clear()
  const latencies: number[] = []
  for (let at = 0; at < samples; at += 1) {
    await sleep(5 + Math.random() * maxPauseMs)
    const hasRun = await worker.expect(1)
    const startedAt = performance.now()
    const adding = add({ at })
    await hasRun()
    latencies.push(performance.now() - startedAt)
    await adding
  }
  return latencies
}

function runFigures(
  { throughput: [ours = [], bare = [], boss = []], latency: [oursMs = [], bareMs = [], bossMs = []] }: Runs,
  polledMs: readonly number[],
  detail: Record<string, number>,
): Figure[] {
  const others = [
    { what: 'graphile-worker alone', perSecond: bare, ms: bareMs },
    { what: 'pg-boss', perSecond: boss, ms: bossMs },
  ]
  return [
    ...others.map(
      ({ what, perSecond }): Figure => ({
        what: `jobs done, against ${what}`,
        unit: 'jobs/s',
        value: median(ours),
        baseline: { what, value: median(perSecond) },
        detail: { ...detail, ours, [what]: perSecond },
      }),
    ),
    ...[...others, { what: 'pg-boss without LISTEN', ms: polledMs }].flatMap(({ what, ms }) =>
      [50, 99].map(
        (percent): Figure => ({
          what: `from enqueue to run, p${percent}, against ${what}`,
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
