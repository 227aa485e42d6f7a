import type { TSchema } from '@sinclair/typebox'
import type { TypeCheck } from '@sinclair/typebox/compiler'
import type { JobHelpers, Job as QueuedJob } from 'graphile-worker'
import { TokenRevokedError } from '../../shared/platform/errors.ts'
import type { PayloadEntry } from '../../shared/queue/payload-ids.ts'
import type { Log } from '../../shared/telemetry/log.ts'
import { requestIdsIn, runJob } from '../../shared/telemetry/request-context.ts'
import type { Scrub } from '../../shared/telemetry/scrub.ts'
import type { JobAttempt, JobRuns, Outcome } from './job-runs.ts'

/** Runs one attempt of a job. A task whose payload is a list returns a promise per entry. */
export type RunAttempt<P = unknown> = (payload: P, helpers: JobHelpers) => Promise<void | Promise<void>[]>
/** Adds one concern to the attempts of a task. */
export type Wrapper = (next: RunAttempt) => RunAttempt

/** The first wrapper is the outermost: it is entered first and left last. */
export const compose = (wrappers: readonly Wrapper[], run: RunAttempt): RunAttempt =>
  wrappers.reduceRight((next, wrapper) => wrapper(next), run)

/** The queue stores the message of the error, so it must contain no secrets. */
export const scrubErrors = (scrub: Scrub): Wrapper =>
  handleErrors((error) => {
    throw new Error(messageOf(error, scrub))
  })

/** The queue removes the job, because no attempt can succeed. */
export const dropWithoutAccess: Wrapper = handleErrors((error) => {
  if (!(error instanceof TokenRevokedError)) throw error
})

/** Stores a job run with the outcome, or with the outcome of each entry. */
export const recordRun = (task: AttemptedTask, runs: JobRuns, scrub: Scrub): Wrapper =>
  observe((payload, { job, abortSignal }) => {
    const end = runs.begin(describeAttempt(task, job, payload))
    const outcomeOf = (error: unknown, state: 'failed' | 'handed_back'): Outcome => {
      if (error === undefined) return { state: 'done', error: '' }
      if (error instanceof TokenRevokedError) return { state: 'dropped', error: '' }
      return { state, error: messageOf(error, scrub) }
    }
    return ({ error, ofEntries }) =>
      end(
        ofEntries
          ? ofEntries.map((ofEntry) => outcomeOf(ofEntry, 'failed'))
          : outcomeOf(error, abortSignal.aborted ? 'handed_back' : 'failed'),
      )
  })

export const logEnd = (task: string, log: Log): Wrapper =>
  observe((_payload, { job }) => {
    const startedAt = performance.now()
    const requestIds = requestIdsIn(flagsOf(job))
    return ({ error }) => {
      const fields = {
        task,
        jobId: job.id,
        attempt: job.attempts,
        ...(requestIds.length > 0 && { reqId: requestIds.join(' ') }),
        ms: Math.round(performance.now() - startedAt),
      }
      if (error === undefined) log.info(fields, 'job done')
      else if (error instanceof TokenRevokedError)
        log.info(fields, 'job dropped: the shop revoked our access')
      else log.warn({ ...fields, maxAttempts: job.max_attempts, err: error }, 'job failed')
    }
  })

export const checkPayload =
  <P extends TSchema>(task: string, check: TypeCheck<P>): Wrapper =>
  (next) =>
  async (payload, helpers) => {
    if (check.Check(payload)) return next(payload, helpers)
    const { path, message } = check.Errors(payload).First() ?? {}
    throw new Error(`Invalid payload for ${task}: ${path} ${message}`)
  }

/** Jobs that the attempt enqueues, and its log lines and spans, name the requests that caused it. */
export const enterRequestContext =
  (task: string): Wrapper =>
  (next) =>
  (payload, helpers) => {
    const { id, attempts } = helpers.job
    const attributes = { 'job.id': id, 'job.attempt': attempts }
    return runJob({ name: `job ${task}`, flags: flagsOf(helpers.job), attributes }, () =>
      next(payload, helpers),
    )
  }

type AttemptedTask = {
  name: string
  entriesOf: (payload: unknown) => PayloadEntry | readonly PayloadEntry[] | null
}

export const describeAttempt = (task: AttemptedTask, job: QueuedJob, payload: unknown): JobAttempt => ({
  jobId: job.id,
  task: task.name,
  attempt: job.attempts,
  maxAttempts: job.max_attempts,
  entries: task.entriesOf(payload),
  requestIds: requestIdsIn(flagsOf(job)),
})

export const flagsOf = ({ flags }: QueuedJob): string[] => Object.keys(flags ?? {})

const messageOf = (error: unknown, scrub: Scrub) =>
  scrub(error instanceof Error ? error.message : String(error))

/** `handle` gets the error of the attempt, or of each entry. What it throws is the error instead. */
function handleErrors(handle: (error: unknown) => void): Wrapper {
  return (next) => async (payload, helpers) => {
    try {
      const entries = await next(payload, helpers)
      return entries?.map((entry) => entry.catch(handle))
    } catch (error) {
      return handle(error)
    }
  }
}

/** The error of the attempt, or the first one of its entries: undefined when it succeeded. */
type Errors = { error: unknown; ofEntries?: readonly unknown[] }

/** Calls `begin` before the attempt, and the function that it returns at the end. */
function observe(begin: (payload: unknown, helpers: JobHelpers) => (errors: Errors) => void): Wrapper {
  return (next) => async (payload, helpers) => {
    const end = begin(payload, helpers)
    try {
      const entries = await next(payload, helpers)
      const ofEntries =
        entries &&
        (await Promise.allSettled(entries)).map((entry) => ('reason' in entry ? entry.reason : undefined))
      end({ error: ofEntries?.find((error) => error !== undefined), ...(ofEntries && { ofEntries }) })
      return entries
    } catch (error) {
      end({ error })
      throw error
    }
  }
}
