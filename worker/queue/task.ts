import type { Static, TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { Job as QueuedJob, Task } from 'graphile-worker'
import type { Db } from '../../shared/db/db.ts'
import { suspectFlag } from '../../shared/domain/operations/job-crashes.ts'
import type { PdfRenderer } from '../../shared/pdf/renderer.ts'
import { TokenRevokedError } from '../../shared/platform/errors.ts'
import type { Job } from '../../shared/queue/jobs.ts'
import type { PayloadEntry } from '../../shared/queue/payload-ids.ts'
import type { Log } from '../../shared/telemetry/log.ts'
import { requestIdsIn, runJob } from '../../shared/telemetry/request-context.ts'
import type { Scrub } from '../../shared/telemetry/scrub.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { AdminApis } from '../platform/admin-api.ts'
import type { JobRuns, Outcome } from './job-runs.ts'

export type Services = {
  db: Db
  pdf: PdfRenderer
  mailer: Mailer
  log: Log
  gidNamespace: string
  adminApi: AdminApis
  webhookUrl: string
}

export type Attempt = {
  jobId: string
  signal: AbortSignal
  /** The job is as it was enqueued: never attempted, freed after a crash, retried by hand or marked as a suspect. */
  isFresh: boolean
  isLast: boolean
}

/** A task whose payload is a list returns a promise per entry; the queue retries the entries whose promise rejects. */
export type Run<P> = (services: Services, payload: P, attempt: Attempt) => Promise<void | Promise<void>[]>
/** Marks the work of a job that crashes its process as failed. Returns whether it enqueued jobs that replace it. */
export type AbandonJob<P> = (
  services: Services,
  payload: P,
  end: { jobId: string; reason: string },
) => Promise<boolean>
export type TaskDefinition = {
  name: string
  bind: (services: Services, log: Log, scrub: Scrub, runs: JobRuns) => Task
  abandon: AbandonJob<unknown>
  entriesOf: (payload: unknown) => PayloadEntry | PayloadEntry[] | null
}

/**
 * Connects a job to its function. An attempt has one log line and one job run, and the queue stores no secrets:
 *   done         the function returns: the queue removes the job
 *   dropped      it throws TokenRevokedError: the queue removes the job, because no attempt can succeed
 *   failed       it throws anything else, or the payload is invalid: the queue retries the job, up to its maximum
 *   handed_back  it throws after `signal` has aborted: the queue retries the job; `runtime.ts` undoes the attempt
 */
export function defineTask<P extends TSchema>(
  job: Job<P>,
  run: Run<Static<P>>,
  abandon?: AbandonJob<Static<P>>,
): TaskDefinition {
  const check = TypeCompiler.Compile(job.payload)
  const entriesOf = (payload: unknown) =>
    check.Check(payload) ? (payload as PayloadEntry | PayloadEntry[]) : null
  return {
    name: job.name,
    entriesOf,
    abandon: async (services, payload, end) =>
      abandon && check.Check(payload) ? abandon(services, payload, end) : false,
    bind: (services, log, scrub, runs) => async (payload, helpers) => {
      const { id, attempts, max_attempts: maxAttempts } = helpers.job
      const flags = Object.keys(helpers.job.flags ?? {})
      const requestIds = requestIdsIn(flags)
      const isValid = check.Check(payload)
      const entries = entriesOf(payload)
      const end = runs.begin({
        jobId: id,
        task: job.name,
        attempt: attempts,
        maxAttempts,
        entries,
        requestIds,
      })
      const startedAt = performance.now()
      const logEnd = (err?: unknown) => {
        const fields = {
          task: job.name,
          jobId: id,
          attempt: attempts,
          ...(requestIds.length > 0 && { reqId: requestIds.join(' ') }),
          ms: Math.round(performance.now() - startedAt),
        }
        if (err === undefined) log.info(fields, 'job done')
        else if (err instanceof TokenRevokedError)
          log.info(fields, 'job dropped: the shop revoked our access')
        else log.warn({ ...fields, maxAttempts, err }, 'job failed')
      }
      const describe = (error: unknown) => scrub(error instanceof Error ? error.message : String(error))
      const rethrow = (error: unknown) => {
        if (error instanceof TokenRevokedError) return
        throw new Error(describe(error))
      }
      const outcomeOf = (error: unknown, state: 'failed' | 'handed_back'): Outcome =>
        error instanceof TokenRevokedError
          ? { state: 'dropped', error: '' }
          : { state, error: describe(error) }
      try {
        if (!isValid) {
          const { path, message } = check.Errors(payload).First() ?? {}
          throw new Error(`Invalid payload for ${job.name}: ${path} ${message}`)
        }
        const attempt = {
          jobId: id,
          signal: helpers.abortSignal,
          isFresh: isFresh(helpers.job),
          isLast: attempts >= maxAttempts,
        }
        const context = {
          name: `job ${job.name}`,
          flags,
          attributes: { 'job.id': id, 'job.attempt': attempts },
        }
        const promises = await runJob(context, () => run(services, payload, attempt))
        const results = await Promise.allSettled(promises ?? [])
        const failed = results.find((result) => result.status === 'rejected')
        logEnd(failed?.reason)
        end(promises ? results.map((it) => ('reason' in it ? outcomeOf(it.reason, 'failed') : done)) : done)
        return promises?.map((entry) => entry.catch(rethrow))
      } catch (error) {
        logEnd(error)
        end(outcomeOf(error, helpers.abortSignal.aborted ? 'handed_back' : 'failed'))
        return rethrow(error)
      }
    },
  }
}

export const isFresh = ({ attempts, created_at, updated_at, flags }: QueuedJob) =>
  attempts === 1 && flags?.[suspectFlag] !== true && updated_at.getTime() === created_at.getTime()

const done: Outcome = { state: 'done', error: '' }
