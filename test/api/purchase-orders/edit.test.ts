import t from 'tap'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { line, makeOrder, makeOrderIn, makeSupplier, readOrder } from '../../support/make/orders.ts'
import { closeLocation, locationGid, makeStock } from '../../support/make/stock.ts'

const edit = (person: Person, id: number, patch: object) => person.put(`/api/purchase-orders/${id}`, patch)

const threeLines = [
  line(1, { quantity: 1, costPrice: 10 }),
  line(2, { quantity: 2, costPrice: 20 }),
  line(3, { quantity: 3, costPrice: 30 }),
]

t.test('an edit returns the order that a later read returns', async (t) => {
  const { alice } = await startApp(t)
  const { id } = await makeOrder(alice, { notes: 'old', supplierNotes: 'kept', tax: 1 })
  const before = await readOrder(alice, id)
  const answer = await edit(alice, id, { notes: ' new ', expectedAt: '2026-03-01T12:00:00Z' })
  t.equal(answer.statusCode, 200)
  const { updatedAt } = answer.json().data
  t.strictSame(answer.json().data, {
    ...before,
    notes: 'new',
    expectedAt: '2026-03-01T12:00:00.000Z',
    updatedAt,
    version: 2,
  })
  t.ok(updatedAt > before.updatedAt)
  t.strictSame(await readOrder(alice, id), answer.json().data)
})

t.test('null clears notes and the expected date', async (t) => {
  const { alice } = await startApp(t)
  const fields = { notes: 'a', supplierNotes: 'b', expectedAt: '2026-03-01T12:00:00Z' }
  const { id } = await makeOrder(alice, fields)
  const answer = await edit(alice, id, { notes: null, supplierNotes: '', expectedAt: null })
  t.match(answer.json().data, { notes: '', supplierNotes: '', expectedAt: null })
})

t.test('the supplier of a draft can change', async (t) => {
  const { alice, mallory } = await startApp(t)
  const { id, supplierId } = await makeOrder(alice)
  const other = await makeSupplier(alice, { name: 'Apex' })
  const answer = await edit(alice, id, { supplierId: other })
  t.match(answer.json().data, { supplierId: other, supplierName: 'Apex' })
  t.not(other, supplierId)

  const foreign = await makeSupplier(mallory)
  for (const unknown of [foreign, 999_999]) {
    const { details } = expectFailure(
      t,
      await edit(alice, id, { supplierId: unknown, notes: 'x' }),
      422,
      'unknown_supplier',
    )
    t.match(details, [{ path: '/supplierId' }])
  }
  t.match(await readOrder(alice, id), { supplierId: other, notes: '' })
})

t.test('an order keeps its archived supplier and accepts no other archived one', async (t) => {
  const { alice } = await startApp(t)
  const { id, supplierId } = await makeOrder(alice)
  const archived = await makeSupplier(alice)
  await makeOrder(alice, { supplierId: archived })
  for (const used of [supplierId, archived]) await alice.delete(`/api/suppliers/${used}`)
  t.match((await edit(alice, id, { supplierId, notes: 'x' })).json().data, { supplierId, notes: 'x' })
  expectFailure(t, await edit(alice, id, { supplierId: archived }), 422, 'unknown_supplier')
})

t.test('the destination of a draft can be set, changed and cleared', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice, { locations: 2 })
  await makeStock(db, mallory, { locations: 3 })
  const { id } = await makeOrder(alice, { destinationLocationId: locationGid(1) })
  const destination = (number: number) => ({
    destinationLocationId: locationGid(number),
    destinationLocationName: `Place ${number}`,
  })
  t.match(await readOrder(alice, id), destination(1))
  t.match((await edit(alice, id, { destinationLocationId: locationGid(2) })).json().data, destination(2))
  t.match(
    (await edit(alice, id, { notes: 'x' })).json().data,
    destination(2),
    'an edit of other fields keeps the destination',
  )

  const refused = await edit(alice, id, { notes: 'y', destinationLocationId: locationGid(3) })
  const { details } = expectFailure(t, refused, 422, 'unknown_location')
  t.strictSame(details, [{ path: '/destinationLocationId', message: 'is not a location of this shop' }])
  await closeLocation(db, alice, 2)
  for (const number of [2, 3]) {
    const input = { supplierId: await makeSupplier(alice), lineItems: [] }
    const destinationLocationId = locationGid(number)
    const answer = await alice.post('/api/purchase-orders', { ...input, destinationLocationId })
    expectFailure(t, answer, 422, 'unknown_location')
  }
  t.match(await readOrder(alice, id), { ...destination(2), notes: 'x' })

  const none = { destinationLocationId: null, destinationLocationName: null }
  t.match((await edit(alice, id, { destinationLocationId: null })).json().data, none)
})

t.test('an edit without a change changes nothing', async (t) => {
  const { db, alice } = await startApp(t)
  const { id } = await makeOrder(alice)
  const before = await readOrder(alice, id)
  for (const patch of [{}, { version: 1 }]) {
    const answer = await edit(alice, id, patch)
    t.equal(answer.statusCode, 200)
    t.strictSame(answer.json().data, before)
  }
  expectFailure(t, await edit(alice, id, { version: 2 }), 409, 'stale_version')
  expectFailure(t, await edit(alice, 999_999, {}), 404, 'not_found')
  await makeStock(db, alice)
  const { id: received } = await makeOrderIn(alice, 'received')
  expectFailure(t, await edit(alice, received, {}), 409, 'conflict')
})

t.test('lineItems replaces the full list in the given order', async (t) => {
  const { alice } = await startApp(t)
  const { id } = await makeOrder(alice, { lineItems: threeLines })
  const [first, , third] = (await readOrder(alice, id)).lineItems
  const { data } = (
    await edit(alice, id, {
      lineItems: [{ id: third?.id }, line(4, { quantity: 4, costPrice: 40 }), { id: first?.id }],
    })
  ).json()
  const added = data.lineItems[1]
  t.strictSame(data.lineItems, [
    third,
    {
      ...third,
      id: added.id,
      ...line(4, { quantity: 4, costPrice: 40 }),
      packs: 4,
      outstandingQuantity: 4,
      lineTotal: 160,
    },
    first,
  ])
  t.match(data, { subtotal: 260, total: 260 })
  t.match((await alice.get('/api/purchase-orders')).json().data, [{ id, lineItemCount: 3, total: 260 }])
})

t.test('an empty list removes every line', async (t) => {
  const { alice } = await startApp(t)
  const { id } = await makeOrder(alice, { lineItems: threeLines, tax: 5 })
  t.match((await edit(alice, id, { lineItems: [] })).json().data, {
    lineItems: [],
    subtotal: 0,
    tax: 5,
    total: 5,
  })
})

t.test('an entry matches a line by its SKU and keeps omitted fields', async (t) => {
  const { alice } = await startApp(t)
  const { id } = await makeOrder(alice, { lineItems: threeLines })
  const [first, second, third] = (await readOrder(alice, id)).lineItems
  const lineItems = [
    { sku: 'SKU-1', quantity: 150, costPrice: 12 },
    { sku: 'SKU-2' },
    { sku: 'SKU-3', title: 'New' },
  ]
  const { data } = (await edit(alice, id, { lineItems })).json()
  t.strictSame(data.lineItems, [
    { ...first, quantity: 150, packs: 150, outstandingQuantity: 150, costPrice: 12, lineTotal: 1800 },
    second,
    { ...third, title: 'New' },
  ])
})

t.test('an entry matches a line by its id before its SKU, and can change the SKU', async (t) => {
  const { alice } = await startApp(t)
  const { id } = await makeOrder(alice, { lineItems: threeLines })
  const [first, second, third] = (await readOrder(alice, id)).lineItems
  const lineItems = [{ id: second?.id, sku: 'SKU-1', quantity: 7 }, { sku: 'SKU-1' }, { id: third?.id }]
  const { data } = (await edit(alice, id, { lineItems })).json()
  const changed = { sku: 'SKU-1', quantity: 7, packs: 7, outstandingQuantity: 7, lineTotal: 140 }
  t.strictSame(data.lineItems, [{ ...second, ...changed }, first, third])
})

t.test('entries match two lines with one SKU in order', async (t) => {
  const { alice } = await startApp(t)
  const twice = [line(1, { quantity: 1, costPrice: 10 }), line(1, { quantity: 2, costPrice: 20 })]
  const { id } = await makeOrder(alice, { lineItems: twice })
  const [first, second] = (await readOrder(alice, id)).lineItems
  const lineItems = [
    { sku: 'SKU-1', quantity: 5 },
    { sku: 'SKU-1', quantity: 6 },
  ]
  t.match((await edit(alice, id, { lineItems })).json().data.lineItems, [
    { id: first?.id, quantity: 5, costPrice: 10 },
    { id: second?.id, quantity: 6, costPrice: 20 },
  ])
})

t.test('an entry with another variant is a new line, even with the same SKU', async (t) => {
  const { alice } = await startApp(t)
  const { id } = await makeOrder(alice, { lineItems: [line(1)] })
  const [old] = (await readOrder(alice, id)).lineItems
  const { data } = (await edit(alice, id, { lineItems: [line(2, { sku: 'SKU-1' })] })).json()
  t.match(data.lineItems, [{ variantId: line(2).variantId, sku: 'SKU-1', title: 'Thing 2' }])
  t.not(data.lineItems[0].id, old?.id)
})

t.test('a line with another variant takes the SKU and title of that variant', async (t) => {
  const { alice } = await startApp(t)
  await makeOrder(alice, { lineItems: [line(2)] })
  const { id } = await makeOrder(alice, { lineItems: [line(1, { quantity: 9 })] })
  const [old] = (await readOrder(alice, id)).lineItems
  const { productId, variantId } = line(2)
  const entry = { id: old?.id, productId, variantId, costPrice: 4 }
  const { data } = (await edit(alice, id, { lineItems: [entry] })).json()
  t.match(data.lineItems, [{ id: old?.id, variantId, sku: 'SKU-2', title: 'Thing 2', quantity: 9 }])
})

t.test('a new line requires variant and product', async (t) => {
  const { alice } = await startApp(t)
  const { id } = await makeOrder(alice, { lineItems: threeLines })
  const before = await readOrder(alice, id)
  const lineItems = [{ sku: 'SKU-1', quantity: 99 }, { sku: 'NEW', quantity: 1 }, {}]
  const { details } = expectFailure(t, await edit(alice, id, { lineItems }), 422, 'unknown_variant')
  const needed = ['variantId', 'productId'].map((name) => `/lineItems/1/${name}`)
  const all = ['variantId', 'productId'].map((name) => `/lineItems/2/${name}`)
  t.strictSame(
    details,
    [...needed, ...all].map((path) => ({ path, message: 'is required for a new line' })),
  )
  const { sku, title, ...untitled } = line(77)
  const unknown = [{ sku: 'SKU-1' }, { ...untitled, sku }]
  const answer = await edit(alice, id, { lineItems: unknown })
  t.match(expectFailure(t, answer, 422, 'unknown_variant', title).details, [
    { path: '/lineItems/1/variantId' },
  ])
  t.strictSame(await readOrder(alice, id), before, 'an invalid line changes nothing')
})

t.test('the API refuses lines of other orders', async (t) => {
  const { alice, mallory } = await startApp(t)
  const { id } = await makeOrder(alice, { lineItems: threeLines })
  const before = await readOrder(alice, id)
  const [own] = before.lineItems
  const [ofOther] = (await readOrder(alice, (await makeOrder(alice)).id)).lineItems
  const [foreign] = (await readOrder(mallory, (await makeOrder(mallory)).id)).lineItems
  for (const unknown of [ofOther?.id, foreign?.id, 999_999]) {
    const answer = await edit(alice, id, { lineItems: [{ id: own?.id, quantity: 9 }, { id: unknown }] })
    t.match(expectFailure(t, answer, 422, 'unknown_line').details, [{ path: '/lineItems/1/id' }])
  }
  const twice = await edit(alice, id, { lineItems: [{ id: own?.id }, { id: own?.id }] })
  t.match(expectFailure(t, twice, 422, 'unknown_line').details, [{ path: '/lineItems/1/id' }])
  t.strictSame(await readOrder(alice, id), before)
})

t.test('the API refuses an edit of an old version', async (t) => {
  const { alice } = await startApp(t)
  const { id } = await makeOrder(alice)
  t.equal((await edit(alice, id, { notes: 'first', version: 1 })).json().data.version, 2)
  expectFailure(t, await edit(alice, id, { notes: 'late', version: 1 }), 409, 'stale_version')
  expectFailure(t, await edit(alice, id, { notes: 'early', version: 3 }), 409, 'stale_version')
  t.match(await readOrder(alice, id), { notes: 'first', version: 2 })
  t.equal((await edit(alice, id, { notes: 'no version', version: undefined })).json().data.version, 3)
  expectFailure(t, await edit(alice, id, { notes: 'null', version: null }), 400, 'invalid_request')
})

t.test('one of ten concurrent edits of one version succeeds', async (t) => {
  const { alice } = await startApp(t)
  const { id } = await makeOrder(alice)
  const lineItems = (at: number) => [line(at + 1, { costPrice: at })]
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => edit(alice, id, { lineItems: lineItems(at), version: 1 })),
  )
  const [winner, ...others] = answers.filter(({ statusCode }) => statusCode === 200)
  t.strictSame(others, [])
  for (const answer of answers.filter((other) => other !== winner))
    expectFailure(t, answer, 409, 'stale_version')
  t.strictSame(await readOrder(alice, id), winner?.json().data)
})

t.test('only notes and the expected date of a sent order can change', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const editable = { notes: 'a', supplierNotes: 'b', expectedAt: '2026-03-01T12:00:00.000Z' }
  for (const status of ['sent', 'partial'] as const) {
    const { id, supplierId } = await makeOrderIn(alice, status)
    t.match((await edit(alice, id, editable)).json().data, { ...editable, status })
    const same = { supplierId, tax: 0, destinationLocationId: null }
    t.match((await edit(alice, id, { ...same, notes: 'c' })).json().data, { ...editable, notes: 'c', status })
    t.match((await edit(alice, id, { tax: null, notes: 'd' })).json().data, { notes: 'd', tax: 0 })
    const before = await readOrder(alice, id)
    for (const fixed of [
      { supplierId: await makeSupplier(alice) },
      { tax: 1 },
      { destinationLocationId: locationGid(1) },
      { lineItems: [] },
      { lineItems: [line(1)] },
    ]) {
      expectFailure(
        t,
        await edit(alice, id, { notes: 'x', ...fixed }),
        409,
        'conflict',
        Object.keys(fixed)[0],
      )
    }
    t.strictSame(await readOrder(alice, id), before)
  }
})

t.test('a received or cancelled order cannot change', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  for (const status of ['received', 'cancelled'] as const) {
    const { id } = await makeOrderIn(alice, status)
    const { message } = expectFailure(t, await edit(alice, id, { notes: 'x' }), 409, 'conflict')
    t.match(message, status)
  }
})

t.test('the invoice of an order can be entered in every state', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const invoice = {
    invoiceNumber: 'INV-7',
    invoiceDate: '2026-03-01',
    paymentDueOn: '2026-04-01',
    paidAt: '2026-03-20T12:00:00.000Z',
  }
  for (const status of ['draft', 'sent', 'partial', 'received', 'cancelled'] as const) {
    const { id } = await makeOrderIn(alice, status, { lineItems: [line(1, { quantity: 2 })] })
    const { version } = await readOrder(alice, id)
    t.match((await edit(alice, id, { ...invoice, version })).json().data, {
      ...invoice,
      status,
      version: version + 1,
    })
    t.match(
      (await edit(alice, id, invoice)).json().data,
      { version: version + 1 },
      'repeated, it changes nothing',
    )
    const cleared = { invoiceNumber: null, invoiceDate: null, paymentDueOn: null, paidAt: null }
    t.match((await edit(alice, id, cleared)).json().data, { ...cleared, invoiceNumber: '' })
  }
  const { id } = await makeOrderIn(alice, 'received')
  expectFailure(
    t,
    await edit(alice, id, { ...invoice, notes: 'x' }),
    409,
    'conflict',
    'notes of a received order',
  )
  expectFailure(t, await edit(alice, id, { invoiceDate: '2026-02-30' }), 400, 'invalid_request')
  expectFailure(t, await edit(alice, id, { invoiceNumber: 'x'.repeat(101) }), 400, 'invalid_request')
})
