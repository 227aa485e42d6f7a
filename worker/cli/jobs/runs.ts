import { type JobRun, listJobRuns } from '../../../shared/domain/kit/operations/job-runs.ts'
import { type Command, listLimit, printList, shopIdsOf } from './command.ts'
import { ago, formatIds } from './format.ts'
import type { Column } from './table.ts'

export const runColumns: Column<JobRun>[] = [
  { title: 'JOB', text: ({ jobId }) => String(jobId), isNumber: true },
  { title: 'TASK', text: ({ task }) => task },
  { title: 'STATE', text: ({ state }) => state },
  { title: 'TRY', text: ({ attempt, maxAttempts }) => `${attempt}/${maxAttempts}`, isNumber: true },
  { title: 'ENDED', text: ({ endedAt }) => ago(endedAt), isNumber: true },
  { title: 'MS', text: ({ ms }) => String(ms), isNumber: true },
  { title: 'SHOP', text: ({ shop }) => shop ?? '-', isCut: true },
  { title: 'WHAT', text: ({ ids }) => formatIds(ids), isCut: true },
  { title: 'ERROR', text: ({ error }) => error, isCut: true },
]

export const runs: Command = {
  name: 'runs',
  operands: '',
  summary: 'Lists the attempts of the last 7 days, with their outcome.',
  options: ['failed', 'task', 'shop', 'error', 'since', 'limit', 'json'],
  notes: `--failed lists failed attempts; a later attempt of the same job may have succeeded.
An attempt for several shops has a row per shop, and one per outcome when entries ended differently.
Not listed: attempts during which the process was killed, and those that ended in the 0.5 s before.`,
  async run(context, args) {
    const limit = args.limit ?? listLimit
    const { task, error, since, state } = args
    const shopIds = await shopIdsOf(context, args)
    const filter = { task, error, since, shopIds, state: state && ('failed' as const) }
    return printList(context, args, runColumns, await listJobRuns(context.db, filter, limit + 1), limit)
  },
}
