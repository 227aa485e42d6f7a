import { type Db, isUnavailable } from '../../shared/db/db.ts'
import {
  type JobRunState,
  type NewJobRun,
  storeJobRuns,
} from '../../shared/domain/kit/operations/job-runs.ts'
import type { PayloadEntry } from '../../shared/queue/payload-ids.ts'
import { payloadIds } from '../../shared/queue/payload-ids.ts'
import type { Log } from '../../shared/telemetry/log.ts'
import type { Metrics } from '../../shared/telemetry/metrics.ts'

export type JobAttempt = {
  jobId: string
  task: string
  attempt: number
  maxAttempts: number
  entries: PayloadEntry | readonly PayloadEntry[] | null
  requestIds: readonly string[]
}

export type Outcome = { state: JobRunState; error: string }

export type JobRuns = {
  /** To be called when an attempt begins. Returns the function to call at its end: with one outcome, or one per entry. */
  begin: (attempt: JobAttempt) => (outcome: Outcome | readonly Outcome[]) => void
  stop: () => Promise<void>
}

const flushMs = 500
const maxPerStatement = 1_000
const maxBuffered = 20_000
const maxError = 2_000

/**
 * Records how every attempt of a job ended, without making tasks wait: a buffer (the newest 20 000 runs) is stored
 * after 0.5 s. Each attempt is stored at most once; a killed process loses the runs of its last 0.5 s.
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
  const running = new Set<(outcome: Outcome) => void>()
  let buffer: NewJobRun[] = []
  let timer: NodeJS.Timeout | undefined
  let storing: Promise<void> = Promise.resolve()

  function add(runs: NewJobRun[]): void {
    buffer.push(...runs)
    timer ??= setTimeout(flush, flushMs)
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    storing = storing.then(store)
    return storing
  }

  async function store(): Promise<void> {
    const all = buffer
    buffer = []
    for (let at = 0; at < all.length; at += maxPerStatement) {
      const runs = all.slice(at, at + maxPerStatement)
      try {
        await storeJobRuns(db, workerId, runs)
      } catch (err) {
        log.warn({ err, runs: runs.length }, 'job runs were not stored')
        if (!isUnavailable(err)) continue
        buffer = [...all.slice(at), ...buffer].slice(-maxBuffered)
        timer ??= setTimeout(flush, flushMs)
        return
      }
    }
  }

  return {
    begin(attempt) {
      const startedAt = new Date()
      const startMs = performance.now()
      const end = (outcome: Outcome | readonly Outcome[]) => {
        if (!running.delete(end)) return
        const ms = Math.round(performance.now() - startMs)
        metrics?.jobs.observe({ task: attempt.task, outcome: stateOf(outcome) }, ms / 1000)
        add(runsOf(attempt, outcome).map((run) => ({ ...run, startedAt, ms })))
      }
      running.add(end)
      return end
    },
    async stop() {
      for (const end of running) end({ state: 'handed_back', error: '' })
      await flush()
      clearTimeout(timer)
    },
  }
}

function stateOf(outcome: Outcome | readonly Outcome[]): JobRunState {
  const states = [outcome].flat().map(({ state }) => state)
  return states.includes('failed') ? 'failed' : (states[0] ?? 'done')
}

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
    const ids = { ...payloadIds(group.map((ended) => ended.entry)), ...requests }
    return { ...attempt, shopId: entry.shopId ?? null, ids, state, error: cut(error) }
  })
}

const isList = <T>(value: T | readonly T[]): value is readonly T[] => Array.isArray(value)
/** Postgres cannot store a zero character. */
const cut = (error: string) => error.slice(0, maxError).replaceAll('\0', '')
