import { findRecordedEffects } from '../../../shared/domain/operations/job-effects.ts'
import { cancelQueueJobs, listQueueJobs, retryQueueJobs } from '../../../shared/domain/operations/jobs.ts'
import { change, hasFilter } from './change.ts'
import type { Command, Context, Status } from './command.ts'
import { jobColumns, jobFilter, jobFilterOptions } from './list.ts'
import { type Args, UsageError } from './options.ts'
import { type PublicJob, publicJob } from './words.ts'

export const retry: Command = {
  name: 'retry',
  operands: '[ID…]',
  summary: 'Has jobs tried again at once, with all their attempts.',
  options: [...jobFilterOptions, 'yes', 'force', 'json'],
  notes: `Those that are named, or that match. More than one: it lists them, and does it with --yes.
A job that runs is left alone. So is one whose effect is recorded already (its mail is settled, its
deliveries are applied): with --force it runs, finds nothing to do and goes.`,
  run: async (context, args) => {
    const found = await findJobs(context, args)
    const effects = args.isForced ? new Map() : await findRecordedEffects(context.db, found)
    return changeJobs(context, args, found, {
      verb: 'retry',
      done: 'Retried',
      transitionRefused: ({ id }) =>
        effects.has(id) ? `its effect is recorded already, ${effects.get(id)}; see --force` : undefined,
      apply: (ids) => retryQueueJobs(context.db, ids),
    })
  },
}

export const cancel: Command = {
  name: 'cancel',
  operands: '[ID…]',
  summary: 'Gives jobs up: they stay in the queue, as failed for good.',
  options: [...jobFilterOptions, 'yes', 'json'],
  notes: `Those that are named, or that match. More than one: it lists them, and does it with --yes.
A job that runs is left alone. So is, with --shop, one that works for other shops, too.
A cancelled job can be retried.`,
  run: async (context, args) =>
    changeJobs(context, args, await findJobs(context, args), {
      verb: 'cancel',
      done: 'Cancelled',
      transitionRefused: ({ state, shops }) => {
        if (state === 'failed') return 'it has failed for good already'
        if (args.shop !== undefined && shops.length > 1)
          return 'it works for other shops, too; name it by its id'
        return undefined
      },
      apply: (ids) => cancelQueueJobs(context.db, ids),
    }),
}

async function findJobs(context: Context, args: Args) {
  if (args.ids.length > 0 === hasFilter(args)) {
    throw new UsageError('Name jobs by their ids, or by what they have in common, and not by both.')
  }
  const filter = args.ids.length > 0 ? { ids: args.ids } : await jobFilter(context, args)
  return listQueueJobs(context.db, filter, args.limit ?? null)
}

type JobChange = {
  verb: string
  done: string
  transitionRefused: (job: PublicJob) => string | undefined
  apply: (ids: readonly number[]) => Promise<readonly number[]>
}

function changeJobs(
  context: Context,
  args: Args,
  found: Awaited<ReturnType<typeof findJobs>>,
  { verb, done, transitionRefused, apply }: JobChange,
): Promise<Status> {
  const foundIds = new Set(found.map(({ id }) => id))
  return change(context, args, {
    noun: 'Job',
    verb,
    done,
    columns: jobColumns,
    found: found.map(publicJob),
    missing: new Map(args.ids.filter((id) => !foundIds.has(id)).map((id) => [id, gone])),
    transitionRefused: (job) => (job.state === 'running' ? running : transitionRefused(job)),
    apply: (some) => apply(some.map(({ id }) => id)),
    async whyUnchanged(ids) {
      const still = new Set((await listQueueJobs(context.db, { ids }, null)).map(({ id }) => id))
      return new Map(ids.map((id) => [id, still.has(id) ? running : gone]))
    },
  })
}

const running = 'it runs, and what runs cannot be changed'
const gone = 'it is not in the queue; it may be done'
