import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../../shared/db/db.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { startApp } from '../../../support/core/app.ts'
import type { Person } from '../../../support/core/people.ts'
import { startTasks } from '../../../support/core/worker.ts'
import { makeExport, openExport } from '../../../support/make/exports.ts'
import { importing } from '../../../support/make/imports.ts'
import {
  line,
  makeOrder,
  makeOrderIn,
  makeSentOrder,
  makeSupplier,
  readOrder,
} from '../../../support/make/orders.ts'
import { makeDirectReceipt, makeDraft, postCounts } from '../../../support/make/receipts.ts'
import { makeRule } from '../../../support/make/reorder.ts'
import { setTimeZone } from '../../../support/make/sales.ts'
import { locationGid, makeStock, variantGid } from '../../../support/make/stock.ts'
import { makeSupplierProduct } from '../../../support/make/supplier-products.ts'

type Json = Record<string, unknown>
const Figures = Type.Object({ movements: Type.Integer(), mails: Type.Integer(), costs: Type.Integer() })

async function start(t: Test) {
  const { db, alice, mallory } = await startApp(t)
  const { perform } = await startTasks(t, db)
  for (const person of [alice, mallory]) await makeStock(db, person, { variants: 6, locations: 2 })
  await setTimeZone(db, alice, 'Asia/Kathmandu')
  const figuresOf = ({ shopId }: Person) =>
    db.one(sql.type(row(Figures))`
      select (select count(*) from stock_movement where shop_id = ${shopId}) as movements,
        (select count(*) from outgoing_mail where shop_id = ${shopId}) as mails,
        (select count(*) from cost_movement where shop_id = ${shopId}) as costs
    `)
  const exported = async (person: Person) => {
    const { id } = await makeExport(person)
    await perform(jobs.exportShop, { shopId: person.shopId, exportId: id })
    return (await openExport(person, id)).response.rawPayload
  }
  return { db, alice, mallory, perform, figuresOf, exported }
}

/** A shop with every field that the five lists have. */
async function fill(person: Person): Promise<void> {
  const post = async (url: string, body: object, method: 'post' | 'put' = 'post') => {
    const response = await person[method](url, body)
    if (response.statusCode >= 300) throw new Error(`${url}: ${response.body}`)
    return response.json().data
  }
  const euro = await makeSupplier(person, {
    name: 'Müller; =1+1',
    email: 'orders@mueller.example',
    phone: '+49 1',
    address: 'Old\nlines',
    leadTimeDays: 12,
    paymentTerms: '30 days',
    notes: 'First line\nsecond, "quoted"',
    accountNumber: '0042',
    currency: 'EUR',
    addressLine1: '1 Weg',
    addressLine2: 'Hof',
    city: 'Köln',
    region: 'NW',
    postalCode: '01067',
    countryCode: 'DE',
    taxId: 'DE 1',
    minimumOrderValue: 99.5,
    minimumOrderQuantity: 12,
    freeFreightValue: 500,
    orderCycleDays: 14,
    defaultTaxRate: 19,
    language: 'de',
    externalRef: 'V-7',
    aliases: ['MULLER', 'Mueller & Co'],
  })
  for (const name of ['Mia', 'Tom'])
    await post(`/api/suppliers/${euro}/contacts`, {
      name,
      email: `${name}@m.example`,
      phone: '1',
      role: 'Sales',
    })
  const plain = await makeSupplier(person, { name: 'Best' })
  const old = await makeSupplier(person, { name: 'Gone' })

  await makeSupplierProduct(person, {
    supplierId: euro,
    variantId: variantGid(1),
    supplierSku: 'M-001',
    supplierTitle: 'Tasse',
    packSize: 6,
    minimumQuantity: 12,
    quantityMultiple: 6,
    leadTimeDays: 20,
    packBarcode: '0123',
    prices: [
      { minQuantity: 1, price: 4.25, currency: 'EUR', validTo: '2026-12-31' },
      { minQuantity: 1, price: 4.5, currency: 'EUR', validFrom: '2027-01-01' },
      { minQuantity: 100, price: 4, currency: 'EUR' },
    ],
  } as object)
  await makeSupplierProduct(person, {
    supplierId: plain,
    variantId: variantGid(1),
    isActive: false,
  } as object)
  await makeSupplierProduct(person, {
    supplierId: plain,
    variantId: variantGid(2),
    supplierSku: 'B2',
  } as object)

  await makeOrder(person, {
    supplierId: plain,
    notes: 'a draft\nof two lines',
    lineItems: [line(4, { quantity: 2, costPrice: 1.2345 })],
  })
  const partial = await makeSentOrder(person, {
    supplierId: euro,
    currency: 'EUR',
    rate: 1.1,
    discount: 3,
    reference: 'R-1',
    supplierReference: 'S-1',
    supplierNotes: 'Ring the bell',
    cc: ['a@b.example', 'c@d.example'],
    expectedAt: '2027-02-03T09:30:00Z',
    destinationLocationId: locationGid(2),
    lineItems: [
      line(1, {
        quantity: 12,
        costPrice: 4.25,
        discountPercent: 10,
        taxRate: 19,
        supplierSku: 'M-001',
        packSize: 6,
      }),
      line(2, { quantity: 5, costPrice: 7, taxRate: 7 }),
      line(2, { quantity: 3, costPrice: 6, title: 'The same again' }),
    ],
  })
  const { lineItems } = await readOrder(person, partial.id)
  const ids = lineItems.map(({ id }) => id)
  await post(`/api/purchase-orders/${partial.id}/charges`, { kind: 'freight', amount: 10, basis: 'value' })
  await post(`/api/purchase-orders/${partial.id}/charges`, {
    kind: 'duty',
    amount: 9,
    currency: 'EUR',
    taxRate: 19,
    basis: 'manual',
    shares: [
      { lineItemId: ids[0], amount: 5.5 },
      { lineItemId: ids[2], amount: 3.5 },
    ],
  })
  await post(`/api/purchase-orders/${partial.id}/charges`, {
    kind: 'handling',
    amount: 2,
    basis: 'quantity',
    lineItemIds: [ids[1]],
    isEstimate: true,
  })
  await postCounts(person, partial.id, [
    { accepted: 4 },
    { accepted: 3, rejected: 2, rejectReason: 'broken', rejectOutcome: 'credit', unitCost: 6.5 },
  ])
  const second = await makeDraft(person, partial.id, [{ accepted: 1 }], {
    deliveryNote: 'DN 7',
    notes: 'late\nagain',
    locationId: locationGid(1),
  })
  await post(`/api/purchase-orders/${partial.id}/receipts/${second.id}/post`, {})
  const wrong = await postCounts(person, partial.id, [{ accepted: 1 }])
  await post(`/api/purchase-orders/${partial.id}/receipts/${wrong.id}/reverse`, {})

  await makeSentOrder(person, {
    supplierId: plain,
    tax: 2.5,
    lineItems: [line(3, { quantity: 4, taxRate: 5 })],
  })
  await makeOrderIn(person, 'received', { supplierId: old })
  // archived, since it has an order
  await person.delete(`/api/suppliers/${old}`)
  await makeOrderIn(person, 'cancelled', { supplierId: euro })
  await makeDirectReceipt(person, { supplierId: plain, deliveryNote: 'D-1', notes: 'by hand' })
  await makeDirectReceipt(person)

  await makeRule(person, { supplierId: plain, locationId: locationGid(2) })
  await makeRule(person, {
    variantId: variantGid(2),
    reorderPoint: 4,
    reorderQuantity: 9,
    serviceLevel: 98,
    reviewDays: 30,
  })
}

/** Ids, persons and marks of the import differ; so do instants below a second, which a spreadsheet does not have. */
const differing = new Set([
  'id',
  'supplierId',
  'purchaseOrderId',
  'version',
  'updatedAt',
  'createdBy',
  'postedBy',
  'isImported',
  'sourceNumber',
  'emailStatus',
  'emailReason',
  'emailRecipient',
  'mails',
])

function plain(value: unknown, without: readonly string[] = [], names = new Map<number, number>()): unknown {
  if (Array.isArray(value)) return value.map((each) => plain(each, without, names))
  if (typeof value === 'string') return value.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z$/, '$1Z')
  if (value === null || typeof value !== 'object') return value
  const { lineItemId, lineItemIds, ...rest } = value as Json
  return Object.fromEntries([
    ...Object.entries(rest)
      .filter(([name]) => !differing.has(name) && !without.includes(name))
      .map(([name, field]) => [name, plain(field, without, names)]),
    // lines by their place
    ...(typeof lineItemId === 'number' ? [['lineItem', names.get(lineItemId)]] : []),
    ...(Array.isArray(lineItemIds) ? [['lineItems', lineItemIds.map((id) => names.get(id))]] : []),
  ])
}

async function listsOf(person: Person) {
  const all = async (url: string): Promise<Json[]> => (await person.get(url)).json().data
  const bySize = (records: unknown[]) =>
    records.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  const suppliers: unknown[] = []
  const products: unknown[] = []
  for (const { id } of await all('/api/suppliers?limit=250')) {
    suppliers.push(plain((await person.get(`/api/suppliers/${id}`)).json().data, ['createdAt']))
    const own = await all(`/api/suppliers/${id}/products?limit=250`)
    products.push(...own.map((each) => plain(each, ['lastCost', 'lastCostAt'])))
  }
  for (const archived of await all('/api/suppliers?archived=true&limit=250'))
    suppliers.push(plain(archived, ['createdAt', 'archivedAt']))
  const orders: unknown[] = []
  const receipts: unknown[] = []
  for (const { id } of (await all('/api/purchase-orders?limit=250')).reverse()) {
    const order = await readOrder(person, Number(id))
    const names = new Map(order.lineItems.map((item, at) => [item.id, at]))
    const { createdAt, charges, ...rest } = order
    orders.push({
      ...(plain(rest, [], names) as object),
      createdAt: plain(createdAt),
      charges: plain(charges, ['createdAt'], names),
    })
    const own = (await all(`/api/purchase-orders/${id}/receipts`)).filter(
      ({ reversedAt }) => reversedAt === null,
    )
    receipts.push(
      ...own.map((receipt) => ({
        order: order.poNumber,
        ...(plain(receipt, ['createdAt'], names) as object),
      })),
    )
  }
  for (const { id, poNumber } of await all('/api/receipts?limit=250')) {
    if (poNumber === null)
      receipts.push(plain((await person.get(`/api/receipts/${id}`)).json().data, ['createdAt']))
  }
  const rules = (await all('/api/reorder/rules?limit=250')).map((rule) =>
    plain(rule, ['currentStock', 'inputs', 'computedAt']),
  )
  return {
    suppliers: bySize(suppliers),
    products: bySize(products),
    orders,
    receipts: bySize(receipts),
    rules: bySize(rules),
  }
}

t.test(
  'an export makes an empty shop equal in suppliers, products, orders, receipts and rules',
  async (t) => {
    const { alice, mallory, perform, figuresOf, exported } = await start(t)
    await fill(alice)
    const original = await listsOf(alice)
    t.strictSame(
      Object.values(original).map(({ length }) => length),
      [3, 3, 5, 5, 2],
      'nothing is compared with nothing',
    )
    const file = await exported(alice)
    const before = await figuresOf(mallory)
    const { read, rehearse, run, rows, load } = importing(mallory, perform)
    const ready = await read('export.zip', file)
    t.match(ready, { state: 'ready', error: '', defaults: { continueNumbers: true } })
    t.strictSame([...new Set(ready.sheets.map(({ kind }) => kind))].sort(), [
      'purchase_orders',
      'reorder_rules',
      'supplier_products',
      'suppliers',
    ])
    const checked = await rehearse(ready.id)
    const done = await run(ready.id)
    t.strictSame({ ...done.summary, isRehearsal: true }, checked.summary)
    t.match(done.summary, { faults: 0, same: 0, changed: 0, orders: 5 })
    t.strictSame(
      (await rows(ready.id, 'skipped')).map(({ message }) => message),
      ['The receipt was reversed.', 'The receipt was reversed.'],
    )
    t.strictSame(await figuresOf(mallory), before, 'no stock moves, no mail is sent and no cost is booked')
    const copy = await listsOf(mallory)
    for (const list of ['suppliers', 'products', 'orders', 'receipts', 'rules'] as const)
      t.strictSame(copy[list], original[list], list)

    t.match(
      (await load('export.zip', file)).summary,
      { new: 0, changed: 0, faults: 0 },
      'the same file again',
    )
    t.strictSame(await listsOf(mallory), copy)
  },
)

t.test('an export that is taken back leaves an empty shop', async (t) => {
  const { db, alice, mallory, perform, exported } = await start(t)
  await fill(alice)
  const { load, revert } = importing(mallory, perform)
  const { id } = await load('export.zip', await exported(alice))
  t.match(await revert(id), { state: 'reverted', summary: { kept: 0 } })
  for (const table of [
    'supplier',
    'supplier_product',
    'purchase_order',
    'receipt',
    'direct_receipt_line',
    'reorder_rule',
  ]) {
    const count = await db.oneFirst(sql.type(row(Type.Object({ count: Type.Integer() })))`
      select count(*) from ${sql.identifier([table])} where shop_id = ${mallory.shopId}
    `)
    t.equal(count, 0, table)
  }
})
