import { Type } from '@sinclair/typebox'
import t from 'tap'
import { row, sql } from '../../../../shared/db/db.ts'
import { beginAttempt, storePart } from '../../../../shared/domain/views/exports/attempt.ts'
import { exportedLists } from '../../../../shared/domain/views/exports/files.ts'
import { notExported } from '../../../../shared/domain/views/exports/not-exported.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { startApp } from '../../../support/core/app.ts'
import { keepTransactionOpen } from '../../../support/core/database.ts'
import { enqueued, startTasks } from '../../../support/core/worker.ts'
import { makeExport, openExport, readExport, sha256 } from '../../../support/make/exports.ts'
import { startFullShop } from '../../../support/make/full-shop.ts'
import { makeSupplier } from '../../../support/make/orders.ts'
import { counted, makeCount, makeStock, readLevels } from '../../../support/make/stock.ts'

const Count = Type.Object({ count: Type.Integer() })

t.test('the ZIP file has every row of every list, with the SHA-256 of each file', async (t) => {
  const { db, alice, mallory, perform, order } = await startFullShop(t)
  await makeSupplier(mallory, { name: 'Of another shop' })
  const { id } = await makeExport(alice)
  await perform(jobs.exportShop, { shopId: alice.shopId, exportId: id })
  const done = await readExport(alice, id)
  t.match(done, { state: 'done', progress: 1, url: `/api/exports/${id}/file`, error: '' })

  const { response, files, manifest, list } = await openExport(alice, id)
  t.equal(response.headers['content-type'], 'application/zip')
  t.match(response.headers['content-disposition'], /filename="quartermaster-\d{4}-\d{2}-\d{2}\.zip"/)
  t.equal(response.rawPayload.length, done.size)
  t.equal(response.headers.etag, `"${sha256(response.rawPayload)}"`)
  t.equal(manifest.shop, alice.shopDomain)
  t.equal(manifest.timeZone, 'Asia/Kathmandu')
  t.strictSame(
    [...files.keys()].sort(),
    [...manifest.files.map(({ path }) => path), 'manifest.json'].sort(),
    'the manifest names every file but itself',
  )
  for (const { path, bytes, sha256: hash } of manifest.files) {
    t.equal(files.get(path)?.length, bytes, path)
    t.equal(sha256(files.get(path) ?? Buffer.alloc(0)), hash, path)
  }
  const empty: string[] = []
  for (const { name, table } of exportedLists) {
    const count = await db.oneFirst(sql.type(row(Count))`
      select count(*) from ${sql.identifier([table])} where shop_id = ${alice.shopId}
    `)
    t.equal(list(name).length, count, `${name}: the rows of the table`)
    const entry = manifest.files.find(({ path }) => path.replace(/-\d{4}-\d{2}-\d{2}\.csv$/, '') === name)
    t.equal(entry?.rows, count, `${name}: the rows in the manifest`)
    if (count === 0) empty.push(name)
  }
  t.strictSame(
    empty,
    [
      'alert-settings',
      'digest-settings',
      'mail-templates',
      'supplier-aliases',
      'purchase-order-revisions',
      'adjustments',
      'inventory-value',
    ],
    'all other lists have rows in this test',
  )
  t.notMatch([...files.values()].join(''), 'Of another shop')

  const [supplier] = list('suppliers')
  t.equal(supplier?.Supplier, 'Müller; =1+1')
  t.match(String([...files].find(([path]) => path.startsWith('suppliers-'))?.[1]), '"Müller; =1+1"')
  const [first, second] = list('purchase-order-lines')
  t.match(first, {
    SKU: 'SKU-1',
    Order: order.poNumber,
    Cost: '12.5',
    'Discount (%)': '10',
    Accepted: '2',
    Currency: 'USD',
  })
  t.equal(Object.keys(first ?? {})[0], 'SKU')
  t.equal(Object.keys(first ?? {}).at(-1), 'Variant ID')
  t.match(second, { SKU: 'SKU-2', Ordered: '7', 'Variant ID': 'gid://platform/ProductVariant/2' })
  t.ok(list('stock-levels').some((level) => level.Location === 'Place 1' && level.Bin === 'A-1'))
  t.ok(
    list('stock-movements').some(({ Change }) => /^-\d+$/.test(Change ?? '')),
    'a negative number stays a number',
  )
  t.match(list('stock-state-changes'), [{ SKU: 'SKU-1', Change: '2' }])

  for (const receipt of list('receipts')) {
    const isPosted = receipt.State === 'posted'
    t.equal(receipt.Posted !== '', isPosted, 'a posted receipt has its day, also without a draft before it')
    t.equal(receipt['Posted by'] !== '', isPosted)
  }

  const template = String(files.get(`purchase-orders/${order.poNumber}.csv`))
  const lines = template.replace('\uFEFF', '').trim().split('\n')
  t.strictSame(lines[0], 'SKU,Barcode,Supplier SKU,Quantity,Cost,Tax')
  t.match(lines[1], /^SKU-1,[^,]*,S-1,5,11\.25,19$/, '12.50 less 10 % is 11.25')
  t.equal(lines.length, 3)
})

t.test('the file says what a blind count expects only after its counting is finished', async (t) => {
  const { db, alice } = await startApp(t)
  const { perform } = await startTasks(t, db)
  await makeStock(db, alice, { available: 86_420 })
  const id = await makeCount(alice, { blind: true, items: [counted(1, 12_345)] })
  await readLevels(db, alice)
  const itemsOf = async () => {
    const { id: exportId } = await makeExport(alice)
    await perform(jobs.exportShop, { shopId: alice.shopId, exportId })
    const { list } = await openExport(alice, exportId)
    return list('count-items')
  }
  t.match(await itemsOf(), [{ Counted: '12345', Expected: '', Difference: '' }])
  await alice.post(`/api/stock-counts/${id}/finish`)
  t.match(await itemsOf(), [{ Counted: '12345', Expected: '86420', Difference: '-74075' }])
})

t.test('times are in the time zone of the shop', async (t) => {
  const { db, alice, perform } = await startFullShop(t)
  await db.query(sql.typeAlias('void')`
    update purchase_order set created_at = '2026-03-01T20:00:00Z' where shop_id = ${alice.shopId}
  `)
  const { id } = await makeExport(alice)
  await perform(jobs.exportShop, { shopId: alice.shopId, exportId: id })
  const [order] = (await openExport(alice, id)).list('purchase-orders')
  t.equal(order?.Created, '2026-03-02 01:45:00', 'UTC+5:45')
})

t.test('every table of a shop is exported, or named with the reason why not', async (t) => {
  const { db } = await startApp(t)
  const tables = await db.anyFirst(sql.type(row(Type.Object({ name: Type.String() })))`
    select table_name::text as name from information_schema.columns
    where table_schema = 'public' and column_name = 'shop_id'
    order by 1
  `)
  const exported = exportedLists.map(({ table }) => table)
  t.strictSame([...exported, ...Object.keys(notExported)].sort(), [...tables])
  t.equal(new Set(exportedLists.map(({ name }) => name)).size, exportedLists.length)
  for (const { columns, name } of exportedLists) t.ok(Object.keys(columns).length > 0, name)
})

t.test('a list of several pages is whole and without doubles', async (t) => {
  const { db, alice } = await startApp(t)
  const { perform } = await startTasks(t, db)
  const { shopId } = alice
  await db.query(sql.typeAlias('void')`
    insert into supplier (shop_id, name) select ${shopId}, 'Supplier ' || n from generate_series(1, 4500) n
  `)
  await db.query(sql.typeAlias('void')`
    insert into sale (shop_id, order_gid, line_gid, variant_gid, quantity, ordered_at)
    select ${shopId}, 'gid://platform/Order/' || n / 3, 'gid://platform/LineItem/' || n, 'gid://platform/ProductVariant/1', 1, now()
    from generate_series(1, 4001) n
  `)
  const { id } = await makeExport(alice)
  await perform(jobs.exportShop, { shopId, exportId: id })
  const { list } = await openExport(alice, id)
  t.equal(new Set(list('suppliers').map(({ Supplier }) => Supplier)).size, 4500)
  t.equal(new Set(list('sales').map((sale) => sale['Line ID'])).size, 4001)
  t.equal(list('sales').length, 4001)
})

t.test('all lists are of one instant: what is written meanwhile is in none of them', async (t) => {
  const { db, alice } = await startApp(t)
  const { perform } = await startTasks(t, db)
  const { shopId } = alice
  await makeSupplier(alice, { name: 'Early' })
  await db.query(sql.typeAlias('void')`
    create or replace function test_insert_during_export() returns trigger language plpgsql as $$
    begin
      insert into supplier (shop_id, name) values (new.shop_id, 'Late ' || new.part);
      return new;
    end $$
  `)
  await db.query(sql.typeAlias('void')`
    create trigger test_insert_during_export after insert on export_part
    for each row execute function test_insert_during_export()
  `)
  t.teardown(() =>
    db.query(sql.typeAlias('void')`drop trigger if exists test_insert_during_export on export_part`),
  )
  // random bytes do not compress, so that parts are stored before the suppliers are read
  await db.query(sql.typeAlias('void')`
    insert into product (shop_id, gid, title)
    select ${shopId}, 'gid://platform/Product/' || n, (select string_agg(md5(random()::text || n || m), '') from generate_series(1, 10) m)
    from generate_series(1, 6000) n
  `)
  const { id } = await makeExport(alice)
  await perform(jobs.exportShop, { shopId, exportId: id })
  const late = await db.anyFirst(sql.type(row(Type.Object({ name: Type.String() })))`
    select name from supplier where shop_id = ${shopId} and name like 'Late%'
  `)
  t.ok(late.length > 1, 'suppliers were added while the file was written')
  t.strictSame(
    (await openExport(alice, id)).list('suppliers').map(({ Supplier }) => Supplier),
    ['Early'],
  )
})

t.test('an attempt that another one has followed stores nothing more', async (t) => {
  const { db, alice } = await startApp(t)
  const { perform } = await startTasks(t, db)
  const { shopId } = alice
  const { id } = await makeExport(alice)
  const now = new Date().toISOString()
  const first = await beginAttempt(db, shopId, id, now)
  if (!first) throw new Error('no attempt')
  const part = { bytes: Buffer.from('of the first attempt'), progress: 0.5, now }
  await storePart(db, first, { part: 0, ...part })
  t.match(await readExport(alice, id), { state: 'running', progress: 0.5, url: null })
  await perform(jobs.exportShop, { shopId, exportId: id })
  await t.rejects(storePart(db, first, { part: 1, ...part }), {
    message: 'Another attempt writes this export.',
  })
  const { manifest, files } = await openExport(alice, id)
  for (const { path, sha256: hash } of manifest.files)
    t.equal(sha256(files.get(path) ?? Buffer.alloc(0)), hash)
  await perform(jobs.exportShop, { shopId, exportId: id })
  t.equal((await readExport(alice, id)).state, 'done', 'a late job of a finished export does nothing')
})

t.test('two exports are written at one time, and a third waits for its turn', async (t) => {
  const { db, alice } = await startApp(t)
  const { perform } = await startTasks(t, db)
  const { id } = await makeExport(alice)
  const release = await keepTransactionOpen(t, db, (tx) =>
    tx.query(sql.typeAlias('void')`
      select from (values (0::bigint), (1)) slots (slot)
      where pg_advisory_xact_lock(hashtextextended('export', slot)) is not null
    `),
  )
  const before = (await enqueued(db, jobs.exportShop, alice.shopId)).length
  await perform(jobs.exportShop, { shopId: alice.shopId, exportId: id })
  t.equal((await readExport(alice, id)).state, 'running')
  t.equal((await enqueued(db, jobs.exportShop, alice.shopId)).length, before + 1)
  await release()
  await perform(jobs.exportShop, { shopId: alice.shopId, exportId: id })
  t.equal((await readExport(alice, id)).state, 'done')
})

t.test('the last failed attempt ends the export with a sentence, and a new one can begin', async (t) => {
  const { db, alice } = await startApp(t)
  const { perform } = await startTasks(t, db)
  const { shopId } = alice
  const { id } = await makeExport(alice)
  await db.query(sql.typeAlias('void')`
    insert into shop_setting (shop_id, time_zone) values (${shopId}, 'Nowhere/At_All')
  `)
  await t.rejects(perform(jobs.exportShop, { shopId, exportId: id }))
  t.equal((await readExport(alice, id)).state, 'running', 'the queue tries again')
  await t.rejects(perform(jobs.exportShop, { shopId, exportId: id }, { isLast: true }))
  t.match(await readExport(alice, id), { state: 'failed', error: /Start the export again\.$/ })
  const refused = await alice.get(`/api/exports/${id}/file`)
  t.equal(refused.statusCode, 409)
  t.equal((await alice.post('/api/exports')).statusCode, 201)
})

t.test('a shop keeps its two newest files, each for 7 days', async (t) => {
  const { db, alice } = await startApp(t)
  const { perform } = await startTasks(t, db)
  const { shopId } = alice
  const ids: number[] = []
  for (let number = 0; number < 3; number += 1) {
    const { id } = await makeExport(alice)
    await perform(jobs.exportShop, { shopId, exportId: id })
    ids.unshift(id)
  }
  const stored = async () => (await alice.get('/api/exports')).json().data.map(({ id }: { id: number }) => id)
  t.strictSame(await stored(), ids.slice(0, 2))
  await db.query(sql.typeAlias('void')`
    update export set created_at = now() - interval '7 days 1 minute' where shop_id = ${shopId} and id = ${ids[1] ?? 0}
  `)
  await perform(jobs.prune, {})
  t.strictSame(await stored(), ids.slice(0, 1))
  t.equal(
    await db.oneFirst(sql.type(row(Count))`
      select count(distinct export_id) from export_part where shop_id = ${shopId}
    `),
    1,
  )
})
