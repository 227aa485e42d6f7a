import { findRecordedEffects } from '../../../shared/domain/kit/operations/job-effects.ts'
import { listJobRuns } from '../../../shared/domain/kit/operations/job-runs.ts'
import { listQueueJobs, type QueueJob } from '../../../shared/domain/kit/operations/jobs.ts'
import { type Command, type Context, listLimit, printRows } from './command.ts'
import { formatIds, formatWhen, publicJob } from './format.ts'
import { UsageError } from './options.ts'
import { runColumns } from './runs.ts'

export const show: Command = {
  name: 'show',
  operands: 'ID',
  summary: 'Shows a job with its last error and its attempts.',
  options: ['json'],
  notes: 'A finished job is not in the queue any more; its attempts are kept for 7 days.',
  async run(context, args) {
    const [id, ...others] = args.ids
    if (id === undefined || others.length > 0) throw new UsageError('Give the id of one job.')
    const [job] = await listQueueJobs(context.db, { ids: [id] }, 1)
    const runs = await listJobRuns(context.db, { jobId: id }, listLimit)
    const effect = job && (await findRecordedEffects(context.db, [job])).get(id)
    const isKnown = job !== undefined || runs.length > 0
    if (args.isJson) {
      if (isKnown)
        context.print(JSON.stringify({ job: job ? publicJob(job) : null, effect: effect ?? '', runs }))
      return isKnown ? 0 : 1
    }
    if (job) describe(context, job, effect)
    else context.print(`Job ${id} is not in the queue${isKnown ? ': it is done' : ' and has no attempts'}.`)
    printRows(context, args, runColumns, runs)
    return isKnown ? 0 : 1
  },
}

function describe({ print }: Context, job: QueueJob, effect: string | undefined): void {
  const { ids, shops } = publicJob(job)
  const fields = {
    job: `${job.id} ${job.task}`,
    state: `${job.state} (${formatWhen(job)})`,
    tries: `${job.attempts} of ${job.maxAttempts}`,
    shop: shops.join(', ') || '-',
    names: formatIds(ids) || '-',
    added: job.createdAt,
    due: job.runAt,
    ...(job.requestIds.length > 0 && { request: job.requestIds.join(', ') }),
    ...(job.workerId && { worker: job.workerId }),
    ...(effect && { effect: `recorded already: ${effect}` }),
    error: job.error || '-',
  }
  for (const [name, value] of Object.entries(fields)) {
    const [first = '', ...rest] = value.split('\n')
    print(`${name.padEnd(8)}${first}`)
    for (const line of rest) print(`        ${line}`)
  }
}
