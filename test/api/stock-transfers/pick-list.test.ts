import t, { type Test } from 'tap'
import { upsertProducts } from '../../../shared/domain/exchange/sync/upsert-products.ts'
import { readCodes } from '../../shared/pdf/read-codes.ts'
import { readPdf } from '../../shared/pdf/read-pdf.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { product, variant } from '../../support/make/catalogue.ts'
import { locationGid, makeStock, makeTransfer, variantGid } from '../../support/make/stock.ts'

/** Variants with bins at the source that are not in the order of the transfer's lines; variant 4 has none. */
async function start(t: Test) {
  const people = await startApp(t)
  const { alice, db } = people
  await makeStock(db, alice, { variants: 4, locations: 2 })
  await db.transaction((tx) =>
    upsertProducts(tx, alice.shopId, [
      product(2, [variant(2, { barcode: '4006381333931' })], {
        title: '青いマグカップ',
        updatedAt: '2026-03-02T12:00:00Z',
      }),
      product(4, [variant(4, { sku: 'ÄÖ', barcode: '' })], {
        title: 'Plain',
        updatedAt: '2026-03-02T12:00:00Z',
      }),
    ]),
  )
  const bins = [
    { variantId: variantGid(1), locationId: locationGid(1), bin: 'A10' },
    { variantId: variantGid(2), locationId: locationGid(1), bin: 'A2' },
    { variantId: variantGid(3), locationId: locationGid(1), bin: 'B1' },
    { variantId: variantGid(3), locationId: locationGid(2), bin: 'A0' },
  ]
  t.equal((await alice.put('/api/bins', { bins })).statusCode, 200)
  const items = [4, 1, 3, 2].map((number) => ({ variantId: variantGid(number), quantity: number * 3 }))
  return { ...people, id: await makeTransfer(alice, { items, notes: 'Take the red boxes' }) }
}

const print = (person: Person, id: number) => person.get(`/api/stock-transfers/${id}/pick-list.pdf`)

/** The quantities of bins A2, A10 and B1; null: the bin is not on the list. */
async function quantitiesOf(person: Person, id: number) {
  const { pages } = await readPdf((await print(person, id)).rawPayload)
  const items = pages[0]?.items ?? []
  return ['A2', 'A10', 'B1'].map((bin) => {
    const y = items.find(({ text }) => text === bin)?.y
    const inRow = items.filter((item) => y !== undefined && Math.abs(item.y - y) < 4)
    return inRow.map(({ text }) => text).find((text) => /^\d+$/.test(text) && text.length < 3) ?? null
  })
}

t.test('the pick list has the lines in the order of the bins of the source, with barcodes', async (t) => {
  const { alice, id } = await start(t)
  const answer = await print(alice, id)
  t.equal(answer.statusCode, 200)
  t.equal(answer.headers['content-type'], 'application/pdf')
  const { text, pages, missingGlyphs } = await readPdf(answer.rawPayload)
  t.match(text, `Pick list #${id}`)
  t.match(text, 'Place 1')
  t.match(text, 'Take the red boxes')
  t.match(text, '青いマグカップ')
  t.equal(missingGlyphs, 0)
  const items = pages[0]?.items ?? []
  const heightOf = (word: string) => items.find(({ text: shown }) => shown === word)?.y ?? 0
  const order = ['A2', 'A10', 'B1', 'ÄÖ']
  t.ok(order.every((word) => heightOf(word) > 0))
  t.strictSame(
    [...order].sort((a, b) => heightOf(b) - heightOf(a)),
    order,
    'from top to bottom',
  )
  for (const [bin, quantity] of [
    ['A2', '6'],
    ['A10', '3'],
    ['B1', '9'],
  ] as const) {
    const row = items.find(({ text: shown, y }) => shown === quantity && Math.abs(y - heightOf(bin)) < 4)
    t.ok(row, `${quantity} of bin ${bin}`)
  }
})

t.test('the pick list has what is left to ship, and all pieces when nothing is left', async (t) => {
  const { alice, id } = await start(t)
  const ship = async (body: object) =>
    t.equal((await alice.post(`/api/stock-transfers/${id}/ship`, body)).statusCode, 200)
  await ship({
    items: [
      { variantId: variantGid(2), quantity: 4 },
      { variantId: variantGid(3), quantity: 9 },
    ],
  })
  t.strictSame(await quantitiesOf(alice, id), ['2', '3', null])
  await ship({ allowNegative: true })
  t.strictSame(await quantitiesOf(alice, id), ['6', '3', '9'])
})

t.test('nothing is left to ship of a closed transfer', async (t) => {
  const { alice, id } = await start(t)
  await alice.post(`/api/stock-transfers/${id}/ship`, { items: [{ variantId: variantGid(2), quantity: 4 }] })
  t.strictSame(await quantitiesOf(alice, id), ['2', '3', '9'])
  await alice.post(`/api/stock-transfers/${id}/close`, {})
  t.strictSame(await quantitiesOf(alice, id), ['6', '3', '9'])
})

t.test('a scanner reads the barcodes of the pick list from top to bottom', async (t) => {
  const { alice, id } = await start(t)
  const codes = await readCodes((await print(alice, id)).rawPayload, { columns: 1, rows: 24 })
  t.strictSame(
    codes.map(({ text }) => text).filter((text, at, all) => text !== all[at - 1]),
    ['4006381333931', '001', '003'],
    'a code that no barcode can hold is left out',
  )
})

t.test('the pick list is in the language of the shop', async (t) => {
  const { alice, id } = await start(t)
  await alice.put('/api/settings', { locale: 'de-DE' })
  t.match((await readPdf((await print(alice, id)).rawPayload)).text, `Pickliste #${id}`)
})

t.test('a transfer of 500 products has a pick list', async (t) => {
  const { alice, db } = await startApp(t)
  await makeStock(db, alice, { variants: 500, locations: 2 })
  const items = Array.from({ length: 500 }, (_, at) => ({ variantId: variantGid(at + 1), quantity: 1 }))
  const answer = await print(alice, await makeTransfer(alice, { items }))
  t.equal(answer.statusCode, 200)
  t.match((await readPdf(answer.rawPayload)).text, 'SKU-500')
})

t.test('another shop cannot read the pick list', async (t) => {
  const { alice, mallory, id } = await start(t)
  expectFailure(t, await print(mallory, id), 404, 'not_found')
  expectFailure(t, await print(alice, 999_999), 404, 'not_found')
})
