import { listQueueJobs, type QueueJobFilter } from '../../../shared/domain/kit/operations/jobs.ts'
import { type Command, type Context, listLimit, printList, shopIdsOf } from './command.ts'
import { formatIds, formatShops, formatWhen, type PublicJob, publicJob } from './format.ts'
import type { Args } from './options.ts'
import type { Column } from './table.ts'

export const jobFilterOptions = [
  'failed',
  'running',
  'waiting',
  'task',
  'shop',
  'error',
  'since',
  'limit',
] as const

export async function jobFilter(context: Context, args: Args): Promise<QueueJobFilter> {
  const { state, task, error, since } = args
  return { state, task, error, since, shopIds: await shopIdsOf(context, args) }
}

export const jobColumns: Column<PublicJob>[] = [
  { title: 'ID', text: ({ id }) => String(id), isNumber: true },
  { title: 'TASK', text: ({ task }) => task },
  { title: 'STATE', text: ({ state }) => state },
  { title: 'TRIES', text: ({ attempts, maxAttempts }) => `${attempts}/${maxAttempts}`, isNumber: true },
  { title: 'WHEN', text: formatWhen },
  { title: 'SHOP', text: ({ shops }) => formatShops(shops), isCut: true },
  { title: 'WHAT', text: ({ ids }) => formatIds(ids), isCut: true },
  { title: 'ERROR', text: ({ error }) => error, isCut: true },
]

export const list: Command = {
  name: 'list',
  operands: '',
  summary: 'Lists the jobs in the queue, newest first.',
  options: [...jobFilterOptions, 'json'],
  notes: `The queue holds no finished jobs: see "runs". --since compares the time when a job was added or last
changed; for a failed job, that is the time of its failure.
Without --limit the newest ${listLimit} are shown.`,
  async run(context, args) {
    const limit = args.limit ?? listLimit
    const jobs = await listQueueJobs(context.db, await jobFilter(context, args), limit + 1)
    return printList(context, args, jobColumns, jobs.map(publicJob), limit)
  },
}
