import t, { type Test } from 'tap'
import type { Db } from '../../../shared/db/db.ts'
import { upsertProducts } from '../../../shared/domain/exchange/sync/upsert-products.ts'
import { LabelFormatName } from '../../../shared/schemas/labels.ts'
import { readCodes } from '../../shared/pdf/read-codes.ts'
import { readPdf } from '../../shared/pdf/read-pdf.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { createTurns } from '../../support/core/turns.ts'
import { isFull } from '../../support/faults/faults.ts'
import { product, variant } from '../../support/make/catalogue.ts'
import { line, makeOrder, makeSentOrder, receiptsOf, receive } from '../../support/make/orders.ts'
import { makeDirectReceipt } from '../../support/make/receipts.ts'
import { locationGid, makeStock, takeStock, variantGid } from '../../support/make/stock.ts'

const formats = LabelFormatName.anyOf.map(({ const: name }) => String(name))

/** Variant n has this barcode; the SKU is SKU-n. */
const barcodes = ['4006381333931', '036000291452', '', '4006381333932', '12345678901231', 'WH/A-7 x']
/** What a scanner reads: EAN-13 for a valid one and for UPC-A, else Code 128 of the barcode or the SKU. */
const codes = [
  ['EAN13', '4006381333931'],
  ['EAN13', '0036000291452'],
  ['Code128', 'SKU-3'],
  ['Code128', '4006381333932'],
  ['Code128', '12345678901231'],
  ['Code128', 'WH/A-7 x'],
]

async function makeProducts(db: Db, person: Person, variants = barcodes.length): Promise<void> {
  await makeStock(db, person, { variants, locations: 2 })
  await db.transaction((tx) =>
    upsertProducts(
      tx,
      person.shopId,
      Array.from({ length: variants }, (_, at) =>
        product(at + 1, [variant(at + 1, { barcode: barcodes[at] ?? '' })], {
          updatedAt: '2026-03-02T12:00:00Z',
        }),
      ),
    ),
  )
}

async function start(t: Test, variants?: number) {
  const people = await startApp(t)
  await makeProducts(people.db, people.alice, variants)
  return people
}

/** Pieces that arrive of each line. */
const sixLines = [1, 20, 0, 3, 9, 4]
const manyLines = [3, 0, ...Array.from({ length: 35 }, () => 1)]

/** An order with a line for each number of pieces that arrived, against the order of the variants. */
async function receiveLines(person: Person, arrived: number[]) {
  const numbers = arrived.map((_, at) => arrived.length - at)
  const { id } = await makeSentOrder(person, {
    lineItems: numbers.map((number) => line(number, { quantity: 20 })),
  })
  const answer = await receive(person, id, arrived)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  const [receipt] = await receiptsOf(person, id)
  const expected = numbers.flatMap((number, at) =>
    Array.from({ length: arrived[at] ?? 0 }, () => codes[number - 1] ?? ['Code128', `SKU-${number}`]),
  )
  return { id, receiptId: receipt?.id, expected }
}

const labels = (person: Person, query: string, kind = 'pdf') => person.get(`/api/labels.${kind}?${query}`)

const sheet = { columns: 3, rows: 8 }

/** What a scanner reads on the labels, one after the other, and the number of pages. */
async function codesOf(person: Person, query: string): Promise<{ codes: string[][]; pages: number }> {
  const answer = await labels(person, query)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  const codes = await readCodes(answer.rawPayload, query.includes('a4-3x8') ? sheet : {})
  return {
    codes: codes.map(({ format, text }) => [format, text]),
    pages: new Set(codes.map(({ page }) => page)).size,
  }
}

t.test(
  'goods that arrived without an order have labels, and none when their receipt is reversed',
  async (t) => {
    const { alice } = await start(t)
    const lines = [3, 1].map((number) => ({ variantId: variantGid(number), quantity: number + 1 }))
    const { id } = await makeDirectReceipt(alice, { lines })
    const { codes: found } = await codesOf(alice, `receiptId=${id}`)
    t.strictSame(
      found,
      [3, 3, 3, 3, 1, 1].map((number) => codes[number - 1]),
    )
    await alice.post(`/api/receipts/${id}/reverse`)
    expectFailure(t, await labels(alice, `receiptId=${id}`), 422, 'no_labels')
  },
)

const chooseDpi = createTurns()

for (const format of formats) {
  t.test(`a scanner reads a label per received piece, in the order of the lines, at ${format}`, async (t) => {
    const arrived = isFull || format === 'a4-3x8' ? manyLines : manyLines.slice(0, 12)
    const pages = format === 'a4-3x8' ? 2 : arrived.length + 1
    const { alice } = await start(t, arrived.length)
    const { receiptId, expected } = await receiveLines(alice, arrived)
    for (const dpi of chooseDpi([203, 300])) {
      t.equal((await alice.put('/api/settings', { labelFormat: { dpi } })).statusCode, 200)
      const read = await codesOf(alice, `receiptId=${receiptId}&copies=received&format=${format}`)
      t.equal(expected.length, arrived.length + 1)
      t.strictSame(read.codes, expected, `${dpi} dpi`)
      t.equal(read.pages, pages)
    }
  })
}

t.test('a label shows title, variant, SKU, price and the text of its code', async (t) => {
  const { alice, db } = await start(t)
  const title =
    'Stoneware mug, hand made in the pottery of Northgate, with a handle for the left hand, microwave safe'
  await db.transaction((tx) =>
    upsertProducts(tx, alice.shopId, [
      product(1, [variant(1, { barcode: '4006381333931' })], { title, updatedAt: '2026-03-03T12:00:00Z' }),
      product(2, [variant(2)], { title: '青いマグカップ', updatedAt: '2026-03-03T12:00:00Z' }),
    ]),
  )
  const answer = await labels(alice, 'variantIds=1,2')
  t.equal(answer.headers['content-type'], 'application/pdf')
  const { pages, missingGlyphs, links } = await readPdf(answer.rawPayload)
  const [first, second] = pages
  const shown = first?.text.replaceAll('\n', ' ') ?? ''
  t.match(shown, /^Stoneware mug, hand made in the pottery .*\.\.\. Size 1 /, 'a long title is cut')
  t.notMatch(shown, 'microwave')
  t.match(shown, 'SKU-1')
  t.match(shown, '$9.50')
  t.match(shown, '4006381333931')
  t.match(second?.text, '青いマグカップ')
  t.strictSame({ missingGlyphs, links }, { missingGlyphs: 0, links: 0 })
  const mm = (points = 0) => Math.round((points / 72) * 25.4)
  t.strictSame([mm(first?.width), mm(first?.height)], [62, 29], 'the default format')

  await alice.put('/api/settings', { labelFormat: { price: false, format: '50x25' } })
  const [plain] = (await readPdf((await labels(alice, 'variantIds=1')).rawPayload)).pages
  t.notMatch(plain?.text, '9.50')
  t.strictSame([mm(plain?.width), mm(plain?.height)], [50, 25])
})

t.test('the number of copies is ordered, received, in stock, or given', async (t) => {
  const { alice, db } = await start(t)
  const { id, receiptId } = await receiveLines(alice, sixLines)
  await takeStock(db, alice, { variant: 1, location: 2, quantity: 9 })
  // each label has its title once; reading hundreds of codes takes long
  const count = async (query: string) => {
    const { text } = await readPdf((await labels(alice, `${query}&format=a4-3x8`)).rawPayload)
    return text.match(/\bMug \d/g)?.length
  }
  t.equal(await count(`purchaseOrderId=${id}`), 120, 'ordered is the default of an order')
  t.equal(await count(`purchaseOrderId=${id}&copies=received`), 37)
  t.equal(await count(`receiptId=${receiptId}`), 37, 'received is the default of a receipt')
  t.equal(await count(`receiptId=${receiptId}&copies=ordered`), 100, 'of the lines of the receipt')
  t.equal(await count('variantIds=1,2'), 2)
  t.equal(await count(`variantIds=${variantGid(1)},2&copies=3`), 6)
  t.strictSame(
    (await codesOf(alice, 'variantIds=3,1,4&copies=2,1,3')).codes,
    [2, 2, 0, 3, 3, 3].map((at) => codes[at]),
    'a number for each variant',
  )
  t.equal(await count('variantIds=1&copies=stock'), 10 + 4 + 1, 'of all locations')
  t.equal(await count(`variantIds=1&copies=stock&locationId=${locationGid(2)}`), 1)
  t.equal(
    await count(`receiptId=${receiptId}&copies=stock`),
    11 + 30 + 13 + 19 + 14,
    'of the location of the receipt',
  )
})

t.test('goods without an order get a label per received piece, and none after a reversal', async (t) => {
  const { alice } = await start(t)
  const lines = [
    { variantId: variantGid(2), quantity: 2 },
    { variantId: variantGid(1), quantity: 3 },
  ]
  const { id } = await makeDirectReceipt(alice, { lines })
  const read = await codesOf(alice, `receiptId=${id}`)
  t.strictSame(read.codes, [codes[1], codes[1], codes[0], codes[0], codes[0]])
  const refused = expectFailure(t, await labels(alice, `receiptId=${id}&copies=ordered`), 422, 'no_labels')
  t.match(refused.details, [{ path: '/copies', message: /^must be received, stock or a number/ }])
  await alice.post(`/api/receipts/${id}/reverse`)
  expectFailure(t, await labels(alice, `receiptId=${id}`), 422, 'no_labels')
})

t.test('labels of a used sheet begin at its first free label', async (t) => {
  const { alice } = await start(t)
  const answer = await labels(alice, 'variantIds=1,2&format=a4-3x8&startAt=24')
  t.strictSame(
    (await readCodes(answer.rawPayload, sheet)).map(({ text, page, cell }) => [text, page, cell]),
    [
      ['4006381333931', 0, 23],
      ['0036000291452', 1, 0],
    ],
  )
})

t.test('products without a code are named, or left out', async (t) => {
  const { alice, db } = await start(t)
  const without = [
    variant(2, { sku: '', barcode: '' }),
    variant(3, { sku: 'ÄÖÜ', barcode: '' }),
    variant(4, { sku: 'S'.repeat(60), barcode: '' }),
  ]
  await db.transaction((tx) =>
    upsertProducts(
      tx,
      alice.shopId,
      without.map((changed, at) => product(at + 2, [changed], { updatedAt: '2026-03-03T12:00:00Z' })),
    ),
  )
  const { details } = expectFailure(t, await labels(alice, 'variantIds=1,2,3,4'), 422, 'no_code')
  t.match(details, [
    { path: '/lines/1', message: 'Mug 2 - Size 2: has neither a barcode nor a SKU' },
    { path: '/lines/2', message: /^Mug 3 - Size 3: has a code with characters that a barcode cannot hold/ },
    { path: '/lines/3', message: /^Mug 4 - Size 4: has a code of 60 characters, which is too long/ },
  ])
  t.strictSame((await codesOf(alice, 'variantIds=1,2,3,4&skipWithoutCode=true')).codes, [codes[0]])
  expectFailure(t, await labels(alice, 'variantIds=2&skipWithoutCode=true'), 422, 'no_labels')
})

t.test('more labels than a file holds are printed in parts', async (t) => {
  const { alice, mallory } = await start(t)
  const order = await makeOrder(alice, {
    lineItems: [line(2, { quantity: 600 }), line(1, { quantity: 901 }), line(3, { quantity: 1 })],
  })
  const source = `purchaseOrderId=${order.id}`
  t.strictSame((await alice.get(`/api/labels?${source}`)).json().data, { total: 1502, perFile: 1000 })
  const copiesOf = async (query: string) => {
    const { body } = await labels(alice, query, 'zpl')
    return [...body.matchAll(/\^PQ(\d+),/g)].map(([, copies]) => Number(copies))
  }
  t.strictSame(await copiesOf(`${source}&from=1`), [600, 400])
  t.strictSame(await copiesOf(`${source}&from=1001`), [501, 1])
  t.strictSame(await copiesOf(`${source}&from=1502`), [1])
  const { details } = expectFailure(t, await labels(alice, `${source}&from=1503`), 422, 'no_labels')
  t.strictSame(details, [{ path: '/from', message: 'must be at most 1502' }])
  expectFailure(t, await labels(alice, `${source}&from=0`), 400, 'invalid_request')
  expectFailure(t, await mallory.get(`/api/labels?${source}`), 404, 'not_found')
})

t.test('a request that cannot be printed is refused with its reason', async (t) => {
  const { alice } = await start(t)
  const order = await makeOrder(alice, { lineItems: [line(1, { quantity: 1_001 })] })
  const fails = async (query: string, status: number, code: string, kind = 'pdf') =>
    expectFailure(t, await labels(alice, query, kind), status, code, query)
  t.match((await fails(`purchaseOrderId=${order.id}`, 422, 'too_many_labels')).details, [
    { path: '/copies', message: 'must give at most 1000 labels, and gives 1001' },
  ])
  await fails(`purchaseOrderId=${order.id}`, 422, 'too_many_labels', 'zpl')
  await fails(`purchaseOrderId=${order.id}&copies=received`, 422, 'no_labels')
  await fails('', 400, 'invalid_request')
  await fails(`variantIds=1&purchaseOrderId=${order.id}`, 400, 'invalid_request')
  await fails('variantIds=1&copies=ordered', 400, 'invalid_request')
  await fails('variantIds=1&copies=0', 400, 'invalid_request')
  for (const query of [
    'variantIds=1,2&copies=1,2,3',
    'variantIds=1&copies=1,2',
    `purchaseOrderId=${order.id}&copies=1,2`,
  ]) {
    const { details } = expectFailure(t, await labels(alice, query), 400, 'invalid_request', query)
    t.strictSame(details, [{ path: '/copies', message: 'must be one number, or one for each of variantIds' }])
  }
  await fails('variantIds=1,2&copies=1,stock', 400, 'invalid_request')
  await fails('variantIds=1&format=a5', 400, 'invalid_request')
  await fails(`variantIds=${Array.from({ length: 251 }, (_, at) => at + 1).join()}`, 400, 'invalid_request')
  await fails('variantIds=99', 422, 'unknown_variant')
  await fails(`variantIds=1&locationId=${locationGid(9)}`, 422, 'unknown_location')
  await fails('purchaseOrderId=999999', 404, 'not_found')
  await fails('receiptId=999999', 404, 'not_found')
  await fails('variantIds=1&format=a4-3x8', 422, 'not_a_roll', 'zpl')
})

t.test('1000 labels are rendered within the time of a request', async (t) => {
  const { alice } = await start(t)
  const order = await makeOrder(alice, {
    lineItems: [1, 2, 3, 5].map((number) => line(number, { quantity: 250 })),
  })
  const answer = await labels(alice, `purchaseOrderId=${order.id}&format=a4-3x8`)
  t.equal(answer.statusCode, 200)
  t.equal((await readPdf(answer.rawPayload)).pages.length, Math.ceil(1000 / 24))
})

t.test('another shop cannot print labels of receipts, orders and products', async (t) => {
  const { alice, mallory } = await start(t)
  const { id, receiptId } = await receiveLines(alice, sixLines)
  for (const kind of ['pdf', 'zpl']) {
    expectFailure(t, await labels(mallory, `receiptId=${receiptId}`, kind), 404, 'not_found')
    expectFailure(t, await labels(mallory, `purchaseOrderId=${id}`, kind), 404, 'not_found')
    expectFailure(t, await labels(mallory, 'variantIds=1', kind), 422, 'unknown_variant')
  }
})
