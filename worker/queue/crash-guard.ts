import { setTimeout as sleep } from 'node:timers/promises'
import type { JobHelpers, Task } from 'graphile-worker'
import { isUnavailable } from '../../shared/db/db.ts'
import {
  countCrashes,
  forgetCrashes,
  setAsideAfterCrashes,
  suspectAfterCrashes,
} from '../../shared/domain/operations/job-crashes.ts'
import { requestIdsIn, runJob } from '../../shared/telemetry/request-context.ts'
import type { Scrub } from '../../shared/telemetry/scrub.ts'
import type { Heartbeat } from './heartbeat.ts'
import type { JobRuns } from './job-runs.ts'
import { createSharedExclusiveLock } from './shared-exclusive-lock.ts'
import { isFresh, type Services, type TaskDefinition } from './task.ts'

export type CrashGuardOptions = {
  services: Services
  scrub: Scrub
  runs: JobRuns
  heartbeat: Heartbeat
}

/** Between two tries of what the database has not taken. */
const pauseMs = 500

/**
 * Keeps a job that kills its process from doing so for ever, and those that ran beside it from being blamed: one that
 * was in two crashes runs alone, and after a third it is given up (`shared/domain/operations/job-crashes.ts`). Costs others nothing:
 * jobs that nobody has touched since they were added are not looked up.
 */
export function createCrashGuard({
  services,
  scrub,
  runs,
  heartbeat,
}: CrashGuardOptions): (definition: TaskDefinition) => Task {
  const { db, log } = services
  const gate = createSharedExclusiveLock()

  async function setAside(
    definition: TaskDefinition,
    { job, abortSignal }: JobHelpers,
    crashes: number,
  ): Promise<void> {
    const { id, attempts, max_attempts: maxAttempts } = job
    const flags = Object.keys(job.flags ?? {})
    const error = `It ended its process ${crashes} times, the last time while it ran alone, and is set aside.`
    const attempt = { jobId: id, task: definition.name, attempt: attempts, maxAttempts }
    const end = runs.begin({
      ...attempt,
      entries: definition.entriesOf(job.payload),
      requestIds: requestIdsIn(flags),
    })
    log.error({ ...attempt, crashes }, 'job set aside')
    // the jobs that replace it go back to the same requests
    const origin = { name: `set aside ${definition.name}`, flags, attributes: { 'job.id': id } }
    try {
      // it is the last attempt: nobody would say it later
      const isReplaced = await retry(
        () => runJob(origin, () => definition.giveUp(services, job.payload, { jobId: id, reason: error })),
        abortSignal,
      )
      if (!isReplaced) throw new Error(error)
      await forgetCrashes(db, id)
    } finally {
      end({ state: 'failed', error })
    }
  }

  /** A database that is slow for a moment does not end the process: it would be this job that is blamed for that. */
  async function runAlone(task: Task, ...[payload, helpers]: Parameters<Task>) {
    const { job, abortSignal } = helpers
    await retry(() => heartbeat.markAlone(job.id), abortSignal)
    try {
      return await task(payload, helpers)
    } finally {
      // else it would be blamed for what others do; a process that stops runs nothing else
      await retry(() => heartbeat.markAlone(null), abortSignal).catch((err) => {
        log.warn({ err }, 'still marked as alone')
      })
    }
  }

  return (definition) => {
    const task = definition.bind(services, log, scrub, runs)
    return async (payload, helpers) => {
      const { job, abortSignal } = helpers
      const about = { task: definition.name, jobId: job.id }
      const crashes = isFresh(job) ? 0 : await countCrashes(db, job.id)
      if (crashes >= setAsideAfterCrashes) return setAside(definition, helpers, crashes)
      const isSuspect = crashes >= suspectAfterCrashes
      if (isSuspect) log.warn({ ...about, crashes }, 'job runs alone')
      const leave = await gate.enter(isSuspect, abortSignal)
      let isHarmless = false
      try {
        const result = await (isSuspect ? runAlone(task, payload, helpers) : task(payload, helpers))
        isHarmless = crashes > 0
        return result
      } catch (error) {
        // it fails as any job may: that is no reason to hold up the others each time it is tried
        isHarmless = isSuspect && !abortSignal.aborted
        throw error
      } finally {
        leave()
        // those that are left behind are pruned
        if (isHarmless)
          await forgetCrashes(db, job.id).catch((err) => log.warn({ ...about, err }, 'crashes not forgotten'))
      }
    }
  }
}

/** Tries again until a database that is away takes it, or the process stops. Whoever stays away is the heartbeat's. */
async function retry<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted || !isUnavailable(error)) throw error
      await sleep(pauseMs, undefined, { signal })
    }
  }
}
