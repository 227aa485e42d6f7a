import { Type } from '@sinclair/typebox'
import t from 'tap'
import { makeArchive, movingShop } from '../../../dev/imports/archive.ts'
import { row, sql } from '../../../shared/db/db.ts'
import { startApp } from '../../support/core/app.ts'
import { testEnvironment, useOwnDatabase } from '../../support/core/database.ts'
import { startSupervised } from '../../support/core/processes.ts'
import { until } from '../../support/core/until.ts'
import { startMailService } from '../../support/core/worker.ts'
import { expectPromised, startClock } from '../../support/faults/faults.ts'
import { readImport, uploadImport } from '../../support/make/imports.ts'
import { makeStock } from '../../support/make/stock.ts'

useOwnDatabase()

const Figures = Type.Object({
  orders: Type.Integer(),
  numbers: Type.Integer(),
  open: Type.Integer(),
  lines: Type.Integer(),
  received: Type.Integer(),
  suppliers: Type.Integer(),
  movements: Type.Integer(),
  mails: Type.Integer(),
  spend: Type.Number(),
})

t.test('an archive of 1 200 orders is imported once although its worker is killed twice', async (t) => {
  const { db, url, alice } = await startApp(t)
  const platform = await startMailService(t)
  await makeStock(db, alice, { variants: movingShop.products, locations: 2 })
  await db.query(sql.typeAlias('void')`delete from worker_instance`)
  const env = testEnvironment(url, { POSTMARK_API_URL: platform.url, LOG_LEVEL: 'info' })
  const figures = () =>
    db.one(sql.type(row(Figures))`
      select count(*) as orders, count(distinct source_number) as numbers,
        count(*) filter (where status in ('sent', 'partial')) as open, coalesce(sum(line_item_count), 0)::int as lines,
        (
          select coalesce(sum(x.quantity), 0)::int from receipt_line x where x.shop_id = ${alice.shopId} and not x.is_stocked
        ) as received,
        (select count(*) from supplier where shop_id = ${alice.shopId}) as suppliers,
        (select count(*) from stock_movement where shop_id = ${alice.shopId} and kind = 'receipt') as movements,
        (select count(*) from outgoing_mail where shop_id = ${alice.shopId}) as mails, coalesce(sum(total), 0) as spend
      from purchase_order
      where shop_id = ${alice.shopId}
    `)
  const stateOf = async (id: number) => (await readImport(alice, id)).state
  const archive = await makeArchive()

  const sinceUpload = startClock()
  const { id } = await uploadImport(alice, 'archive.zip', archive)
  await alice.post(`/api/imports/${id}/read`)
  const worker = startSupervised(t, 'worker/main.ts', env)
  await until(async () => (await stateOf(id)) !== 'reading', 'the file is read')
  await alice.post(`/api/imports/${id}/run`, { dryRun: false })
  for (const least of [1, 400]) {
    await until(async () => (await figures()).orders >= least || undefined, `${least} orders are imported`)
    const killed = worker.current()
    killed.kill('SIGKILL')
    await killed.ended
    t.ok((await figures()).orders < movingShop.orders, `killed after ${(await figures()).orders} orders`)
  }
  await until(async () => (await stateOf(id)) === 'done', 'the import is done', 300_000)
  expectPromised(t, 'read and imported, with two kills, after', [sinceUpload()], 60_000)
  const { summary } = await readImport(alice, id)
  t.match(summary, {
    faults: 0,
    same: 0,
    suppliers: 40,
    orders: 1_200,
    openOrders: 9,
    rows: 40 + 1_200 + 9_600,
    new: 40 + 1_200 + 9_600,
  })
  const after = await figures()
  t.match(after, {
    orders: 1_200,
    numbers: 1_200,
    open: 9,
    lines: 9_600,
    suppliers: 40,
    movements: 0,
    mails: 0,
  })

  const again = await uploadImport(alice, 'archive.zip', archive)
  await alice.post(`/api/imports/${again.id}/read`)
  await until(async () => (await stateOf(again.id)) === 'ready', 'the file is read again')
  const sinceRun = startClock()
  await alice.post(`/api/imports/${again.id}/run`, { dryRun: false })
  await until(async () => (await stateOf(again.id)) === 'done', 'the second import is done', 300_000)
  t.comment(`the second run took ${sinceRun()} ms`)
  t.match((await readImport(alice, again.id)).summary, {
    new: 0,
    changed: 0,
    faults: 0,
    same: 40 + 1_200 + 9_600,
  })
  t.strictSame(await figures(), after)
  t.equal(platform.mails().length, 0)
})
