import t, { type Test } from 'tap'
import { startApp } from '../../../support/core/app.ts'
import { startTasks } from '../../../support/core/worker.ts'
import { importing } from '../../../support/make/imports.ts'
import { listRules } from '../../../support/make/reorder.ts'
import { makeStock } from '../../../support/make/stock.ts'

async function start(t: Test) {
  const { db, alice } = await startApp(t)
  const { perform } = await startTasks(t, db)
  await makeStock(db, alice, { variants: 4, locations: 1 })
  const suppliers = async () => (await alice.get('/api/suppliers')).json().data
  const orders = async () => (await alice.get('/api/purchase-orders?limit=250')).json().data
  return { db, alice, suppliers, orders, ...importing(alice, perform) }
}

t.test('a revert keeps a supplier of an order when the merchant has added a contact', async (t) => {
  const { load, revert, rows, suppliers, alice } = await start(t)
  const file = 'PO Number,Supplier,Order date,SKU,Quantity,Cost\nA-1,Acme,2024-05-13,SKU-1,3,2'
  const done = await load('orders.csv', file)
  const [{ id }] = await suppliers()
  t.equal((await alice.post(`/api/suppliers/${id}/contacts`, { name: 'Bob' })).statusCode, 201)
  t.match(await revert(done.id), { state: 'reverted' })
  t.match(await suppliers(), [{ name: 'Acme' }])
  t.match((await alice.get(`/api/suppliers/${id}`)).json().data, { contacts: [{ name: 'Bob' }] })
  t.match(await rows(done.id), [{ state: 'reverted' }], 'the order itself is taken back')
})

t.test('a revert keeps a supplier whose imported contact the merchant has changed', async (t) => {
  const { load, revert, rows, suppliers, alice } = await start(t)
  const file = 'name,contact_name,contact_email\nAcme,Bob,bob@acme.example\nBest,Eve,eve@best.example'
  const done = await load('suppliers.csv', file)
  const acme = (await suppliers()).find(({ name }: { name: string }) => name === 'Acme')
  const [contact] = (await alice.get(`/api/suppliers/${acme.id}`)).json().data.contacts
  const path = `/api/suppliers/${acme.id}/contacts/${contact.id}`
  t.equal((await alice.put(path, { phone: '+44 1' })).statusCode, 200)
  t.match(await revert(done.id), { state: 'reverted', summary: { kept: 1 } })
  t.match(await rows(done.id, 'kept'), [{ message: 'Acme has been changed since.' }])
  t.strictSame(
    (await suppliers()).map(({ name }: { name: string }) => name),
    ['Acme'],
  )
})

t.test('a revert keeps a reorder rule whose maximum has been changed', async (t) => {
  const { load, revert, rows, alice } = await start(t)
  const file = 'SKU,Mode,Reorder point,Reorder quantity\nSKU-1,manual,4,12\nSKU-2,manual,4,12'
  const done = await load('rules.csv', file)
  const [first] = await rows(done.id)
  const changed = await alice.put(`/api/reorder/rules/${first?.targetId}`, { maxLevel: 40 })
  t.equal(changed.statusCode, 200, changed.body)
  t.match(await revert(done.id), { state: 'reverted', summary: { kept: 1 } })
  t.match(await rows(done.id, 'kept'), [{ message: 'The rule has been changed since.' }])
  t.match(await listRules(alice), [{ maxLevel: 40 }])
})
