import { createServer, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from '../config.ts'
import type { DatabasePool, Db } from '../db/db.ts'
import { countDeadJobs, countWaitingJobs } from '../domain/operations/queue-statistics.ts'
import { countStuckWork } from '../domain/operations/stuck-work.ts'
import { webhookJobs } from '../queue/jobs.ts'
import type { Log } from './log.ts'

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]
/** However often and by whoever it is asked, the queue is counted no more often than this. */
const countEveryMs = 15_000
/** A database that is slower than this counts as away: whoever reads the figures would go before they are there. */
const maxCountMs = 3_000

export type Metrics = ReturnType<typeof createMetrics>

/** What a process counts (docs/operations.md, "What the metrics mean"). No label is of a shop or a record. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const deliveries = new Counter({
    name: 'webhook_deliveries_total',
    help: 'Webhooks by what became of them',
    labelNames: ['topic', 'outcome'] as const,
    registers,
  })
  // what an alarm waits for is there from the beginning: the first of a kind is a change then, too
  deliveries.inc({ topic: 'other', outcome: 'not signed' }, 0)
  for (const topic of Object.keys(webhookJobs)) deliveries.inc({ topic, outcome: 'not stored' }, 0)
  return {
    registry,
    requests: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Requests by pattern of their address',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: seconds,
      registers,
    }),
    deliveries,
    jobs: new Histogram({
      name: 'job_duration_seconds',
      help: 'Attempts of jobs by how they ended',
      labelNames: ['task', 'outcome'] as const,
      buckets: seconds,
      registers,
    }),
  }
}

/** Adds what a process with this pool can tell of itself and of the queue. Without an answer the queue's are left out. */
export function watchProcess({ registry }: Metrics, db: DatabasePool): void {
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  new Gauge({
    name: 'db_pool_connections',
    help: 'Connections of the pool by what they do, and who waits for one',
    labelNames: ['state'] as const,
    registers,
    collect() {
      const { acquiredConnections, idleConnections, waitingClients } = db.state()
      this.set({ state: 'in_use' }, acquiredConnections)
      this.set({ state: 'idle' }, idleConnections)
      this.set({ state: 'waiting' }, waitingClients)
    },
  })
  watchQueue(registry, db)
}

type QueueCounts = {
  waiting: Awaited<ReturnType<typeof countWaitingJobs>>
  dead: Awaited<ReturnType<typeof countDeadJobs>>
  troubles: Awaited<ReturnType<typeof countStuckWork>>
} | null

function watchQueue(registry: Registry, db: Db): void {
  let countedAt = Number.NEGATIVE_INFINITY
  let counting: Promise<QueueCounts> = Promise.resolve(null)

  /** One answer for all gauges of a reading. */
  function count(): Promise<QueueCounts> {
    if (performance.now() - countedAt >= countEveryMs) {
      countedAt = performance.now()
      counting = Promise.race([countQueue(db).catch(() => null), sleep(maxCountMs, null, { ref: false })])
    }
    return counting
  }

  const gauge = (
    name: string,
    help: string,
    valuesOf: (counts: NonNullable<QueueCounts>) => [string, number][],
  ) =>
    new Gauge({
      name,
      help,
      labelNames: ['task'] as const,
      registers: [registry],
      async collect() {
        const counts = await count()
        this.reset()
        for (const [task, value] of counts ? valuesOf(counts) : []) this.set({ task }, value)
      },
    })
  gauge('queue_due_jobs', 'Jobs that could run now', ({ waiting }) =>
    waiting.map(({ task, due }) => [task, due]),
  )
  gauge('queue_waiting_jobs', 'Jobs that wait, for now or for later', (counts) =>
    counts.waiting.map(({ task, waiting }) => [task, waiting]),
  )
  gauge('queue_oldest_due_seconds', 'How long the oldest job that could run has waited', ({ waiting }) =>
    waiting.map(({ task, oldestDueSeconds }) => [task, oldestDueSeconds]),
  )
  gauge('queue_dead_jobs', 'Jobs that have used their attempts', ({ dead }) =>
    dead.map(({ task, count }) => [task, count]),
  )
  const trouble = (name: string, help: string, key: keyof NonNullable<QueueCounts>['troubles']) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const counts = await count()
        if (counts) this.set(counts.troubles[key])
      },
    })
  trouble('mails_unknown', 'Mails of the last day that nobody knows to have left', 'unknownMails')
  trouble('shops_refused', 'Shops whose token the platform refuses', 'refusedShops')
  new Gauge({
    name: 'queue_readable',
    help: 'Whether the queue could be counted',
    registers: [registry],
    async collect() {
      this.set((await count()) ? 1 : 0)
    },
  })
}

async function countQueue(db: Db): Promise<QueueCounts> {
  return {
    waiting: await countWaitingJobs(db),
    dead: await countDeadJobs(db),
    troubles: await countStuckWork(db),
  }
}

/** Serves `/metrics` on a port of its own, or nothing when METRICS_PORT is not set. Answers what closes it. */
export async function serveMetrics(config: Config, { registry }: Metrics, log: Log): Promise<() => void> {
  const { METRICS_PORT: port, HOST: host } = config
  if (port === undefined) return () => {}
  const server: Server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      (err: unknown) => {
        log.warn({ err }, 'metrics failed')
        response.writeHead(500).end()
      },
    )
  })
  await new Promise<void>((listening, failed) => {
    server.once('error', failed).listen(port, host, listening)
  })
  const address = server.address()
  log.info({ port: typeof address === 'object' ? address?.port : port }, 'metrics served')
  return () => {
    server.closeAllConnections()
    server.close()
  }
}
