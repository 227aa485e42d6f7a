import t from 'tap'
import { sql } from '../../../../shared/db/db.ts'
import { claimPush } from '../../../../shared/domain/stock-pushes/claim.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { enqueued } from '../../../support/core/worker.ts'
import { pushLinesOf } from '../../../support/make/stock.ts'
import { startSimulatedShop } from '../../../support/platform/simulated-shop.ts'
import { conflictsOf, pushesOf, statesOf } from '../../../support/platform/stock-pushes.ts'

t.test('a change is told once, and its echo moves nothing', async (t) => {
  const { db, alice, change, push, here, movements, expectAgreed } = await startSimulatedShop(t)
  await change('adjust', [[0, 0, 5]])
  t.strictSame(await here(), [15, 10], 'on its way')
  t.equal((await enqueued(db, jobs.pushStock, alice.shopId)).length, 1)
  await push()
  await expectAgreed(15)
  await push()
  await expectAgreed(15)
  t.strictSame(await movements(), ['delta 5'])
  t.strictSame(await pushLinesOf(db, alice), [])
  t.strictSame(await statesOf(db, alice), ['done'])
})

t.test('an echo that comes before the answer moves nothing either', async (t) => {
  const { db, alice, platform, change, push, here, hearNews, movements, expectAgreed } =
    await startSimulatedShop(t)
  await change('set', [[0, 0, 5]])
  platform.faults.set({ graphql: [{ fault: 'accept-drop', operation: 'SetQuantities', times: 6 }] })
  await t.rejects(push(), /no answer/)
  t.strictSame(await statesOf(db, alice), ['sending'])
  await hearNews()
  t.strictSame(await here(), [15, 10], 'the news is kept')
  await push()
  await expectAgreed(15)
  t.strictSame(await movements(), ['set 5'])
})

t.test(
  'stale, throttled, in trouble and a lost answer: all numbers agree, and each change counts once',
  async (t) => {
    const { platform, change, changeThere, beforeRequest, push, movements, expectAgreed } =
      await startSimulatedShop(t)
    await change('set', [
      [0, 0, 5],
      [1, 1, -3],
    ])
    const asked: number[] = []
    beforeRequest('SetQuantities', (count) => {
      asked.push(count)
      platform.faults.set({ webhooks: [{ fault: 'drop', topic: 'INVENTORY_LEVELS_UPDATE' }] })
      if (count <= 2) changeThere(-1)
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
    t.strictSame(asked, [1, 2, 3, 4, 5, 6])
    await expectAgreed(13)
    await expectAgreed(7, 1, 1)
    t.strictSame(await movements(), ['set 5', 'platform -1', 'platform -1'])
    t.strictSame(await movements(1, 1), ['set -3'])
  },
)

t.test('after five more tries a person hears of it, and may have it tried again', async (t) => {
  const { db, alice, platform, change, changeThere, beforeRequest, push, here, expectAgreed } =
    await startSimulatedShop(t)
  await change('set', [[0, 0, 5]])
  let asked = 0
  beforeRequest('SetQuantities', (count) => {
    asked = count
    platform.faults.set({ webhooks: [{ fault: 'drop' }] })
    if (count <= 6) changeThere(1)
    platform.faults.set({ webhooks: [] })
  })
  await push()
  t.equal(asked, 6)
  t.strictSame(await here(), [21, 16], 'the change is still ours, the number is the newest')
  const [failed] = await pushesOf(db, alice)
  t.match(failed, { state: 'failed', isClaimed: false, error: /kept changing/ })
  const [alert, ...others] = await conflictsOf(db, alice)
  t.match(alert, {
    isOpen: true,
    message: /^The platform did not take over a stock change of Product 1 - .* at Main/,
  })
  t.strictSame(others, [])

  const [listed] = (await alice.get('/api/stock-pushes')).json().data
  t.match(await alice.post(`/api/stock-pushes/${listed.id}/retry`), { statusCode: 200 })
  await push()
  await expectAgreed(21)
  t.match(await conflictsOf(db, alice), [{ isOpen: false }])
})

t.test('two jobs at once tell the changes of a shop, a third leaves them to those', async (t) => {
  const { db, alice, change, push, expectAgreed } = await startSimulatedShop(t)
  for (const variant of [0, 1, 2]) await change('adjust', [[variant, 0, 1]])
  for (const jobId of ['first', 'second']) await claimPush(db, alice.shopId, jobId)
  t.equal(await claimPush(db, alice.shopId, 'third'), null)
  t.strictSame(await statesOf(db, alice), ['sending', 'sending', 'queued'])
  await push({ jobId: 'first' })
  t.strictSame(await statesOf(db, alice), ['done', 'sending', 'done'])
  await push({ jobId: 'second' })
  await expectAgreed(11)
})

t.test('an item that is not stocked at a place is stocked there first', async (t) => {
  const { alice, shop, variants, change, push, perform, expectAgreed } = await startSimulatedShop(t)
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
  await expectAgreed(7, 6, 0)
  await expectAgreed(1, 6, 1)
  await expectAgreed(12)
})

t.test('changes of one level are told one after the other, though several jobs tell them', async (t) => {
  const { db, alice, platform, change, push, beforeRequest, expectAgreed } = await startSimulatedShop(t)
  for (const delta of [1, 2, 3, 4]) await change('set', [[0, 0, delta]])
  await change('adjust', [[1, 0, 5]])
  platform.faults.set({ graphqlDelayMs: 30 })
  let asked = 0
  beforeRequest('Quantities(', () => (asked += 1))
  await Promise.all([push(), push(), push()])
  t.equal(asked, 5)
  t.ok((await pushesOf(db, alice)).every(({ state, refusals }) => state === 'done' && refusals === 0))
  await expectAgreed(20)
  await expectAgreed(15, 1, 0)
})

t.test('a job that dies before it asks has its change told by its next attempt', async (t) => {
  const { db, alice, change, push, here, there, expectAgreed } = await startSimulatedShop(t)
  await change('adjust', [[0, 0, 5]])
  await claimPush(db, alice.shopId, 'job-1')
  await push({ jobId: 'job-2' })
  t.strictSame([await here(), there()], [[15, 10], 10], 'no other job takes it')
  await push({ jobId: 'job-1' })
  await expectAgreed(15)
})

t.test('what a job left behind that never comes back is taken over after a while', async (t) => {
  const { db, alice, change, push, there, expectAgreed } = await startSimulatedShop(t)
  await change('adjust', [[0, 0, 5]])
  await claimPush(db, alice.shopId, 'job-1')
  for (const [minutes, wanted] of [
    [4, 10],
    [6, 15],
  ] as const) {
    await db.query(sql.typeAlias('void')`
      update stock_push set claimed_at = now() - make_interval(mins => ${minutes}) where shop_id = ${alice.shopId}
    `)
    await push()
    t.equal(there(), wanted)
  }
  await expectAgreed(15)
})

t.test('a job that dies before the answer finds it again', async (t) => {
  const { db, alice, platform, change, push, there, here, beforeRequest, movements, expectAgreed } =
    await startSimulatedShop(t)
  await change('adjust', [[0, 0, 5]])
  platform.faults.set({ graphql: [{ fault: 'accept-hang', operation: 'AdjustQuantities' }] })
  const stop = new AbortController()
  beforeRequest('AdjustQuantities', (count) => {
    if (count === 1) setTimeout(() => stop.abort(), 100)
  })
  await t.rejects(push({ jobId: 'job-1', signal: stop.signal, isLast: true }))
  t.strictSame([await here(), there()], [[15, 10], 15], 'it was taken')
  t.match(await pushesOf(db, alice), [{ state: 'sending', isClaimed: true }])
  await push({ jobId: 'job-1' })
  await expectAgreed(15)
  t.strictSame(await movements(), ['delta 5'])
})

t.test('a stop leaves the rest to the next attempt', async (t) => {
  const { db, alice, change, push, beforeRequest, expectAgreed } = await startSimulatedShop(t)
  await change('adjust', [[0, 0, 5]])
  await change('adjust', [[0, 0, 1]])
  const stop = new AbortController()
  beforeRequest('AdjustQuantities', () => setImmediate(() => stop.abort()))
  await t.rejects(push({ jobId: 'job-1', signal: stop.signal }))
  t.ok((await statesOf(db, alice)).includes('queued'))
  await push({ jobId: 'job-1' })
  await expectAgreed(16)
})

t.test('variants that share an item are one level there, and its number counts for each', async (t) => {
  const { alice, shop, variants, change, push, perform, here, expectAgreed } = await startSimulatedShop(t)
  const productGid = shop.gid('Product', shop.catalogue.productId(0))
  shop.editProduct(productGid, { addVariants: [{ sharesItemWith: variants[0] ?? '' }] })
  variants.splice(2, 0, shop.gid('ProductVariant', shop.catalogue.variantId(0, 2)))
  await perform(jobs.syncProduct, { shopId: alice.shopId, productGid })
  t.strictSame(await here(2), [10, 10])
  await change('set', [
    [0, 0, 5],
    [2, 0, 3],
  ])
  await push()
  await expectAgreed(18)
  await expectAgreed(18, 2)
  await change('adjust', [
    [0, 0, 4],
    [2, 0, -4],
  ])
  await push()
  await expectAgreed(18)
  await expectAgreed(18, 2)
})
