import { EventEmitter } from 'node:events'
import type { Job, WorkerEvents } from 'graphile-worker'
import { bulkFlag, shopFlagPrefix } from '../../shared/queue/job-flags.ts'

const reservedShare = 0.3
const shopShare = 0.5

export type FairSlots = {
  /** The queue reports to it. */
  events: WorkerEvents
  /** The queue calls it before each fetch; the fetch skips jobs with one of these flags. */
  forbiddenFlags: () => string[]
  /** Slots that every kind of job may take. */
  unreserved: number
}

/**
 * Shares the concurrency slots of a worker process, here slots, between shops and kinds of work. A slot runs one job at a
 * time; the last 30 % of the slots to be taken are reserved:
 *
 *   slots in use    which jobs a free slot takes
 *   below 70 %      any, in the order of the queue
 *   70 % and above  no bulk work, and none of a shop that runs half of all slots already
 *
 * Example with 10 slots: the night runs forecasts of 30 shops in 7 slots, and one shop has sent 10 000 stock changes. The
 * other 3 slots take mails, webhooks and the stock changes as they come; an e-mail waits only for a job of these.
 * A slot that fetches counts as used: several fetch at once, and each might find bulk work.
 */
export function createFairSlots(concurrency: number): FairSlots {
  const reserved = concurrency === 1 ? 0 : Math.max(1, Math.floor(concurrency * reservedShare))
  const unreserved = concurrency - reserved
  const maxOfShop = Math.ceil(concurrency * shopShare)
  const shopsOfRunning = new Map<string, string | undefined>()
  let fetching = 0

  const events: WorkerEvents = new EventEmitter()
  const endFetch = () => {
    fetching -= 1
  }
  events.on('worker:getJob:empty', endFetch)
  events.on('worker:getJob:error', endFetch)
  events.on('job:start', ({ job }) => {
    endFetch()
    shopsOfRunning.set(job.id, shopFlagOf(job))
  })
  events.on('job:complete', ({ job }) => shopsOfRunning.delete(job.id))

  return {
    events,
    unreserved,
    forbiddenFlags() {
      const used = shopsOfRunning.size + fetching
      fetching += 1
      return used < unreserved ? [] : [bulkFlag, ...shopsAbove(maxOfShop, shopsOfRunning.values())]
    },
  }
}

const shopFlagOf = ({ flags }: Job) =>
  Object.keys(flags ?? {}).find((flag) => flag.startsWith(shopFlagPrefix))

/** The shops that occur at least `max` times. */
function shopsAbove(max: number, shops: Iterable<string | undefined>): string[] {
  const counts = new Map<string, number>()
  for (const shop of shops) if (shop !== undefined) counts.set(shop, (counts.get(shop) ?? 0) + 1)
  return [...counts].filter(([, count]) => count >= max).map(([shop]) => shop)
}
