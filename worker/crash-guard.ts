import type { Job, Task } from 'graphile-worker'
import {
  countCrashes,
  forgetCrashes,
  setAsideAfterCrashes,
  suspectAfterCrashes,
} from '../shared/domain/job-crashes.ts'
import type { Scrub } from '../shared/scrub.ts'
import { createGate } from './gate.ts'
import type { Heartbeat } from './heartbeat.ts'
import type { JobRuns } from './job-runs.ts'
import type { Services, TaskDefinition } from './task.ts'

export type CrashGuardOptions = {
  services: Services
  scrub: Scrub
  runs: JobRuns
  heartbeat: Heartbeat
  fail: (reason: unknown) => never
}

/**
 * Keeps a job that kills its process from doing so for ever, and those that ran beside it from being blamed: one that
 * was in two crashes runs alone, and after a third it is given up (`shared/domain/job-crashes.ts`). Costs others nothing:
 * jobs that nobody has touched since they were added are not looked up.
 */
export function createCrashGuard({
  services,
  scrub,
  runs,
  heartbeat,
  fail,
}: CrashGuardOptions): (definition: TaskDefinition) => Task {
  const { db, log } = services
  const gate = createGate()

  async function setAside(definition: TaskDefinition, job: Job, crashes: number): Promise<void> {
    const { id, attempts, max_attempts: maxAttempts } = job
    const error = `It ended its process ${crashes} times, the last time while it ran alone, and is set aside.`
    const attempt = { jobId: id, task: definition.name, attempt: attempts, maxAttempts }
    const end = runs.begin({ ...attempt, entries: definition.entriesOf(job.payload) })
    log.error({ ...attempt, crashes }, 'job set aside')
    try {
      const isReplaced = await definition.giveUp(services, job.payload, { jobId: id, reason: error })
      if (!isReplaced) throw new Error(error)
      await forgetCrashes(db, id)
    } finally {
      end({ state: 'failed', error })
    }
  }

  async function runAlone(task: Task, ...[payload, helpers]: Parameters<Task>) {
    try {
      await heartbeat.markAlone(helpers.job.id)
      return await task(payload, helpers)
    } finally {
      // else it would be blamed for what others do
      await heartbeat.markAlone(null).catch(fail)
    }
  }

  return (definition) => {
    const task = definition.bind(services, log, scrub, runs)
    return async (payload, helpers) => {
      const { job, abortSignal } = helpers
      const about = { task: definition.name, jobId: job.id }
      const crashes = isFresh(job) ? 0 : await countCrashes(db, job.id)
      if (crashes >= setAsideAfterCrashes) return setAside(definition, job, crashes)
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

/** Nobody has tried, freed, retried or marked it. */
const isFresh = ({ attempts, created_at, updated_at, flags }: Job) =>
  attempts === 1 && flags === null && updated_at.getTime() === created_at.getTime()
