import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { verifyCostBatch } from '../../../shared/domain/costs/verify.ts'
import { startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { line, makeOrder, makeSentOrder, readOrder, receive } from '../../support/make/orders.ts'
import { makeStock } from '../../support/make/stock.ts'

const rates = async (person: Person) => (await person.get('/api/exchange-rates')).json().data
const averageOf = async (person: Person) =>
  (await person.get('/api/variants/1/costs')).json().data.averageCost

t.test('a typed rate of an order is kept by day, and is the default of the next', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  const day = new Date().toISOString().slice(0, 10)
  t.strictSame(await rates(alice), [])
  const { id } = await makeOrder(alice, { currency: 'EUR', rate: 1.1 })
  t.strictSame(await rates(alice), [{ currency: 'EUR', rate: 1.1, day, source: 'typed' }])
  await alice.put(`/api/purchase-orders/${id}`, { rate: 1.25 })
  const next = await makeOrder(alice, { currency: 'EUR' })
  t.equal((await readOrder(alice, next.id)).rate, 1.25, 'the last one of the day')
  await db.query(sql.typeAlias('void')`
    insert into exchange_rate (shop_id, currency, day, rate, source)
    values (${alice.shopId}, 'EUR', current_date - 3, 9, 'typed'), (${alice.shopId}, 'CNY', current_date - 3, 0.139, 'typed')
  `)
  t.match(await rates(alice), [
    { currency: 'CNY', rate: 0.139 },
    { currency: 'EUR', rate: 1.25 },
  ])
  await alice.post(`/api/purchase-orders/${id}/charges`, {
    ...{ kind: 'freight', amount: 5, basis: 'value' },
    ...{ currency: 'EUR', rate: 1.3 },
  })
  t.match(await rates(alice), [{ currency: 'CNY' }, { currency: 'EUR', rate: 1.3 }], 'of a charge, too')
  await makeOrder(alice, { rate: 1 })
  t.equal((await rates(alice)).length, 2, 'the own currency has no rate')
  t.strictSame(await rates(mallory), [])
})

/**
 * 10 on hand at 2.00, then 10 received at EUR 4 x 1.5 = 6.00: (20 + 60) / 20 = 4.00. At the rate 1.75 the goods cost 7.00: 10 more
 * for 10 received pieces, all of which are still there: 4.00 + 10 / 20 = 4.50.
 */
t.test('another rate of a received order raises the average of what is left', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 1 })
  await alice.put('/api/variants/1', { unitCost: 2 })
  const { id } = await makeSentOrder(alice, {
    currency: 'EUR',
    rate: 1.5,
    lineItems: [line(1, { quantity: 10, costPrice: 4 })],
  })
  await receive(alice, id, [10])
  t.equal(await averageOf(alice), 4)
  t.equal((await alice.put(`/api/purchase-orders/${id}`, { rate: 1.75 })).statusCode, 200)
  t.equal(await averageOf(alice), 4.5)
  const { movements } = (await alice.get('/api/variants/1/costs')).json().data
  t.match(movements[0], { cause: 'charge', reference: `purchase_order/${id}`, actor: /alice/ })
  t.equal((await alice.put(`/api/purchase-orders/${id}`, { rate: 1.75 })).statusCode, 200)
  t.equal((await alice.get('/api/variants/1/costs')).json().data.movements.length, movements.length)
  t.equal((await alice.put(`/api/purchase-orders/${id}`, { rate: 1.5 })).statusCode, 200)
  t.equal(await averageOf(alice), 4, 'and back')
  t.strictSame((await verifyCostBatch(db, alice.shopId, 0)).differences, [])
})
