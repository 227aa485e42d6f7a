import type { Static, TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { JobHelpers, Job as QueuedJob } from 'graphile-worker'
import type { Db } from '../../shared/db/db.ts'
import { suspectFlag } from '../../shared/domain/kit/operations/job-crashes.ts'
import type { PdfRenderer } from '../../shared/pdf/renderer.ts'
import type { Job } from '../../shared/queue/jobs.ts'
import type { PayloadEntry } from '../../shared/queue/payload-ids.ts'
import type { Log } from '../../shared/telemetry/log.ts'
import type { Scrub } from '../../shared/telemetry/scrub.ts'
import type { ImportFileReader } from '../import-files/reader.ts'
import type { WriteDigestMail } from '../mail/digest-mail.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { AdminApis } from '../platform/admin-api.ts'
import type { JobRuns } from './job-runs.ts'
import { removeReplaced } from './replaced-jobs.ts'
import {
  checkPayload,
  compose,
  dropWithoutAccess,
  enterRequestContext,
  logEnd,
  type RunAttempt,
  recordRun,
  scrubErrors,
} from './wrappers.ts'

export type Services = {
  db: Db
  pdf: PdfRenderer
  mailer: Mailer
  writeDigest: WriteDigestMail
  importFiles: ImportFileReader
  log: Log
  gidNamespace: string
  adminApi: AdminApis
  webhookUrl: string
}

export type Attempt = {
  jobId: string
  signal: AbortSignal
  /** The job was not attempted before, not freed after a crash, not retried by hand, and not marked as a suspect. */
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
  bind: (services: Services, log: Log, scrub: Scrub, runs: JobRuns) => RunAttempt
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
  const { name } = job
  const check = TypeCompiler.Compile(job.payload)
  const entriesOf = (payload: unknown) =>
    check.Check(payload) ? (payload as PayloadEntry | PayloadEntry[]) : null
  return {
    name,
    entriesOf,
    abandon: async (services, payload, end) =>
      abandon && check.Check(payload) ? abandon(services, payload, end) : false,
    bind: (services, log, scrub, runs) =>
      compose(
        [
          removeReplaced(services.db),
          scrubErrors(scrub),
          dropWithoutAccess,
          recordRun({ name, entriesOf }, runs, scrub),
          logEnd(name, log),
          checkPayload(name, check),
          enterRequestContext(name),
        ],
        (payload, helpers) => run(services, payload as Static<P>, attemptOf(helpers)),
      ),
  }
}

const attemptOf = ({ job, abortSignal }: JobHelpers): Attempt => ({
  jobId: job.id,
  signal: abortSignal,
  isFresh: isFresh(job),
  isLast: job.attempts >= job.max_attempts,
})

export const isFresh = ({ attempts, created_at, updated_at, flags }: QueuedJob) =>
  attempts === 1 && flags?.[suspectFlag] !== true && updated_at.getTime() === created_at.getTime()
