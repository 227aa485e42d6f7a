import t, { type Test } from 'tap'
import { sql } from '../../../../shared/db/db.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { expectFailure, startApp } from '../../../support/core/app.ts'
import { keepTransactionOpen, untilBlocked } from '../../../support/core/database.ts'
import { enqueued, startTasks } from '../../../support/core/worker.ts'
import { importing, readImport } from '../../../support/make/imports.ts'
import { makeStock } from '../../../support/make/stock.ts'

const sheet = 'costs.csv'
const file = 'SKU,Average cost,Worth\nSKU-1,2.50,4\nSKU-2,3,GONE'

async function start(t: Test) {
  const { db, alice } = await startApp(t)
  const { perform } = await startTasks(t, db)
  await makeStock(db, alice, { variants: 2, locations: 1 })
  const countJobs = async () => (await enqueued(db, jobs.workOnImport, alice.shopId)).length
  /** Starts the dry run of an import and blocks it while it stores costs; the returned function lets it end. */
  const holdDryRun = async (id: number) => {
    const release = await keepTransactionOpen(t, db, (tx) =>
      tx.query(sql.typeAlias('void')`select from variant where shop_id = ${alice.shopId} for update`),
    )
    const ended = perform(jobs.workOnImport, { shopId: alice.shopId, importId: id })
    await untilBlocked(db, 1)
    return async () => {
      await release()
      await ended
    }
  }
  const costOf = async (number: number) =>
    (await alice.get(`/api/variants/${number}/costs`)).json().data?.averageCost as number | null
  return { db, alice, perform, countJobs, holdDryRun, costOf, ...importing(alice, perform) }
}

const worth = { mapping: [{ sheet, column: 'Worth', field: 'cost' }] }

t.test('the worker makes a dry run when it has read a file, and again after a change', async (t) => {
  const { readOnly, workOn, change, rows, countJobs, costOf } = await start(t)
  const { id, state, summary } = await readOnly(sheet, file)
  t.match({ state, summary }, { state: 'checking', summary: null })
  const before = await countJobs()
  t.match(await workOn(id), {
    state: 'ready',
    progress: 1,
    summary: { isRehearsal: true, new: 2, faults: 0 },
  })
  t.match(await rows(id), [
    { state: 'new', targetId: null },
    { state: 'new', targetId: null },
  ])
  t.match(await change(id, worth), { state: 'checking', summary: null, progress: 0 })
  t.equal(await countJobs(), before + 1)
  t.match(await workOn(id), { state: 'ready', summary: { new: 1, faults: 1 } })
  t.equal(await costOf(1), null, 'nothing is stored')
})

t.test('the worker asks first what only the merchant can answer', async (t) => {
  const { readOnly, workOn, change, countJobs } = await start(t)
  const orders = 'PO Number,Supplier,Order date,SKU,Quantity,Cost\nO-1,Acme,03/04/2024,SKU-1,3,"2,345"'
  const before = await countJobs()
  const { id, state, summary, questions } = await readOnly('orders.csv', orders)
  t.match({ state, summary }, { state: 'ready', summary: null })
  t.strictSame(questions, [
    { sheet: 'orders.csv', about: 'decimal_sign', fields: [] },
    { sheet: 'orders.csv', about: 'day_order', fields: [] },
  ])
  t.equal(await countJobs(), before + 1, 'only the job that reads the file')
  t.match(await change(id, { defaults: { decimalSign: '.' } }), {
    state: 'ready',
    questions: [{ about: 'day_order' }],
  })
  t.match(await change(id, { defaults: { dayOrder: 'dmy' } }), { state: 'checking', questions: [] })
  t.match(await workOn(id), { state: 'ready', summary: { new: 1, faults: 0 } })

  const unknown = await readOnly('things.csv', 'Thing,Colour\nA,red')
  t.match(unknown, { state: 'ready', questions: [{ sheet: 'things.csv', about: 'kind', fields: [] }] })
  const chosen = await change(unknown.id, { sheets: [{ name: 'things.csv', kind: 'costs' }] })
  t.match(chosen, {
    state: 'ready',
    questions: [
      { about: 'column', fields: ['inventoryItemId', 'variantId', 'barcode', 'sku'] },
      { about: 'column', fields: ['cost'] },
    ],
  })
})

t.test('an import without a valid row does not run until its columns or rows are mended', async (t) => {
  const { alice, read, change, workOn, run, rehearse, rows } = await start(t)
  const { id, summary } = await read(sheet, 'SKU,Average cost,Worth\nSKU-1,GONE,4\nSKU-2,GONE,5')
  t.match(summary, { faults: 2, new: 0 })
  const refused = await alice.post(`/api/imports/${id}/run`, { dryRun: false })
  expectFailure(t, refused, 422, 'nothing_to_import')
  t.match(await rehearse(id), { state: 'ready', summary: { faults: 2 } })
  t.match(await rows(id), [{ state: 'fault' }, { state: 'fault' }], 'the refusal keeps the preview')
  await change(id, worth)
  await workOn(id)
  t.match(await run(id), { state: 'done', summary: { new: 2 } })
  const again = await read(sheet, 'SKU,Average cost\nSKU-1,4')
  t.match(await run(again.id), { state: 'done', summary: { same: 1 } }, 'stored rows are valid')
})

t.test('a change during a dry run wins', async (t) => {
  const { alice, readOnly, workOn, change, rows, countJobs, holdDryRun } = await start(t)
  const { id } = await readOnly(sheet, file)
  const endOld = await holdDryRun(id)
  await change(id, worth)
  const before = await countJobs()
  t.match(await workOn(id), { state: 'checking', summary: null }, 'one dry run at a time')
  t.equal(await countJobs(), before + 1, 'another job looks later, in case a killed worker has the lock')
  await endOld()
  t.match(await readImport(alice, id), { state: 'checking', summary: null })
  t.match(await rows(id), [{ state: 'pending' }, { state: 'pending' }])
  t.equal(await countJobs(), before + 2, 'the older dry run has enqueued another one')
  t.match(await workOn(id), { state: 'ready', summary: { new: 1, faults: 1 } })
})

t.test('a change that opens a question ends the dry run', async (t) => {
  const { alice, readOnly, change, rows, countJobs, holdDryRun } = await start(t)
  const { id } = await readOnly(sheet, file)
  const endOld = await holdDryRun(id)
  await change(id, { mapping: [{ sheet, column: 'Average cost', field: null }] })
  const before = await countJobs()
  await endOld()
  t.match(await readImport(alice, id), { state: 'ready', summary: null, questions: [{ about: 'column' }] })
  t.match(await rows(id), [{ state: 'pending' }, { state: 'pending' }])
  t.equal(await countJobs(), before)
})

t.test(
  'an import that is started during its dry run waits for its end, and stores its own result',
  async (t) => {
    const { db, readOnly, run, rows, holdDryRun, costOf } = await start(t)
    const { id } = await readOnly(sheet, file)
    const endOld = await holdDryRun(id)
    const done = run(id)
    await untilBlocked(db, 2)
    await endOld()
    t.match(await done, { state: 'done', summary: { new: 2, isRehearsal: false } })
    t.match(await rows(id), [
      { state: 'new', targetId: Number },
      { state: 'new', targetId: Number },
    ])
    t.equal(await costOf(1), 2.5)
  },
)

t.test('a dry run whose worker is stopped is made by the next attempt', async (t) => {
  const { alice, readOnly, perform, workOn } = await start(t)
  const { id } = await readOnly(sheet, file)
  const payload = { shopId: alice.shopId, importId: id }
  await t.rejects(perform(jobs.workOnImport, payload, { signal: AbortSignal.abort() }))
  t.match(await readImport(alice, id), { state: 'checking', summary: null })
  t.match(await workOn(id), { state: 'ready', summary: { new: 2 } })
})

t.test('a dry run that fails for good leaves the import ready, with the reason', async (t) => {
  const { alice, db, readOnly, perform, change, workOn } = await start(t)
  const { id } = await readOnly(sheet, file)
  const payload = { shopId: alice.shopId, importId: id }
  const setRows = (raw: unknown) =>
    db.query(sql.typeAlias('void')`
      update import_row set raw = ${JSON.stringify(raw)}::jsonb where shop_id = ${alice.shopId} and import_id = ${id}
    `)
  await setRows('not a row')
  await t.rejects(perform(jobs.workOnImport, payload))
  t.match(await readImport(alice, id), { state: 'checking' }, 'the queue tries again')
  await t.rejects(perform(jobs.workOnImport, payload, { isLast: true }))
  t.match(await readImport(alice, id), {
    state: 'ready',
    summary: null,
    finishedAt: null,
    error: /^The check failed .* Change the mapping/,
  })
  await setRows(['SKU-1', '2.50', '4'])
  t.match(await change(id, worth), { state: 'checking', error: '' })
  t.match(await workOn(id), { state: 'ready', error: '', summary: { faults: 0 } })
})
