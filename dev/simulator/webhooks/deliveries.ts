import { type Delivery, maxAttempts, retryDelayMs } from './delivery.ts'
import type { Sender } from './send.ts'

/** Finished deliveries stored per shop; older ones are deleted. */
const maxStoredPerShop = 500
const maxConcurrent = 48

export type Deliveries = {
  add: (delivery: Delivery) => void
  /** The deliveries of a shop, oldest first. */
  of: (shop: string) => Delivery[]
  find: (id: string) => Delivery | undefined
  /** Sends a delivery again now, in any state. */
  resend: (id: string) => void
  /** Moves the next attempt of a pending delivery. */
  reschedule: (delivery: Delivery, nextAt: number) => void
  /** Resolves when no delivery is pending. */
  settled: () => Promise<void>
  all: () => Delivery[]
  close: () => void
}

export type DeliveryOptions = {
  sender: Sender
  /** Factor of the retry intervals. */
  retryScale: number
  /** Called after every change of stored state. */
  changed: () => void
  /** Called after the last attempt has failed. */
  onFailure: (delivery: Delivery) => void
}

/** Sends pending deliveries at their times, up to 48 concurrently and in no particular order. */
export function createDeliveries(stored: Delivery[], options: DeliveryOptions): Deliveries {
  const { sender, retryScale, changed, onFailure } = options
  const byId = new Map<string, Delivery>()
  const done = new Map<string, string[]>()
  const timers = new Map<string, NodeJS.Timeout>()
  const ready: string[] = []
  const waiters: (() => void)[] = []
  let active = 0
  let pending = 0
  let isClosed = false

  function schedule(delivery: Delivery): void {
    const delayMs = Math.min(Math.max(0, delivery.nextAt - Date.now()), 2_147_483_647)
    timers.set(
      delivery.id,
      setTimeout(() => {
        timers.delete(delivery.id)
        ready.push(delivery.id)
        sendReady()
      }, delayMs),
    )
  }

  function sendReady(): void {
    while (!isClosed && active < maxConcurrent) {
      const id = ready.shift()
      if (id === undefined) return
      const delivery = byId.get(id)
      if (!delivery) continue
      active += 1
      void attempt(delivery).finally(() => {
        active -= 1
        sendReady()
      })
    }
  }

  async function attempt(delivery: Delivery): Promise<void> {
    const result = await sender.send(delivery)
    // An attempt interrupted by the simulator's stop runs again after its next start.
    if (isClosed) return
    delivery.attempts += 1
    delivery.lastAnswer = result
    const isAccepted = result.status !== null && result.status >= 200 && result.status < 300
    if (!isAccepted && !delivery.isForged && delivery.attempts < maxAttempts) {
      delivery.nextAt = Date.now() + retryDelayMs(delivery.attempts) * retryScale
      schedule(delivery)
    } else {
      if (!isAccepted && !delivery.isForged) onFailure(delivery)
      finish(delivery, isAccepted ? 'delivered' : 'failed')
    }
    changed()
  }

  function finish(delivery: Delivery, state: Delivery['state']): void {
    delivery.state = state
    pending -= 1
    deleteOldest(delivery)
    if (pending === 0) for (const resolve of waiters.splice(0)) resolve()
  }

  function deleteOldest({ id, shop }: Delivery): void {
    const ids = done.get(shop) ?? []
    done.set(shop, ids)
    ids.push(id)
    if (ids.length <= maxStoredPerShop) return
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
    if (!delivery) throw new Error(`Unknown delivery ${id}`)
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

  for (const delivery of stored) add(delivery)
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
