import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../../shared/db/db.ts'
import { addCharge } from '../../../../shared/domain/documents/purchase-orders/charges/charges.ts'
import { receivePurchaseOrder } from '../../../../shared/domain/documents/receipts/receive.ts'
import { uninstallShop } from '../../../../shared/domain/exchange/install/remove.ts'
import { claimCostPushes, renewClaim } from '../../../../shared/domain/ledgers/cost-pushes/claim.ts'
import { failCostPush, settleCostPush } from '../../../../shared/domain/ledgers/cost-pushes/finish.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { expectFailure } from '../../../support/core/app.ts'
import { keepTransactionOpen, untilBlocked } from '../../../support/core/database.ts'
import { alertsOf } from '../../../support/make/alerts.ts'
import { importing } from '../../../support/make/imports.ts'
import { line, makeSentOrder, readOrder, receive } from '../../../support/make/orders.ts'
import { startSimulatedShop } from '../../../support/platform/simulated-shop.ts'

const Stored = Type.Object({
  unitCost: Type.Union([Type.Number(), Type.Null()]),
  source: Type.Union([Type.String(), Type.Null()]),
  average: Type.Union([Type.Number(), Type.Null()]),
  movements: Type.Integer(),
})
const Waiting = Type.Object({ cost: Type.Number(), isFailed: Type.Boolean(), reason: Type.String() })

/** A shop on the simulator with 20 pieces of each variant (10 at each of two places), all at a cost of 4.00. */
async function start(t: Test, costWriteBack: 'off' | 'last' | 'average') {
  const context = await startSimulatedShop(t)
  const { db, alice, shop, variants, platform, perform, applyAll } = context
  const [gid = ''] = variants
  const productId = shop.gid('Product', shop.catalogue.productId(0))
  const [, second = ''] = variants
  const setCost = async (cost: string) => {
    shop.editProduct(productId, { variants: [gid, second].map((id) => ({ id, cost })) })
    await platform.settled()
    await applyAll('INVENTORY_ITEMS_UPDATE')
  }
  await setCost('4.00')
  await alice.put('/api/settings', { costWriteBack })
  return {
    ...context,
    setCost,
    /** Receives pieces of the first variant at a price. */
    buy: async (quantity: number, costPrice: number) => {
      const { id } = await makeSentOrder(alice, {
        lineItems: [line(1, { productId, variantId: gid, quantity, costPrice })],
      })
      const response = await receive(alice, id, [quantity])
      if (response.statusCode !== 200) throw new Error(response.body)
      return id
    },
    /** The same in a transaction that stays open; the returned function commits it. */
    buyUncommitted: async (quantity: number, costPrice: number) => {
      const { id } = await makeSentOrder(alice, {
        lineItems: [line(1, { productId, variantId: gid, quantity, costPrice })],
      })
      const lineItems = (await readOrder(alice, id)).lineItems.map((item) => ({
        lineItemId: item.id,
        quantityReceived: quantity,
      }))
      return keepTransactionOpen(t, db, (tx) =>
        receivePurchaseOrder(tx, alice.shopId, id, alice.userId, { lineItems }),
      )
    },
    pushAll: (attempt = {}) => perform(jobs.pushCosts, { shopId: alice.shopId }, attempt),
    /** Applies the platform's reports of changed items. */
    hear: async () => {
      await platform.settled()
      await applyAll('INVENTORY_ITEMS_UPDATE')
    },
    onPlatform: () => shop.catalogue.product(0)?.variants[0]?.cost,
    stored: () =>
      db.one(sql.type(row(Stored))`
        select v.unit_cost, v.cost_source as source, round(c.average_cost, 6) as average,
          (select count(*) from cost_movement m where m.shop_id = v.shop_id and m.variant_id = v.id) as movements
        from variant v
        left join variant_cost c on c.shop_id = v.shop_id and c.variant_id = v.id
        where v.shop_id = ${alice.shopId} and v.gid = ${gid}
      `),
    waiting: () =>
      db.any(sql.type(row(Waiting))`
        select cost, failed_at is not null as is_failed, reason from cost_push where shop_id = ${alice.shopId}
      `),
    gid,
    productId,
  }
}

t.test('the average is written to the platform, and its echo changes nothing', async (t) => {
  const { buy, pushAll, hear, onPlatform, stored, waiting } = await start(t, 'average')
  // 20 at 4.00 and 10 at 5.00: 130 / 30 = 4.333333, which the platform keeps as 4.33
  await buy(10, 5)
  t.match(await waiting(), [{ cost: 4.33, isFailed: false }])
  const before = await stored()
  t.match(before, { unitCost: 5, source: 'receipt', average: 4.333333 })
  await pushAll()
  t.equal(onPlatform(), '4.33')
  t.strictSame(await waiting(), [])
  await hear()
  t.strictSame(await stored(), before, 'no movement, and the origin of the cost stays')
})

t.test('the last cost is written to the platform, also one that a person enters', async (t) => {
  const { alice, gid, buy, pushAll, hear, onPlatform, stored } = await start(t, 'last')
  await buy(10, 5)
  await pushAll()
  t.equal(onPlatform(), '5.00')
  await hear()
  await alice.put(`/api/variants/${/\d+$/.exec(gid)?.[0]}`, { unitCost: 6.5 })
  const before = await stored()
  await pushAll()
  await hear()
  t.equal(onPlatform(), '6.50')
  t.strictSame(await stored(), before)
  t.match(before, { unitCost: 6.5, source: 'manual', average: 6.5 })
})

t.test('an imported cost is not sent, but replaces one that waits, and so does its revert', async (t) => {
  const { alice, perform, variants, buy, pushAll, onPlatform, stored, waiting } = await start(t, 'last')
  const { load, revert } = importing(alice, perform)
  const costs = (cost: number) =>
    [
      'Variant ID,Average cost',
      ...variants.slice(0, 2).map((gid) => `${/\d+$/.exec(gid)?.[0]},${cost}`),
    ].join('\n')
  t.match((await load('first.csv', costs(4.5))).summary, { changed: 2 })
  t.strictSame(await waiting(), [], 'one file does not change many costs of the platform')

  await buy(10, 5)
  t.match(await waiting(), [{ cost: 5 }])
  const second = await load('second.csv', costs(3.8))
  const waits = await waiting()
  t.match(waits, [{ cost: 3.8, isFailed: false }])
  t.equal(waits.length, 1, 'the other variant has none that waits')
  await revert(second.id)
  t.match(await waiting(), [{ cost: 5 }])
  t.match(await stored(), { unitCost: 5, source: 'receipt' })

  await load('third.csv', costs(3.9))
  await pushAll()
  t.equal(onPlatform(), '3.90', 'the cost of the receipt is not sent any more')
  t.strictSame(await waiting(), [])
})

t.test('an echo before the answer, twice or after a newer cost is recognised', async (t) => {
  const { db, alice, shop, productId, gid, buy, pushAll, hear, onPlatform, stored } = await start(t, 'last')
  const set = (cost: string) => shop.editProduct(productId, { variants: [{ id: gid, cost }] })
  await buy(10, 5)
  const [push] = await claimCostPushes(db, alice.shopId, 'job of a worker that dies')
  if (!push) throw new Error('Nothing was claimed')
  // the platform has it, and the worker died before it could store the answer
  set('5.00')
  await buy(10, 7)
  const before = await stored()
  await hear()
  t.strictSame(await stored(), before, 'before the answer')
  await pushAll({ jobId: 'job of a worker that dies' })
  t.equal(onPlatform(), '7.00')
  await hear()
  for (const { id } of shop.deliveries().slice(-2)) shop.resend(id)
  await hear()
  t.strictSame(await stored(), before, 'the older one after the newer one, and twice')
})

t.test('a cost that the merchant changes on the platform is taken, and not sent back', async (t) => {
  const { db, alice, buy, pushAll, hear, setCost, onPlatform, stored, waiting } = await start(t, 'average')
  await buy(10, 5)
  await pushAll()
  await hear()
  // half an hour later
  await db.query(sql.typeAlias('void')`
    update variant
    set pushed_at = pushed_at - interval '30 minutes', cost_at = cost_at - interval '30 minutes',
      item_updated_at = item_updated_at - interval '30 minutes'
    where shop_id = ${alice.shopId}
  `)
  await setCost('9.00')
  t.match(await stored(), { unitCost: 9, source: 'platform', average: 4.333333 })
  t.strictSame(await waiting(), [])
  t.equal(onPlatform(), '9.00')
})

t.test('off asks for nothing and forgets what waits; switching on sends nothing', async (t) => {
  const { alice, buy, pushAll, onPlatform, waiting } = await start(t, 'off')
  await buy(10, 5)
  t.strictSame(await waiting(), [])
  t.equal((await alice.get('/api/settings')).json().data.costWriteBack, 'off')
  const response = await alice.put('/api/settings', { costWriteBack: 'average' })
  t.equal(response.json().data.costWriteBack, 'average')
  t.strictSame(await waiting(), [])
  await buy(10, 6)
  // 30 at 4.333333 and 10 at 6: 190 / 40 = 4.75
  t.match(await waiting(), [{ cost: 4.75 }])
  await alice.put('/api/settings', { costWriteBack: 'last' })
  t.match(await waiting(), [{ cost: 6 }], 'what waits follows the setting')
  await alice.put('/api/settings', { costWriteBack: 'off' })
  t.strictSame(await waiting(), [])
  await pushAll()
  t.equal(onPlatform(), '4.00')
  t.match((await alice.put('/api/settings', { costWriteBack: 'all' })).json(), { success: false })
})

t.test('a cost that is committed after write-back was switched off is not sent', async (t) => {
  const { alice, buyUncommitted, pushAll, onPlatform, waiting } = await start(t, 'last')
  const commit = await buyUncommitted(10, 5)
  await alice.put('/api/settings', { costWriteBack: 'off' })
  await commit()
  await pushAll()
  t.equal(onPlatform(), '4.00')
  t.strictSame(await waiting(), [])
})

t.test('another setting waits for a cost that is being booked', async (t) => {
  const { db, alice, buy, buyUncommitted, waiting } = await start(t, 'last')
  await buy(10, 5)
  const commit = await buyUncommitted(10, 7)
  const changed = alice.put('/api/settings', { costWriteBack: 'average' })
  await untilBlocked(db, 1)
  await commit()
  t.match(await changed, { statusCode: 200 })
  // 20 at 4.00, 10 at 5.00 and 10 at 7.00: 200 / 40
  t.match(await waiting(), [{ cost: 5 }])
})

t.test('a late charge does not send the cost of a variant that it does not change', async (t) => {
  const { db, alice, shop, variants, productId, gid, pushAll, hear, waiting } = await start(t, 'average')
  const { shopId, userId } = alice
  const [, second = ''] = variants
  const ofSecond = line(2, { productId, variantId: second, quantity: 10, costPrice: 5 })
  await receive(alice, (await makeSentOrder(alice, { lineItems: [ofSecond] })).id, [10])
  const ofFirst = line(1, { productId, variantId: gid, quantity: 10, costPrice: 4 })
  const { id } = await makeSentOrder(alice, { lineItems: [ofFirst, ofSecond] })
  await receive(alice, id, [10])
  const [firstLine] = (await readOrder(alice, id)).lineItems
  await pushAll()
  await hear()
  // half an hour later
  await db.query(sql.typeAlias('void')`
    update variant
    set pushed_at = pushed_at - interval '30 minutes', cost_at = cost_at - interval '30 minutes',
      item_updated_at = item_updated_at - interval '30 minutes'
    where shop_id = ${shopId}
  `)
  const begun = Promise.withResolvers<void>()
  const reported = Promise.withResolvers<void>()
  const charged = keepTransactionOpen(t, db, async (tx) => {
    begun.resolve()
    await reported.promise
    const lineItemIds = [firstLine?.id ?? 0]
    await addCharge(tx, shopId, id, userId, { kind: 'freight', amount: 15, basis: 'quantity', lineItemIds })
  })
  await begun.promise
  shop.editProduct(productId, { variants: [{ id: second, cost: '9.00' }] })
  await hear()
  reported.resolve()
  const commit = await charged
  await commit()
  // 30 at 4.00 and 15 for the freight; the second one keeps the platform's cost
  t.match(await waiting(), [{ cost: 4.5 }])
  t.equal((await waiting()).length, 1)
})

t.test('a worker that died between the request and the deletion sends the cost again', async (t) => {
  const { db, alice, buy, pushAll, hear, onPlatform, stored, waiting } = await start(t, 'last')
  await buy(10, 5)
  const jobId = '4711'
  t.equal((await claimCostPushes(db, alice.shopId, jobId)).length, 1)
  await pushAll({ jobId: '4712' })
  t.equal(onPlatform(), '4.00', 'another job does not take it at once')
  t.equal((await waiting()).length, 1)
  await pushAll({ jobId })
  t.equal(onPlatform(), '5.00', 'the queue gives the job to another worker')
  t.strictSame(await waiting(), [])
  await hear()
  t.match(await stored(), { unitCost: 5, source: 'receipt' })
})

t.test('a cost that changes while the older one is sent is sent after it', async (t) => {
  const { db, alice, buy, pushAll, onPlatform, waiting } = await start(t, 'last')
  await buy(10, 5)
  const [push] = await claimCostPushes(db, alice.shopId, '1')
  if (!push) throw new Error('Nothing was claimed')
  await buy(1, 6)
  await pushAll({ jobId: '2' })
  t.equal(onPlatform(), '4.00', 'it waits for the claim')
  await settleCostPush(db, alice.shopId, push, { cost: '5.00', updatedAt: new Date().toISOString() })
  t.match(await waiting(), [{ cost: 6 }])
  await pushAll({ jobId: '3' })
  t.equal(onPlatform(), '6.00')
  t.strictSame(await waiting(), [])
})

t.test('a cost that the platform refuses raises an alert, and the next one is sent', async (t) => {
  const { db, alice, shop, productId, gid, buy, pushAll, waiting } = await start(t, 'last')
  await buy(10, 5)
  shop.editProduct(productId, { removeVariants: [gid] })
  await pushAll()
  t.match(await waiting(), [{ isFailed: true, reason: /does not exist/ }])
  t.match(await alertsOf(db, alice, 'sync_conflict'), [
    { isOpen: true, message: /cost of .+ could not be written/ },
  ])
  await pushAll()
  t.equal((await alertsOf(db, alice, 'sync_conflict')).length, 1)
})

/** A cost that the platform refused, since it does not have the variant any more. */
async function refuse({ shop, productId, gid, buy, pushAll }: Awaited<ReturnType<typeof start>>) {
  await buy(10, 5)
  shop.editProduct(productId, { removeVariants: [gid] })
  await pushAll()
}

t.test('a person tries a refused cost again, or discards it', async (t) => {
  const context = await start(t, 'last')
  const { db, alice, mallory, gid, pushAll, waiting } = context
  const url = `/api/variants/${/\d+$/.exec(gid)?.[0]}`
  const post = (verb: string, person = alice) => person.post(`${url}/cost-push/${verb}`)
  for (const verb of ['retry', 'discard']) {
    expectFailure(t, await post(verb), 409, 'conflict')
    expectFailure(t, await post(verb, mallory), 404, 'not_found')
  }
  await refuse(context)
  t.match((await alice.get(`${url}/costs`)).json().data, {
    writeBack: { cost: 5, state: 'failed', reason: /does not exist/ },
  })
  t.match((await alice.get('/api/alerts?type=sync_conflict')).json().data, [{ variantId: gid }])
  const retried = await post('retry')
  t.equal(retried.statusCode, 200)
  t.match(retried.json().data, { variantId: gid, state: 'waiting' })
  t.match(await waiting(), [{ cost: 5, isFailed: false, reason: '' }])
  t.match(await alertsOf(db, alice, 'sync_conflict'), [{ isOpen: false }])
  expectFailure(t, await post('retry'), 409, 'conflict')
  await pushAll()
  t.match(await alertsOf(db, alice, 'sync_conflict'), [{ isOpen: false }, { isOpen: true }])
  t.match((await post('discard')).json().data, { variantId: gid, state: 'discarded' })
  t.strictSame(await waiting(), [])
  t.match(await alertsOf(db, alice, 'sync_conflict'), [{ isOpen: false }, { isOpen: false }])
  t.equal((await alice.get(`${url}/costs`)).json().data.writeBack, null)
})

t.test('switching write-back off resolves the alerts of refused costs', async (t) => {
  const context = await start(t, 'last')
  const { db, alice, waiting } = context
  await refuse(context)
  await alice.put('/api/settings', { costWriteBack: 'off' })
  t.strictSame(await waiting(), [])
  t.match(await alertsOf(db, alice, 'sync_conflict'), [{ isOpen: false }])
})

t.test('a refused cost is forgotten when the platform reports another one', async (t) => {
  const context = await start(t, 'last')
  const { db, alice, buy, setCost, waiting } = context
  await buy(10, 5)
  const [push] = await claimCostPushes(db, alice.shopId, '1')
  if (!push) throw new Error('Nothing was claimed')
  await failCostPush(db, alice.shopId, push, 'The platform rejected the request.')
  t.match(await alertsOf(db, alice, 'sync_conflict'), [{ isOpen: true }])
  await setCost('9.00')
  t.strictSame(await waiting(), [])
  t.match(await alertsOf(db, alice, 'sync_conflict'), [{ isOpen: false }])
})

t.test('a waiting cost is forgotten when a newer one comes from the platform', async (t) => {
  const { alice, gid, buy, setCost, hear, pushAll, onPlatform, stored, waiting } = await start(t, 'last')
  await buy(10, 5)
  t.match(await waiting(), [{ cost: 5 }])
  await setCost('9.00')
  t.strictSame(await waiting(), [])
  await pushAll()
  await hear()
  t.equal(onPlatform(), '9.00', "the merchant's cost stays")
  t.match(await stored(), { unitCost: 9, source: 'platform' })

  const url = `/api/variants/${/\d+$/.exec(gid)?.[0]}`
  await alice.put(url, { unitCost: 7 })
  t.match(await waiting(), [{ cost: 7 }])
  await alice.put(url, { unitCost: null })
  t.strictSame(await waiting(), [], 'the merchant has chosen the cost of the platform')
  t.match(await stored(), { unitCost: 9 })
})

t.test('a waiting cost is forgotten when the reading of its product has a newer one', async (t) => {
  const { alice, perform, shop, gid, productId, buy, pushAll, onPlatform, stored, waiting } = await start(
    t,
    'last',
  )
  await buy(10, 5)
  t.match(await waiting(), [{ cost: 5 }])
  shop.editProduct(productId, { variants: [{ id: gid, cost: '9.00' }] })
  await perform(jobs.syncProduct, { shopId: alice.shopId, productGid: productId })
  t.match(await stored(), { unitCost: 9, source: 'platform' })
  t.strictSame(await waiting(), [])
  await pushAll()
  t.equal(onPlatform(), '9.00')
})

t.test('costs of unconfirmed variants do not delay the others, and fail after a day', async (t) => {
  const { db, alice, buy, pushAll, onPlatform, waiting } = await start(t, 'last')
  await db.query(sql.typeAlias('void')`
    with added as (
      insert into variant (shop_id, gid, product_id)
      select shop_id, 'gid://platform/ProductVariant/9' || number, id
      from product cross join generate_series(100, 120) as number
      where shop_id = ${alice.shopId} and id = (
        select min(id) from product where shop_id = ${alice.shopId}
      )
      returning id
    )
    insert into cost_push (shop_id, variant_id, cost, requested_at)
    select ${alice.shopId}::bigint, id, 3, now() - interval '1 hour' from added
  `)
  await buy(10, 5)
  await t.rejects(pushAll(), /has not confirmed yet/)
  t.equal(onPlatform(), '5.00', 'the newer cost is sent in the first attempt')
  t.equal((await waiting()).length, 21)

  await db.query(sql.typeAlias('void')`
    update cost_push set requested_at = now() - interval '25 hours' where shop_id = ${alice.shopId}
  `)
  await pushAll()
  t.match(
    await waiting(),
    Array(21).fill({ isFailed: true, reason: 'The platform does not know the product.' }),
  )
})

t.test('a job sends no cost that was replaced or claimed by another job since', async (t) => {
  const { db, alice, buy, waiting } = await start(t, 'last')
  await buy(10, 5)
  const [push] = await claimCostPushes(db, alice.shopId, '1')
  if (!push) throw new Error('Nothing was claimed')
  const isRenewed = (jobId: string) => renewClaim(db, alice.shopId, jobId, push)
  t.equal(await isRenewed('1'), true)
  t.equal(await isRenewed('2'), false, 'the claim of another job')
  await buy(1, 6)
  t.equal(await isRenewed('1'), false, 'the cost is another')
  await db.query(sql.typeAlias('void')`
    update cost_push set claimed_at = now() - interval '6 minutes' where shop_id = ${alice.shopId}
  `)
  t.match(await claimCostPushes(db, alice.shopId, '2'), [{ cost: '6.0000' }])
  t.equal(await isRenewed('1'), false)
  t.equal((await waiting()).length, 1)
})

t.test('an uninstalled shop and a deleted variant have no cost to send', async (t) => {
  const { db, alice, gid, buy, pushAll, waiting } = await start(t, 'last')
  await buy(10, 5)
  await db.query(sql.typeAlias('void')`
    update variant set deleted_at = now() where shop_id = ${alice.shopId} and gid = ${gid}
  `)
  await pushAll()
  t.strictSame(await alertsOf(db, alice, 'sync_conflict'), [])
  t.match(await waiting(), [{ isFailed: false }])
  await db.transaction((tx) => uninstallShop(tx, alice.shopId, new Date().toISOString()))
  t.strictSame(await waiting(), [])
})

t.test('while the platform is unavailable, the costs wait for the next attempt', async (t) => {
  const { platform, buy, pushAll, onPlatform, waiting } = await start(t, 'last')
  await buy(10, 5)
  platform.faults.set({ graphql: [{ fault: 'answer-503', times: 100 }] })
  await t.rejects(pushAll())
  t.match(await waiting(), [{ cost: 5, isFailed: false }])
  platform.faults.clear()
  await pushAll({ jobId: 'another' })
  t.equal(onPlatform(), '5.00')
})

t.test('weights are read by the sync, and changed by webhooks', async (t) => {
  const { alice, shop, gid, productId, hear } = await start(t, 'off')
  const weight = async () =>
    (await alice.get(`/api/variants/${/\d+$/.exec(gid)?.[0]}`)).json().data.weightGrams
  t.equal(await weight(), Number(((shop.catalogue.product(0)?.variants[0]?.weight ?? 0) * 1000).toFixed(3)))
  shop.editProduct(productId, { variants: [{ id: gid, weight: 1.25 }] })
  await hear()
  t.equal(await weight(), 1250)
  shop.editProduct(productId, { variants: [{ id: gid, weight: null }] })
  await hear()
  t.equal(await weight(), null, 'the platform reports 0 kg for none')
})
