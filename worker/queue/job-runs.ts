import { type Db, isUnavailable } from '../../shared/db/db.ts'
import { type JobRunState, type NewJobRun, storeJobRuns } from '../../shared/domain/operations/job-runs.ts'
import type { PayloadEntry } from '../../shared/queue/payload-ids.ts'
import { payloadIds } from '../../shared/queue/payload-ids.ts'
import type { Log } from '../../shared/telemetry/log.ts'
import type { Metrics } from '../../shared/telemetry/metrics.ts'

export type JobAttempt = {
  jobId: string
  task: string
  attempt: number
  maxAttempts: number
  /** What the payload names; null when it does not fit its schema. */
  entries: PayloadEntry | readonly PayloadEntry[] | null
  /** The requests that it goes back to. */
  requestIds: readonly string[]
}

/** How an attempt ended, or one entry of its list. */
export type Outcome = { state: JobRunState; error: string }

export type JobRuns = {
  /** To be called when an attempt begins. Answers what to call when it has ended: with one outcome, or one per entry. */
  begin: (attempt: JobAttempt) => (outcome: Outcome | readonly Outcome[]) => void
  /** Stores what is left. Attempts that still run were handed back by the stop. */
  stop: () => Promise<void>
}

/** So late are runs stored, and so much of them is lost with a process that is killed. */
const flushMs = 500
const maxPerStatement = 1_000
/** While the database is away the newest are kept. */
const maxKept = 20_000
const maxError = 2_000

/**
 * Notes how every attempt of a job ended (`shared/domain/operations/job-runs.ts`). Never makes a task wait: runs are stored together,
 * twice a second. A process that is killed takes those of its last half second with it; nothing depends on them.
 */
export function createJobRuns({
  db,
  log,
  metrics,
  workerId,
}: {
  db: Db
  log: Log
  metrics?: Metrics
  workerId: string
}): JobRuns {
  const open = new Set<(outcome: Outcome) => void>()
  let waiting: NewJobRun[] = []
  let timer: NodeJS.Timeout | undefined
  let storing: Promise<void> = Promise.resolve()

  function note(runs: NewJobRun[]): void {
    waiting.push(...runs)
    timer ??= setTimeout(flush, flushMs)
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    storing = storing.then(store)
    return storing
  }

  /** What comes meanwhile is left to the next time: else a busy worker would store a few at a time without a pause. */
  async function store(): Promise<void> {
    const all = waiting
    waiting = []
    for (let at = 0; at < all.length; at += maxPerStatement) {
      const runs = all.slice(at, at + maxPerStatement)
      try {
        await storeJobRuns(db, workerId, runs)
      } catch (err) {
        log.warn({ err, runs: runs.length }, 'job runs were not stored')
        if (!isUnavailable(err)) continue
        waiting = [...all.slice(at), ...waiting].slice(-maxKept)
        timer ??= setTimeout(flush, flushMs)
        return
      }
    }
  }

  return {
    begin(attempt) {
      const startedAt = new Date()
      const before = performance.now()
      const end = (outcome: Outcome | readonly Outcome[]) => {
        if (!open.delete(end)) return
        const ms = Math.round(performance.now() - before)
        metrics?.jobs.observe({ task: attempt.task, outcome: worst(outcome) }, ms / 1000)
        note(runsOf(attempt, outcome).map((run) => ({ ...run, startedAt, ms })))
      }
      open.add(end)
      return end
    },
    async stop() {
      for (const end of open) end({ state: 'handed_back', error: '' })
      await flush()
      clearTimeout(timer)
    },
  }
}

/** Of a list with entries that failed, the attempt counts as failed. */
function worst(outcome: Outcome | readonly Outcome[]): JobRunState {
  const states = [outcome].flat().map(({ state }) => state)
  return states.includes('failed') ? 'failed' : (states[0] ?? 'done')
}

/** An attempt has a run for each shop and each way in which entries of its list ended. */
function runsOf({ entries, requestIds, ...attempt }: JobAttempt, outcome: Outcome | readonly Outcome[]) {
  const requests = requestIds.length > 0 && { requestId: requestIds }
  if (!isList(entries)) {
    const { state = 'done', error = '' } = isList(outcome) ? (outcome[0] ?? {}) : outcome
    return [
      {
        ...attempt,
        shopId: entries?.shopId ?? null,
        ids: { ...payloadIds(entries), ...requests },
        state,
        error: cut(error),
      },
    ]
  }
  const ended = entries.map((entry, at) => ({ entry, ...(isList(outcome) ? outcome[at] : outcome) }))
  const groups = Map.groupBy(ended, ({ entry, state, error }) => `${entry.shopId} ${state} ${error}`)
  return [...groups.values()].map((group) => {
    const [{ entry, state = 'done', error = '' } = { entry: {} }] = group
    const ids = { ...payloadIds(group.map((one) => one.entry)), ...requests }
    return { ...attempt, shopId: entry.shopId ?? null, ids, state, error: cut(error) }
  })
}

const isList = <T>(one: T | readonly T[]): one is readonly T[] => Array.isArray(one)
/** Postgres has no text with a zero in it. */
const cut = (error: string) => error.slice(0, maxError).replaceAll('\0', '')
