import t, { type Test } from 'tap'
import { enqueueSuspects } from '../../../shared/domain/kit/operations/job-crashes.ts'
import { enqueue, enqueueAll, enqueueForShops } from '../../../shared/queue/enqueue.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { createFairSlots } from '../../../worker/queue/fair-slots.ts'
import { startApp } from '../../support/core/app.ts'
import { openTestDb } from '../../support/core/database.ts'
import { queuedJobs } from '../../support/core/jobs.ts'
import { startTestQueue } from '../../support/core/queue.ts'
import { until } from '../../support/core/until.ts'

const concurrency = 10

/** A queue with one task, whose jobs run until the test ends them. Each is named by its flags. */
async function startHeldQueue(t: Test) {
  const running: { name: string; end: () => void }[] = []
  let started = 0
  let maxRunning = 0
  let isOpen = false
  const held = async (_payload: unknown, { job }: { job: { flags: Record<string, true> | null } }) => {
    const name = Object.keys(job.flags ?? {})
      .sort()
      .join(' ')
    const { promise, resolve } = Promise.withResolvers<void>()
    const entry = { name, end: resolve }
    running.push(entry)
    started += 1
    maxRunning = Math.max(maxRunning, running.length)
    if (!isOpen) await promise
    running.splice(running.indexOf(entry), 1)
  }
  const queue = await startTestQueue(t, { held }, { concurrency })
  const endAll = () => {
    isOpen = true
    for (const { end } of running) end()
  }
  t.teardown(endAll)
  return {
    ...queue,
    started: () => started,
    maxRunning: () => maxRunning,
    running: (part: string) => running.filter(({ name }) => name.includes(part)).length,
    endAll,
  }
}

t.test('bulk work leaves three of ten slots to other jobs', async (t) => {
  const { add, started, running, endAll, queue, failures } = await startHeldQueue(t)
  for (let number = 0; number < 40; number += 1) await add('held', { flags: ['bulk', `shop:${number}`] })
  await until(() => started() >= 7, 'bulk jobs run')
  await add('held', { flags: ['shop:99'] })
  await until(() => running('shop:99') === 1, 'the other job runs before a bulk job ends')
  t.equal(running('bulk'), 7)
  endAll()
  await until(() => started() === 41, 'all jobs run')
  t.strictSame(failures, [], 'the worker does not count as stuck')
  await queue.stop()
})

t.test('one shop leaves three of ten slots to other shops', async (t) => {
  const { add, started, running, endAll, queue } = await startHeldQueue(t)
  const addOfShop = async (jobs: number) => {
    for (let number = 0; number < jobs; number += 1) await add('held', { flags: ['shop:1'] })
  }
  // an idle worker fetches for all slots at once, when no job of the shop runs yet
  await addOfShop(5)
  await until(() => started() === 5, 'half of the slots run jobs of the shop')
  await addOfShop(35)
  await until(() => started() === 7, 'the shop gets all slots that are not reserved')
  await add('held', { flags: ['shop:2'], priority: 5 })
  await until(() => running('shop:2') === 1, 'the job of the other shop runs before one of the first ends')
  t.equal(running('shop:1'), 7)
  endAll()
  await until(() => started() === 41, 'all jobs run')
  await queue.stop()
})

t.test('jobs of many shops that are no bulk work use all slots', async (t) => {
  const { add, started, maxRunning, endAll, queue } = await startHeldQueue(t)
  for (let number = 0; number < 30; number += 1) await add('held', { flags: [`shop:${number}`] })
  await until(() => started() === concurrency, 'all slots are used')
  endAll()
  await until(() => started() === 30, 'all jobs run')
  t.equal(maxRunning(), concurrency)
  await queue.stop()
})

t.test('one slot takes all jobs, and two slots reserve one', (t) => {
  const one = createFairSlots(1)
  t.equal(one.unreserved, 1)
  t.strictSame(one.forbiddenFlags(), [])
  const two = createFairSlots(2)
  t.strictSame([two.forbiddenFlags(), two.forbiddenFlags()], [[], ['bulk']])
  t.end()
})

t.test('a queued job has the priority of its kind, and the flags of its shop', async (t) => {
  const { alice } = await startApp(t)
  const { db } = await openTestDb(t)
  const { shopId } = alice
  const queued = async (task: string) => {
    const { priority, flags } = (await queuedJobs(db, { task })).at(-1) ?? {}
    return { priority, flags }
  }
  const shop = `shop:${shopId}`
  await enqueue(db, jobs.sendPurchaseOrder, { shopId, outgoingMailId: 1 })
  t.strictSame(await queued('send-purchase-order'), { priority: -10, flags: [shop] })
  await enqueue(db, jobs.syncCatalog, { shopId, catalogSyncId: 1 })
  t.strictSame(await queued('sync-catalog'), { priority: -10, flags: ['bulk', shop] })
  await enqueue(db, jobs.syncCatalog, { shopId, catalogSyncId: 1 }, { priority: 'background' })
  t.strictSame(await queued('sync-catalog'), { priority: 10, flags: ['bulk', shop] })
  await enqueueAll(db, jobs.syncProduct, [{ shopId, productGid: 'gid://shopify/Product/1' }])
  t.strictSame(await queued('sync-product'), { priority: 10, flags: ['bulk', shop] })
  await enqueue(db, jobs.pushStock, { shopId })
  t.strictSame(await queued('push-stock'), { priority: 5, flags: [shop] })
  await enqueueForShops(db, jobs.checkLowStock, { shopIds: [shopId] })
  t.strictSame(await queued('check-low-stock'), { priority: 10, flags: ['bulk', shop] })
  const list = [1, 2].map((deliveryId) => ({ shopId, deliveryId }))
  await enqueue(db, jobs.fetchInventoryItems, list)
  t.strictSame(await queued('fetch-inventory-items'), { priority: 0, flags: ['bulk', shop] })
  await enqueue(db, jobs.applyOrders, [...list, { shopId: shopId + 1, deliveryId: 3 }])
  t.strictSame(await queued('apply-orders'), { priority: 0, flags: [] }, 'a list of two shops has no shop')
  await enqueueSuspects(db, jobs.applyOrders, [list])
  t.strictSame(await queued('apply-orders'), { priority: 0, flags: [shop, 'suspect'] })
  await enqueue(db, jobs.prune, {})
  t.strictSame(await queued('prune'), { priority: 10, flags: ['bulk'] })
})
