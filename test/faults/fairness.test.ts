import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { row, sql } from '../../shared/db/db.ts'
import { enqueue } from '../../shared/queue/enqueue.ts'
import { jobs } from '../../shared/queue/jobs.ts'
import { createDatabase } from '../support/core/database.ts'
import { startSupervised } from '../support/core/processes.ts'
import { until } from '../support/core/until.ts'
import { expectPromised, rounds, startClock } from '../support/faults/faults.ts'
import { openBusyShop } from '../support/make/busy-shop.ts'
import { makeOrder } from '../support/make/orders.ts'
import { makeDelivery } from '../support/platform/webhooks.ts'

const pushes = rounds(10_000, 200)
/**
 * How long the platform takes for a stock change until the other shop is served: with few changes so long that some wait until
 * then on any machine, and less than the time limit of a request.
 */
const platformMs = rounds(30, 5_000)
const State = Type.Object({ state: Type.String() })

t.test(
  'thousands of stock changes of one shop delay neither the mail nor the webhook of another',
  async (t) => {
    const shop = await openBusyShop(t, await createDatabase())
    const other = await shop.addShop()
    const { platformServer, mailService, db } = shop
    const isServed = new AbortController()
    for (const operation of ['AdjustQuantities', 'SetQuantities']) {
      const answer = platformServer.handler(operation)
      platformServer.on(operation, async (...call) => {
        if (!isServed.signal.aborted)
          await sleep(platformMs, undefined, { signal: isServed.signal }).catch(() => {})
        return answer(...call)
      })
    }
    const stateOf = (id: number) =>
      db.oneFirst(sql.type(row(State))`
        select state from webhook_delivery where shop_id = ${other.shopId} and id = ${id}
      `)
    const hasWaitingPushes = () =>
      db.exists(sql.typeAlias('void')`
        select from stock_push where shop_id = ${shop.alice.shopId} and state = 'queued'
      `)
    await shop.work({ mails: 0, deliveries: 0, pushes })
    const { id } = await makeOrder(other)
    startSupervised(t, 'worker/main.ts', shop.env)
    await until(() => platformServer.requests.length > 0, 'the worker sends the stock changes')

    const times: { mails: number[]; webhooks: number[] } = { mails: [], webhooks: [] }
    const mailsBefore = mailService.mails().length
    const sinceSent = startClock()
    t.equal((await other.post(`/api/purchase-orders/${id}/send`)).statusCode, 200)
    await until(() => mailService.mails().length > mailsBefore, 'the mail is sent')
    times.mails.push(sinceSent())
    for (let number = 0; number < rounds(10, 4); number += 1) {
      const deliveryId = await makeDelivery(db, other.shopId)
      const sinceDelivered = startClock()
      await enqueue(db, jobs.applyOrders, [{ shopId: other.shopId, deliveryId }])
      await until(async () => (await stateOf(deliveryId)) === 'applied', 'the webhook is applied')
      times.webhooks.push(sinceDelivered())
    }
    t.ok(await hasWaitingPushes(), 'the mail and the webhooks were done before the last stock change')
    isServed.abort()
    expectPromised(t, 'from sending an order to its mail', times.mails, 3_000)
    expectPromised(t, 'from a webhook to its effect', times.webhooks, 2_000)
    await until(shop.isSettled, 'all stock changes are sent', 600_000)
    await shop.expectEachEffectOnce({ mailsOfOthers: 1 })
  },
)
