import { type JobRun, listJobRuns } from '../../../shared/domain/operations/job-runs.ts'
import { type Command, listLimit, printList, shopIdsOf } from './command.ts'
import type { Column } from './table.ts'
import { ago, idWords } from './words.ts'

export const runColumns: Column<JobRun>[] = [
  { title: 'JOB', text: ({ jobId }) => String(jobId), isNumber: true },
  { title: 'TASK', text: ({ task }) => task },
  { title: 'STATE', text: ({ state }) => state },
  { title: 'TRY', text: ({ attempt, maxAttempts }) => `${attempt}/${maxAttempts}`, isNumber: true },
  { title: 'ENDED', text: ({ endedAt }) => ago(endedAt), isNumber: true },
  { title: 'MS', text: ({ ms }) => String(ms), isNumber: true },
  { title: 'SHOP', text: ({ shop }) => shop ?? '-', isCut: true },
  { title: 'WHAT', text: ({ ids }) => idWords(ids), isCut: true },
  { title: 'ERROR', text: ({ error }) => error, isCut: true },
]

export const runs: Command = {
  name: 'runs',
  operands: '',
  summary: 'Lists what was tried in the last 7 days, done or not.',
  options: ['failed', 'task', 'shop', 'error', 'since', 'limit', 'json'],
  notes: `--failed lists attempts that failed; their job may have been done by a later one.
An attempt for several shops has a row for each; so have entries of a list that ended differently.
An attempt whose process was killed is not in it, nor what ended in the half second before.`,
  async run(context, args) {
    const limit = args.limit ?? listLimit
    const { task, error, since, state } = args
    const shopIds = await shopIdsOf(context, args)
    const filter = { task, error, since, shopIds, state: state && ('failed' as const) }
    return printList(context, args, runColumns, await listJobRuns(context.db, filter, limit + 1), limit)
  },
}
