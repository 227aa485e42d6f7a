import t from 'tap'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { makeOrder, makeSentOrder, makeSupplier, readOrder } from '../../support/make/orders.ts'
import { listRules, makeRule } from '../../support/make/reorder.ts'
import { makeStock, variantGid } from '../../support/make/stock.ts'
import {
  makeArchivedSupplier,
  makeSupplierProduct,
  supplierProducts,
} from '../../support/make/supplier-products.ts'

t.test('an archived supplier is in the archived list, and is restored with its names', async (t) => {
  const { alice } = await startApp(t)
  await makeSupplier(alice, { name: 'Listed' })
  const id = await makeSupplier(alice, { name: 'Old', aliases: ['Old & Co'] })
  await makeOrder(alice, { supplierId: id })
  await alice.delete(`/api/suppliers/${id}`)
  const names = async (query: string) =>
    (await alice.get(`/api/suppliers${query}`)).json().data.map(({ name }: { name: string }) => name)
  t.strictSame(await names('?archived=true'), ['Old'])
  t.strictSame(await names('?archived=false'), ['Listed'])
  t.strictSame(await names('?archived=true&search=co'), ['Old'])
  t.match((await alice.get('/api/suppliers?archived=true')).json().data, [{ archivedAt: /Z$/ }])

  const restored = await alice.post(`/api/suppliers/${id}/restore`)
  t.match(restored.json(), { success: true, data: { id, name: 'Old' } })
  t.strictSame(await names(''), ['Old', 'Listed'])
  t.match((await alice.get(`/api/suppliers/${id}`)).json().data, { aliases: ['Old & Co'] })
  expectFailure(t, await alice.post(`/api/suppliers/${id}/restore`), 409, 'conflict')
  expectFailure(t, await alice.post('/api/suppliers/999999/restore'), 404, 'not_found')
})

const makeBudget = async (person: Person, supplierId: number): Promise<number> => {
  const input = { name: 'March', month: '2026-03', amount: 100, supplierId }
  return (await person.post('/api/buying-budgets', input)).json().data.id
}

t.test('deleting a supplier with a buying budget archives it', async (t) => {
  const { alice } = await startApp(t)
  const id = await makeSupplier(alice, { name: 'Old' })
  const budget = await makeBudget(alice, id)
  t.match((await alice.delete(`/api/suppliers/${id}`)).json().data, { message: /archived/ })
  t.match((await alice.get(`/api/buying-budgets/${budget}`)).json().data, { supplierName: 'Old' })
})

t.test('several suppliers are archived and restored together, all or none', async (t) => {
  const { alice, mallory } = await startApp(t)
  const [first, second, third] = [
    await makeSupplier(alice, { name: 'First' }),
    await makeSupplier(alice, { name: 'Second' }),
    await makeSupplier(alice, { name: 'Third' }),
  ]
  const foreign = await makeSupplier(mallory, { name: 'Foreign' })
  await makeOrder(alice, { supplierId: second })
  await makeRule(alice, { supplierId: first })
  const names = async (query: string, person = alice) =>
    (await person.get(`/api/suppliers${query}`)).json().data.map(({ name }: { name: string }) => name)
  const archive = (ids: number[]) => alice.post('/api/suppliers/archive', { ids })
  const restore = (ids: number[]) => alice.post('/api/suppliers/restore', { ids })

  for (const ids of [
    [first, foreign],
    [first, 999_999],
  ]) {
    const { details } = expectFailure(t, await archive(ids), 422, 'unknown_supplier')
    t.strictSame(details, [{ path: '/ids/1', message: 'is not a supplier of this shop, or is archived' }])
  }
  t.strictSame(await names(''), ['Third', 'Second', 'First'])
  t.match(await listRules(alice), [{ supplierId: first }])

  const done = await archive([first, second, first])
  t.strictSame(done.json(), { success: true, data: { archived: 2, rules: 1 } })
  t.strictSame(await names(''), ['Third'])
  t.strictSame(await names('?archived=true'), ['Second', 'First'], 'also the one without orders')
  t.match(await listRules(alice), [{ supplierId: null }])
  const again = expectFailure(t, await archive([third, first]), 422, 'unknown_supplier')
  t.match(again.details, [{ path: '/ids/1' }])
  t.strictSame(await names(''), ['Third'])

  const { details } = expectFailure(t, await restore([first, third]), 422, 'unknown_supplier')
  t.strictSame(details, [{ path: '/ids/1', message: 'is not an archived supplier of this shop' }])
  t.strictSame(await names(''), ['Third'])
  t.strictSame((await restore([first, second])).json(), { success: true, data: { restored: 2 } })
  t.strictSame(await names(''), ['Third', 'Second', 'First'])

  const shared = await mallory.post('/api/suppliers/archive', { ids: [foreign] })
  t.equal(shared.statusCode, 200)
  expectFailure(t, await restore([foreign]), 422, 'unknown_supplier')
  t.strictSame(await names('?archived=true', mallory), ['Foreign'])
  for (const [body, path] of [
    [{ ids: [] }, '/ids'],
    [{ ids: Array.from({ length: 501 }, (_, at) => at + 1) }, '/ids'],
    [{ ids: ['1'] }, '/ids/0'],
    [{}, '/ids'],
  ] as const)
    for (const verb of ['archive', 'restore']) {
      const refused = expectFailure(
        t,
        await alice.post(`/api/suppliers/${verb}`, body),
        400,
        'invalid_request',
      )
      t.match(refused.details, [{ path }])
    }
})

t.test('a supplier is merged into another, with all that refers to it', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 3 })
  const stays = await makeSupplier(alice, { name: 'Acme', aliases: ['Acme Ltd'] })
  const gone = await makeSupplier(alice, { name: 'ACME  Inc', aliases: ['Acme Incorporated'] })
  await alice.post(`/api/suppliers/${gone}/contacts`, { name: 'Bob', email: 'bob@acme.example.com' })
  const order = await makeSentOrder(alice, { supplierId: gone })
  await makeRule(alice, { supplierId: gone })
  const budget = await makeBudget(alice, gone)
  const both = { supplierSku: 'A', variantId: variantGid(1) }
  const kept = await makeSupplierProduct(alice, {
    ...both,
    supplierId: stays,
    prices: [{ price: 2, validFrom: '2026-01-01' }],
  })
  await makeSupplierProduct(alice, {
    ...both,
    supplierId: gone,
    prices: [
      { price: 1, validTo: '2025-12-31' },
      { price: 3, validFrom: '2026-01-01' },
      { price: 0.5, minQuantity: 100 },
    ],
  })
  const moved = await makeSupplierProduct(alice, { supplierId: gone, variantId: variantGid(2) })

  const answer = await alice.post(`/api/suppliers/${gone}/merge`, { intoId: stays })
  t.strictSame(answer.json(), {
    success: true,
    data: { id: stays, name: 'Acme', orders: 1, reorderRules: 1, products: 1 },
  })
  expectFailure(t, await alice.get(`/api/suppliers/${gone}`), 404, 'not_found')
  t.match((await alice.get(`/api/suppliers/${stays}`)).json().data, {
    aliases: ['ACME Inc', 'Acme Incorporated', 'Acme Ltd'],
    contacts: [{ name: 'Bob' }],
  })
  t.match(await readOrder(alice, order.id), { supplierId: stays, supplierName: 'Acme' })
  t.match(await listRules(alice), [{ supplierId: stays }])
  t.match((await alice.get(`/api/buying-budgets/${budget}`)).json().data, { supplierId: stays, version: 2 })
  const products = await supplierProducts(alice, stays)
  t.strictSame(
    products.map(({ id }) => id),
    [moved.id, kept.id],
  )
  t.strictSame(
    products[1]?.prices.map(({ price, minQuantity }) => [price, minQuantity]),
    [
      [1, 1],
      [2, 1],
      [0.5, 100],
    ],
    'a price on the same days is dropped',
  )
})

t.test('a supplier is not merged into itself, an archived one, or that of another shop', async (t) => {
  const { alice, mallory } = await startApp(t)
  const id = await makeSupplier(alice)
  const merge = (intoId: number) => alice.post(`/api/suppliers/${id}/merge`, { intoId })
  expectFailure(t, await merge(id), 422, 'same_supplier')
  const { details } = expectFailure(t, await merge(await makeSupplier(mallory)), 422, 'unknown_supplier')
  t.strictSame(details, [{ path: '/intoId', message: 'is not a supplier of this shop' }])
  expectFailure(t, await merge(await makeArchivedSupplier(alice)), 422, 'unknown_supplier')
})

t.test('a merge at once with orders and edits loses none of them', async (t) => {
  const { alice } = await startApp(t)
  for (let round = 0; round < 10; round++) {
    const [stays, gone] = [await makeSupplier(alice), await makeSupplier(alice)]
    const order = await makeOrder(alice, { supplierId: gone })
    const [merged, edited, created] = await Promise.all([
      alice.post(`/api/suppliers/${gone}/merge`, { intoId: stays }),
      alice.put(`/api/purchase-orders/${order.id}`, { notes: 'x', supplierId: gone }),
      alice.post('/api/purchase-orders', { supplierId: gone, lineItems: [] }),
    ])
    t.equal(merged.statusCode, 200, merged.body)
    t.ok([200, 422].includes(edited.statusCode), edited.body)
    t.match(await readOrder(alice, order.id), { supplierId: stays })
    if (created.statusCode === 201)
      t.match(await readOrder(alice, created.json().data.id), { supplierId: stays })
    else expectFailure(t, created, 422, 'unknown_supplier')
  }
})
