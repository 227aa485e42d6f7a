import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { claimPush } from '../../shared/domain/ledgers/stock-pushes/claim.ts'
import { jobs } from '../../shared/queue/jobs.ts'
import type { AdminApi } from '../../worker/platform/admin-api.ts'
import { sendPush } from '../../worker/platform/push-request.ts'
import { startApp } from '../support/core/app.ts'
import { makePerson } from '../support/core/people.ts'
import { deliveryJobs, startTasks } from '../support/core/worker.ts'
import { rounds } from '../support/faults/faults.ts'
import { line, makeSentOrder, readOrder } from '../support/make/orders.ts'
import {
  expectLedger,
  levelsOf,
  locationGid,
  makeStock,
  pushLinesOf,
  variantGid,
} from '../support/make/stock.ts'
import { mockPlatform, simulateStock } from '../support/platform/platform.ts'
import { deliver, sign } from '../support/platform/webhooks.ts'

const levelKeys = ['1/1', '1/2', '2/1', '2/2'] as const
const initial = 10
const maxRounds = 20

/** Runs web's and the worker's code on one database, for shops whose stock is compared with a model. */
async function startShops(t: Test) {
  const { app, db } = await startApp(t)
  const { perform } = await startTasks(t, db)

  /**
   * A shop, the events in it, and a model. `shelf` holds the real quantities. Setting a quantity changes the books,
   * not the shelf: `bookErrors` holds the difference until a count corrects it.
   */
  async function openShop() {
    const person = await makePerson(app, db, 'alice')
    const { shopId, shopDomain } = person
    const platformMock = mockPlatform(t, shopDomain)
    await makeStock(db, person, { variants: 2, locations: 2, available: initial })
    const shelf = new Map<string, number>(levelKeys.map((levelKey) => [levelKey, initial]))
    const bookErrors = new Map<string, number>(levelKeys.map((levelKey) => [levelKey, 0]))
    /** Updates that the platform has not delivered yet. */
    const updates: { levelKey: string; available: number; updatedAt: string }[] = []
    const platform = simulateStock(platformMock, levelKeys, initial, (levelKey, level) =>
      updates.push({ levelKey, ...level }),
    )
    /** `quantity` pieces are in transit. */
    type Transfer = { id: number; from: string; to: string; quantity: number; isPartial: boolean }
    const transfers: Transfer[] = []
    const arrivals: { id: number; transfer: Transfer; received: number; all: number }[] = []
    const counts: { id: number; levelKey: string }[] = []
    const crashedJobs: string[] = []

    const add = (map: Map<string, number>, levelKey: string, by: number) =>
      map.set(levelKey, (map.get(levelKey) ?? 0) + by)
    const at = (levelKey: string) => {
      const [variant = 0, location = 0] = levelKey.split('/').map(Number)
      return { variant, location, variantId: variantGid(variant), locationId: locationGid(location) }
    }
    const request = async (method: 'POST' | 'PUT', url: string, body?: object, headers = {}) => {
      const response = await person.send(method, url, body, headers)
      if (response.statusCode >= 300) throw new Error(`${url} ${JSON.stringify(body)}: ${response.body}`)
      return response.json().data
    }
    const remove = <T>(list: T[], index: number): T | undefined =>
      list.length === 0 ? undefined : list.splice(index % list.length, 1)[0]

    const applyUpdate = async (index: number) => {
      const update = remove(updates, index)
      if (!update) return
      const { variant, location } = at(update.levelKey)
      const payload = { inventory_item_id: variant, location_id: location, available: update.available }
      await deliver(
        app,
        sign(person, 'inventory_levels/update', { ...payload, updated_at: update.updatedAt }),
      )
      const list = (await deliveryJobs(db, jobs.applyInventoryLevels, shopId)).at(-1)
      const outcomes = list && (await perform(jobs.applyInventoryLevels, list))
      if (Array.isArray(outcomes)) await Promise.all(outcomes)
    }

    const push = (jobId = 'running') => perform(jobs.pushStock, { shopId }, { jobId })

    /** Resumes the jobs of crashed workers and applies all updates, until both are done. */
    const settle = async () => {
      for (let round = 0; round < maxRounds; round += 1) {
        for (const jobId of crashedJobs.splice(0)) await push(jobId)
        await push()
        if (updates.length === 0) return
        while (updates.length > 0) await applyUpdate(0)
      }
      throw new Error('The shop does not settle')
    }

    return {
      person,
      shelf,
      bookErrors,
      platform,
      settle,
      applyUpdate,
      push,
      async sell(levelKey: string, quantity: number) {
        platform.sell(levelKey, quantity)
        add(shelf, levelKey, -quantity)
      },
      async adjust(levelKey: string, delta: number) {
        const { variantId, locationId } = at(levelKey)
        await request('POST', '/api/stock-levels/adjust', {
          adjustments: [{ variantId, locationId, delta }],
          allowNegative: true,
        })
        add(shelf, levelKey, delta)
      },
      async set(levelKey: string, quantity: number) {
        const { variantId, locationId } = at(levelKey)
        const [displayed = 0] = (await levelsOf(db, person))[levelKey] ?? []
        await request('PUT', '/api/stock-levels/bulk', { adjustments: [{ variantId, locationId, quantity }] })
        add(bookErrors, levelKey, quantity - displayed)
      },
      /** Receives at once, or as a draft with broken pieces beside; only accepted pieces reach the shelf. */
      async receive(levelKey: string, quantity: number, isDraft: boolean) {
        const { variant, locationId } = at(levelKey)
        const order = await makeSentOrder(person, { lineItems: [line(variant, { quantity })] })
        const [first] = (await readOrder(person, order.id)).lineItems
        const url = `/api/purchase-orders/${order.id}`
        if (isDraft) {
          const lines = [{ lineItemId: first?.id, accepted: quantity, rejected: 2 }]
          const { id } = await request('POST', `${url}/receipts`, { lines, locationId })
          await request('POST', `${url}/receipts/${id}/post`, {})
        } else {
          const lineItems = [{ lineItemId: first?.id, quantityReceived: quantity }]
          await request('POST', `${url}/receive`, { lineItems, locationId })
        }
        add(shelf, levelKey, quantity)
      },
      async receiveDirectly(levelKey: string, quantity: number) {
        const { variantId, locationId } = at(levelKey)
        const lines = [{ variantId, quantity, unitCost: 2 }]
        await request('POST', '/api/receipts', { locationId, lines }, { 'idempotency-key': randomUUID() })
        add(shelf, levelKey, quantity)
      },
      async ship(variant: number, isBack: boolean, quantity: number) {
        const [from, to] = isBack ? [`${variant}/2`, `${variant}/1`] : [`${variant}/1`, `${variant}/2`]
        const { id } = await request('POST', '/api/stock-transfers', {
          sourceLocationId: at(from).locationId,
          destinationLocationId: at(to).locationId,
          items: [{ variantId: variantGid(variant), quantity }],
        })
        await request('PUT', `/api/stock-transfers/${id}`, { status: 'in_transit', allowNegative: true })
        add(shelf, from, -quantity)
        transfers.push({ id, from, to, quantity, isPartial: false })
      },
      async arrive(index: number, isCancelled: boolean) {
        const transfer = remove(transfers, index)
        if (!transfer) return
        const { id, from, to, quantity, isPartial } = transfer
        if (isCancelled && isPartial) await request('POST', `/api/stock-transfers/${id}/close`, {})
        else
          await request('PUT', `/api/stock-transfers/${id}`, {
            status: isCancelled ? 'cancelled' : 'completed',
          })
        transfer.quantity = 0
        add(shelf, isCancelled ? from : to, quantity)
      },
      /** A part arrives; lost and damaged pieces are on no shelf. */
      async arrivePart(index: number, parts: readonly [number, number, number]) {
        const transfer = transfers[index % Math.max(transfers.length, 1)]
        if (!transfer) return
        const { id, to, quantity } = transfer
        const received = Math.min(parts[0], quantity)
        const lost = Math.min(parts[1], quantity - received)
        const damaged = Math.min(parts[2], quantity - received - lost)
        const all = received + lost + damaged
        if (all === 0) return
        const variantId = at(to).variantId
        const { eventId } = await request('POST', `/api/stock-transfers/${id}/receive`, {
          items: [{ variantId, received, lost, damaged }],
        })
        add(shelf, to, received)
        arrivals.push({ id: eventId, transfer, received, all })
        Object.assign(transfer, { quantity: quantity - all, isPartial: true })
        if (transfer.quantity === 0) transfers.splice(transfers.indexOf(transfer), 1)
      },
      /** A receipt was a mistake: its pieces are in transit again. */
      async unarrive(index: number) {
        const arrival = remove(arrivals, index)
        if (!arrival) return
        const { id, transfer, received, all } = arrival
        await request('POST', `/api/stock-transfers/${transfer.id}/events/${id}/reverse`, {
          allowNegative: true,
        })
        add(shelf, transfer.to, -received)
        if (transfer.quantity === 0) transfers.push(transfer)
        transfer.quantity += all
      },
      /** Counts a shelf after all updates are applied. */
      async count(levelKey: string) {
        await settle()
        const { variantId, locationId } = at(levelKey)
        const countedQuantity = shelf.get(levelKey) ?? 0
        if (countedQuantity < 0) return
        const { id } = await request('POST', '/api/stock-counts', {
          locationId,
          items: [{ variantId, countedQuantity }],
        })
        await perform(jobs.readLevels, { shopId })
        counts.push({ id, levelKey })
      },
      async submit(index: number) {
        const count = remove(counts, index)
        if (!count) return
        await request('PUT', `/api/stock-counts/${count.id}`, { status: 'submitted' })
        bookErrors.set(count.levelKey, 0)
      },
      /** A worker crashes while it sends a push, before or after the platform's response. */
      async crashDuringPush(isSent: boolean) {
        const jobId = `crashed ${crashedJobs.length + 1} ${platform.tick()}`
        const claimed = await claimPush(db, shopId, jobId)
        if (!claimed) return
        crashedJobs.push(jobId)
        const platformApi: AdminApi = {
          query: async (document, variables) => {
            const [, body] = platform.change(document.name, variables as Record<string, unknown>)
            return (body as { data: never }).data
          },
        }
        if (isSent && claimed.request.length > 0)
          await sendPush(platformApi, claimed, new AbortController().signal)
      },
      reconcile: () => perform(jobs.reconcileStock, { shopId }),
    }
  }

  return { db, openShop }
}

type Shop = Awaited<ReturnType<Awaited<ReturnType<typeof startShops>>['openShop']>>
type Step = { name: string; run: (shop: Shop) => Promise<unknown> }

const levelKey = fc.constantFrom(...levelKeys)
const quantity = fc.integer({ min: 1, max: 4 })
const index = fc.nat({ max: 9 })

/** A step with its name and values, which make a failing run readable. */
function step<T extends unknown[]>(
  weight: number,
  name: string,
  values: { [K in keyof T]: fc.Arbitrary<T[K]> },
  run: (shop: Shop, ...values: T) => Promise<unknown>,
) {
  const arbitrary = fc.tuple<T>(...values).map(
    (sequence): Step => ({
      name: `${name}(${sequence.join(', ')})`,
      run: (shop) => run(shop, ...sequence),
    }),
  )
  return { weight, arbitrary }
}

/** Actions of merchants, the platform and failures, in any order. */
const steps = fc.array(
  fc.oneof(
    step(4, 'sell', [levelKey, quantity], (shop, ...values) => shop.sell(...values)),
    step(4, 'applyUpdate', [index], (shop, ...values) => shop.applyUpdate(...values)),
    step(2, 'adjust', [levelKey, fc.integer({ min: -5, max: 5 })], (shop, ...values) =>
      shop.adjust(...values),
    ),
    step(1, 'set', [levelKey, fc.nat({ max: 20 })], (shop, ...values) => shop.set(...values)),
    step(2, 'receive', [levelKey, quantity, fc.boolean()], (shop, ...values) => shop.receive(...values)),
    step(1, 'receiveDirectly', [levelKey, quantity], (shop, ...values) => shop.receiveDirectly(...values)),
    step(
      2,
      'ship',
      [fc.constantFrom(1, 2), fc.boolean(), fc.integer({ min: 1, max: 10 })],
      (shop, ...values) => shop.ship(...values),
    ),
    step(2, 'arrive', [index, fc.boolean()], (shop, ...values) => shop.arrive(...values)),
    step(
      2,
      'arrivePart',
      [index, fc.tuple(index, fc.nat({ max: 3 }), fc.nat({ max: 2 }))],
      (shop, ...values) => shop.arrivePart(...values),
    ),
    step(1, 'unarrive', [index], (shop, ...values) => shop.unarrive(...values)),
    step(2, 'count', [levelKey], (shop, ...values) => shop.count(...values)),
    step(2, 'submit', [index], (shop, ...values) => shop.submit(...values)),
    step(4, 'push', [], (shop) => shop.push()),
    step(3, 'crashDuringPush', [fc.boolean()], (shop, ...values) => shop.crashDuringPush(...values)),
    step(1, 'reconcile', [], (shop) => shop.reconcile()),
  ),
  { minLength: 5, maxLength: 40 },
)

t.test('after any sequence of events, shelf, books, ledger and platform agree', async (t) => {
  const { db, openShop } = await startShops(t)
  const property = fc.asyncProperty(steps, async (sequence) => {
    const shop = await openShop()
    for (const { run } of sequence) await run(shop)
    await shop.settle()
    await shop.reconcile()
    const expected = levelKeys.map((key) => {
      const books = (shop.shelf.get(key) ?? 0) + (shop.bookErrors.get(key) ?? 0)
      return [key, { books, platform: books }]
    })
    const levels = await levelsOf(db, shop.person)
    const actual = levelKeys.map((key) => [
      key,
      { books: levels[key]?.[0], platform: shop.platform.levels.get(key)?.available },
    ])
    if (JSON.stringify(actual) !== JSON.stringify(expected))
      throw new Error(`${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`)
    const unsent = await pushLinesOf(db, shop.person)
    if (unsent.length > 0) throw new Error(`The pushes were never sent: ${JSON.stringify(unsent)}`)
    await expectLedger(t, db, shop.person)
  })
  const outcome = await fc.check(property, {
    numRuns: Number(process.env.RUNS ?? rounds(200, 12)),
    seed: Number(process.env.SEED ?? 20261121),
  })
  const [failing = []] = outcome.counterexample ?? []
  const failingSteps = failing.map(({ name }) => name).join(', ')
  t.notOk(outcome.failed, `${outcome.numRuns} runs; ${failingSteps} ${String(outcome.errorInstance ?? '')}`)
})
