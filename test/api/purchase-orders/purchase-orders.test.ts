import t from 'tap'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { type Person, readPages } from '../../support/core/people.ts'
import {
  line,
  makeOrder,
  makeOrderIn,
  makeSentOrder,
  makeSupplier,
  readOrder,
} from '../../support/make/orders.ts'
import { makeStock } from '../../support/make/stock.ts'

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const list = async (person: Person, query = '') => {
  const { data }: { data: { id: number }[] } = (await person.get(`/api/purchase-orders${query}`)).json()
  return data.map(({ id }) => id)
}

t.test('an order is created as a draft', async (t) => {
  const { alice } = await startApp(t)
  const supplierId = await makeSupplier(alice)
  const answer = await alice.post('/api/purchase-orders', {
    supplierId,
    notes: 'for the autumn',
    supplierNotes: 'ring the bell',
    lineItems: [line(1, { quantity: 100, costPrice: 12.5 }), line(2, { quantity: 50, costPrice: 8.25 })],
  })
  t.equal(answer.statusCode, 201)
  const { id, createdAt } = answer.json().data
  t.strictSame(answer.json(), {
    success: true,
    data: {
      ...{ id, poNumber: 'PO-00001', status: 'draft', supplierId, total: 1662.5, createdAt },
      ...{ currency: 'USD', warnings: [] },
    },
  })
  t.match({ id, createdAt }, { id: Number, createdAt: timestamp })
})

t.test('a read order has its lines', async (t) => {
  const { alice } = await startApp(t)
  const supplierId = await makeSupplier(alice, { name: 'Acme' })
  const lineItems = [line(7, { quantity: 3, costPrice: 2.5 }), line(3, { quantity: 2, costPrice: 0.0001 })]
  const input = {
    supplierId,
    notes: ' a\nb ',
    supplierNotes: 'c',
    expectedAt: '2026-03-01T14:00:00+02:00',
    tax: 1.5,
  }
  const { id, createdAt } = (await alice.post('/api/purchase-orders', { ...input, lineItems })).json().data

  const answer = await alice.get(`/api/purchase-orders/${id}`)
  t.equal(answer.statusCode, 200)
  const { data } = answer.json()
  const [first, second] = data.lineItems
  const unreceived = {
    ...{ barcode: '', bin: '', receivedQuantity: 0, cancelledQuantity: 0, status: 'open' },
    ...{ rejectedQuantity: 0, creditedQuantity: 0 },
  }
  const uncatalogued = {
    ...{ supplierSku: '', packSize: 1, minimumQuantity: null, quantityMultiple: 1 },
    ...{ roundedUpBy: 0, discountPercent: 0, taxRate: 0 },
  }
  t.strictSame(answer.json(), {
    success: true,
    data: {
      ...{ unknownCosts: 0, receivedValue: 0, closedAt: null, closedBy: '', isClosedShort: false },
      ...{ cancelledAt: null, cancelledBy: '' },
      ...{ isImported: false, sourceNumber: '', invoiceNumber: '', invoiceDate: null },
      ...{ paymentDueOn: null, paidAt: null, orderedAt: null },
      id,
      poNumber: 'PO-00001',
      supplierId,
      supplierName: 'Acme',
      status: 'draft',
      notes: 'a\nb',
      supplierNotes: 'c',
      currency: 'USD',
      rate: 1,
      subtotal: 7.5,
      discount: 0,
      tax: 1.5,
      isOwnTax: true,
      total: 9,
      reference: '',
      supplierReference: '',
      cc: [],
      revision: 0,
      supplierMinimum: null,
      supplierMinimumQuantity: null,
      freeFreight: null,
      warnings: [],
      lineItems: [
        {
          id: first.id,
          ...lineItems[0],
          ...unreceived,
          ...uncatalogued,
          packs: 3,
          outstandingQuantity: 3,
          lineTotal: 7.5,
        },
        {
          id: second.id,
          ...lineItems[1],
          ...unreceived,
          ...uncatalogued,
          packs: 2,
          outstandingQuantity: 2,
          lineTotal: 0,
        },
      ],
      createdAt,
      createdBy: alice.userId,
      updatedAt: createdAt,
      expectedAt: '2026-03-01T12:00:00.000Z',
      sentAt: null,
      receivedAt: null,
      destinationLocationId: null,
      destinationLocationName: null,
      emailStatus: 'none',
      emailReason: '',
      emailRecipient: '',
      mails: [],
      charges: [],
      version: 1,
    },
  })
  t.ok(first.id > 0 && second.id > 0 && first.id !== second.id)
})

t.test('a new order can have no lines', async (t) => {
  const { alice } = await startApp(t)
  const order = await makeOrder(alice, { lineItems: [] })
  t.equal(order.total, 0)
  t.strictSame((await readOrder(alice, order.id)).lineItems, [])
})

t.test('an order has at most 500 lines', async (t) => {
  const { alice } = await startApp(t)
  const lines = Array.from({ length: 501 }, (_, at) => line(at + 1, { costPrice: 0.01 }))
  const order = await makeOrder(alice, { lineItems: lines.slice(0, 500) })
  const { lineItems, total } = await readOrder(alice, order.id)
  t.strictSame(
    lineItems.map(({ sku }) => sku),
    lines.slice(0, 500).map(({ sku }) => sku),
    'the lines are in the order of the request',
  )
  t.equal(total, 5)
  const supplierId = await makeSupplier(alice)
  const answer = await alice.post('/api/purchase-orders', { supplierId, lineItems: lines })
  const { details } = expectFailure(t, answer, 400, 'invalid_request')
  t.strictSame(details, [{ path: '/lineItems', message: 'must be a list of at most 500 lines' }])
})

t.test('the API names every value out of range', async (t) => {
  const { alice } = await startApp(t)
  const bad = {
    productId: '1',
    variantId: 'gid://platform/Product/1',
    title: '',
    quantity: -1,
    costPrice: -1,
  }
  const answer = await alice.post('/api/purchase-orders', {
    supplierId: 0,
    notes: 'x'.repeat(5001),
    expectedAt: '2026-03-01',
    tax: 0.0001,
    lineItems: [line(1), { ...line(2), ...bad }, line(3, { quantity: 1.5, costPrice: 0.00001 })],
  })
  const { details } = expectFailure(t, answer, 400, 'invalid_request')
  t.strictSame(
    details?.map(({ path }) => path).sort(),
    [
      '/supplierId',
      '/notes',
      '/expectedAt',
      '/tax',
      ...Object.keys(bad).map((name) => `/lineItems/1/${name}`),
      '/lineItems/2/quantity',
      '/lineItems/2/costPrice',
    ].sort(),
  )
  t.strictSame(await list(alice), [])
})

t.test('the API lists at most 50 invalid fields', async (t) => {
  const { alice } = await startApp(t)
  const lineItems = Array.from({ length: 200 }, () => line(1, { quantity: -1 }))
  const answer = await alice.post('/api/purchase-orders', { supplierId: 1, lineItems })
  t.equal(expectFailure(t, answer, 400, 'invalid_request').details?.length, 50)
})

t.test('the list is newest first and omits the lines', async (t) => {
  const { alice, mallory } = await startApp(t)
  const supplierId = await makeSupplier(alice, { name: 'Acme' })
  const first = await makeOrder(alice, { supplierId })
  const second = await makeSentOrder(alice, { supplierId, tax: 2, lineItems: [line(1), line(2), line(3)] })
  const { createdAt, sentAt } = await readOrder(alice, second.id)
  const answer = await alice.get('/api/purchase-orders')
  t.equal(answer.statusCode, 200)
  t.strictSame(answer.json().data[0], {
    id: second.id,
    sourceNumber: '',
    ...{ isClosedShort: false, receivedValue: 0, unknownCosts: 0, emailStatus: 'queued' },
    ...{ dueAt: null, isOverdue: false, locationName: null, orderedQuantity: 3, receivedQuantity: 0 },
    ...{ paymentDueOn: null, paidAt: null, isPaymentOverdue: false },
    poNumber: 'PO-00002',
    supplierId,
    supplierName: 'Acme',
    status: 'sent',
    subtotal: 3,
    discount: 0,
    tax: 2,
    total: 5,
    lineItemCount: 3,
    createdAt,
    sentAt,
    currency: 'USD',
  })
  t.match(answer.json().data[1], { id: first.id, status: 'draft', lineItemCount: 1, sentAt: null })
  t.strictSame(await list(mallory), [])
})

t.test('the list is filtered by status and by supplier', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const supplierId = await makeSupplier(alice)
  const drafts = [await makeOrder(alice, { supplierId }), await makeOrder(alice)]
    .map(({ id }) => id)
    .reverse()
  const sent = (await makeSentOrder(alice, { supplierId })).id
  for (const status of ['partial', 'received', 'cancelled'] as const) {
    const order = await makeOrderIn(alice, status, { supplierId })
    t.strictSame(await list(alice, `?status=${status}`), [order.id], status)
  }
  t.strictSame(await list(alice, '?status=draft'), drafts)
  t.strictSame(await list(alice, '?status=sent'), [sent])
  t.equal((await list(alice, `?supplierId=${supplierId}`)).length, 5)
  t.strictSame(await list(alice, `?supplierId=${supplierId}&status=draft`), drafts.slice(1))
  t.strictSame(await list(alice, '?supplierId=999999'), [])
  const answer = await alice.get('/api/purchase-orders?status=lost')
  const { details } = expectFailure(t, answer, 400, 'invalid_request')
  t.match(details, [{ path: '/status', message: /draft, sent, partial, received, cancelled/ }])
})

t.test('the pages of a filtered list contain every order once', async (t) => {
  const { alice } = await startApp(t)
  const supplierId = await makeSupplier(alice)
  const ids: number[] = []
  for (let number = 0; number < 5; number++) {
    ids.unshift((await makeOrder(alice, { supplierId })).id)
    await makeOrder(alice)
  }
  const pages = await readPages(alice, `/api/purchase-orders?limit=2&status=draft&supplierId=${supplierId}`)
  t.strictSame(pages, [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])
})

t.test('the CSV export of the list escapes formulas', async (t) => {
  const { alice } = await startApp(t)
  for (const name of ['=1+1', '+1', '-1', '@SUM(A1)', 'a "b", c', 'plain']) {
    await makeOrder(alice, { supplierId: await makeSupplier(alice, { name }), discount: 2.5 })
  }
  const answer = await alice.get('/api/purchase-orders', { accept: 'text/csv' })
  t.equal(answer.statusCode, 200)
  t.equal(answer.headers['content-type'], 'text/csv; charset=utf-8')
  const [head, ...rows] = answer.body.trimEnd().split('\n')
  t.equal(
    head,
    '\ufeffOrder,Supplier,Status,Closed short,Overdue,Created (UTC),Sent (UTC),Expected (UTC),Location,Lines,Ordered,Received,Currency,Lines without cost,Subtotal,Discount,Tax,Total,Earlier number,Received value,Email status,Payment due,Paid (UTC),Payment overdue,Purchase order ID,Supplier ID',
  )
  const cells = rows.map(
    (row) =>
      /^PO-\d{5},(.+),Draft,No,No,\d{4}-\d\d-\d\d \d\d:\d\d,,,[^,]*,1,3,0,USD,0,7\.5,2\.5,0,5,,0,Not e-mailed,,,No,\d+,\d+$/.exec(
        row,
      )?.[1],
  )
  t.strictSame(cells, ['plain', '"a ""b"", c"', "'@SUM(A1)", "'-1", "'+1", "'=1+1"])

  const page = await alice.get('/api/purchase-orders?limit=1', { accept: 'text/csv' })
  t.match(page.headers.link, /rel="next"/, 'the export has the same pages as the list')
  t.equal((await alice.get('/api/purchase-orders', { accept: 'text/csv;q=0.5, */*' })).json().success, true)
})
