import type { Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { claimPush } from '../../../shared/domain/stock-pushes/claim.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import type { AdminApi } from '../../../worker/platform/admin-api.ts'
import { sendPush } from '../../../worker/platform/push-request.ts'
import { startApp } from '../core/app.ts'
import { makePerson } from '../core/people.ts'
import { deliveryJobs, startTasks } from '../core/worker.ts'
import { meetPlatform } from '../platform/platform.ts'
import { answerStock } from '../platform/stock-platform.ts'
import { deliver, sign } from '../platform/webhooks.ts'
import { line, makeSentOrder, readOrder } from './orders.ts'
import { levelsOf, locationGid, makeStock, variantGid } from './stock.ts'

export const places = ['1/1', '1/2', '2/1', '2/2'] as const
const initial = 10
const maxRounds = 20

/** Both processes' code on one database, for shops whose stock is followed by a plain model. */
export async function startShops(t: Test) {
  const { app, db } = await startApp(t)
  const { perform } = await startTasks(t, db)

  /**
   * A shop, what may happen in it, and the model: what lies on each shelf. Setting a number changes the books and not
   * the shelf, so the books are wrong by that until somebody counts.
   */
  async function openShop() {
    const person = await makePerson(app, db, 'alice')
    const { shopId, shopDomain } = person
    const double = meetPlatform(t, shopDomain)
    await makeStock(db, person, { variants: 2, locations: 2, available: initial })
    const shelf = new Map<string, number>(places.map((place) => [place, initial]))
    const wrong = new Map<string, number>(places.map((place) => [place, 0]))
    /** What the platform has still to tell, each level of which it has changed. */
    const news: { place: string; available: number; updatedAt: string }[] = []
    const platform = answerStock(double, places, initial, (place, level) => news.push({ place, ...level }))
    const transfers: { id: number; from: string; to: string; quantity: number }[] = []
    const counts: { id: number; place: string }[] = []
    const dead: string[] = []

    const add = (map: Map<string, number>, place: string, by: number) =>
      map.set(place, (map.get(place) ?? 0) + by)
    const at = (place: string) => {
      const [variant = 0, location = 0] = place.split('/').map(Number)
      return { variant, location, variantId: variantGid(variant), locationId: locationGid(location) }
    }
    const ask = async (method: 'POST' | 'PUT', url: string, body?: object) => {
      const answer = await person.send(method, url, body)
      if (answer.statusCode >= 300) throw new Error(`${url} ${JSON.stringify(body)}: ${answer.body}`)
      return answer.json().data
    }
    const take = <T>(list: T[], which: number): T | undefined =>
      list.length === 0 ? undefined : list.splice(which % list.length, 1)[0]

    const hear = async (which: number) => {
      const told = take(news, which)
      if (!told) return
      const { variant, location } = at(told.place)
      const payload = { inventory_item_id: variant, location_id: location, available: told.available }
      await deliver(app, sign(person, 'inventory_levels/update', { ...payload, updated_at: told.updatedAt }))
      const list = (await deliveryJobs(db, jobs.applyInventoryLevels, shopId)).at(-1)
      const ends = list && (await perform(jobs.applyInventoryLevels, list))
      if (Array.isArray(ends)) await Promise.all(ends)
    }

    const push = (jobId = 'alive') => perform(jobs.pushStock, { shopId }, { jobId })

    /** Everybody who died comes back, and all that was told is heard. */
    const settle = async () => {
      for (let round = 0; round < maxRounds; round += 1) {
        for (const jobId of dead.splice(0)) await push(jobId)
        await push()
        if (news.length === 0) return
        while (news.length > 0) await hear(0)
      }
      throw new Error('The shop does not come to rest')
    }

    return {
      person,
      shelf,
      wrong,
      platform,
      settle,
      hear,
      push,
      async sell(place: string, pieces: number) {
        platform.sell(place, pieces)
        add(shelf, place, -pieces)
      },
      async adjust(place: string, delta: number) {
        const { variantId, locationId } = at(place)
        await ask('POST', '/api/stock-levels/adjust', {
          adjustments: [{ variantId, locationId, delta }],
          allowNegative: true,
        })
        add(shelf, place, delta)
      },
      async set(place: string, quantity: number) {
        const { variantId, locationId } = at(place)
        const [shown = 0] = (await levelsOf(db, person))[place] ?? []
        await ask('PUT', '/api/stock-levels/bulk', { adjustments: [{ variantId, locationId, quantity }] })
        add(wrong, place, quantity - shown)
      },
      async receive(place: string, pieces: number) {
        const { variant, locationId } = at(place)
        const order = await makeSentOrder(person, { lineItems: [line(variant, { quantity: pieces })] })
        const [first] = (await readOrder(person, order.id)).lineItems
        await ask('POST', `/api/purchase-orders/${order.id}/receive`, {
          lineItems: [{ lineItemId: first?.id, quantityReceived: pieces }],
          locationId,
        })
        add(shelf, place, pieces)
      },
      async ship(variant: number, isBack: boolean, quantity: number) {
        const [from, to] = isBack ? [`${variant}/2`, `${variant}/1`] : [`${variant}/1`, `${variant}/2`]
        const { id } = await ask('POST', '/api/stock-transfers', {
          sourceLocationId: at(from).locationId,
          destinationLocationId: at(to).locationId,
          items: [{ variantId: variantGid(variant), quantity }],
        })
        await ask('PUT', `/api/stock-transfers/${id}`, { status: 'in_transit', allowNegative: true })
        add(shelf, from, -quantity)
        transfers.push({ id, from, to, quantity })
      },
      async arrive(which: number, isCancelled: boolean) {
        const transfer = take(transfers, which)
        if (!transfer) return
        await ask('PUT', `/api/stock-transfers/${transfer.id}`, {
          status: isCancelled ? 'cancelled' : 'completed',
        })
        add(shelf, isCancelled ? transfer.from : transfer.to, transfer.quantity)
      },
      /** Somebody looks at a shelf when the books are up to date, and writes down what lies there. */
      async count(place: string) {
        await settle()
        const { variantId, locationId } = at(place)
        const countedQuantity = shelf.get(place) ?? 0
        if (countedQuantity < 0) return
        const { id } = await ask('POST', '/api/stock-counts', {
          locationId,
          items: [{ variantId, countedQuantity }],
        })
        // our clock and the platform's tell the same time
        await db.query(sql.typeAlias('void')`
          update stock_count_item set counted_at = ${platform.tick()} where shop_id = ${shopId} and count_id = ${id}
        `)
        platform.tick()
        counts.push({ id, place })
      },
      async submit(which: number) {
        const count = take(counts, which)
        if (!count) return
        await ask('PUT', `/api/stock-counts/${count.id}`, { status: 'submitted' })
        wrong.set(count.place, 0)
      },
      /** A worker dies with a change that is marked as under way, before or after the platform was asked. */
      async die(isAsked: boolean) {
        const jobId = `dead ${dead.length + 1} ${platform.tick()}`
        const claimed = await claimPush(db, shopId, jobId)
        if (!claimed) return
        dead.push(jobId)
        const nobody: AdminApi = {
          query: async (document, variables) => {
            const [, body] = platform.change(document.name, variables as Record<string, unknown>)
            return (body as { data: never }).data
          },
        }
        if (isAsked && claimed.request.length > 0)
          await sendPush(nobody, claimed, new AbortController().signal)
      },
      reconcile: () => perform(jobs.reconcileStock, { shopId }),
    }
  }

  return { db, openShop }
}
