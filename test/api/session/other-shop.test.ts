import t from 'tap'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { useOwnDatabase } from '../../support/core/database.ts'
import { addressOf, listEndpoints, makeRecordOf, sample } from '../../support/core/endpoints.ts'
import type { Person } from '../../support/core/people.ts'
import { allRowsOf, hashesOf } from '../../support/make/everything.ts'
import { makeSentOrder, makeSupplier } from '../../support/make/orders.ts'
import { makeStock } from '../../support/make/stock.ts'

// the test compares all rows of a shop at each endpoint, and the rows of other test files would make that slow
useOwnDatabase()

const json = { 'content-type': 'application/json' }

t.test('the records of another shop are not found and do not change', async (t) => {
  const { app, db, alice, mallory } = await startApp(t)
  await makeStock(db, mallory, { variants: 2, locations: 2 })
  const endpoints = await listEndpoints(app)
  for (const endpoint of endpoints.filter(({ pathParameters }) => pathParameters.length > 0)) {
    const ids = await makeRecordOf(endpoint, mallory, db)
    const before = await hashesOf(db, mallory)
    const send = (person: Person) => {
      const body = endpoint.body && JSON.stringify(sample(endpoint.body))
      return person.send(endpoint.method, addressOf(endpoint, ids), body, body ? json : {})
    }
    expectFailure(t, await send(alice), 404, 'not_found', endpoint.name)
    t.strictSame(await hashesOf(db, mallory), before, endpoint.name)
    t.not((await send(mallory)).statusCode, 404, `${endpoint.name} is found by its own shop`)
  }
})

t.test('a record of another shop and a missing record get the same answer', async (t) => {
  const { app, db, alice, mallory } = await startApp(t)
  await makeStock(db, mallory, { variants: 2, locations: 2 })
  for (const endpoint of await listEndpoints(app)) {
    if (endpoint.pathParameters.length === 0 || endpoint.body) continue
    const answerFor = async (ids: number[]) => {
      const { requestId, ...error } = (await alice.send(endpoint.method, addressOf(endpoint, ids))).json()
        .error
      t.ok(requestId)
      return error
    }
    const missing = endpoint.pathParameters.map(() => Number.MAX_SAFE_INTEGER)
    t.strictSame(
      await answerFor(await makeRecordOf(endpoint, mallory, db)),
      await answerFor(missing),
      endpoint.name,
    )
  }
})

t.test('a list contains no record of another shop, with any filter', async (t) => {
  const { app, alice, mallory } = await startApp(t)
  const supplierId = await makeSupplier(mallory)
  const order = await makeSentOrder(mallory, { supplierId })
  // every shop has the product's templates; mail-templates.test.ts shows that another shop's are not listed
  const lists = (await listEndpoints(app)).filter(
    ({ method, path, pathParameters }) =>
      method === 'GET' &&
      pathParameters.length === 0 &&
      path !== '/api/mail-templates' &&
      // starts an export of the shop itself
      path !== '/api/export',
  )
  t.ok(lists.length >= 2)
  for (const { path } of lists) {
    for (const query of ['', `?supplierId=${supplierId}`, '?status=sent', `?cursor=${order.id + 1000}`]) {
      const answer = await alice.get(path + query)
      if (answer.statusCode === 400) continue // the list does not have this filter
      if (answer.headers['content-type'] === 'application/pdf') continue // a sample for the shop itself
      if (!Array.isArray(answer.json().data)) continue // the answer is one record of the shop itself
      t.strictSame(answer.json(), { success: true, data: [] }, path + query)
      t.notOk('link' in answer.headers)
    }
  }
})

t.test('an order cannot refer to a supplier of another shop', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  const supplierId = await makeSupplier(mallory)
  const before = await allRowsOf(db, alice)
  const answer = await alice.post('/api/purchase-orders', { supplierId, lineItems: [] })
  const { details } = expectFailure(t, answer, 422, 'unknown_supplier')
  t.strictSame(details, [{ path: '/supplierId', message: 'is not a supplier of this shop' }])
  t.strictSame(await allRowsOf(db, alice), before)
})

t.test('two shops can have the same product, and neither sees the title of the other', async (t) => {
  const { alice, mallory } = await startApp(t)
  const ids = { productId: 'gid://platform/Product/1', variantId: 'gid://platform/ProductVariant/1' }
  const lineItems = [{ ...ids, title: 'Secret project', quantity: 1, costPrice: 1 }]
  await mallory.post('/api/purchase-orders', { supplierId: await makeSupplier(mallory), lineItems })

  const untitled = [{ ...ids, quantity: 1, costPrice: 1 }]
  const supplierId = await makeSupplier(alice)
  const answer = await alice.post('/api/purchase-orders', { supplierId, lineItems: untitled })
  expectFailure(t, answer, 422, 'unknown_variant')
})
