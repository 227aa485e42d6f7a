import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { advanceMail, startMail } from '../../../shared/domain/documents/purchase-orders/mail/mail.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { line, mailsOf, makeOrder, pdfSha256, readOrder } from '../../support/make/orders.ts'
import { makeStock } from '../../support/make/stock.ts'

/** A draft with a line of each of three products, of which the third has no weight. */
async function start(t: Test, numbers = [1, 2]) {
  const app = await startApp(t)
  const { db, alice } = app
  await makeStock(db, alice, { variants: 4 })
  await db.query(sql.typeAlias('void')`
    update variant set weight_grams = case when gid like '%/1' or gid like '%/2' then 100 end where shop_id = ${alice.shopId}
  `)
  const { id } = await makeOrder(alice, {
    lineItems: numbers.map((number) => line(number, { quantity: 10 })),
  })
  const url = `/api/purchase-orders/${id}`
  const charge = async (fields: object) => {
    const body = { kind: 'freight', amount: 400, basis: 'value', ...fields }
    const answer = await alice.post(`${url}/charges`, body)
    if (answer.statusCode !== 201) throw new Error(answer.body)
    return `${url}/charges/${answer.json().data.id}`
  }
  const { lineItems } = await readOrder(alice, id)
  const ids = lineItems.map((item) => item.id)
  const keep = (kept: number[]) => alice.put(url, { lineItems: kept.map((id) => ({ id })) })
  const charges = async () => (await readOrder(alice, id)).charges
  return { ...app, id, url, ids, charge, keep, charges }
}

t.test('a charge forgets the lines that are removed from its order', async (t) => {
  const { alice, ids, charge, keep, charges } = await start(t)
  const [first = 0, second = 0] = ids
  const ofBoth = await charge({ lineItemIds: [first, second] })
  const ofSecond = await charge({ lineItemIds: [second] })
  const shares = [
    { lineItemId: first, amount: 300 },
    { lineItemId: second, amount: 100 },
  ]
  const byHand = await charge({ basis: 'manual', shares })
  t.equal((await keep([first])).statusCode, 200)
  t.match(await charges(), [
    { lineItemIds: [first] },
    { lineItemIds: null },
    { shares: [{ lineItemId: first, amount: 300 }] },
  ])
  t.equal((await alice.put(ofBoth, { amount: 410 })).statusCode, 200)
  t.equal((await alice.put(ofSecond, { amount: 410 })).statusCode, 200)
  t.equal((await alice.put(byHand, { isEstimate: true })).statusCode, 200, 'the gap in the shares stays')
  const refused = expectFailure(t, await alice.put(byHand, { amount: 410 }), 422, 'shares_do_not_add_up')
  t.match(refused.details, [{ path: '/shares' }])
  const closed = { amount: 410, shares: [{ lineItemId: first, amount: 410 }] }
  t.equal((await alice.put(byHand, closed)).statusCode, 200)
  expectFailure(t, await alice.put(ofBoth, { lineItemIds: [second] }), 422, 'unknown_line')
})

t.test('a line without a weight cannot be added while a charge is split by weight', async (t) => {
  const { db, alice, id, url, ids, charge } = await start(t)
  const byWeight = await charge({ basis: 'weight' })
  const entries = [...ids.map((id) => ({ id })), line(3), line(4)]
  const refused = expectFailure(t, await alice.put(url, { lineItems: entries }), 422, 'weight_missing')
  t.strictSame(refused.details, [
    {
      path: '/lineItems/2/variantId',
      message: 'needs a weight of Thing 3, since a charge is split by weight',
    },
    {
      path: '/lineItems/3/variantId',
      message: 'needs a weight of Thing 4, since a charge is split by weight',
    },
  ])
  t.equal((await readOrder(alice, id)).lineItems.length, 2)
  t.equal((await alice.post(`${url}/send`)).statusCode, 200)
  const [mail] = await mailsOf(db, alice, id)
  await startMail(db, alice.shopId, mail?.id ?? 0, pdfSha256)
  await advanceMail(db, alice.shopId, mail?.id ?? 0, { state: 'sent', messageId: 'message' })
  const { version } = await readOrder(alice, id)
  const revised = await alice.post(`${url}/revise`, { version, lineItems: entries })
  expectFailure(t, revised, 422, 'weight_missing')
  // a charge of named lines does not concern the others
  await alice.put(byWeight, { lineItemIds: ids })
  const { version: changed } = await readOrder(alice, id)
  t.equal((await alice.post(`${url}/revise`, { version: changed, lineItems: entries })).statusCode, 200)
})

t.test('a charge by weight names all products without a weight', async (t) => {
  const { alice, url } = await start(t, [1, 3, 4])
  const refused = await alice.post(`${url}/charges`, { kind: 'freight', amount: 1, basis: 'weight' })
  t.strictSame(expectFailure(t, refused, 422, 'weight_missing').details, [
    { path: '/basis', message: 'needs a weight of Thing 3, Thing 4' },
  ])
})

t.test('a charge is not changed over the change of another person', async (t) => {
  const { alice, id, charge, charges } = await start(t)
  const address = await charge({})
  const { version } = await readOrder(alice, id)
  t.equal((await alice.put(address, { amount: 410, version })).statusCode, 200)
  expectFailure(t, await alice.put(address, { amount: 420, version }), 409, 'stale_version')
  expectFailure(t, await alice.delete(`${address}?version=${version}`), 409, 'stale_version')
  t.match(await charges(), [{ amount: 410 }])
  t.equal((await alice.put(address, { amount: 430 })).statusCode, 200, 'without a version, the last one wins')
  const { version: current } = await readOrder(alice, id)
  t.equal((await alice.delete(`${address}?version=${current}`)).statusCode, 200)
})

t.test('each line of a charge has one share', async (t) => {
  const { alice, url, ids, charge, charges } = await start(t)
  const [first = 0, second = 0] = ids
  const post = (fields: object) =>
    alice.post(`${url}/charges`, { kind: 'freight', amount: 30, basis: 'manual', ...fields })
  const share = (lineItemId: number, amount: number) => ({ lineItemId, amount })
  const twice = await post({ shares: [share(first, 10), share(first, 10), share(second, 10)] })
  t.strictSame(expectFailure(t, twice, 422, 'invalid_shares').details, [
    { path: '/shares/1/lineItemId', message: 'has a share already' },
  ])
  const shares = [share(first, 10), share(second, 20)]
  const elsewhere = await post({ lineItemIds: [first], shares })
  t.strictSame(expectFailure(t, elsewhere, 422, 'invalid_shares').details, [
    { path: '/shares/1/lineItemId', message: 'is not one of the lineItemIds of this charge' },
  ])
  t.strictSame(await charges(), [])
  const ofFirst = await charge({ lineItemIds: [first], amount: 30 })
  t.equal((await alice.put(ofFirst, { basis: 'manual', shares })).statusCode, 200)
  t.match(await charges(), [{ basis: 'manual', lineItemIds: null, shares }])
  expectFailure(t, await alice.put(ofFirst, { lineItemIds: [first] }), 422, 'invalid_shares')
})

t.test('the rate of a charge that is saved again is not a rate of today', async (t) => {
  const { alice, charge } = await start(t)
  const rates = async () => (await alice.get('/api/exchange-rates')).json().data
  const foreign = await charge({ currency: 'EUR', rate: 1.05 })
  await charge({ currency: 'EUR', rate: 1.2 })
  t.equal((await alice.put(foreign, { amount: 420 })).statusCode, 200)
  // as the form of the admin, which sends all fields
  t.equal((await alice.put(foreign, { amount: 430, currency: 'EUR', rate: 1.05 })).statusCode, 200)
  t.match(await rates(), [{ currency: 'EUR', rate: 1.2 }])
  t.equal((await alice.put(foreign, { rate: 1.3 })).statusCode, 200)
  t.match(await rates(), [{ currency: 'EUR', rate: 1.3 }])
})
