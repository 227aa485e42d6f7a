import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../shared/db/db.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { readPages } from '../../support/core/people.ts'
import { allRowsOf } from '../../support/make/everything.ts'
import { line, makeOrder, makeSentOrder, makeSupplier, readOrder } from '../../support/make/orders.ts'
import { makeStock, markVariant, variantGid } from '../../support/make/stock.ts'
import {
  makeArchivedSupplier,
  makeSupplierProduct,
  saveProducts,
  supplierProducts,
} from '../../support/make/supplier-products.ts'

const Days = Type.Record(Type.String(), Type.String())

/** Both shops have four variants. */
async function start(t: Test) {
  const people = await startApp(t)
  for (const person of [people.alice, people.mallory]) await makeStock(people.db, person, { variants: 4 })
  return people
}

const full = {
  variantId: variantGid(2),
  supplierSku: 'N-200',
  supplierTitle: 'Becher, blau',
  packSize: 6,
  minimumQuantity: 24,
  quantityMultiple: 4,
  leadTimeDays: 10,
  rank: 1,
  isActive: true,
  packBarcode: '4006381333931',
}

t.test('a product of a supplier has its terms and its prices', async (t) => {
  const { alice } = await start(t)
  const supplierId = await makeSupplier(alice, { name: 'Northgate', currency: 'GBP' })
  const prices = [
    { minQuantity: 1, price: 2.5, currency: 'GBP', validFrom: null, validTo: null },
    { minQuantity: 48, price: 2.1234, currency: 'GBP', validFrom: null, validTo: null },
    { minQuantity: 1, price: 2, currency: 'GBP', validFrom: null, validTo: null },
  ]
  const refused = await alice.post(`/api/suppliers/${supplierId}/products`, { ...full, prices })
  const { details } = expectFailure(t, refused, 422, 'overlapping_prices')
  t.strictSame(details, [
    { path: '/prices/2', message: 'is valid on the same days as an earlier price of the list' },
  ])

  const product = await makeSupplierProduct(alice, { supplierId, ...full, prices: prices.slice(0, 2) })
  t.match(product, {
    ...full,
    supplierId,
    supplierName: 'Northgate',
    sku: 'SKU-2',
    title: 'Mug 2 - Size 2',
    price: 2.5,
    currency: 'GBP',
    prices: prices.slice(0, 2).map((price) => ({ ...price, source: 'typed' })),
    lastCost: null,
    lastCostAt: null,
    version: 1,
  })
  t.strictSame(await supplierProducts(alice, supplierId), [product])
})

t.test('a product needs only its variant; prices are in the currency of the supplier or shop', async (t) => {
  const { alice } = await start(t)
  const inEuros = await makeSupplier(alice, { currency: 'EUR' })
  const product = await makeSupplierProduct(alice, {
    supplierId: inEuros,
    supplierSku: null,
    prices: [{ price: 3 }],
  })
  t.match(product, {
    supplierSku: '',
    packSize: 1,
    minimumQuantity: null,
    quantityMultiple: 1,
    leadTimeDays: null,
    rank: 1,
    isActive: true,
    price: 3,
    currency: 'EUR',
    prices: [{ minQuantity: 1, price: 3, currency: 'EUR', validFrom: null, validTo: null }],
  })
  t.match(
    await makeSupplierProduct(alice),
    { price: null, currency: 'USD', rank: 2 },
    'a second supplier is second',
  )
})

t.test(
  "after the supplier's currency changes, a new price is in it and the old ones say theirs",
  async (t) => {
    const { alice } = await start(t)
    const { supplierId, id, variantId } = await makeSupplierProduct(alice, { prices: [{ price: 10 }] })
    await alice.put(`/api/suppliers/${supplierId}`, { currency: 'EUR' })
    t.match(await supplierProducts(alice, supplierId), [{ id, price: 10, currency: 'USD' }])
    await saveProducts(alice, supplierId, [{ id, variantId, price: 9 }])
    t.match(await supplierProducts(alice, supplierId), [
      {
        price: 9,
        currency: 'EUR',
        prices: [
          { price: 9, currency: 'EUR' },
          { price: 10, currency: 'USD' },
        ],
      },
    ])
    const { costPrice: _cost, ...open } = line(1)
    const order = await makeOrder(alice, { supplierId, lineItems: [open] })
    t.match(await readOrder(alice, order.id), { currency: 'EUR', lineItems: [{ costPrice: 9 }] })
  },
)

t.test('the price of a product is that of today in the time zone of the shop', async (t) => {
  const { db, alice } = await start(t)
  await alice.put('/api/settings', { timeZone: 'Pacific/Kiritimati' })
  const { day } = await db.one(sql.type(row(Days))`
    select (now() at time zone 'Pacific/Kiritimati')::date::text as day
  `)
  const { id, supplierId } = await makeSupplierProduct(alice, {
    prices: [
      { price: 5, validTo: '2020-01-01' },
      { price: 4, validFrom: day ?? '' },
    ],
  })
  t.match(await supplierProducts(alice, supplierId), [{ id, price: 4 }])
  await alice.put('/api/settings', { timeZone: 'Pacific/Niue' })
  t.match(await supplierProducts(alice, supplierId), [{ id, price: null }], 'there it is still yesterday')
})

t.test('an update changes the given fields, and its version protects them', async (t) => {
  const { alice } = await start(t)
  const product = await makeSupplierProduct(alice, { prices: [{ price: 1 }] })
  const address = `/api/suppliers/${product.supplierId}/products/${product.id}`
  const { statusCode, ...same } = await alice.put(address, product)
  t.equal(statusCode, 200, same.body)
  t.strictSame(same.json().data, product, 'what a read answered is no change')

  const changed = (await alice.put(address, { packSize: 12, version: 1 })).json().data
  t.strictSame(changed, { ...product, packSize: 12, version: 2 })
  expectFailure(t, await alice.put(address, { packSize: 6, version: 1 }), 409, 'stale_version')
  expectFailure(t, await alice.put(address, { packSize: 6, version: 2 ** 31 }), 400, 'invalid_request')
  const priced = (
    await alice.put(address, { prices: [...product.prices, { minQuantity: 10, price: 0.9 }] })
  ).json()
  t.equal(priced.data.version, 3)
  t.equal(priced.data.prices[0].id, product.prices[0]?.id, 'a price that stays keeps its id')
  t.match((await alice.put(address, { prices: [] })).json().data, { prices: [], price: null, packSize: 12 })
  const period = { price: 1, validFrom: '2026-03-02', validTo: '2026-03-01' }
  const refused = await alice.put(address, { prices: [period] })
  t.match(expectFailure(t, refused, 422, 'invalid_period').details, [{ path: '/prices/0/validTo' }])
  const beside = await alice.put(address, { prices: [{ price: 2 }, period] })
  t.strictSame(
    expectFailure(t, beside, 422, 'invalid_period').details?.map(({ path }) => path),
    ['/prices/1/validTo'],
    'the days are the only cause',
  )
  const noDay = await alice.put(address, { prices: [{ price: 1, validFrom: '2026-02-30' }] })
  t.match(expectFailure(t, noDay, 400, 'invalid_request').details, [{ path: '/prices/0/validFrom' }])
})

t.test('a price of a price list keeps its source when it loses days', async (t) => {
  const { alice } = await start(t)
  const supplierId = await makeSupplier(alice)
  const csv = 'SKU,Price,Valid from,Valid to\nSKU-1,2,,2026-12-31'
  await alice.post('/api/supplier-prices/import', { csv, dryRun: false, supplierId })
  const [product] = await supplierProducts(alice, supplierId)
  const prices = [
    { price: 2, validTo: '2026-11-30' },
    { price: 1.5, validFrom: '2026-12-01', validTo: '2026-12-24' },
    { price: 2, validFrom: '2026-12-25', validTo: '2026-12-31' },
    { price: 2, validFrom: '2027-01-01' },
  ]
  const answer = await alice.put(`/api/suppliers/${supplierId}/products/${product?.id}`, { prices })
  t.match(
    answer.json().data.prices,
    ['import', 'typed', 'import', 'typed'].map((source, at) => ({ ...prices[at], source })),
    'the last price holds on days that the list does not have',
  )
})

t.test('a supplier has a variant once per supplier SKU', async (t) => {
  const { alice } = await start(t)
  const { supplierId, id } = await makeSupplierProduct(alice, { supplierSku: 'BOX' })
  const again = { variantId: variantGid(1), supplierSku: 'BOX' }
  const refused = await alice.post(`/api/suppliers/${supplierId}/products`, again)
  expectFailure(t, refused, 409, 'duplicate_supplier_product')
  const other = await makeSupplierProduct(alice, { supplierId, supplierSku: 'PALLET' })
  t.strictSame([other.rank], [2], 'the first packaging stays preferred')
  const taken = await alice.put(`/api/suppliers/${supplierId}/products/${other.id}`, { supplierSku: 'BOX' })
  t.match(expectFailure(t, taken, 422, 'duplicate_supplier_product').details, [{ path: '/supplierSku' }])
  t.equal((await alice.delete(`/api/suppliers/${supplierId}/products/${id}`)).statusCode, 200)
  expectFailure(t, await alice.delete(`/api/suppliers/${supplierId}/products/${id}`), 404, 'not_found')
  t.match(await supplierProducts(alice, supplierId), [{ supplierSku: 'PALLET' }])
})

t.test(
  'a variant lists its suppliers, the preferred one first; one of them is made the preferred',
  async (t) => {
    const { alice } = await start(t)
    const first = await makeSupplierProduct(alice, {
      supplierId: await makeSupplier(alice, { name: 'First' }),
    })
    const second = await makeSupplierProduct(alice, {
      supplierId: await makeSupplier(alice, { name: 'Second' }),
    })
    const read = async () => (await alice.get('/api/variants/1/suppliers')).json().data
    t.strictSame(await read(), [first, second])
    await alice.put(`/api/suppliers/${second.supplierId}/products/${second.id}`, { rank: 1 })
    t.match(await read(), [
      { id: second.id, rank: 1, supplierName: 'Second' },
      { id: first.id, rank: 2, supplierName: 'First', version: 2 },
    ])
    expectFailure(t, await alice.get('/api/variants/99/suppliers'), 404, 'not_found')
    t.strictSame((await alice.get('/api/variants/3/suppliers')).json().data, [])

    await makeOrder(alice, { supplierId: first.supplierId })
    await alice.delete(`/api/suppliers/${first.supplierId}`)
    t.match(await read(), [{ id: second.id }])
    t.equal((await read()).length, 1, 'an archived supplier is not offered')
  },
)

t.test('the last cost is that of the newest order that was sent to the supplier', async (t) => {
  const { alice } = await start(t)
  const { supplierId } = await makeSupplierProduct(alice, { prices: [{ price: 9 }] })
  await makeSentOrder(alice, { supplierId, lineItems: [line(1, { costPrice: 2.5 })] })
  await makeSentOrder(alice, { supplierId, lineItems: [line(1, { costPrice: 2.75 })] })
  await makeOrder(alice, { supplierId, lineItems: [line(1, { costPrice: 7 })] })
  await makeSentOrder(alice, { lineItems: [line(1, { costPrice: 8 })] })
  t.match(await supplierProducts(alice, supplierId), [{ price: 9, lastCost: 2.75, lastCostAt: /Z$/ }])
})

t.test('the last cost is what was paid after the discount of the line', async (t) => {
  const { alice } = await start(t)
  const { supplierId } = await makeSupplierProduct(alice)
  await makeSentOrder(alice, { supplierId, lineItems: [line(1, { costPrice: 10, discountPercent: 10 })] })
  // 10.00 less 10 % = 9.00, which the next line costs without a discount
  t.match(await supplierProducts(alice, supplierId), [{ lastCost: 9 }])
  const { costPrice: _cost, ...open } = line(1)
  const { id } = await makeOrder(alice, { supplierId, lineItems: [open] })
  t.match((await readOrder(alice, id)).lineItems, [{ costPrice: 9, discountPercent: 0, lineTotal: 9 }])
  const found = await alice.post('/api/variants/find', { codes: ['SKU-1'], supplierId })
  t.match(found.json().data, [{ variants: [{ costPrice: 9 }] }])
  await alice.delete(`/api/purchase-orders/${id}`)
  t.match((await alice.get('/api/variants/1')).json().data.suppliers, [{ supplierId, lastCostPrice: 9 }])
  // 10.00 less 3.333 % = 9.6667
  await makeSentOrder(alice, { supplierId, lineItems: [line(1, { costPrice: 10, discountPercent: 3.333 })] })
  t.match(await supplierProducts(alice, supplierId), [{ lastCost: 9.6667 }])
})

t.test('many products are saved, all or none, with the faults of each row', async (t) => {
  const { db, alice } = await start(t)
  const { supplierId, id } = await makeSupplierProduct(alice, { prices: [{ price: 5 }] })
  const other = await makeSupplierProduct(alice)
  await markVariant(db, alice, 4, 'deleted')
  const rows = [
    { variantId: variantGid(1), supplierSku: 'N-1', packSize: 3 },
    { variantId: variantGid(2), prices: [{ price: 1 }, { price: 2 }] },
    { variantId: variantGid(77) },
    { variantId: variantGid(3) },
    { variantId: variantGid(3), supplierSku: '' },
    { variantId: variantGid(4) },
    { id: other.id, variantId: variantGid(1) },
  ]
  const before = await allRowsOf(db, alice)
  const { details } = expectFailure(t, await saveProducts(alice, supplierId, rows), 422, 'overlapping_prices')
  t.strictSame(details, [
    { path: '/products/1/prices/1', message: 'is valid on the same days as an earlier price of the list' },
    { path: '/products/2/variantId', message: 'is not a variant of this shop' },
    { path: '/products/4/supplierSku', message: 'repeats the product and supplier SKU of /products/3' },
    { path: '/products/5/variantId', message: 'is not a variant of this shop' },
    { path: '/products/6/id', message: 'is not a product of this supplier' },
  ])
  t.strictSame(await allRowsOf(db, alice), before)

  const good = [
    { variantId: variantGid(1), supplierSku: 'N-1', packSize: 3, version: 1 },
    { variantId: variantGid(2), price: 1.5 },
    { variantId: variantGid(3) },
  ]
  t.strictSame((await saveProducts(alice, supplierId, good)).json().data, {
    created: 2,
    updated: 1,
    unchanged: 0,
  })
  const again = good.map(({ version: _version, ...row }) => row)
  t.strictSame((await saveProducts(alice, supplierId, again)).json().data, {
    created: 0,
    updated: 0,
    unchanged: 3,
  })
  t.match(await supplierProducts(alice, supplierId), [
    { sku: 'SKU-3' },
    { sku: 'SKU-2', price: 1.5 },
    { id, packSize: 3, price: 5, version: 2 },
  ])
  const stale = await saveProducts(alice, supplierId, good)
  t.match(expectFailure(t, stale, 409, 'stale_version').details, [{ path: '/products/0/version' }])
  const renamed = [{ id, variantId: variantGid(1), supplierSku: 'N-1-NEW', version: 2 }]
  t.match((await saveProducts(alice, supplierId, renamed)).json().data, { created: 0, updated: 1 })
})

t.test('a new price ends the one of yesterday, and a later one stays', async (t) => {
  const { db, alice } = await start(t)
  const { day, before, later } = await db.one(sql.type(row(Days))`
    select today::text as day, (today - 1)::text as before, (today + 9)::text as later
    from (select (now() at time zone 'UTC')::date as today) shop
  `)
  const { supplierId, id } = await makeSupplierProduct(alice, {
    prices: [
      { price: 5, validTo: later ?? '' },
      { price: 6, validFrom: '2999-01-01' },
    ],
  })
  const change = { variantId: variantGid(1), supplierSku: 'N-1', price: 4.5 }
  t.match((await saveProducts(alice, supplierId, [change])).json().data, { updated: 1 })
  const [product] = await supplierProducts(alice, supplierId)
  t.match(product, { id, price: 4.5 })
  t.strictSame(
    product?.prices.map(({ price, validFrom, validTo }) => [price, validFrom, validTo]),
    [
      [5, null, before],
      [4.5, day, '2998-12-31'],
      [6, '2999-01-01', null],
    ],
  )
})

t.test('a deleted variant keeps its rows, and an archived supplier its products', async (t) => {
  const { db, alice } = await start(t)
  const { supplierId, id } = await makeSupplierProduct(alice, { prices: [{ price: 5 }] })
  await markVariant(db, alice, 1, 'deleted')
  t.equal((await alice.put(`/api/suppliers/${supplierId}/products/${id}`, { packSize: 2 })).statusCode, 200)
  await makeOrder(alice, { supplierId })
  await alice.delete(`/api/suppliers/${supplierId}`)
  expectFailure(t, await alice.get(`/api/suppliers/${supplierId}/products`), 404, 'not_found')
  expectFailure(t, await saveProducts(alice, supplierId, [{ variantId: variantGid(2) }]), 404, 'not_found')
  t.equal((await alice.post(`/api/suppliers/${supplierId}/restore`)).statusCode, 200)
  t.match(await supplierProducts(alice, supplierId), [{ id, packSize: 2, price: 5 }])
  const archived = await makeArchivedSupplier(alice, 'Old')
  expectFailure(t, await saveProducts(alice, archived, [{ variantId: variantGid(2) }]), 404, 'not_found')
})

t.test('the list is searched, paged and exported', async (t) => {
  const { alice } = await start(t)
  const supplierId = await makeSupplier(alice)
  await makeSupplierProduct(alice, { supplierId, supplierSku: 'Blue_1', prices: [{ price: 1.25 }] })
  await makeSupplierProduct(alice, {
    supplierId,
    variantId: variantGid(2),
    packBarcode: '40063',
    supplierSku: 'X',
  })
  await makeSupplierProduct(alice, { supplierId, variantId: variantGid(3), supplierSku: '=1+1' })
  const found = async (search: string) =>
    (await supplierProducts(alice, supplierId, `?search=${encodeURIComponent(search)}`)).map(({ sku }) => sku)
  t.strictSame(await found('blue_'), ['SKU-1'])
  t.strictSame(await found('4006'), ['SKU-2'])
  t.strictSame(await found('sku-3'), ['SKU-3'])
  t.strictSame(await found('mug'), ['SKU-3', 'SKU-2', 'SKU-1'])
  t.strictSame(await found('nothing'), [])
  const pages = await readPages(alice, `/api/suppliers/${supplierId}/products?limit=2`)
  t.strictSame(
    pages.map((page) => page.length),
    [2, 1],
  )
  const { body } = await alice.get(`/api/suppliers/${supplierId}/products`, { accept: 'text/csv' })
  const [header, first] = body.split('\n')
  t.equal(
    header,
    '\ufeffSKU,Product,Supplier,Supplier SKU,Supplier title,Price,Currency,From quantity,Pack size,Minimum quantity,Quantity multiple,Lead time (days),Rank,Pack barcode,Variant ID',
  )
  t.match(first, "'=1+1")
  const imported = await alice.post('/api/supplier-prices/import', { csv: body, dryRun: true })
  t.match(
    imported.json().data,
    { rows: 3, unchanged: 3, faults: [] },
    'an exported file is imported unchanged',
  )
})

t.test('an exported price from 48 pieces is imported as the same price', async (t) => {
  const { alice } = await start(t)
  const prices = [{ price: 1.8, minQuantity: 48 }]
  const { supplierId, id } = await makeSupplierProduct(alice, { leadTimeDays: 5, prices })
  await makeSupplierProduct(alice, { supplierId, variantId: variantGid(2), leadTimeDays: 5 })
  const { body } = await alice.get(`/api/suppliers/${supplierId}/products`, { accept: 'text/csv' })
  const csv = body.replaceAll(',5,', ',9,')
  const imported = (await alice.post('/api/supplier-prices/import', { csv, dryRun: false })).json().data
  t.match(imported, { rows: 2, updated: 2, faults: [] })
  const [unpriced, product] = await supplierProducts(alice, supplierId)
  t.match(unpriced, { leadTimeDays: 9, prices: [], price: null, priceMinQuantity: null })
  t.match(product, { id, leadTimeDays: 9, price: 1.8, priceMinQuantity: 48 })
  t.strictSame(
    product?.prices.map(({ price, minQuantity, validFrom }) => [price, minQuantity, validFrom]),
    [[1.8, 48, null]],
  )
})

t.test('two requests at once add a product once', async (t) => {
  const { alice } = await start(t)
  const supplierId = await makeSupplier(alice)
  const input = { variantId: variantGid(1), supplierSku: 'A' }
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => alice.post(`/api/suppliers/${supplierId}/products`, input)),
  )
  t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [201, 409, 409, 409])
})

t.test('of two suppliers that are preferred at once, one is', async (t) => {
  const { db, alice } = await start(t)
  const one = await makeSupplier(alice)
  const two = await makeSupplier(alice)
  const prefer = (supplierId: number, numbers: number[], rank: number) =>
    saveProducts(
      alice,
      supplierId,
      numbers.map((number) => ({ variantId: variantGid(number), rank })),
    )
  const isPreferred = sql.typeAlias('id')`
    select count(*)::int as id
    from supplier_product
    where shop_id = ${alice.shopId} and rank = 1
    group by variant_id
  `
  for (let round = 0; round < 5; round++) {
    for (const id of [one, two]) await prefer(id, [1, 2, 3, 4], 3)
    const answers = await Promise.all([prefer(one, [1, 2, 3, 4], 1), prefer(two, [4, 3, 2, 1], 1)])
    t.strictSame(
      answers.map(({ statusCode }) => statusCode),
      [200, 200],
    )
    t.strictSame(await db.anyFirst(isPreferred), [1, 1, 1, 1])
  }
})
