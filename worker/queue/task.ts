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

/** What tasks work with. */
export type Services = {
  db: Db
  pdf: PdfRenderer
  mailer: Mailer
  log: Log
  /** The namespace of the platform's ids. */
  gidNamespace: string
  /** The platform, on behalf of a shop. */
  adminApi: AdminApis
  /** Where the platform is to send its news. */
  webhookUrl: string
}

export type Attempt = {
  /** The same at every attempt of a job. */
  jobId: string
  /** Aborts when the process has to stop and the task has had its time. */
  signal: AbortSignal
  /** Nobody has tried, freed, retried or marked the job before. */
  isFresh: boolean
  /** When this one fails, nobody tries again. */
  isLast: boolean
}

/** A job whose payload is a list answers a promise for each entry: the queue tries those again that reject. */
export type Run<P> = (services: Services, payload: P, attempt: Attempt) => Promise<void | Promise<void>[]>
/**
 * What is to be said when nobody will do a job any more, though it never got to say so itself: it kills its process.
 * Answers whether other jobs do it now.
 */
export type GiveUp<P> = (
  services: Services,
  payload: P,
  end: { jobId: string; reason: string },
) => Promise<boolean>
export type TaskDefinition = {
  name: string
  bind: (services: Services, log: Log, scrub: Scrub, runs: JobRuns) => Task
  /** As `GiveUp`; a payload that does not fit has nothing to say. */
  giveUp: GiveUp<unknown>
  /** What a payload names; null when it does not fit its schema. */
  entriesOf: (payload: unknown) => PayloadEntry | PayloadEntry[] | null
}

/**
 * Joins a job to the function that does it. A payload that does not fit its schema fails the job; so does whatever
 * the function throws, which the queue stores, so secrets are taken out of it. A job of a shop that has withdrawn the
 * app's access ends without a failure: nobody can do it any more. One log line and one job run per attempt.
 */
export function defineTask<P extends TSchema>(
  job: Job<P>,
  run: Run<Static<P>>,
  giveUp?: GiveUp<Static<P>>,
): TaskDefinition {
  const check = TypeCompiler.Compile(job.payload)
  const entriesOf = (payload: unknown) =>
    check.Check(payload) ? (payload as PayloadEntry | PayloadEntry[]) : null
  return {
    name: job.name,
    entriesOf,
    giveUp: async (services, payload, end) =>
      giveUp && check.Check(payload) ? giveUp(services, payload, end) : false,
    bind: (services, log, scrub, runs) => async (payload, helpers) => {
      const { id, attempts, max_attempts: maxAttempts } = helpers.job
      const flags = Object.keys(helpers.job.flags ?? {})
      const requestIds = requestIdsIn(flags)
      const isFit = check.Check(payload)
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
      const report = (err?: unknown) => {
        const line = {
          task: job.name,
          jobId: id,
          attempt: attempts,
          ...(requestIds.length > 0 && { reqId: requestIds.join(' ') }),
          ms: Math.round(performance.now() - startedAt),
        }
        if (err === undefined) log.info(line, 'job done')
        else if (err instanceof TokenRevokedError)
          log.info(line, 'job dropped: the shop has withdrawn its access')
        else log.warn({ ...line, maxAttempts, err }, 'job failed')
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
        if (!isFit) {
          const { path, message } = check.Errors(payload).First() ?? {}
          throw new Error(`The payload does not fit ${job.name}: ${path} ${message}`)
        }
        const attempt = {
          jobId: id,
          signal: helpers.abortSignal,
          isFresh: isFresh(helpers.job),
          isLast: attempts >= maxAttempts,
        }
        const origin = {
          name: `job ${job.name}`,
          flags,
          attributes: { 'job.id': id, 'job.attempt': attempts },
        }
        const promises = await runJob(origin, () => run(services, payload, attempt))
        const ends = await Promise.allSettled(promises ?? [])
        const failed = ends.find((one) => one.status === 'rejected')
        report(failed?.reason)
        end(promises ? ends.map((one) => ('reason' in one ? outcomeOf(one.reason, 'failed') : done)) : done)
        return promises?.map((entry) => entry.catch(rethrow))
      } catch (error) {
        report(error)
        // `worker/queue/runtime.ts` hands back what throws after the stop has aborted it
        end(outcomeOf(error, helpers.abortSignal.aborted ? 'handed_back' : 'failed'))
        return rethrow(error)
      }
    },
  }
}

/** Of a job that runs: this is the first that anybody has done with it. */
export const isFresh = ({ attempts, created_at, updated_at, flags }: QueuedJob) =>
  attempts === 1 && flags?.[suspectFlag] !== true && updated_at.getTime() === created_at.getTime()

const done: Outcome = { state: 'done', error: '' }
