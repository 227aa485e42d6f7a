import t from 'tap'
import { putImportPart } from '../../../shared/domain/exchange/imports/imports.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { keepTransactionOpen, untilBlocked } from '../../support/core/database.ts'
import { enqueued } from '../../support/core/worker.ts'
import { makeImport, readImport, uploadImport } from '../../support/make/imports.ts'
import { makeSupplier } from '../../support/make/orders.ts'

const sheet = 'costs.csv'

t.test('a file is read when all of its parts are there', async (t) => {
  const { db, alice } = await startApp(t)
  const { id } = (await alice.post('/api/imports', { fileName: 'a.csv' })).json().data
  expectFailure(t, await alice.post(`/api/imports/${id}/read`), 422, 'missing_parts', 'no part')
  await alice.put(`/api/imports/${id}/parts/1`, { base64: 'QUJD' })
  expectFailure(
    t,
    await alice.post(`/api/imports/${id}/read`),
    422,
    'missing_parts',
    'the first part is missing',
  )
  t.match(await readImport(alice, id), { state: 'uploading' }, 'a refused request changes nothing')
  await alice.put(`/api/imports/${id}/parts/0`, { base64: 'QUJD' })
  await alice.put(`/api/imports/${id}/parts/0`, { base64: 'QUJE' })
  t.match((await alice.post(`/api/imports/${id}/read`)).json().data, { state: 'reading', progress: 0 })
  t.strictSame(await enqueued(db, jobs.workOnImport, alice.shopId), [{ shopId: alice.shopId, importId: id }])
  expectFailure(t, await alice.put(`/api/imports/${id}/parts/0`, { base64: 'QUJD' }), 409, 'conflict')
  expectFailure(t, await alice.post(`/api/imports/${id}/read`), 409, 'conflict')
})

t.test('a file is read after a part that is being stored', async (t) => {
  const { db, alice } = await startApp(t)
  const { id } = (await alice.post('/api/imports', { fileName: 'a.csv' })).json().data
  await alice.put(`/api/imports/${id}/parts/0`, { base64: 'QUJD' })
  const commit = await keepTransactionOpen(t, db, (tx) =>
    putImportPart(tx, alice.shopId, id, 1, { base64: 'QUJE' }),
  )
  const read = alice.post(`/api/imports/${id}/read`)
  const first = await Promise.race([read.then(() => 'read'), untilBlocked(db, 1).then(() => 'waiting')])
  t.equal(first, 'waiting')
  await commit()
  t.match(await read, { statusCode: 200 })
})

t.test('a part is at most 512 kB in base64', async (t) => {
  const { alice } = await startApp(t)
  const { id } = (await alice.post('/api/imports', { fileName: 'a.csv' })).json().data
  const put = (base64: string, part: number) => alice.put(`/api/imports/${id}/parts/${part}`, { base64 })
  t.equal((await put(Buffer.alloc(512 * 1024).toString('base64'), 0)).statusCode, 200)
  expectFailure(t, await put(Buffer.alloc(512 * 1024 + 3).toString('base64'), 0), 400, 'invalid_request')
  expectFailure(t, await put('no base64!', 0), 400, 'invalid_request')
  expectFailure(t, await put('QUJD', 40), 400, 'invalid_request')
})

t.test('only the state of an import says what may be done with it', async (t) => {
  const { db, alice } = await startApp(t)
  const of = (state: Parameters<typeof makeImport>[2]) => makeImport(alice, db, state)
  const run = { dryRun: false }
  for (const state of ['uploading', 'reading', 'running', 'done', 'failed', 'reverted'] as const) {
    const id = await of(state)
    expectFailure(t, await alice.post(`/api/imports/${id}/run`, run), 409, 'conflict', `run when ${state}`)
    expectFailure(
      t,
      await alice.put(`/api/imports/${id}`, { defaults: {} }),
      409,
      'conflict',
      `change when ${state}`,
    )
  }
  expectFailure(t, await alice.post(`/api/imports/${await of('ready')}/revert`), 409, 'conflict')
  const id = await of('ready')
  t.match((await alice.post(`/api/imports/${id}/run`, { dryRun: true })).json().data, { state: 'checking' })
  t.match((await alice.put(`/api/imports/${id}`, { defaults: {} })).json().data, { state: 'checking' })
  expectFailure(t, await alice.post(`/api/imports/${id}/revert`), 409, 'conflict', 'revert when checking')
  t.match((await alice.post(`/api/imports/${id}/run`, run)).json().data, { state: 'running' })
  expectFailure(t, await alice.post(`/api/imports/${id}/run`, run), 409, 'conflict', 'not twice')
})

t.test('a change enqueues a dry run, unless it leaves a question open', async (t) => {
  const { db, alice } = await startApp(t)
  const id = await makeImport(alice, db, 'ready')
  const jobsOfImport = async () => (await enqueued(db, jobs.workOnImport, alice.shopId)).length
  const before = await jobsOfImport()
  const put = async (body: object) => (await alice.put(`/api/imports/${id}`, body)).json().data
  const cost = (field: string | null) => ({ mapping: [{ sheet, column: 'Cost', field }] })
  t.match(await put(cost(null)), {
    state: 'ready',
    summary: null,
    questions: [{ sheet, about: 'column', fields: ['cost'] }],
  })
  t.equal(await jobsOfImport(), before)
  t.match(await put(cost('cost')), { state: 'checking', summary: null, progress: 0, questions: [] })
  t.equal(await jobsOfImport(), before + 1)
  t.match(await put(cost('cost')), { state: 'checking' })
  t.equal(await jobsOfImport(), before + 1, 'a patch that changes nothing')
  t.match(await put({ sheets: [{ name: sheet, kind: 'skip' }] }), {
    state: 'ready',
    questions: [{ sheet, about: 'kind', fields: [] }],
  })
  t.equal(await jobsOfImport(), before + 1)
})

t.test('a mapping names sheets, columns and fields of the import', async (t) => {
  const { db, alice } = await startApp(t)
  const id = await makeImport(alice, db, 'ready')
  const put = (body: object) => alice.put(`/api/imports/${id}`, body)
  const wrong = [{ sheet, column: 'Nope', field: 'sku' }]
  const { details } = expectFailure(t, await put({ mapping: wrong }), 422, 'unknown_field')
  t.strictSame(details, [{ path: '/mapping/0/column', message: 'is not a column of this sheet' }])
  expectFailure(
    t,
    await put({ mapping: [{ sheet, column: 'SKU', field: 'quantity' }] }),
    422,
    'unknown_field',
  )
  expectFailure(t, await put({ sheets: [{ name: 'x', kind: 'costs' }] }), 422, 'unknown_field')
  const { data } = (await put({ mapping: [{ sheet, column: 'Cost', field: 'barcode' }] })).json()
  t.match(data, {
    kind: 'costs',
    mapping: [
      { column: 'SKU', field: 'sku' },
      { column: 'Cost', field: 'barcode' },
    ],
  })
  const moved = (await put({ mapping: [{ sheet, column: 'Cost', field: 'sku' }] })).json().data
  t.match(moved.mapping, [{ field: null }, { field: 'sku' }], 'a field has one column')
  t.match((await put({ kind: 'stock_counts' })).json().data, {
    kind: 'stock_counts',
    sheets: [{ kind: 'stock_counts' }],
  })
})

t.test('defaults cannot name a supplier of another shop', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  const id = await makeImport(alice, db, 'ready')
  const supplierId = await makeSupplier(mallory)
  expectFailure(
    t,
    await alice.put(`/api/imports/${id}`, { defaults: { supplierId } }),
    422,
    'unknown_supplier',
  )
  const locationId = 'gid://platform/Location/1'
  expectFailure(
    t,
    await alice.put(`/api/imports/${id}`, { defaults: { locationId } }),
    422,
    'unknown_location',
  )
})

t.test('imports and their rows are listed by page', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  const ids = [await makeImport(alice, db, 'ready'), (await uploadImport(alice, 'b.csv', 'x')).id]
  const first = await alice.get('/api/imports?limit=1')
  t.match(first.json().data, [{ id: ids[1], state: 'uploading' }])
  t.match(first.headers.link, /rel="next"/)
  t.strictSame((await mallory.get('/api/imports')).json().data, [])
  const rows = await alice.get(`/api/imports/${ids[0]}/rows?state=pending`)
  t.match(rows.json().data, [{ id: 1, sheet, row: 2, state: 'pending', raw: ['SKU-1', '2.50'] }])
  const csv = await alice.get(`/api/imports/${ids[0]}/rows`, { accept: 'text/csv' })
  t.match(
    csv.body,
    /^\uFEFF?Row,Sheet,Status,Message,Target,Cells,Row ID,Target ID\n2,costs.csv,Pending,,,"SKU-1, 2.50",1,/,
  )
  for (const path of ['', '/rows', '/faults'])
    expectFailure(t, await mallory.get(`/api/imports/${ids[0]}${path}`), 404, 'not_found')
})
