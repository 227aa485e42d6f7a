import { listQueueJobs, type QueueJobFilter } from '../../../shared/domain/operations/jobs.ts'
import { type Command, type Context, listLimit, printList, shopIdsOf } from './command.ts'
import type { Args } from './options.ts'
import type { Column } from './table.ts'
import { idWords, type PublicJob, publicJob, shopWords, when } from './words.ts'

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
  { title: 'WHEN', text: when },
  { title: 'SHOP', text: ({ shops }) => shopWords(shops), isCut: true },
  { title: 'WHAT', text: ({ ids }) => idWords(ids), isCut: true },
  { title: 'ERROR', text: ({ error }) => error, isCut: true },
]

export const list: Command = {
  name: 'list',
  operands: '',
  summary: 'Lists the jobs in the queue, the newest first.',
  options: [...jobFilterOptions, 'json'],
  notes: `Jobs that are done have left the queue: see "runs". --since looks at when a job was added or
last changed: for one that has failed, when that was.
Without --limit the newest ${listLimit} are shown.`,
  async run(context, args) {
    const limit = args.limit ?? listLimit
    const found = await listQueueJobs(context.db, await jobFilter(context, args), limit + 1)
    return printList(context, args, jobColumns, found.map(publicJob), limit)
  },
}
