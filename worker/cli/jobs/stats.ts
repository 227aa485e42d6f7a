import {
  countDeliveries,
  countQueueJobs,
  type DeliveryStatistics,
  listWorkers,
  type TaskStatistics,
  type WorkerInstance,
} from '../../../shared/domain/operations/queue-statistics.ts'
import { deadAfterSeconds } from '../../queue/heartbeat.ts'
import type { Command } from './command.ts'
import { type Column, table } from './table.ts'
import { ago, span } from './words.ts'

const number = <T>(title: string, text: (row: T) => number): Column<T> => ({
  title,
  text: (row) => String(text(row)),
  isNumber: true,
})

const taskColumns: Column<TaskStatistics>[] = [
  { title: 'TASK', text: ({ task }) => task },
  number('WAITING', ({ waiting }) => waiting),
  number('DUE', ({ due }) => due),
  {
    title: 'OLDEST DUE',
    text: ({ oldestDueSeconds }) => (oldestDueSeconds === null ? '-' : span(oldestDueSeconds)),
    isNumber: true,
  },
  number('RUNNING', ({ running }) => running),
  number('FAILED', ({ failed }) => failed),
  number('RETRIES', ({ retries }) => retries),
]

const deliveryColumns: Column<DeliveryStatistics>[] = [
  { title: 'DELIVERIES', text: ({ state }) => state },
  number('COUNT', ({ count }) => count),
  { title: 'OLDEST', text: ({ oldestAt }) => ago(oldestAt), isNumber: true },
]

const workerColumns: Column<WorkerInstance & { isSilent: boolean }>[] = [
  { title: 'WORKER', text: ({ id }) => id },
  { title: 'STATE', text: ({ isSilent }) => (isSilent ? 'silent' : 'alive') },
  { title: 'LAST SEEN', text: ({ silentSeconds }) => `${span(silentSeconds)} ago`, isNumber: true },
  { title: 'STARTED', text: ({ startedAt }) => ago(startedAt), isNumber: true },
  number('RUNNING', ({ running }) => running),
]

export const stats: Command = {
  name: 'stats',
  operands: '',
  summary: 'Counts jobs and deliveries, and says which workers are alive.',
  options: ['json'],
  notes: `WAITING holds what is DUE, and the RETRIES: jobs that wait after an attempt that failed. FAILED have
used their attempts. A worker is silent after ${deadAfterSeconds} s; the others then free its jobs.
Ends with 0, also when there is nothing.`,
  async run({ db, print }, { isJson }) {
    const tasks = await countQueueJobs(db)
    const deliveries = await countDeliveries(db)
    const workers = (await listWorkers(db)).map((worker) => ({
      ...worker,
      isSilent: worker.silentSeconds > deadAfterSeconds,
    }))
    if (isJson) {
      for (const one of tasks) print(JSON.stringify({ kind: 'task', ...one }))
      for (const one of deliveries) print(JSON.stringify({ kind: 'deliveries', ...one }))
      for (const one of workers) print(JSON.stringify({ kind: 'worker', ...one }))
      return 0
    }
    const parts = [
      tasks.length > 0 ? table(taskColumns, tasks) : ['No job waits, runs or has failed.'],
      deliveries.length > 0 ? table(deliveryColumns, deliveries) : ['No delivery is kept.'],
      workers.length > 0 ? table(workerColumns, workers) : ['No worker is running.'],
    ]
    for (const [at, lines] of parts.entries()) for (const line of at > 0 ? ['', ...lines] : lines) print(line)
    return 0
  },
}
