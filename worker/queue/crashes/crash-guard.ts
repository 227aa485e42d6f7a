import type { JobHelpers } from 'graphile-worker'
import {
  countCrashes,
  forgetCrashes,
  setAsideAfterCrashes,
  suspectAfterCrashes,
} from '../../../shared/domain/kit/operations/job-crashes.ts'
import { runJob } from '../../../shared/telemetry/request-context.ts'
import type { Scrub } from '../../../shared/telemetry/scrub.ts'
import type { JobRuns } from '../job-runs.ts'
import { isFresh, type Services, type TaskDefinition } from '../task.ts'
import { whileUnavailable } from '../while-unavailable.ts'
import { describeAttempt, flagsOf, type RunAttempt } from '../wrappers.ts'
import type { Heartbeat } from './heartbeat.ts'
import { createSharedExclusiveLock } from './shared-exclusive-lock.ts'

export type CrashGuardOptions = {
  services: Services
  scrub: Scrub
  runs: JobRuns
  heartbeat: Heartbeat
}

/**
 * Stops a job from crashing its process for ever (docs/pictures/crashes.svg). By its crash count the job
 *   0, 1  is normal     it runs with the shared lock, beside other jobs
 *   2     is a suspect  it runs with the exclusive lock, alone in this process: another crash can only be its own
 *   3     is set aside  it does not run; `TaskDefinition.abandon` marks its work as failed or splits it
 * An attempt that ends deletes the count, also when it fails: it has not crashed its process.
 */
export function createCrashGuard({
  services,
  scrub,
  runs,
  heartbeat,
}: CrashGuardOptions): (definition: TaskDefinition) => RunAttempt {
  const { db, log } = services
  const lock = createSharedExclusiveLock()

  async function setAside(
    definition: TaskDefinition,
    { job, abortSignal }: JobHelpers,
    crashes: number,
  ): Promise<void> {
    const { id, attempts, max_attempts: maxAttempts, payload } = job
    const { name } = definition
    const error = `The job crashed its process ${crashes} times, the last time while it ran alone, and was set aside.`
    const end = runs.begin(describeAttempt(definition, job, payload))
    log.error({ jobId: id, task: name, attempt: attempts, maxAttempts, crashes }, 'job set aside')
    const context = { name: `set aside ${name}`, flags: flagsOf(job), attributes: { 'job.id': id } }
    try {
      // this is the last attempt, so a failure to record it could not be made up for
      const isReplaced = await whileUnavailable(
        () => runJob(context, () => definition.abandon(services, payload, { jobId: id, reason: error })),
        abortSignal,
      )
      if (!isReplaced) throw new Error(error)
      await forgetCrashes(db, id)
    } finally {
      end({ state: 'failed', error })
    }
  }

  /** Retries while the database is unavailable: if the process ended now, this job would be blamed for the crash. */
  async function runAlone(run: RunAttempt, payload: unknown, helpers: JobHelpers) {
    const { job, abortSignal } = helpers
    await whileUnavailable(() => heartbeat.markAlone(job.id), abortSignal)
    try {
      return await run(payload, helpers)
    } finally {
      // a later crash must not be blamed on this job; a process that is stopping takes no other job
      await whileUnavailable(() => heartbeat.markAlone(null), abortSignal).catch((err) => {
        log.warn({ err }, 'job is still marked as running alone')
      })
    }
  }

  return (definition) => {
    const run = definition.bind(services, log, scrub, runs)
    return async (payload, helpers) => {
      const { job, abortSignal } = helpers
      const logFields = { task: definition.name, jobId: job.id }
      const crashes = isFresh(job) ? 0 : await countCrashes(db, job.id)
      if (crashes >= setAsideAfterCrashes) return setAside(definition, helpers, crashes)
      const isSuspect = crashes >= suspectAfterCrashes
      if (isSuspect) log.warn({ ...logFields, crashes }, 'job runs alone')
      const release = await lock.acquire(isSuspect ? 'exclusive' : 'shared', abortSignal)
      try {
        return await (isSuspect ? runAlone(run, payload, helpers) : run(payload, helpers))
      } finally {
        release()
        // a process that is stopping has interrupted the attempt, which proves nothing
        if (crashes > 0 && !abortSignal.aborted)
          await forgetCrashes(db, job.id).catch((err) =>
            log.warn({ ...logFields, err }, 'crash count not deleted'),
          )
      }
    }
  }
}
