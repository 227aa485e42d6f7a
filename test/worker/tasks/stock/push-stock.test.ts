import t from 'tap'
import { sql } from '../../../../shared/db/db.ts'
import { claimPush } from '../../../../shared/domain/ledgers/stock-pushes/claim.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { expectFailure } from '../../../support/core/app.ts'
import { enqueued } from '../../../support/core/worker.ts'
import { pushLinesOf } from '../../../support/make/stock.ts'
import { startSimulatedShop } from '../../../support/platform/simulated-shop.ts'
import { conflictsOf, pushesOf, statesOf } from '../../../support/platform/stock-pushes.ts'

t.test('a push is sent once, and its echo moves no stock', async (t) => {
  const { db, alice, change, push, ownLevel, movements, expectInSync } = await startSimulatedShop(t)
  await change('adjust', [[0, 0, 5]])
  t.strictSame(await ownLevel(), [15, 10], 'the push is pending')
  t.equal((await enqueued(db, jobs.pushStock, alice.shopId)).length, 1)
  await push()
  await expectInSync(15)
  await push()
  await expectInSync(15)
  t.strictSame(await movements(), ['delta 5'])
  t.strictSame(await pushLinesOf(db, alice), [])
  t.strictSame(await statesOf(db, alice), ['done'])
})

t.test('an echo that arrives before the response moves no stock', async (t) => {
  const { db, alice, platform, change, push, ownLevel, receiveUpdates, movements, expectInSync } =
    await startSimulatedShop(t)
  await change('set', [[0, 0, 5]])
  platform.faults.set({ graphql: [{ fault: 'accept-drop', operation: 'SetQuantities', times: 6 }] })
  await t.rejects(push(), /did not respond/)
  t.strictSame(await statesOf(db, alice), ['sending'])
  await receiveUpdates()
  t.strictSame(await ownLevel(), [15, 10], 'the update is deferred')
  await push()
  await expectInSync(15)
  t.strictSame(await movements(), ['set 5'])
})

t.test(
  'after stale, throttled, failed and lost responses all quantities agree, and each push counts once',
  async (t) => {
    const { platform, change, changeOnPlatform, beforeRequest, push, movements, expectInSync } =
      await startSimulatedShop(t)
    await change('set', [
      [0, 0, 5],
      [1, 1, -3],
    ])
    const requests: number[] = []
    beforeRequest('SetQuantities', (count) => {
      requests.push(count)
      platform.faults.set({ webhooks: [{ fault: 'drop', topic: 'INVENTORY_LEVELS_UPDATE' }] })
      if (count <= 2) changeOnPlatform(-1)
      platform.faults.set({ webhooks: [] })
      if (count === 3) {
        platform.faults.set({
          graphql: [
            { fault: 'throttle', operation: 'SetQuantities' },
            { fault: 'answer-500', operation: 'SetQuantities' },
            { fault: 'accept-drop', operation: 'SetQuantities' },
          ],
        })
      }
    })
    await push()
    t.strictSame(requests, [1, 2, 3, 4, 5, 6])
    await expectInSync(13)
    await expectInSync(7, 1, 1)
    t.strictSame(await movements(), ['set 5', 'platform -1', 'platform -1'])
    t.strictSame(await movements(1, 1), ['set -3'])
  },
)

t.test('after five retries an alert is raised, and the merchant can retry the push', async (t) => {
  const { db, alice, platform, change, changeOnPlatform, beforeRequest, push, ownLevel, expectInSync } =
    await startSimulatedShop(t)
  await change('set', [[0, 0, 5]])
  let requests = 0
  beforeRequest('SetQuantities', (count) => {
    requests = count
    platform.faults.set({ webhooks: [{ fault: 'drop' }] })
    if (count <= 6) changeOnPlatform(1)
    platform.faults.set({ webhooks: [] })
  })
  await push()
  t.equal(requests, 6)
  t.strictSame(await ownLevel(), [21, 16], 'our change is still pending on the newest quantity')
  const [failed] = await pushesOf(db, alice)
  t.match(failed, { state: 'failed', isClaimed: false, error: /kept changing/ })
  const [alert, ...others] = await conflictsOf(db, alice)
  t.match(alert, {
    isOpen: true,
    message: /^A stock change was not synced to the platform: Product 1 - .* at Main/,
  })
  t.strictSame(others, [])

  const [listed] = (await alice.get('/api/stock-pushes')).json().data
  t.match(await alice.post(`/api/stock-pushes/${listed.id}/retry`), { statusCode: 200 })
  await push()
  await expectInSync(21)
  t.match(await conflictsOf(db, alice), [{ isOpen: false }])
})

t.test('one job at a time sends the pushes of a shop, and another does nothing meanwhile', async (t) => {
  const { db, alice, change, push, expectInSync } = await startSimulatedShop(t)
  for (const variant of [0, 1, 2]) await change('adjust', [[variant, 0, 1]])
  await claimPush(db, alice.shopId, 'first')
  t.equal(await claimPush(db, alice.shopId, 'second'), null)
  await push({ jobId: 'second' })
  t.strictSame(await statesOf(db, alice), ['sending', 'queued', 'queued'])
  await push({ jobId: 'first' })
  t.strictSame(await statesOf(db, alice), ['done', 'done', 'done'])
  await expectInSync(11)
})

t.test('an item that is not stocked at a location is activated there first', async (t) => {
  const { alice, shop, variants, change, push, perform, expectInSync } = await startSimulatedShop(t)
  const { id: productGid, variantIds } = shop.addProduct({ title: 'New' })
  variants.push(...variantIds)
  await perform(jobs.syncProduct, { shopId: alice.shopId, productGid })
  await change('adjust', [
    [6, 0, 4],
    [6, 1, 1],
    [0, 0, 2],
  ])
  await change('set', [[6, 0, 3]])
  await push()
  await expectInSync(7, 6, 0)
  await expectInSync(1, 6, 1)
  await expectInSync(12)
})

t.test('pushes of one level are sent one after the other by concurrent jobs', async (t) => {
  const { db, alice, platform, change, push, beforeRequest, expectInSync } = await startSimulatedShop(t)
  for (const delta of [1, 2, 3, 4]) await change('set', [[0, 0, delta]])
  await change('adjust', [[1, 0, 5]])
  platform.faults.set({ graphqlDelayMs: 30 })
  let requests = 0
  beforeRequest('Quantities(', () => (requests += 1))
  await Promise.all([push(), push(), push()])
  t.equal(requests, 5)
  t.ok((await pushesOf(db, alice)).every(({ state, refusals }) => state === 'done' && refusals === 0))
  await expectInSync(20)
  await expectInSync(15, 1, 0)
})

t.test('the push of a job that crashed before its request is sent by the next attempt', async (t) => {
  const { db, alice, change, push, ownLevel, platformStock, expectInSync } = await startSimulatedShop(t)
  await change('adjust', [[0, 0, 5]])
  await claimPush(db, alice.shopId, 'job-1')
  await push({ jobId: 'job-2' })
  t.strictSame([await ownLevel(), platformStock()], [[15, 10], 10], 'no other job claims it')
  await push({ jobId: 'job-1' })
  await expectInSync(15)
})

t.test('the claimed push of a job that never returns is taken over later', async (t) => {
  const { db, alice, change, push, platformStock, expectInSync } = await startSimulatedShop(t)
  await change('adjust', [[0, 0, 5]])
  await claimPush(db, alice.shopId, 'job-1')
  for (const [minutes, expected] of [
    [4, 10],
    [6, 15],
  ] as const) {
    await db.query(sql.typeAlias('void')`
      update stock_push set claimed_at = now() - make_interval(mins => ${minutes}) where shop_id = ${alice.shopId}
    `)
    await push()
    t.equal(platformStock(), expected)
  }
  await expectInSync(15)
})

t.test('a job that crashed before the response gets it on the next attempt', async (t) => {
  const {
    db,
    alice,
    platform,
    change,
    push,
    platformStock,
    ownLevel,
    beforeRequest,
    movements,
    expectInSync,
  } = await startSimulatedShop(t)
  await change('adjust', [[0, 0, 5]])
  platform.faults.set({ graphql: [{ fault: 'accept-hang', operation: 'AdjustQuantities' }] })
  const stop = new AbortController()
  beforeRequest('AdjustQuantities', (count) => {
    if (count === 1) setTimeout(() => stop.abort(), 100)
  })
  await t.rejects(push({ jobId: 'job-1', signal: stop.signal, isLast: true }))
  t.strictSame([await ownLevel(), platformStock()], [[15, 10], 15], 'the platform applied it')
  t.match(await pushesOf(db, alice), [{ state: 'sending', isClaimed: true }])
  await push({ jobId: 'job-1' })
  await expectInSync(15)
  t.strictSame(await movements(), ['delta 5'])
})

t.test('a stop leaves the remaining pushes to the next attempt', async (t) => {
  const { db, alice, change, push, beforeRequest, expectInSync } = await startSimulatedShop(t)
  await change('adjust', [[0, 0, 5]])
  await change('adjust', [[0, 0, 1]])
  const stop = new AbortController()
  beforeRequest('AdjustQuantities', () => setImmediate(() => stop.abort()))
  await t.rejects(push({ jobId: 'job-1', signal: stop.signal }))
  t.ok((await statesOf(db, alice)).includes('queued'))
  await push({ jobId: 'job-1' })
  await expectInSync(16)
})

t.test('variants that share an item have one platform level, and its quantity applies to each', async (t) => {
  const { alice, shop, variants, locations, change, push, perform, ownLevel, expectInSync } =
    await startSimulatedShop(t)
  const productGid = shop.gid('Product', shop.catalogue.productId(0))
  shop.editProduct(productGid, { addVariants: [{ sharesItemWith: variants[0] ?? '' }] })
  variants.splice(2, 0, shop.gid('ProductVariant', shop.catalogue.variantId(0, 2)))
  await perform(jobs.syncProduct, { shopId: alice.shopId, productGid })
  t.strictSame(await ownLevel(2), [10, 10])
  const [locationId = ''] = locations
  const set = (...quantities: number[]) => ({
    adjustments: [0, 2].map((at, line) => ({
      ...{ variantId: variants[at] ?? '', locationId, quantity: quantities[line] },
    })),
  })
  for (const [quantity, basis] of [
    [15, 'available'],
    [16, 'on_hand'],
  ] as const) {
    const answer = await alice.put('/api/stock-levels/bulk', { ...set(quantity, quantity), basis })
    t.match(answer.json().data, { adjusted: 2 })
    await push()
    await expectInSync(quantity)
    await expectInSync(quantity, 2)
    await perform(jobs.readLevels, { shopId: alice.shopId })
  }
  const refused = await alice.put('/api/stock-levels/bulk', set(15, 14))
  t.match(expectFailure(t, refused, 422, 'duplicate_line').details, [
    {
      path: '/adjustments/1/quantity',
      message: 'contradicts quantity 15 of line 1, whose variant has the same inventory item',
    },
  ])
  const load = (...quantities: number[]) =>
    alice.post('/api/stock-imports', {
      csv: ['variant id,quantity', ...[0, 2].map((at, line) => `${variants[at]},${quantities[line]}`)].join(
        '\n',
      ),
      ...{ basis: 'available', locationId, dryRun: false },
    })
  t.match((await load(17, 17)).json().data, { changed: 1, added: 1 })
  await push()
  await expectInSync(17)
  await expectInSync(17, 2)
  t.match(expectFailure(t, await load(17, 18), 422, 'invalid_rows').details, [
    { message: /contradicts row 2, whose variant has the same inventory item/ },
  ])
  await perform(jobs.readLevels, { shopId: alice.shopId })
  const count = async (...quantities: number[]) => {
    const items = [0, 2].map((at, line) => ({ variantId: variants[at], countedQuantity: quantities[line] }))
    const { id } = (await alice.post('/api/stock-counts', { locationId, items })).json().data
    await perform(jobs.readLevels, { shopId: alice.shopId })
    return alice.put(`/api/stock-counts/${id}`, { status: 'submitted' })
  }
  expectFailure(t, await count(18, 17), 422, 'duplicate_line')
  t.equal((await count(18, 18)).statusCode, 200)
  await push()
  await expectInSync(18)
  await expectInSync(18, 2)
  await change('adjust', [
    [0, 0, 4],
    [2, 0, -4],
  ])
  await push()
  await expectInSync(18)
  await expectInSync(18, 2)
})
