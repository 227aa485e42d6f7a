import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { enqueued, startTasks } from '../../support/core/worker.ts'
import { makeExport } from '../../support/make/exports.ts'
import { line, makeOrder, makeSupplier } from '../../support/make/orders.ts'
import { counted, makeCount, makeStock } from '../../support/make/stock.ts'

t.test(
  'repeated requests for the export start one job, and answer the finished file for an hour',
  async (t) => {
    const { db, alice } = await startApp(t)
    const { perform } = await startTasks(t, db)
    const { shopId } = alice
    const get = async () => (await alice.get('/api/export')).json().data
    const first = await get()
    t.match(first, { state: 'running', progress: 0, url: null, createdBy: alice.userId })
    t.equal((await get()).id, first.id)
    t.match((await alice.post('/api/exports')).json().data, { id: first.id })
    t.strictSame(await enqueued(db, jobs.exportShop, shopId), [{ shopId, exportId: first.id }])
    await perform(jobs.exportShop, { shopId, exportId: first.id })
    t.match(await get(), { id: first.id, state: 'done', progress: 1, url: `/api/exports/${first.id}/file` })
    await db.query(sql.typeAlias('void')`
    update export set finished_at = now() - interval '61 minutes' where shop_id = ${shopId}
  `)
    const next = await get()
    t.not(next.id, first.id)
    t.equal(next.state, 'running')
  },
)

t.test('concurrent requests start one export', async (t) => {
  const { db, alice } = await startApp(t)
  const answers = await Promise.all(Array.from({ length: 5 }, () => alice.get('/api/export')))
  t.equal(new Set(answers.map((answer) => answer.json().data.id)).size, 1)
  t.equal((await enqueued(db, jobs.exportShop, alice.shopId)).length, 1)
})

t.test('an export without progress for five minutes gets another job', async (t) => {
  const { db, alice } = await startApp(t)
  const { id } = await makeExport(alice)
  await db.query(sql.typeAlias('void')`
    update export set progressed_at = now() - interval '6 minutes', created_at = now() - interval '6 minutes'
    where shop_id = ${alice.shopId}
  `)
  t.equal((await alice.post('/api/exports')).json().data.id, id)
  t.equal((await enqueued(db, jobs.exportShop, alice.shopId)).length, 2)
})

t.test('another shop sees, reads and downloads no export', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  const { perform } = await startTasks(t, db)
  const { id } = await makeExport(alice)
  await perform(jobs.exportShop, { shopId: alice.shopId, exportId: id })
  expectFailure(t, await mallory.get(`/api/exports/${id}`), 404, 'not_found')
  expectFailure(t, await mallory.get(`/api/exports/${id}/file`), 404, 'not_found')
  t.strictSame((await mallory.get('/api/exports')).json().data, [])
  t.not((await mallory.get('/api/export')).json().data.id, id)
  await perform(jobs.exportShop, { shopId: mallory.shopId, exportId: id })
  t.equal((await alice.get(`/api/exports/${id}`)).json().data.state, 'done')
})

t.test('a file that is being written is refused', async (t) => {
  const { alice } = await startApp(t)
  const { id } = await makeExport(alice)
  expectFailure(t, await alice.get(`/api/exports/${id}/file`), 409, 'export_not_done')
})

t.test('cells with a semicolon or a tab are quoted, so that no locale splits a formula off', async (t) => {
  const { alice } = await startApp(t)
  await makeSupplier(alice, { name: ';=1+1', notes: 'a\t=1+1' })
  const { body } = await alice.get('/api/suppliers', { accept: 'text/csv' })
  t.match(body, '";=1+1"')
})

t.test('an order has a CSV in the template of the platform', async (t) => {
  const { alice, mallory } = await startApp(t)
  const { id } = await makeOrder(alice, {
    lineItems: [
      line(1, { quantity: 4, costPrice: 12.5, discountPercent: 10, taxRate: 19, supplierSku: 'S-1' }),
    ],
  })
  const url = `/api/purchase-orders/${id}/csv?template=platform`
  const { body } = await alice.get(url, { accept: 'text/csv' })
  t.equal(body, '\uFEFFSKU,Barcode,Supplier SKU,Quantity,Cost,Tax\nSKU-1,,S-1,4,11.25,19\n')
  expectFailure(t, await mallory.get(url, { accept: 'text/csv' }), 404, 'not_found')
  const unknown = await alice.get(`/api/purchase-orders/${id}/csv?template=other`, { accept: 'text/csv' })
  t.equal(unknown.statusCode, 400)
})

t.test('counts and alerts have a CSV', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const id = await makeCount(alice, { items: [counted(1, 3)] })
  const csv = async (url: string) => (await alice.get(url, { accept: 'text/csv' })).body
  t.match(await csv('/api/stock-counts'), new RegExp(`\\n${id},`))
  t.match(await csv(`/api/stock-counts/${id}`), /^\uFEFFSKU,Product,Barcode,Bin,Expected,Counted,/)
  t.match(await csv('/api/alerts'), /^\uFEFFMessage,Product,Type,/)
})
