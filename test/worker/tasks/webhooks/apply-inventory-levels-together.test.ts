import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { withClient } from '../../../../dev/postgres/database.ts'
import { row, sql } from '../../../../shared/db/db.ts'
import {
  type IncomingDelivery,
  storeDeliveries,
} from '../../../../shared/domain/exchange/webhooks/deliveries.ts'
import type { ProjectedBody } from '../../../../shared/domain/kit/webhook-fields/projection.ts'
import { type Delivery, jobs } from '../../../../shared/queue/jobs.ts'
import { fileDatabase } from '../../../support/core/database.ts'
import type { Person } from '../../../support/core/people.ts'
import { deliveryJobs } from '../../../support/core/worker.ts'
import { deliver, level, sign, startStock } from '../../../support/platform/webhooks.ts'

/** Updates that arrived one after the other, so that each has its own job. */
async function startQueuedUpdates(t: Test) {
  const { app, db, alice, mallory, perform, levels } = await startStock(t)
  return {
    db,
    alice,
    mallory,
    levels,
    send: async (body: object, person: Person = alice, topic = 'INVENTORY_LEVELS_UPDATE') =>
      t.equal((await deliver(app, sign(person, topic, body))).statusCode, 200),
    /**
     * Runs the job of the nth update as the queue does. The first updates have waited for the given seconds, the others
     * are new however long a busy machine needed.
     */
    doJob: async (at: number, attempt?: Parameters<typeof perform>[2], waited: readonly number[] = []) => {
      await db.query(sql.typeAlias('void')`
        with unlocked as (
          select id from webhook_delivery where shop_id = ${alice.shopId} for update skip locked
        )
        update webhook_delivery d
        set received_at = now() - make_interval(secs => coalesce((${sql.array([...waited], 'int4')})[n.place], -600))
        from (
          select id, row_number() over (order by id) as place from webhook_delivery where shop_id = ${alice.shopId}
        ) n
        join unlocked on unlocked.id = n.id
        where d.id = n.id
      `)
      const lists: Delivery[][] = await deliveryJobs(db, jobs.applyInventoryLevels, alice.shopId)
      const outcomes = await perform(jobs.applyInventoryLevels, lists[at] ?? [], attempt)
      await Promise.all(Array.isArray(outcomes) ? outcomes : [])
    },
    states: ({ shopId }: Person = alice) =>
      db.anyFirst(sql.type(row(Type.Object({ state: Type.String() })))`
        select state from webhook_delivery where shop_id = ${shopId} order by id
      `),
    fetchCount: async () => (await deliveryJobs(db, jobs.fetchInventoryItems, alice.shopId)).flat().length,
  }
}

t.test('the first job applies all pending updates, and the others do nothing', async (t) => {
  const { send, doJob, states, levels } = await startQueuedUpdates(t)
  for (const number of [1, 2, 3]) await send(level(number, number))
  await doJob(0)
  t.strictSame(await states(), ['applied', 'applied', 'applied'])
  await doJob(1)
  await doJob(2)
  t.strictSame(await levels(), [{ quantity: 3, platformQuantity: 3 }])
})

t.test('a job does not batch deliveries of another shop or topic', async (t) => {
  const { send, doJob, states, mallory } = await startQueuedUpdates(t)
  await send(level(1, 1))
  await send(level(2, 2), mallory)
  await send({ id: 1, created_at: '2026-11-01T10:00:00Z', line_items: [] }, undefined, 'ORDERS_CREATE')
  await send(level(3, 3))
  await doJob(0)
  t.strictSame(await states(), ['applied', 'received', 'applied'])
  t.strictSame(await states(mallory), ['received'])
})

t.test('a retried, freed or suspect job batches no additional deliveries', async (t) => {
  for (const attempt of [{ isLast: true }, { isTouched: true }, { flags: { suspect: true as const } }]) {
    const { send, doJob, states } = await startQueuedUpdates(t)
    for (const number of [1, 2]) await send(level(number, number))
    await doJob(0, attempt)
    t.strictSame(await states(), ['applied', 'received'])
  }
})

t.test('a delivery that has waited long may be harmful and is left to its own job', async (t) => {
  const { send, doJob, states } = await startQueuedUpdates(t)
  for (const number of [1, 2, 3]) await send(level(number, number))
  await doJob(0, {}, [6, 6])
  t.strictSame(await states(), ['applied', 'received', 'applied'])
})

t.test('a job considers the next 150 deliveries and skips large ones', async (t) => {
  const { db, alice, send, doJob, states } = await startQueuedUpdates(t)
  const update = (webhookId: string, body: object, bytes = 0): IncomingDelivery => ({
    shopDomain: alice.shopDomain,
    topic: 'INVENTORY_LEVELS_UPDATE',
    webhookId,
    eventId: '',
    triggeredAt: null,
    payload: Buffer.from(JSON.stringify(body).padEnd(bytes)) as ProjectedBody,
    jobFlags: [],
  })
  await send(level(1, 1))
  await storeDeliveries(db, [update('large', level(2, 2), 20_000)])
  const many = Array.from({ length: 152 }, (_, at) =>
    update(`many-${String(at).padStart(3, '0')}`, level(at, 3)),
  )
  await storeDeliveries(db, many)
  await doJob(0)
  const [first, large, ...others] = await states()
  t.strictSame([first, large], ['applied', 'received'])
  t.strictSame(others.indexOf('received'), 149, 'the large delivery counts among those considered')
  t.equal(others.length, 152)
})

t.test('a job skips deliveries locked by another job', async (t) => {
  const { alice, send, doJob, states } = await startQueuedUpdates(t)
  for (const number of [1, 2, 3]) await send(level(number, number))
  await withClient(await fileDatabase(), async (client) => {
    await client.query('begin')
    await client.query(
      `select from webhook_delivery
       where id = (select id from webhook_delivery where shop_id = $1 order by id offset 1 limit 1)
       for update`,
      [alice.shopId],
    )
    await doJob(0)
    t.strictSame(await states(), ['applied', 'received', 'applied'])
  })
})

t.test('a delivery that cannot be applied fails only its own job', async (t) => {
  const { db, alice, send, doJob, states } = await startQueuedUpdates(t)
  const full = 2 ** 31 - 1
  await db.query(sql.typeAlias('void')`
    with variant as (
      insert into variant (shop_id, gid, product_id, inventory_item_gid)
      select ${alice.shopId}, 'gid://platform/ProductVariant/9', id, 'gid://platform/InventoryItem/9'
      from product
      where shop_id = ${alice.shopId}
      returning id
    )
    insert into stock_level (shop_id, variant_id, location_id, quantity)
    select ${alice.shopId}, variant.id, location.id, ${full}
    from variant, location
    where location.shop_id = ${alice.shopId}
  `)
  await send(level(1, 1))
  await send(level(2, 2, { inventory_item_id: 9 }))
  await send(level(3, 3))
  await doJob(0)
  t.strictSame(await states(), ['applied', 'received', 'received'])
  await t.rejects(doJob(1), 'out of range')
  await doJob(2)
  t.strictSame(await states(), ['applied', 'received', 'applied'])
})

t.test('an unknown item is fetched once, by the job of its update', async (t) => {
  const { send, doJob, fetchCount, states } = await startQueuedUpdates(t)
  await send(level(1, 1))
  await send(level(2, 2, { inventory_item_id: 99 }))
  await doJob(0)
  t.equal(await fetchCount(), 0)
  await doJob(1)
  t.equal(await fetchCount(), 1)
  t.strictSame(await states(), ['applied', 'received'])
})
