import { strFromU8, unzipSync, zipSync } from 'fflate'
import t, { type Test } from 'tap'
import { startApp } from '../../../support/core/app.ts'
import { startTasks } from '../../../support/core/worker.ts'
import { importing } from '../../../support/make/imports.ts'
import { makeSupplier, readOrder } from '../../../support/make/orders.ts'
import { locationGid, makeStock } from '../../../support/make/stock.ts'

async function start(t: Test) {
  const { db, alice } = await startApp(t)
  const { perform } = await startTasks(t, db)
  await makeStock(db, alice, { variants: 4, locations: 2 })
  const orders = async () => (await alice.get('/api/purchase-orders?limit=250')).json().data
  const onlyOrder = async () => {
    const [order, ...more] = await orders()
    t.strictSame(more, [], 'one order')
    return readOrder(alice, order.id)
  }
  const faults = (id: number) => alice.get(`/api/imports/${id}/faults`)
  return { alice, orders, onlyOrder, faults, ...importing(alice, perform) }
}

const zipOf = (files: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])))

t.test('lines of an archive that did not import complete their order once they are corrected', async (t) => {
  const { load, faults, onlyOrder } = await start(t)
  const done = await load(
    'archive.zip',
    zipOf({
      'purchase_orders.csv': 'id,number,ordered_at,supplier_name,archived\n7,A-1001,13/02/2024,Acme,true\n',
      'purchase_order_items.csv':
        'id,purchase_order_id,sku,quantity,cost_price\n1,7,SKU-1,10,2.50\n2,7,GONE,4,3\n',
    }),
  )
  t.match(done.summary, { new: 2, faults: 1 })
  const file = await faults(done.id)
  t.match(file.headers['content-type'], 'text/csv')
  t.match(
    file.body,
    'id,purchase_order_id,sku,quantity,cost_price,PO number,Supplier,Archived,Order date,Fault,Place',
  )
  t.match(file.body, '2,7,GONE,4,3,A-1001,Acme,true,2024-02-13,No product has the SKU GONE.')
  const mended = await load('not-imported-1.csv', file.body.replace('GONE', 'SKU-2'))
  t.match(mended.summary, { changed: 1, faults: 0, orders: 0 })
  t.match(await onlyOrder(), {
    status: 'received',
    sourceNumber: 'A-1001',
    total: 37,
    lineItems: [{ sku: 'SKU-1' }, { sku: 'SKU-2', receivedQuantity: 4 }],
  })
})

t.test('rows of a file that is named like its order keep the number, the supplier and the day', async (t) => {
  const { load, faults, onlyOrder, alice } = await start(t)
  const supplierId = await makeSupplier(alice, { name: 'Acme' })
  const defaults = { supplierId, orderedOn: '2024-02-13', locationId: locationGid(2) }
  const done = await load(
    'Purchase order 55.csv',
    'SKU,Qty Ordered,Cost (base),Art\nSKU-1,10,4,x\nGONE,2,1,y',
    { defaults },
  )
  t.match(done.summary, { new: 1, faults: 1 })
  const { body } = await faults(done.id)
  t.match(body, 'GONE,2,1,y,Purchase order 55.csv,Acme,2024-02-13,Place 2,No product')
  t.match((await load('not-imported-9.csv', body.replace('GONE', 'SKU-2'))).summary, {
    changed: 1,
    faults: 0,
  })
  t.match(await onlyOrder(), {
    sourceNumber: '55',
    supplierId,
    lineItems: [{ sku: 'SKU-1' }, { sku: 'SKU-2', quantity: 2 }],
  })
})

t.test('rows of several lists are a ZIP, which is understood as it is', async (t) => {
  const { load, faults, orders } = await start(t)
  const done = await load(
    'all.zip',
    zipOf({
      'suppliers.csv': 'Name,Email,Phone\nAcme,a@acme.example,1\n,b@best.example,2\n',
      'orders.csv':
        'Name,PO Number,Supplier,Order date,SKU,Quantity,Cost\nMug,A-1,Acme,2024-05-13,SKU-1,3,2\nCup,A-1,Acme,2024-05-13,GONE,3,2\n',
    }),
  )
  t.match(done.summary, { faults: 2 })
  const file = await faults(done.id)
  t.match(file.headers, { 'content-type': 'application/zip', 'content-disposition': /\.zip"$/ })
  const texts = Object.fromEntries(
    Object.entries(unzipSync(file.rawPayload)).map(([name, bytes]) => [name, strFromU8(bytes)]),
  )
  t.strictSame(Object.keys(texts), ['orders.csv', 'suppliers.csv'])
  t.match(texts['orders.csv'], 'Cup,A-1,Acme,2024-05-13,GONE,3,2,No product has the SKU GONE.')
  t.match(texts['suppliers.csv'], ',b@best.example,2,The row has no name of a supplier.')
  const mended = {
    'orders.csv': (texts['orders.csv'] ?? '').replace('GONE', 'SKU-2'),
    'suppliers.csv': (texts['suppliers.csv'] ?? '').replace('\n,b@', '\nBest,b@'),
  }
  t.match((await load('not-imported.zip', zipOf(mended))).summary, { new: 1, changed: 1, faults: 0 })
  t.equal((await orders()).length, 1)
})

t.test('a column that the merchant has mapped is known in the corrected file', async (t) => {
  const { read, change, run, load, faults } = await start(t)
  const { id } = await read('costs.csv', 'Art,Average cost\nSKU-1,2\nGONE,3')
  await change(id, { sheets: [{ name: 'costs.csv', kind: 'costs' }] })
  await change(id, { mapping: [{ sheet: 'costs.csv', column: 'Art', field: 'sku' }] })
  t.match((await run(id)).summary, { new: 1, faults: 1 })
  const { body } = await faults(id)
  t.match((await load('mended.csv', body.replace('GONE', 'SKU-2'))).summary, { new: 1, faults: 0 })
})

t.test('products of a count that did not import complete that count', async (t) => {
  const { load, faults, rows } = await start(t)
  const defaults = { orderedOn: '2024-05-13', locationId: locationGid(2) }
  const done = await load('year end.csv', 'SKU,Expected stock,Actual stock\nSKU-1,1,1\nGONE,2,2', {
    defaults,
  })
  t.match(done.summary, { new: 1, faults: 1 })
  const { body } = await faults(done.id)
  const mended = await load('not-imported-3.csv', body.replace('GONE', 'SKU-2'))
  t.match(mended.summary, { changed: 1, faults: 0 })
  const [first] = await rows(done.id, 'new')
  t.match(await rows(mended.id), [{ targetId: first?.targetId }])
})

t.test('files of a ZIP that cannot be read are listed with the reason', async (t) => {
  const { read, run, change, alice } = await start(t)
  const inner = zipOf({ 'deep.zip': 'PK', 'more.csv': 'SKU,Average cost\nSKU-2,2\n' })
  const files = {
    'costs.csv': Buffer.from('SKU,Average cost\nSKU-1,2\n'),
    'empty.csv': Buffer.from('SKU,Quantity\n'),
    'nothing.csv': Buffer.from(''),
    'order.pdf': Buffer.from('%PDF'),
    'old.xls': Buffer.from('x'),
    'inner.zip': Buffer.from(inner),
  }
  const { id, state, sheets, ignored } = await read('all.zip', zipSync(files))
  t.equal(state, 'ready')
  t.equal(sheets.length, 1)
  t.match(
    ignored.sort((a, b) => (a.name < b.name ? -1 : 1)),
    [
      { name: 'deep.zip', reason: 'An archive inside a ZIP is not unpacked. Add its files.' },
      { name: 'empty.csv', reason: 'It has no rows below a header.' },
      { name: 'nothing.csv', reason: 'It has no rows below a header.' },
      { name: 'old.xls', reason: /Save it as .xlsx or CSV/ },
      { name: 'order.pdf', reason: /No rows can be read from a PDF/ },
    ],
  )
  t.equal((await change(id, { kind: 'costs' })).ignored.length, 5, 'a change of the mapping keeps them')
  t.match((await run(id)).summary, { new: 2, faults: 0 })
  const failed = await read('pdf.zip', zipOf({ 'order.pdf': '%PDF' }))
  t.match(failed, { state: 'failed', error: /^No file in it can be read. order.pdf: No rows can be read/ })
  t.match((await alice.get('/api/imports')).json().data, [{ state: 'failed' }, { state: 'done' }])
})
