import t from 'tap'
import { startApp } from '../../support/core/app.ts'
import { makeSentOrder, makeSupplier } from '../../support/make/orders.ts'
import { makeDirectReceipt } from '../../support/make/receipts.ts'
import { makeCount, makeStock, makeTransfer } from '../../support/make/stock.ts'
import { makeReturn } from '../../support/make/supplier-returns.ts'

t.test('the lists say how many records of the shop match when they are asked', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  for (const person of [alice, mallory]) await makeStock(db, person, { variants: 2, locations: 2 })
  for (let times = 0; times < 2; times++) {
    await makeDirectReceipt(alice)
    await makeTransfer(alice)
    await makeCount(alice)
    await makeReturn(alice)
  }
  await makeSentOrder(mallory)
  await makeSupplier(alice, { name: 'Counted' })
  for (const path of ['receipts', 'stock-transfers', 'stock-counts', 'supplier-returns', 'suppliers']) {
    const size = async (query: string, person = alice) =>
      (await person.get(`/api/${path}?${query}`)).json().meta
    const { data } = (await alice.get(`/api/${path}`)).json()
    t.ok(data.length >= 1, path)
    t.strictSame(await size('count=true&limit=1'), { total: data.length, isExact: true }, path)
    t.equal(await size('limit=1'), undefined, `${path} without the parameter`)
    t.ok((await size('count=true', mallory)).total < data.length, `${path} of another shop`)
  }
  const { meta } = (await alice.get('/api/suppliers?count=true&search=counted')).json()
  t.strictSame(meta, { total: 1, isExact: true })
})
