import { findRecordedEffects } from '../../../shared/domain/kit/operations/job-effects.ts'
import { cancelQueueJobs, listQueueJobs, retryQueueJobs } from '../../../shared/domain/kit/operations/jobs.ts'
import { change, hasFilter } from './change.ts'
import type { Command, Context, Status } from './command.ts'
import { type PublicJob, publicJob } from './format.ts'
import { jobColumns, jobFilter, jobFilterOptions } from './list.ts'
import { type Args, UsageError } from './options.ts'

export const retry: Command = {
  name: 'retry',
  operands: '[ID…]',
  summary: 'Retries jobs immediately, with all their attempts.',
  options: [...jobFilterOptions, 'yes', 'force', 'json'],
  notes: `Selects jobs by id or by the filter options. Several are only listed without --yes.
Running jobs are left alone. So are jobs whose effect is recorded already (the mail is settled, the
deliveries are applied): with --force such a job runs, finds nothing to do and is removed.`,
  run: async (context, args) => {
    const selected = await findJobs(context, args)
    const effects = args.isForced ? new Map() : await findRecordedEffects(context.db, selected)
    return changeJobs(context, args, selected, {
      verb: 'retry',
      done: 'Retried',
      refusalReason: ({ id }) =>
        effects.has(id) ? `its effect is recorded already, ${effects.get(id)}; see --force` : undefined,
      apply: (ids) => retryQueueJobs(context.db, ids),
    })
  },
}

export const cancel: Command = {
  name: 'cancel',
  operands: '[ID…]',
  summary: 'Cancels jobs: they stay in the queue as failed for good.',
  options: [...jobFilterOptions, 'yes', 'json'],
  notes: `Selects jobs by id or by the filter options. Several are only listed without --yes.
Running jobs are left alone. With --shop, so are jobs that work for other shops, too.
A cancelled job can be retried.`,
  run: async (context, args) =>
    changeJobs(context, args, await findJobs(context, args), {
      verb: 'cancel',
      done: 'Cancelled',
      refusalReason: ({ state, shops }) => {
        if (state === 'failed') return 'it has failed for good already'
        if (args.shop !== undefined && shops.length > 1)
          return 'it works for other shops, too; give its id to cancel it'
        return undefined
      },
      apply: (ids) => cancelQueueJobs(context.db, ids),
    }),
}

async function findJobs(context: Context, args: Args) {
  if (args.ids.length > 0 === hasFilter(args)) {
    throw new UsageError('Give either job ids or filter options, not both.')
  }
  const filter = args.ids.length > 0 ? { ids: args.ids } : await jobFilter(context, args)
  return listQueueJobs(context.db, filter, args.limit ?? null)
}

type JobChange = {
  verb: string
  done: string
  refusalReason: (job: PublicJob) => string | undefined
  apply: (ids: readonly number[]) => Promise<readonly number[]>
}

function changeJobs(
  context: Context,
  args: Args,
  selected: Awaited<ReturnType<typeof findJobs>>,
  { verb, done, refusalReason, apply }: JobChange,
): Promise<Status> {
  const selectedIds = new Set(selected.map(({ id }) => id))
  return change(context, args, {
    noun: 'Job',
    verb,
    done,
    columns: jobColumns,
    selected: selected.map(publicJob),
    missing: new Map(args.ids.filter((id) => !selectedIds.has(id)).map((id) => [id, notInQueue])),
    refusalReason: (job) => (job.state === 'running' ? running : refusalReason(job)),
    apply: (jobs) => apply(jobs.map(({ id }) => id)),
    async unchangedReasons(ids) {
      const existing = new Set((await listQueueJobs(context.db, { ids }, null)).map(({ id }) => id))
      return new Map(ids.map((id) => [id, existing.has(id) ? running : notInQueue]))
    },
  })
}

const running = 'it is running and cannot be changed'
const notInQueue = 'it is not in the queue; it may be done'
