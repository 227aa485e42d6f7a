import {
  countDeliveries,
  countQueueJobs,
  type DeliveryStatistics,
  listWorkers,
  type TaskStatistics,
  type WorkerInstance,
} from '../../../shared/domain/kit/operations/queue-statistics.ts'
import { deadAfterSeconds } from '../../queue/crashes/heartbeat.ts'
import type { Command } from './command.ts'
import { ago, duration } from './format.ts'
import { type Column, table } from './table.ts'

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
    text: ({ oldestDueSeconds }) => (oldestDueSeconds === null ? '-' : duration(oldestDueSeconds)),
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
  { title: 'LAST SEEN', text: ({ silentSeconds }) => `${duration(silentSeconds)} ago`, isNumber: true },
  { title: 'STARTED', text: ({ startedAt }) => ago(startedAt), isNumber: true },
  number('RUNNING', ({ running }) => running),
]

export const stats: Command = {
  name: 'stats',
  operands: '',
  summary: 'Counts jobs and deliveries, and lists the workers.',
  options: ['json'],
  notes: `WAITING includes DUE and RETRIES, the jobs that wait after a failed attempt. FAILED jobs have no
attempts left. A worker without a heartbeat for ${deadAfterSeconds} s is silent; the others then free its jobs.
The exit status is 0, also when there are no rows.`,
  async run({ db, print }, { isJson }) {
    const tasks = await countQueueJobs(db)
    const deliveries = await countDeliveries(db)
    const workers = (await listWorkers(db)).map((worker) => ({
      ...worker,
      isSilent: worker.silentSeconds > deadAfterSeconds,
    }))
    if (isJson) {
      for (const task of tasks) print(JSON.stringify({ kind: 'task', ...task }))
      for (const group of deliveries) print(JSON.stringify({ kind: 'deliveries', ...group }))
      for (const worker of workers) print(JSON.stringify({ kind: 'worker', ...worker }))
      return 0
    }
    const parts = [
      tasks.length > 0 ? table(taskColumns, tasks) : ['The queue is empty.'],
      deliveries.length > 0 ? table(deliveryColumns, deliveries) : ['No deliveries are stored.'],
      workers.length > 0 ? table(workerColumns, workers) : ['No worker is running.'],
    ]
    for (const [at, lines] of parts.entries()) for (const line of at > 0 ? ['', ...lines] : lines) print(line)
    return 0
  },
}
