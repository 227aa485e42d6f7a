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
/** The minimum interval between two counts of the queue, however often /metrics is read. */
const countEveryMs = 15_000
/** A slower count is left out, because the scraper would time out first. */
const maxCountMs = 3_000

export type Metrics = ReturnType<typeof createMetrics>

/** No label holds a shop or a record (docs/operations.md, "What the metrics mean"). */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const deliveries = new Counter({
    name: 'webhook_deliveries_total',
    help: 'Webhooks by topic and outcome',
    labelNames: ['topic', 'outcome'] as const,
    registers,
  })
  // Counters that have alarms start at 0, so that the first event is an increase, too.
  deliveries.inc({ topic: 'other', outcome: 'not signed' }, 0)
  for (const topic of Object.keys(webhookJobs)) deliveries.inc({ topic, outcome: 'not stored' }, 0)
  return {
    registry,
    requests: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Requests by method, route and status',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: seconds,
      registers,
    }),
    deliveries,
    jobs: new Histogram({
      name: 'job_duration_seconds',
      help: 'Job attempts by task and outcome',
      labelNames: ['task', 'outcome'] as const,
      buckets: seconds,
      registers,
    }),
  }
}

/** When the queue cannot be counted, its metrics are left out. */
export function watchProcess({ registry }: Metrics, db: DatabasePool): void {
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  new Gauge({
    name: 'db_pool_connections',
    help: 'Connections of the pool by state, and queries that wait for one',
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
  stuck: Awaited<ReturnType<typeof countStuckWork>>
} | null

function watchQueue(registry: Registry, db: Db): void {
  let countedAt = Number.NEGATIVE_INFINITY
  let counting: Promise<QueueCounts> = Promise.resolve(null)

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
  gauge('queue_waiting_jobs', 'Jobs that are due now or later', (counts) =>
    counts.waiting.map(({ task, waiting }) => [task, waiting]),
  )
  gauge('queue_oldest_due_seconds', 'Seconds that the oldest due job has waited', ({ waiting }) =>
    waiting.map(({ task, oldestDueSeconds }) => [task, oldestDueSeconds]),
  )
  gauge('queue_dead_jobs', 'Jobs that have used their attempts', ({ dead }) =>
    dead.map(({ task, count }) => [task, count]),
  )
  const stuckGauge = (name: string, help: string, key: keyof NonNullable<QueueCounts>['stuck']) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const counts = await count()
        if (counts) this.set(counts.stuck[key])
      },
    })
  stuckGauge('mails_unknown', 'Mails of the last day with an unknown outcome', 'unknownMails')
  stuckGauge('shops_refused', 'Shops whose token the platform refuses', 'refusedShops')
  new Gauge({
    name: 'queue_readable',
    help: '1 when the queue could be counted, else 0',
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
    stuck: await countStuckWork(db),
  }
}

/** Serves `/metrics` on METRICS_PORT, if that is set. Returns the function that closes the server. */
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
