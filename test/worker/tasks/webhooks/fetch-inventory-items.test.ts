import { Type } from '@sinclair/typebox'
import nock from 'nock'
import t, { type Test } from 'tap'
import { row, sql } from '../../../../shared/db/db.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { deliveryJobs } from '../../../support/core/worker.ts'
import { interceptRequests } from '../../../support/platform/intercept.ts'
import { emptyAddress } from '../../../support/platform/platform.ts'
import { startDeliveries } from '../../../support/platform/webhooks.ts'

const level = (item: number, location: number, available: number) => ({
  inventory_item_id: item,
  location_id: location,
  available,
  updated_at: '2026-11-01T10:00:00Z',
})

const variantNode = (id: number, item: number) => ({
  id: `gid://platform/ProductVariant/${id}`,
  title: 'Large',
  sku: `S-${id}`,
  barcode: null,
  price: '1.00',
  inventoryItem: {
    id: `gid://platform/InventoryItem/${item}`,
    tracked: true,
    updatedAt: '2026-10-01T00:00:00Z',
    unitCost: { amount: '4.25' },
    measurement: { weight: null },
  },
  product: {
    id: 'gid://platform/Product/1',
    title: 'Mug',
    status: 'ACTIVE',
    vendor: 'Kiln & Co',
    productType: 'Mugs',
    tags: [],
    updatedAt: '2026-10-01T00:00:00Z',
  },
})

const itemNode = (id: number, variants: object[]) => ({
  id: `gid://platform/InventoryItem/${id}`,
  tracked: true,
  variants: { nodes: variants },
})

const locationNode = {
  id: 'gid://platform/Location/6',
  name: 'Shop',
  isActive: true,
  updatedAt: '2026-10-01T00:00:00Z',
  address: { ...emptyAddress, address1: '3 Princess Parade', city: 'Bristol' },
}

async function startFetching(t: Test) {
  const context = await startDeliveries(t)
  const { alice, db, perform } = context
  const intercept = interceptRequests(t)
  return {
    ...context,
    /** Makes the platform return these nodes for every request. */
    respondWith: (nodes: (object | null)[], status = 200) =>
      intercept(`https://${alice.shopDomain}`)
        .post('/admin/api/2026-07/graphql.json')
        .reply(status, { data: { nodes } }),
    fetch: async (attempt?: { isLast: boolean; signal?: AbortSignal }) => {
      const lists = await deliveryJobs(db, jobs.fetchInventoryItems, alice.shopId)
      const outcomes = await perform(jobs.fetchInventoryItems, lists.flat(), attempt)
      await Promise.all(Array.isArray(outcomes) ? outcomes : [])
    },
    levels: () =>
      db.any(sql.type(
        row(Type.Object({ sku: Type.String(), location: Type.String(), quantity: Type.Integer() })),
      )`
        select v.sku, l.name as location, s.quantity
        from stock_level s
        join variant v on v.shop_id = s.shop_id and v.id = s.variant_id
        join location l on l.shop_id = s.shop_id and l.id = s.location_id
        where s.shop_id = ${alice.shopId}
        order by v.sku
      `),
    states: () =>
      db.anyFirst(sql.type(row(Type.Object({ state: Type.String() })))`
        select state from webhook_delivery where shop_id = ${alice.shopId} order by id
      `),
  }
}

t.test('updates of unknown items and locations are applied after these are fetched', async (t) => {
  const { alice, deliverAndApply, respondWith, fetch, levels, states } = await startFetching(t)
  await deliverAndApply('INVENTORY_LEVELS_UPDATE', level(5, 6, 7), level(8, 6, 9))
  t.strictSame(await states(), ['received', 'received'])
  respondWith([
    itemNode(5, [variantNode(1, 5), variantNode(2, 5)]),
    itemNode(8, [variantNode(3, 8)]),
    locationNode,
  ])
  await fetch()
  t.strictSame(await levels(), [
    { sku: 'S-1', location: 'Shop', quantity: 7 },
    { sku: 'S-2', location: 'Shop', quantity: 7 },
    { sku: 'S-3', location: 'Shop', quantity: 9 },
  ])
  t.strictSame(await states(), ['applied', 'applied'])
  t.match((await alice.get('/api/locations')).json().data, [
    { name: 'Shop', addressLines: ['3 Princess Parade', 'Bristol'] },
  ])
  await fetch()
  t.equal((await levels()).length, 3, 'a second run changes nothing')
})

t.test('an item that the platform does not have is ignored', async (t) => {
  const { deliverAndApply, respondWith, fetch, levels, states } = await startFetching(t)
  await deliverAndApply('INVENTORY_LEVELS_UPDATE', level(5, 6, 7))
  respondWith([null, locationNode])
  await fetch()
  t.strictSame(await levels(), [])
  t.strictSame(await states(), ['ignored'])
})

t.test('updates stay pending while the platform is unavailable', async (t) => {
  const { deliverAndApply, fetch, states } = await startFetching(t)
  await deliverAndApply('INVENTORY_LEVELS_UPDATE', level(5, 6, 7))
  await t.rejects(fetch())
  t.strictSame(await states(), ['received'])
})

t.test('an error of the platform is not blamed on single updates', async (t) => {
  const { alice, deliverAndApply, fetch, states } = await startFetching(t)
  await deliverAndApply('INVENTORY_LEVELS_UPDATE', level(5, 6, 7), level(8, 6, 9), level(9, 6, 1))
  let requests = 0
  nock(`https://${alice.shopDomain}`)
    .persist()
    .post('/admin/api/2026-07/graphql.json')
    .reply(() => {
      requests += 1
      return [402, {}]
    })
  await t.rejects(fetch())
  t.equal(requests, 1, 'the updates are not tried one by one')
  t.strictSame(await states(), ['received', 'received', 'received'])
  await t.rejects(fetch({ isLast: true, signal: AbortSignal.abort() }))
  t.strictSame(await states(), ['received', 'received', 'received'], 'a worker that stops fails none')
  await t.rejects(fetch({ isLast: true }))
  t.strictSame(await states(), ['failed', 'failed', 'failed'])
})

t.test('an update is marked as failed after the last attempt or without access', async (t) => {
  const unavailable = await startFetching(t)
  await unavailable.deliverAndApply('INVENTORY_LEVELS_UPDATE', level(5, 6, 7))
  await t.rejects(unavailable.fetch({ isLast: true }))
  t.strictSame(await unavailable.states(), ['failed'])

  const revoked = await startFetching(t)
  await revoked.deliverAndApply('INVENTORY_LEVELS_UPDATE', level(5, 6, 7))
  revoked.respondWith([], 401)
  await t.resolves(revoked.fetch())
  t.strictSame(await revoked.states(), ['failed'])
})
