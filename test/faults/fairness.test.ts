import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { row, sql } from '../../shared/db/db.ts'
import { enqueue } from '../../shared/queue/enqueue.ts'
import { jobs } from '../../shared/queue/jobs.ts'
import { createDatabase } from '../support/core/database.ts'
import { startProcess } from '../support/core/processes.ts'
import { until } from '../support/core/until.ts'
import { report, rounds, within } from '../support/faults/faults.ts'
import { openBusyShop } from '../support/make/busy-shop.ts'
import { makeOrder } from '../support/make/orders.ts'
import { makeDelivery } from '../support/platform/webhooks.ts'

const pushes = rounds(10_000, 200)
/** How long the platform takes for a stock change during the measurement: longer for few changes, so that some wait until its end. */
const platformMs = rounds(30, 150)
const State = Type.Object({ state: Type.String() })

t.test(
  'thousands of stock changes of one shop delay neither the mail nor the webhook of another',
  async (t) => {
    const shop = await openBusyShop(t, await createDatabase())
    const other = await shop.addShop()
    const { platformServer, mailService, db } = shop
    let isMeasuring = true
    for (const operation of ['AdjustQuantities', 'SetQuantities']) {
      const answer = platformServer.handler(operation)
      platformServer.on(operation, async (...call) => {
        if (isMeasuring) await sleep(platformMs)
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
    startProcess(t, 'worker/main.ts', shop.env)
    await until(() => platformServer.requests.length > 5, 'the worker sends the stock changes')

    const times: { mails: number[]; webhooks: number[] } = { mails: [], webhooks: [] }
    const mailsBefore = mailService.mails().length
    const sentAt = performance.now()
    t.equal((await other.post(`/api/purchase-orders/${id}/send`)).statusCode, 200)
    await until(() => mailService.mails().length > mailsBefore, 'the mail is sent')
    times.mails.push(Math.round(performance.now() - sentAt))
    for (let number = 0; number < rounds(10, 4); number += 1) {
      const deliveryId = await makeDelivery(db, other.shopId)
      const deliveredAt = performance.now()
      await enqueue(db, jobs.applyOrders, [{ shopId: other.shopId, deliveryId }])
      await until(async () => (await stateOf(deliveryId)) === 'applied', 'the webhook is applied')
      times.webhooks.push(Math.round(performance.now() - deliveredAt))
    }
    t.ok(report(t, 'from sending an order to its mail', times.mails).max <= within(3_000), 'mail within 3 s')
    t.ok(report(t, 'from a webhook to its effect', times.webhooks).max <= within(2_000), 'webhook within 2 s')
    t.ok(await hasWaitingPushes(), 'stock changes were waiting all the time')
    isMeasuring = false
    await until(shop.isSettled, 'all stock changes are sent', 600_000)
    await shop.expectEachEffectOnce({ mailsOfOthers: 1 })
  },
)
