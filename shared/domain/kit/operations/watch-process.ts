import { setTimeout as sleep } from 'node:timers/promises'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import type { DatabasePool, Db } from '../../../db/db.ts'
import type { Metrics } from '../../../telemetry/metrics.ts'
import { countDeadJobs, countWaitingJobs } from './queue-statistics.ts'
import { countStuckWork } from './stuck-work.ts'

/** The minimum interval between two counts of the queue, however often /metrics is read. */
const countEveryMs = 15_000
/** A slower count is left out, because the scraper would time out first. */
const maxCountMs = 3_000

/** Adds the metrics of the process, its connections and the queue. When the queue cannot be counted, its metrics are left out. */
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
