import { type Delivery, maxAttempts, retryDelayMs } from './delivery.ts'
import type { Sender } from './send.ts'

/** So many that are done with are kept for each shop, newest last. */
const keptPerShop = 500
const atOnce = 48

export type Deliveries = {
  add: (delivery: Delivery) => void
  /** Those of a shop, oldest first. */
  of: (shop: string) => Delivery[]
  find: (id: string) => Delivery | undefined
  /** Tries it again now, whatever became of it. */
  resend: (id: string) => void
  /** Tries what is pending at another time. */
  reschedule: (delivery: Delivery, nextAt: number) => void
  /** Resolves as soon as nothing is pending. */
  settled: () => Promise<void>
  all: () => Delivery[]
  close: () => void
}

export type DeliveryOptions = {
  sender: Sender
  /** The intervals between attempts, times this. */
  retryScale: number
  /** Called whenever something that is kept has changed. */
  changed: () => void
  /** The last attempt failed. */
  gaveUp: (delivery: Delivery) => void
}

/** Tries what is pending at its time, many at once and in no particular order. */
export function createDeliveries(kept: Delivery[], options: DeliveryOptions): Deliveries {
  const { sender, retryScale, changed, gaveUp } = options
  const byId = new Map<string, Delivery>()
  const done = new Map<string, string[]>()
  const timers = new Map<string, NodeJS.Timeout>()
  const ready: string[] = []
  const waiters: (() => void)[] = []
  let active = 0
  let pending = 0
  let isClosed = false

  function schedule(delivery: Delivery): void {
    const wait = Math.min(Math.max(0, delivery.nextAt - Date.now()), 2_147_483_647)
    timers.set(
      delivery.id,
      setTimeout(() => {
        timers.delete(delivery.id)
        ready.push(delivery.id)
        work()
      }, wait),
    )
  }

  function work(): void {
    while (!isClosed && active < atOnce) {
      const id = ready.shift()
      if (id === undefined) return
      const delivery = byId.get(id)
      if (!delivery) continue
      active += 1
      void attempt(delivery).finally(() => {
        active -= 1
        work()
      })
    }
  }

  async function attempt(delivery: Delivery): Promise<void> {
    const answer = await sender.send(delivery)
    // What was under way when the simulator was closed is tried again when it is back.
    if (isClosed) return
    delivery.attempts += 1
    delivery.lastAnswer = answer
    const isTaken = answer.status !== null && answer.status >= 200 && answer.status < 300
    if (!isTaken && !delivery.isForged && delivery.attempts < maxAttempts) {
      delivery.nextAt = Date.now() + retryDelayMs(delivery.attempts) * retryScale
      schedule(delivery)
    } else {
      if (!isTaken && !delivery.isForged) gaveUp(delivery)
      finish(delivery, isTaken ? 'delivered' : 'failed')
    }
    changed()
  }

  function finish(delivery: Delivery, state: Delivery['state']): void {
    delivery.state = state
    pending -= 1
    keepSome(delivery)
    if (pending === 0) for (const resolve of waiters.splice(0)) resolve()
  }

  function keepSome({ id, shop }: Delivery): void {
    const ids = done.get(shop) ?? []
    done.set(shop, ids)
    ids.push(id)
    if (ids.length <= keptPerShop) return
    const oldest = byId.get(ids.shift() ?? '')
    if (oldest && oldest.state !== 'pending') byId.delete(oldest.id)
  }

  function add(delivery: Delivery): void {
    byId.set(delivery.id, delivery)
    pending += 1
    if (delivery.state === 'pending') schedule(delivery)
    else finish(delivery, delivery.state)
    changed()
  }

  function resend(id: string): void {
    const delivery = byId.get(id)
    if (!delivery) throw new Error(`There is no delivery ${id}`)
    const timer = timers.get(id)
    if (delivery.state === 'pending' && !timer) return
    clearTimeout(timer)
    if (delivery.state !== 'pending') pending += 1
    delivery.state = 'pending'
    delivery.attempts = Math.min(delivery.attempts, maxAttempts - 1)
    delivery.nextAt = Date.now()
    schedule(delivery)
    changed()
  }

  function reschedule(delivery: Delivery, nextAt: number): void {
    const timer = timers.get(delivery.id)
    if (!timer) return
    clearTimeout(timer)
    delivery.nextAt = nextAt
    schedule(delivery)
  }

  for (const delivery of kept) add(delivery)
  return {
    add,
    of: (shop) => [...byId.values()].filter((delivery) => delivery.shop === shop),
    find: (id) => byId.get(id),
    resend,
    reschedule,
    settled: () => (pending === 0 ? Promise.resolve() : new Promise((resolve) => void waiters.push(resolve))),
    all: () => [...byId.values()],
    close() {
      isClosed = true
      for (const timer of timers.values()) clearTimeout(timer)
      sender.close()
    },
  }
}
