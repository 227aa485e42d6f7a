import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../../shared/db/db.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { startApp } from '../../../support/core/app.ts'
import type { Person } from '../../../support/core/people.ts'
import { startTasks } from '../../../support/core/worker.ts'
import { makeExport, openExport } from '../../../support/make/exports.ts'
import { importing } from '../../../support/make/imports.ts'
import { readOrder } from '../../../support/make/orders.ts'
import { makeDirectReceipt } from '../../../support/make/receipts.ts'
import { setTimeZone } from '../../../support/make/sales.ts'
import { makeStock } from '../../../support/make/stock.ts'
import { makeExportedShop } from './exported-shop.ts'

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
    plain(rule, ['currentStock', 'inputs', 'computedAt', 'isComputing']),
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
    await makeExportedShop(alice)
    const original = await listsOf(alice)
    t.strictSame(
      Object.values(original).map(({ length }) => length),
      [3, 3, 7, 6, 3],
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
    t.match(done.summary, { faults: 0, same: 0, changed: 0, orders: 7 })
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
  await makeExportedShop(alice)
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

t.test('the reversal of an imported receipt without an order moves no stock', async (t) => {
  const { alice, mallory, perform, figuresOf, exported } = await start(t)
  await makeDirectReceipt(alice)
  await importing(mallory, perform).load('export.zip', await exported(alice))
  const before = await figuresOf(mallory)
  const [receipt] = (await mallory.get('/api/receipts')).json().data
  t.match((await mallory.get(`/api/receipts/${receipt.id}`)).json().data, {
    isImported: true,
    purchaseOrderId: null,
  })
  const reversed = await mallory.post(`/api/receipts/${receipt.id}/reverse`, {})
  t.match(reversed.json(), { success: true, data: { alreadyApplied: false } })
  t.strictSame(await figuresOf(mallory), before)
})
