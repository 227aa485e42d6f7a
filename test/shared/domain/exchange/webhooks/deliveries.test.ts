import { Type } from '@sinclair/typebox'
import t from 'tap'
import { row, sql } from '../../../../../shared/db/db.ts'
import {
  type IncomingDelivery,
  storeDeliveries,
} from '../../../../../shared/domain/exchange/webhooks/deliveries.ts'
import {
  type ProjectedBody,
  projectBody,
} from '../../../../../shared/domain/kit/webhook-fields/projection.ts'
import { jobs } from '../../../../../shared/queue/jobs.ts'
import { startApp } from '../../../../support/core/app.ts'
import { deliveryJobs } from '../../../../support/core/worker.ts'

const Stored = Type.Object({ webhookId: Type.String(), payload: Type.Any() })

/** Any bytes in place of a projected body. */
const bytes = (text: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(text, encoding) as ProjectedBody

/** A delivery as the endpoint passes it to the domain. */
const incoming = (shopDomain: string, webhookId: string, fields: Partial<IncomingDelivery> = {}) => ({
  shopDomain,
  webhookId,
  topic: 'ORDERS_CREATE' as const,
  eventId: '',
  triggeredAt: null,
  payload: projectBody('ORDERS_CREATE', Buffer.from('{}')),
  jobFlags: [],
  ...fields,
})

t.test('deliveries stored in one batch keep their own bytes', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  const bodies = ['{"name":"Müller"}', '', '\0\xff\\x41', 'x'.repeat(100_000), '{}'].map((text) =>
    bytes(text, 'latin1'),
  )
  const deliveries = bodies.map((payload, at) => incoming(alice.shopDomain, `w-${at}`, { payload }))
  const foreign = incoming(mallory.shopDomain, 'w-0', { payload: bytes('of mallory') })
  deliveries.splice(2, 0, foreign)
  t.strictSame(new Set(await storeDeliveries(db, deliveries)), new Set(['stored']))
  const storedOf = (shopId: number) =>
    db.any(sql.type(row(Stored))`
      select webhook_id, payload from webhook_delivery where shop_id = ${shopId} order by webhook_id
    `)
  t.strictSame(
    (await storedOf(alice.shopId)).map(({ payload }) => payload),
    bodies,
  )
  t.strictSame(await storedOf(mallory.shopId), [{ webhookId: 'w-0', payload: foreign.payload }])
})

t.test('the first delivery of a webhook id is stored, and later ones are duplicates', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  const unknownShop = 'unknown.myshop.example'
  const deliveries = [
    incoming(alice.shopDomain, 'w-1'),
    incoming(unknownShop, 'w-1'),
    incoming(alice.shopDomain, 'w-1', { topic: 'PRODUCTS_UPDATE' }),
    incoming(mallory.shopDomain, 'w-1'),
    incoming(unknownShop, 'w-1'),
    incoming(alice.shopDomain, 'w-2'),
  ]
  t.strictSame(await storeDeliveries(db, deliveries), [
    'stored',
    'not installed',
    'duplicate',
    'stored',
    'not installed',
    'stored',
  ])
  t.strictSame(await storeDeliveries(db, deliveries.slice(0, 2)), ['duplicate', 'not installed'])
  const lists = await deliveryJobs(db, jobs.applyOrders, alice.shopId)
  t.strictSame(
    lists.flat().map(({ shopId }) => shopId),
    [alice.shopId, alice.shopId, mallory.shopId].toSorted((a, b) => a - b),
  )
  t.strictSame(await deliveryJobs(db, jobs.applyProducts, alice.shopId), [])
})

t.test('a job has at most 50 deliveries and about 4 MiB of bodies', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  const many = Array.from({ length: 120 }, (_, at) => incoming(alice.shopDomain, `w-${at}`))
  await storeDeliveries(db, many)
  t.strictSame(
    (await deliveryJobs(db, jobs.applyOrders, alice.shopId)).map((list) => list.length),
    [50, 50, 20],
  )
  const payload = bytes(' '.repeat(1_500_000))
  const large = Array.from({ length: 6 }, (_, at) => incoming(mallory.shopDomain, `w-${at}`, { payload }))
  await storeDeliveries(db, large)
  const lists = await deliveryJobs(db, jobs.applyOrders, mallory.shopId)
  t.ok(lists.every((list) => list.length <= 3))
  t.equal(lists.flat().length, 6)
})

t.test(
  'deliveries are stored in the order of shop and webhook id, so that concurrent writers cannot deadlock',
  async (t) => {
    const { db, alice, mallory } = await startApp(t)
    const deliveries = [mallory, alice].flatMap(({ shopDomain }) =>
      ['c', 'a', 'b'].map((id) => incoming(shopDomain, id)),
    )
    await storeDeliveries(db, deliveries)
    const numbers = await db.anyFirst(sql.type(row(Type.Object({ number: Type.String() })))`
    select case shop_id when ${alice.shopId} then 'alice ' else 'mallory ' end || webhook_id as number
    from webhook_delivery
    where shop_id in (${alice.shopId}, ${mallory.shopId})
    order by id
  `)
    const of = (name: string) => ['a', 'b', 'c'].map((id) => `${name} ${id}`)
    const inOrder = [of('alice'), of('mallory')]
    t.strictSame(numbers, (alice.shopId < mallory.shopId ? inOrder : inOrder.reverse()).flat())
  },
)
