import { setTimeout as sleep } from 'node:timers/promises'
import type { JobHelpers, Task } from 'graphile-worker'
import { isUnavailable } from '../../../shared/db/db.ts'
import { runJob } from '../../../shared/telemetry/request-context.ts'
import type { Scrub } from '../../../shared/telemetry/scrub.ts'
import type { JobRuns } from '../job-runs.ts'
import { isFresh, type Services, type TaskDefinition } from '../task.ts'
import { describeAttempt, flagsOf } from '../wrappers.ts'
import type { Heartbeat } from './heartbeat.ts'
import { countCrashes, forgetCrashes, setAsideAfterCrashes, suspectAfterCrashes } from './job-crashes.ts'
import { createSharedExclusiveLock } from './shared-exclusive-lock.ts'

export type CrashGuardOptions = {
  services: Services
  scrub: Scrub
  runs: JobRuns
  heartbeat: Heartbeat
}

const retryIntervalMs = 500

/**
 * Stops a job from crashing its process for ever. After this many crashes (`operations/job-crashes.ts`) the job
 *   0, 1  is normal     it runs with the shared lock, beside other jobs
 *   2     is a suspect  it runs with the exclusive lock, alone in this process: another crash can only be its own
 *   3     is set aside  it does not run; `TaskDefinition.abandon` marks its work as failed or splits it
 */
export function createCrashGuard({
  services,
  scrub,
  runs,
  heartbeat,
}: CrashGuardOptions): (definition: TaskDefinition) => Task {
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
      const isReplaced = await retry(
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
  async function runAlone(task: Task, ...[payload, helpers]: Parameters<Task>) {
    const { job, abortSignal } = helpers
    await retry(() => heartbeat.markAlone(job.id), abortSignal)
    try {
      return await task(payload, helpers)
    } finally {
      // a later crash must not be blamed on this job; a process that is stopping takes no other job
      await retry(() => heartbeat.markAlone(null), abortSignal).catch((err) => {
        log.warn({ err }, 'job is still marked as running alone')
      })
    }
  }

  return (definition) => {
    const task = definition.bind(services, log, scrub, runs)
    return async (payload, helpers) => {
      const { job, abortSignal } = helpers
      const logFields = { task: definition.name, jobId: job.id }
      const crashes = isFresh(job) ? 0 : await countCrashes(db, job.id)
      if (crashes >= setAsideAfterCrashes) return setAside(definition, helpers, crashes)
      const isSuspect = crashes >= suspectAfterCrashes
      if (isSuspect) log.warn({ ...logFields, crashes }, 'job runs alone')
      const release = await lock.acquire(isSuspect ? 'exclusive' : 'shared', abortSignal)
      let isHarmless = false
      try {
        const result = await (isSuspect ? runAlone(task, payload, helpers) : task(payload, helpers))
        isHarmless = crashes > 0
        return result
      } catch (error) {
        // an ordinary failure: its next attempts need not run alone and block the other jobs
        isHarmless = isSuspect && !abortSignal.aborted
        throw error
      } finally {
        release()
        if (isHarmless)
          await forgetCrashes(db, job.id).catch((err) =>
            log.warn({ ...logFields, err }, 'crash count not deleted'),
          )
      }
    }
  }
}

async function retry<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted || !isUnavailable(error)) throw error
      await sleep(retryIntervalMs, undefined, { signal })
    }
  }
}
