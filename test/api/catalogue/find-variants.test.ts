import t, { type Test } from 'tap'
import { upsertProducts } from '../../../shared/domain/exchange/sync/upsert-products.ts'
import type { VariantMatches } from '../../../shared/schemas/variants.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { gidOf, product, variant } from '../../support/make/catalogue.ts'
import { makeSupplierProduct } from '../../support/make/catalogue-terms.ts'
import { makeSupplier } from '../../support/make/orders.ts'
import { markVariant, variantGid } from '../../support/make/stock.ts'

/** Variant 1 to 3 have a SKU of their own; 4, 5 and 6 share one, of which 6 has it in other capitals. */
async function start(t: Test) {
  const { db, alice, mallory } = await startApp(t)
  const products = [
    product(1, [variant(1), variant(2), variant(3, { barcode: '5012345678900' })]),
    product(2, [variant(4, { sku: 'Twin' }), variant(5, { sku: 'Twin' }), variant(6, { sku: 'TWIN' })]),
    // its barcode is the SKU of another one
    product(3, [variant(7, { sku: '', barcode: 'SKU-1' })]),
  ]
  await db.transaction((tx) => upsertProducts(tx, alice.shopId, products))
  const find = async (body: object, person: Person = alice): Promise<VariantMatches> => {
    const response = await person.post('/api/variants/find', body)
    t.equal(response.statusCode, 200, response.body)
    return response.json().data
  }
  return { db, alice, mallory, find }
}

const numbersOf = (matches: VariantMatches) =>
  matches.map(({ code, count, variants }) => [
    code,
    count,
    variants.map(({ variantId }) => Number(/\d+$/.exec(variantId)?.[0])),
  ])

t.test('each code has the variants with exactly this SKU, else with this barcode', async (t) => {
  const { find } = await start(t)
  t.strictSame((await find({ codes: ['SKU-2'] }))[0], {
    code: 'SKU-2',
    count: 1,
    variants: [
      {
        variantId: variantGid(2),
        productId: gidOf('Product', 1),
        sku: 'SKU-2',
        barcode: '002',
        title: 'Mug 1 - Size 2',
        costPrice: null,
        isTracked: true,
        packSize: 1,
      },
    ],
  })
  t.strictSame(
    numbersOf(
      await find({ codes: ['sku-3', '5012345678900', 'SKU', 'SKU-1', 'NO-SUCH', ' SKU-2 ', 'SKU-2'] }),
    ),
    [
      ['sku-3', 1, [3]],
      ['5012345678900', 1, [3]],
      ['SKU', 0, []],
      ['SKU-1', 1, [1]],
      ['NO-SUCH', 0, []],
      ['SKU-2', 1, [2]],
      ['SKU-2', 1, [2]],
    ],
    'in the order of the request, a part of a SKU is none',
  )
})

t.test('all variants with one SKU are listed, those in the same capitals before others', async (t) => {
  const { db, alice, find } = await start(t)
  t.strictSame(numbersOf(await find({ codes: ['Twin', 'TWIN', 'twin'] })), [
    ['Twin', 2, [4, 5]],
    ['TWIN', 1, [6]],
    ['twin', 3, [4, 5, 6]],
  ])
  await markVariant(db, alice, 5, 'deleted')
  t.strictSame(numbersOf(await find({ codes: ['Twin'] })), [['Twin', 1, [4]]], 'a deleted one is no choice')
  const many = Array.from({ length: 13 }, (_, at) => variant(100 + at, { sku: 'MANY' }))
  await db.transaction((tx) => upsertProducts(tx, alice.shopId, [product(9, many)]))
  const [match] = await find({ codes: ['many'] })
  t.equal(match?.count, 13)
  t.equal(match?.variants.length, 10)
})

t.test('the cost is that of a new order line of the supplier', async (t) => {
  const { db, alice, find } = await start(t)
  const supplierId = await makeSupplier(alice)
  await makeSupplierProduct(db, alice, { supplierId, variant: 2, prices: [{ price: 3.25 }] })
  const costs = async (body: object) =>
    (await find(body)).map(({ variants }) => variants.map(({ costPrice }) => costPrice))
  t.strictSame(await costs({ codes: ['SKU-2', 'SKU-1'], supplierId }), [[3.25], [null]])
  t.strictSame(await costs({ codes: ['SKU-2'] }), [[null]])
})

t.test('with packs, a code is also the barcode of a pack of any supplier', async (t) => {
  const { db, alice, mallory, find } = await start(t)
  const [first, second] = [await makeSupplier(alice), await makeSupplier(alice)]
  const pack = (supplierId: number, number: number, packBarcode: string, packSize: number, more = {}) =>
    makeSupplierProduct(db, alice, { supplierId, variant: number, packBarcode, packSize, ...more })
  await pack(first, 2, 'Box-2', 12)
  await pack(second, 2, 'BOX-2', 10, { isActive: false })
  await pack(first, 4, 'shared', 6)
  await pack(second, 5, 'shared', 8)
  await pack(first, 1, 'SKU-3', 24)
  const packs = async (codes: string[], person = alice) =>
    (await find({ codes, packs: true }, person)).map(({ variants }) =>
      variants.map(({ sku, packSize }) => `${sku} × ${packSize}`),
    )
  t.strictSame(await packs(['box-2', 'shared', 'SKU-3', 'SKU-2', 'Box', '-2', '%', 'ox_2']), [
    ['SKU-2 × 12'],
    ['Twin × 6', 'Twin × 8'],
    ['SKU-3 × 1'],
    ['SKU-2 × 1'],
    [],
    [],
    [],
    [],
  ])
  t.strictSame(numbersOf(await find({ codes: ['Box-2'] })), [['Box-2', 0, []]], 'not without `packs`')
  t.strictSame(await packs(['Box-2'], mallory), [[]], 'those of another shop are none')
  await markVariant(db, alice, 2, 'deleted')
  t.strictSame(await packs(['Box-2']), [[]])
})

t.test('a supplier of another shop is refused', async (t) => {
  const { alice, mallory } = await start(t)
  const answer = await alice.post('/api/variants/find', {
    codes: ['SKU-1'],
    supplierId: await makeSupplier(mallory),
  })
  t.match(expectFailure(t, answer, 422, 'unknown_supplier').details, [{ path: '/supplierId' }])
})

t.test('a variant of another shop is not found', async (t) => {
  const { mallory, find } = await start(t)
  const codes = ['SKU-1', 'Twin', '5012345678900']
  t.strictSame(
    numbersOf(await find({ codes }, mallory)),
    codes.map((code) => [code, 0, []]),
  )
})

t.test('500 codes are one request, and a wrong list is refused with its rule', async (t) => {
  const { alice, find } = await start(t)
  const codes = Array.from({ length: 500 }, (_, at) => `SKU-${at + 1}`)
  const found = await find({ codes })
  t.equal(found.length, 500)
  t.equal(found.filter(({ count }) => count === 1).length, 3)
  for (const [body, path, rule] of [
    [{ codes: [...codes, 'SKU-501'] }, '/codes', /1 to 500/],
    [{ codes: [] }, '/codes', /1 to 500/],
    [{ codes: ['SKU-1', ' '] }, '/codes/1', /filled in/],
    [{ codes: ['x'.repeat(256)] }, '/codes/0', /at most 255/],
    [{ codes: ['a\u0000b'] }, '/codes/0', /control/],
    [{ codes: [7] }, '/codes/0', /255/],
    [{}, '/codes', /required/],
    [{ codes: ['SKU-1'], supplierId: 0 }, '/supplierId', /positive/],
    [{ codes: ['SKU-1'], packs: 'yes' }, '/packs', /./],
    [{ codes: ['SKU-1'], sku: 'SKU-1' }, '/sku', /./],
  ] as const) {
    const { details } = expectFailure(t, await alice.post('/api/variants/find', body), 400, 'invalid_request')
    t.equal(details?.[0]?.path, path)
    t.match(details?.[0]?.message, rule)
  }
})

t.test('leading zeros of a barcode do not count, unless one variant has them', async (t) => {
  const { db, alice, find } = await start(t)
  const products = [
    product(4, [variant(8, { barcode: '012345678905' }), variant(9, { barcode: '40123456' })]),
  ]
  await db.transaction((tx) => upsertProducts(tx, alice.shopId, products))
  const supplierId = await makeSupplier(alice)
  await makeSupplierProduct(db, alice, { supplierId, variant: 9, packBarcode: '05012345678917' })
  const codes = ['12345678905', '0012345678905', '0000040123456', '05012345678900']
  t.strictSame(numbersOf(await find({ codes })), [
    [codes[0], 1, [8]],
    [codes[1], 1, [8]],
    [codes[2], 1, [9]],
    [codes[3], 1, [3]],
  ])
  t.match(numbersOf(await find({ codes: ['5012345678917'], packs: true })), [['5012345678917', 1, [9]]])
  const twin = [product(5, [variant(10, { barcode: '12345678905' })])]
  await db.transaction((tx) => upsertProducts(tx, alice.shopId, twin))
  t.match(numbersOf(await find({ codes: codes.slice(0, 2) })), [
    [codes[0], 1, [10]],
    [codes[1], 2, [8, 10]],
  ])
})
