import { parse } from 'csv-parse/sync'
import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import type { AlertType } from '../../../shared/schemas/alerts.ts'
import { csvLists } from '../../../shared/schemas/csv-lists.ts'
import { type Endpoint as Contract, endpoints } from '../../../shared/schemas/endpoints.ts'
import { alertTypeWords } from '../../../shared/schemas/kind-words.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { addressOf, listEndpoints, makeRecordOf } from '../../support/core/endpoints.ts'
import type { Person } from '../../support/core/people.ts'
import { makeAlert } from '../../support/make/alerts.ts'
import { startFullShop } from '../../support/make/full-shop.ts'
import { makeImport } from '../../support/make/imports.ts'
import { makeSentOrder, makeSupplier, receive } from '../../support/make/orders.ts'
import { locationGid, makeStock, variantGid } from '../../support/make/stock.ts'

const table: Record<string, Contract> = endpoints

async function csvOf(person: Person, url: string) {
  const { statusCode, headers, body } = await person.get(url, { accept: 'text/csv' })
  if (statusCode !== 200) throw new Error(`${url}: ${body}`)
  const [headings = [], ...rows]: string[][] = parse(body, { bom: true })
  return { headings, rows, headers }
}

t.test(
  'every CSV is for people: plain headings, SKU first, ids last, days and words of the shop',
  async (t) => {
    const { app, db, alice } = await startFullShop(t)
    const adjustments = [
      { variantId: variantGid(1), locationId: locationGid(1), delta: -1, reason: '=Broken' },
    ]
    await alice.post('/api/stock-levels/adjust', { adjustments })
    const importId = await makeImport(alice, db, 'done')
    await db.query(sql.typeAlias('void')`
    insert into past_adjustment (shop_id, import_id, variant_id, adjusted_at, quantity, fingerprint)
    select shop_id, ${importId}, id, now(), 3, sha256(gid::bytea) from variant where shop_id = ${alice.shopId}
  `)
    const all = (await listEndpoints(app)).filter(({ name }) => table[keyOf(name)]?.csv)
    t.equal(all.length, Object.keys(csvLists).length, 'every list of columns is that of an endpoint')
    const faults: string[] = []
    const empty: string[] = []
    for (const endpoint of all) {
      const { name } = endpoint
      const ids = await makeRecordOf(endpoint, alice, db)
      const { headings, rows, headers } = await csvOf(alice, addressOf(endpoint, ids))
      const check = (isRight: boolean, what: string) => isRight || faults.push(`${name}: ${what}`)
      const fileName = String(headers['content-disposition'])
      check(/^attachment; filename="[a-z0-9-]+-\d{4}-\d{2}-\d{2}\.csv"$/.test(fileName), fileName)
      check(new Set(headings).size === headings.length, `a heading appears twice: ${headings}`)
      for (const heading of headings) check(plainHeading.test(heading), `heading ${heading}`)
      const firstId = headings.findIndex(isId)
      check(
        firstId === -1 || headings.slice(firstId).every(isId),
        `ids are not the last columns: ${headings}`,
      )
      check(!headings.includes('SKU') || headings[0] === 'SKU', 'the SKU is not first')
      for (const cells of rows) {
        for (const [at, cell] of cells.entries()) {
          const heading = headings[at] ?? ''
          check(!cell.startsWith('gid:') || isId(heading), `${heading} is ${cell}`)
          check(!forMachines.test(cell), `${heading} is ${cell}`)
          check(!heading.endsWith('(Asia/Kathmandu)') || minute.test(cell), `${heading} is ${cell}`)
        }
      }
      if (rows.length === 0) empty.push(name)
    }
    t.strictSame(faults, [])
    t.strictSame(
      empty,
      [
        'GET /api/reorder/suggestions',
        'GET /api/replenishment',
        'GET /api/stock-transfers/suggestions',
        'GET /api/stock-counts/{id}',
        'GET /api/buying-budgets/{id}/suggestions',
        'GET /api/reports/count-accuracy',
        'GET /api/reports/forecast-accuracy',
        'GET /api/reports/stock-gaps',
        'GET /api/reports/lost-sales',
        'GET /api/reports/overstock',
        'GET /api/variants/{id}/cost-movements',
      ],
      'the other lists have rows in this test',
    )
  },
)

/** Words with one capital, of which SKU and ID are some, and at most one unit. */
const plainHeading = /^(SKU|[A-Z][a-z'-]*)( [a-z'-]+)*( ID| SKU)?( \((Asia\/Kathmandu|USD|%|days)\))?$/
const isId = (heading: string) => heading.endsWith(' ID')
const forMachines = /^\d{4}-\d\d-\d\dT|^(true|false)$|^[a-z]+_[a-z_]+$|\[object/
const minute = /^(\d{4}-\d\d-\d\d \d\d:\d\d)?$/
const keyOf = (name: string) => name.replace(' /api', ' ').replace(/\{(\w+)\}/g, ':$1')

t.test('instants are in the time zone of the shop, amounts in its currency, shares in percent', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const settings = { timeZone: 'Europe/London', currency: 'GBP' }
  await db.query(sql.typeAlias('void')`
    insert into shop_setting (shop_id, time_zone, currency) values (${alice.shopId}, ${settings.timeZone}, ${settings.currency})
    on conflict (shop_id) do update set time_zone = excluded.time_zone, currency = excluded.currency
  `)
  const supplierId = await makeSupplier(alice, { name: 'Tideline; Textiles' })
  const { id } = await makeSentOrder(alice, { supplierId })
  await db.query(sql.typeAlias('void')`
    update purchase_order set created_at = '2026-07-01T23:05:30Z', sent_at = '2026-12-01T09:00:00Z'
    where shop_id = ${alice.shopId}
  `)
  const orders = await alice.get('/api/purchase-orders', { accept: 'text/csv' })
  t.equal(
    orders.body,
    [
      '\ufeffOrder,Supplier,Status,Closed short,Overdue,Created (Europe/London),Sent (Europe/London),Expected (Europe/London),Location,Lines,Ordered,Received,Currency,Lines without cost,Subtotal,Discount,Tax,Total,Earlier number,Received value,Email status,Payment due,Paid (Europe/London),Payment overdue,Purchase order ID,Supplier ID',
      `PO-00001,"Tideline; Textiles",Sent,No,No,2026-07-02 00:05,2026-12-01 09:00,,Place 1,1,3,0,GBP,0,7.5,0,0,7.5,,0,Sending,,,No,${id},${supplierId}`,
      '',
    ].join('\n'),
    'summer time, and winter time',
  )
  await receive(alice, id, [1])
  const order = await csvOf(alice, `/api/purchase-orders/${id}`)
  t.strictSame(order.headings.slice(0, 14), [
    ...['SKU', 'Product', 'Supplier SKU', 'Barcode', 'Ordered', 'Received', 'Outstanding', 'Cancelled'],
    ...['Rejected', 'Credited', 'Unit cost', 'Discount (%)', 'Tax (%)', 'Total'],
  ])
  t.match(order.rows, [
    [
      ...[
        'SKU-1',
        'Thing 1',
        '',
        '001',
        '3',
        '1',
        '2',
        '0',
        '0',
        '0',
        '2.5',
        '0',
        '0',
        '7.5',
        'Partly received',
      ],
      ...['', '1', '3', 'PO-00001', 'Tideline; Textiles', 'GBP'],
    ],
  ])
  const value = await csvOf(alice, '/api/reports/procurement-spend')
  t.strictSame(value.headings, [
    'Supplier',
    'Spend (GBP)',
    'Orders',
    'Orders without rate',
    'Credits (GBP)',
    'Supplier ID',
  ])
})

t.test('another shop gets no CSV of a document', async (t) => {
  const { alice, mallory } = await startApp(t)
  const { id } = await makeSentOrder(alice)
  expectFailure(t, await mallory.get(`/api/purchase-orders/${id}`, { accept: 'text/csv' }), 404, 'not_found')
})

t.test('the CSV of alerts has the words of the admin', async (t) => {
  const { db, alice } = await startApp(t)
  await makeAlert(db, alice)
  const { type } = (await alice.get('/api/alerts')).json().data[0] as { type: AlertType }
  const [, line] = (await alice.get('/api/alerts', { accept: 'text/csv' })).body.split('\n')
  t.match(line, `,${alertTypeWords[type]},`)
})
