import t from 'tap'
import { readPdf } from '../../shared/pdf/read-pdf.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { readPages } from '../../support/core/people.ts'
import { line, makeSentOrder, makeSupplier, receiptsOf, receive } from '../../support/make/orders.ts'
import { makeDirectReceipt, makeDraft } from '../../support/make/receipts.ts'
import { closeLocation, locationGid, makeStock, markVariant, variantGid } from '../../support/make/stock.ts'
import {
  makeReturn,
  makeShippedReturn,
  readReturn,
  returned,
  returnOf,
} from '../../support/make/supplier-returns.ts'

t.test('a return is created as a draft with the next number and moves no stock', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  for (const person of [alice, mallory]) await makeStock(db, person, { variants: 2 })
  const supplierId = await makeSupplier(alice, { currency: 'EUR' })
  const input = returnOf(supplierId, {
    lines: [returned(1, 3), returned(2, 1, 'Wrong colour'), returned(1, 2, 'Broken')],
    notes: 'In two boxes',
    supplierReference: 'RMA-7',
  })
  const created = await alice.post('/api/supplier-returns', input)
  t.equal(created.statusCode, 201)
  const { id, ...rest } = created.json().data
  t.strictSame(rest, { number: 'RET-00001', state: 'draft' })
  t.match(await readReturn(alice, id), {
    number: 'RET-00001',
    supplierId,
    supplierName: 'Acme',
    state: 'draft',
    receiptId: null,
    poNumber: null,
    locationId: locationGid(1),
    locationName: 'Place 1',
    pieces: 6,
    currency: 'EUR',
    rate: null,
    creditAmount: null,
    expectedCredit: null,
    notes: 'In two boxes',
    supplierReference: 'RMA-7',
    version: 1,
    lines: [
      { variantId: variantGid(1), sku: 'SKU-1', quantity: 3, reason: 'Damaged in transit', isStocked: null },
      { variantId: variantGid(2), quantity: 1, reason: 'Wrong colour' },
      { variantId: variantGid(1), quantity: 2, reason: 'Broken' },
    ],
  })
  t.equal((await readReturn(alice, await makeReturn(alice))).number, 'RET-00002')
  t.equal(
    (await readReturn(mallory, await makeReturn(mallory))).number,
    'RET-00001',
    'each shop counts alone',
  )
})

t.test('a return names its missing records with their fields', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  for (const person of [alice, mallory]) await makeStock(db, person, { locations: 2 })
  const supplierId = await makeSupplier(alice)
  const post = (fields: object) => alice.post('/api/supplier-returns', { ...returnOf(supplierId), ...fields })
  const faults = async (fields: object, code: string) => {
    const { details = [] } = expectFailure(t, await post(fields), 422, code)
    return details.map(({ path }) => path)
  }
  t.strictSame(await faults({ supplierId: await makeSupplier(mallory) }, 'unknown_supplier'), ['/supplierId'])
  t.strictSame(await faults({ locationId: locationGid(9) }, 'unknown_location'), ['/locationId'])
  await closeLocation(db, alice, 2)
  t.strictSame(await faults({ locationId: locationGid(2) }, 'unknown_location'), ['/locationId'])
  const lines = [returned(1, 1), returned(8, 1)]
  t.strictSame(await faults({ lines }, 'unknown_variant'), ['/lines/1/variantId'])
  t.strictSame(await faults({ receiptId: 999_999 }, 'unknown_receipt'), ['/receiptId'])
  for (const bad of [{ lines: [] }, { lines: [returned(1, 0)] }, { lines: [returned(1, 1, '')] }]) {
    expectFailure(t, await post(bad), 400, 'invalid_request')
  }
})

t.test('a receipt limits its returns, and only of its supplier', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  for (const person of [alice, mallory]) await makeStock(db, person, { variants: 3 })
  const supplierId = await makeSupplier(alice)
  const order = await makeSentOrder(alice, {
    supplierId,
    discount: 4,
    lineItems: [
      line(1, { quantity: 6, costPrice: 2, discountPercent: 10 }),
      line(1, { quantity: 4, costPrice: 3 }),
      line(2, { quantity: 5, costPrice: 1.2 }),
    ],
  })
  await receive(alice, order.id, [6, 4, 5])
  const [receipt] = await receiptsOf(alice, order.id)
  const receiptId = receipt?.id ?? 0
  const post = (fields: object) =>
    alice.post('/api/supplier-returns', { ...returnOf(supplierId), receiptId, ...fields })

  const other = await makeSupplier(alice, { name: 'Other' })
  const wrong = expectFailure(t, await post({ supplierId: other }), 422, 'unknown_receipt')
  t.strictSame(wrong.details, [{ path: '/receiptId', message: 'is not a receipt of this supplier' }])
  const absent = expectFailure(t, await post({ lines: [returned(3, 1)] }), 422, 'unknown_line')
  t.strictSame(absent.details, [{ path: '/lines/0/variantId', message: 'did not arrive with this receipt' }])
  const over = expectFailure(t, await post({ lines: [returned(1, 6), returned(1, 5)] }), 422, 'over_return')
  t.strictSame(
    over.details?.map(({ message }) => message),
    ['only 10 can still be returned', 'only 10 can still be returned'],
    'two lines of one product count together',
  )

  const id = (await post({ lines: [returned(1, 7)] })).json().data.id
  // 6 × 2.00 × 0.9 + 4 × 3.00 = 22.80 of 28.80; the order's discount of 4.00 leaves 22.80 × 24.80 / 28.80 = 19.6333 for 10
  t.match(await readReturn(alice, id), {
    poNumber: order.poNumber,
    purchaseOrderId: order.id,
    lines: [{ unitPrice: 1.9633 }],
    expectedCredit: 13.74,
  })
  expectFailure(t, await post({ lines: [returned(1, 4)] }), 422, 'over_return', 'a draft counts, too')
  const returnable = (await alice.get(`/api/receipts/${receiptId}/returnable`)).json().data
  t.match(returnable, {
    supplierId,
    poNumber: order.poNumber,
    locationName: 'Place 1',
    isReversed: false,
    lines: [
      { variantId: variantGid(1), received: 10, returned: 7, returnable: 3 },
      { variantId: variantGid(2), received: 5, returned: 0, returnable: 5 },
    ],
  })
  expectFailure(t, await mallory.get(`/api/receipts/${receiptId}/returnable`), 404, 'not_found')

  const put = (lines: object[]) => alice.put(`/api/supplier-returns/${id}`, { lines })
  t.equal((await put([returned(1, 10)])).statusCode, 200, 'its own pieces do not count against it')
  expectFailure(t, await put([returned(1, 11)]), 422, 'over_return')
  await alice.post(`/api/supplier-returns/${id}/cancel`)
  t.equal((await post({ lines: [returned(1, 10)] })).statusCode, 201, 'a cancelled return frees its pieces')
})

t.test('goods that arrived without an order can go back, and a draft of a receipt cannot', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const supplierId = await makeSupplier(alice)
  const direct = await makeDirectReceipt(alice, { supplierId })
  const returnable = (await alice.get(`/api/receipts/${direct.id}/returnable`)).json().data
  const [first] = returnable.lines
  t.match(returnable, { supplierId, purchaseOrderId: null, poNumber: null, lines: [{ returned: 0 }] })
  const lines = [{ variantId: first.variantId, quantity: first.received, reason: 'Damaged' }]
  const id = await makeShippedReturn(alice, { supplierId, receiptId: direct.id, lines })
  t.match(await readReturn(alice, id), { receiptId: direct.id, poNumber: null, state: 'shipped' })
  const reversed = await alice.post(`/api/receipts/${direct.id}/reverse`)
  t.match(expectFailure(t, reversed, 409, 'conflict').message, /RET-00001/)
  await alice.post(`/api/supplier-returns/${id}/undo`)
  t.equal((await alice.post(`/api/receipts/${direct.id}/reverse`, { allowNegative: true })).statusCode, 200)

  const order = await makeSentOrder(alice)
  const draft = await makeDraft(alice, order.id)
  expectFailure(t, await alice.get(`/api/receipts/${draft.id}/returnable`), 404, 'not_found')
  const input = returnOf(order.supplierId, { receiptId: draft.id })
  t.match(
    expectFailure(t, await alice.post('/api/supplier-returns', input), 409, 'conflict').message,
    /is a draft/,
  )
})

t.test('of returns at the same time, a receipt gives each piece once', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const supplierId = await makeSupplier(alice)
  const { id } = await makeSentOrder(alice, { supplierId, lineItems: [line(1, { quantity: 5 })] })
  await receive(alice, id, [5])
  const [receipt] = await receiptsOf(alice, id)
  const input = returnOf(supplierId, { receiptId: receipt?.id ?? 0, lines: [returned(1, 2)] })
  const answers = await Promise.all([1, 2, 3, 4].map(() => alice.post('/api/supplier-returns', input)))
  t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [201, 201, 422, 422])
})

t.test('a draft changes with its version, and only a draft', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2, locations: 2 })
  const id = await makeReturn(alice, { lines: [returned(1, 1), returned(2, 1)] })
  const put = (body: object) => alice.put(`/api/supplier-returns/${id}`, body)
  const changed = await put({
    version: 1,
    locationId: locationGid(2),
    lines: [returned(2, 4, 'Faded')],
    supplierReference: 'RMA-8',
  })
  t.equal(changed.statusCode, 200, changed.body)
  t.match(changed.json().data, {
    version: 2,
    locationId: locationGid(2),
    supplierReference: 'RMA-8',
    pieces: 4,
    lines: [{ variantId: variantGid(2), quantity: 4, reason: 'Faded' }],
  })
  expectFailure(t, await put({ version: 1, notes: 'x' }), 409, 'stale_version')
  const repeated = await put(await readReturn(alice, id))
  t.match(repeated.json().data, { version: 2 }, 'what a read answered changes nothing')
  await alice.post(`/api/supplier-returns/${id}/ship`)
  expectFailure(t, await put({ notes: 'Late' }), 409, 'conflict')
  t.equal((await put({ supplierReference: 'RMA-8' })).statusCode, 200, 'a repeated value is no change')
})

t.test('a product that is not tracked or is deleted can go back', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  await markVariant(db, alice, 1, 'untracked')
  await markVariant(db, alice, 2, 'deleted')
  const id = await makeShippedReturn(alice, { lines: [returned(1, 1), returned(2, 50)] })
  t.match(await readReturn(alice, id), {
    state: 'shipped',
    lines: [{ isStocked: false }, { isStocked: false }],
  })
})

t.test(
  'the list filters by supplier, state, order and receipt, searches, pages, and has a CSV',
  async (t) => {
    const { db, alice, mallory } = await startApp(t)
    await makeStock(db, alice, { available: 50 })
    const acme = await makeSupplier(alice)
    const best = await makeSupplier(alice, { name: 'Best 50%' })
    const { id: orderId } = await makeSentOrder(alice, {
      supplierId: acme,
      lineItems: [line(1, { quantity: 5 })],
    })
    await receive(alice, orderId, [5])
    const receiptId = (await receiptsOf(alice, orderId))[0]?.id ?? 0
    const first = await makeShippedReturn(alice, { supplierId: acme, receiptId })
    const second = await makeReturn(alice, { supplierId: best, supplierReference: '=RMA-9' })
    const third = await makeReturn(alice, { supplierId: acme })
    const ids = async (query: string) => {
      const response = await alice.get(`/api/supplier-returns${query}`)
      return response.json().data.map(({ id }: { id: number }) => id)
    }
    t.strictSame(await ids(''), [third, second, first])
    t.strictSame(await ids(`?supplierId=${acme}`), [third, first])
    t.strictSame(await ids('?state=shipped'), [first])
    t.strictSame(await ids(`?receiptId=${receiptId}`), [first])
    t.strictSame(await ids(`?purchaseOrderId=${orderId}`), [first])
    t.strictSame(await ids('?search=ret-00002'), [second])
    t.strictSame(await ids('?search=rma-9'), [second])
    t.strictSame(await ids('?search=50%25'), [second], 'by the supplier, with a wildcard in its name')
    t.strictSame(await ids('?search=nothing'), [])
    t.strictSame(await readPages(alice, '/api/supplier-returns?limit=1'), [[third], [second], [first]])
    t.strictSame((await mallory.get('/api/supplier-returns')).json().data, [])
    const csv = (await alice.get('/api/supplier-returns?state=shipped', { accept: 'text/csv' })).body.split(
      '\n',
    )
    t.match(csv[0], /Return,Order,Supplier,Status,Location/)
    t.match(csv[1], /^RET-00001,PO-\d+,Acme,Shipped,/)
  },
)

t.test('the return note has lines, reasons and references, and no internal notes', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  const supplierId = await makeSupplier(alice, { name: 'Acme & Söhne', language: 'de' })
  const order = await makeSentOrder(alice, {
    supplierId,
    lineItems: [line(1, { quantity: 5, supplierSku: 'CUP-6' })],
  })
  await receive(alice, order.id, [5])
  const id = await makeReturn(alice, {
    supplierId,
    receiptId: (await receiptsOf(alice, order.id))[0]?.id ?? 0,
    supplierReference: 'RMA-7',
    notes: 'our margin is 80 percent',
    lines: [returned(1, 2, 'Henkel gebrochen'), returned(1, 1, 'Falsche Farbe')],
  })
  const read = async () => {
    const answer = await alice.get(`/api/supplier-returns/${id}/pdf`)
    t.equal(answer.headers['content-type'], 'application/pdf')
    t.equal(answer.headers['content-disposition'], 'inline; filename="RET-00001.pdf"')
    return readPdf(answer.rawPayload)
  }
  const { text, missingGlyphs } = await read()
  for (const expected of [
    'Rücklieferschein RET-00001',
    'Acme & Söhne',
    'RMA-7',
    order.poNumber,
    'CUP-6',
    'SKU-1',
    'Henkel gebrochen',
    'Falsche Farbe',
    'Stück gesamt: 3',
    'ENTWURF',
  ]) {
    t.ok(text.includes(expected), expected)
  }
  t.notMatch(text, /margin|80 percent/)
  t.equal(missingGlyphs, 0)
  await alice.post(`/api/supplier-returns/${id}/ship`)
  t.notMatch((await read()).text, /ENTWURF/, 'a shipped return is no draft')
})

t.test('a return says in which bins its goods lie, and its note while it is a draft', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  for (const person of [alice, mallory]) await makeStock(db, person, { variants: 3, locations: 2 })
  const bin = (variant: number, location: number, name: string) => ({
    ...{ variantId: variantGid(variant), locationId: locationGid(location), bin: name },
  })
  await alice.put('/api/bins', { bins: [bin(1, 1, 'A10'), bin(2, 1, 'A2'), bin(3, 2, 'B1')] })
  await mallory.put('/api/bins', { bins: [bin(1, 1, 'M1')] })
  const supplierId = await makeSupplier(alice)
  const order = await makeSentOrder(alice, { supplierId, lineItems: [line(1, { quantity: 5 }), line(3)] })
  await receive(alice, order.id, [5, 1])
  const receiptId = (await receiptsOf(alice, order.id))[0]?.id
  t.match((await alice.get(`/api/receipts/${receiptId}/returnable`)).json().data.lines, [
    { variantId: variantGid(1), bin: 'A10' },
    { variantId: variantGid(3), bin: '' },
  ])
  const lines = [returned(1, 1), returned(3, 1), returned(2, 1)]
  const id = await makeReturn(alice, { supplierId, lines })
  t.match((await readReturn(alice, id)).lines, [{ bin: 'A10' }, { bin: '' }, { bin: 'A2' }])
  const note = async () =>
    (await readPdf((await alice.get(`/api/supplier-returns/${id}/pdf`)).rawPayload)).text
  t.match(await note(), /A2[\s\S]*SKU-2[\s\S]*A10[\s\S]*SKU-1[\s\S]*SKU-3/, 'in the order of bins')
  await alice.post(`/api/supplier-returns/${id}/ship`)
  t.match(await note(), /SKU-1[\s\S]*SKU-3[\s\S]*SKU-2/)
  t.notMatch(await note(), /A10|A2/, 'the supplier does not need them')
})

t.test('a supplier with returns is archived, and a merge moves them', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const [acme, best] = [await makeSupplier(alice), await makeSupplier(alice, { name: 'Best' })]
  const id = await makeReturn(alice, { supplierId: acme })
  const merged = await alice.post(`/api/suppliers/${acme}/merge`, { intoId: best })
  t.equal(merged.statusCode, 200, merged.body)
  t.match(await readReturn(alice, id), { supplierId: best, supplierName: 'Best', version: 2 })
  const deleted = await alice.delete(`/api/suppliers/${best}`)
  const message = 'Supplier archived, because it has purchase orders, receipts, returns or buying budgets.'
  t.match(deleted.json().data, { message })
  t.match(await readReturn(alice, id), { supplierName: 'Best' })
})

t.test('a return of another shop is not found', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  for (const person of [alice, mallory]) await makeStock(db, person)
  const id = await makeReturn(alice)
  const url = `/api/supplier-returns/${id}`
  expectFailure(t, await mallory.get(url), 404, 'not_found')
  expectFailure(t, await mallory.get(`${url}/pdf`), 404, 'not_found')
  expectFailure(t, await mallory.put(url, { notes: 'mine' }), 404, 'not_found')
  expectFailure(t, await mallory.post(`${url}/credit`, { creditAmount: 1 }), 404, 'not_found')
  for (const verb of ['ship', 'cancel', 'undo']) {
    expectFailure(t, await mallory.post(`${url}/${verb}`), 404, 'not_found', verb)
  }
  t.match(await readReturn(alice, id), { state: 'draft', version: 1 })
})
