import t from 'tap'
import { sql } from '../../../../shared/db/db.ts'
import { startApp } from '../../../support/core/app.ts'
import { testEnvironment, useOwnDatabase } from '../../../support/core/database.ts'
import { startSupervised } from '../../../support/core/processes.ts'
import { until } from '../../../support/core/until.ts'
import { readImport, secondsOf, uploadImport } from '../../../support/make/imports.ts'
import { readOrder } from '../../../support/make/orders.ts'
import { makeStock } from '../../../support/make/stock.ts'

useOwnDatabase()

const products = 2_000
const header = 'PO Number,Supplier,Order date,SKU,Quantity,Cost,Received,Received at'
const row = (order: string, product: number, received: number) =>
  `${order},Supplier ${Number(order) % 40},2024-05-13,SKU-${(product % products) + 1},10,2.50,${received},2024-05-20`

t.test('the largest files are imported: 20 000 rows, and an order of 2 000 lines', async (t) => {
  const { db, url, alice } = await startApp(t)
  await makeStock(db, alice, { variants: products, locations: 2 })
  await db.query(sql.typeAlias('void')`delete from worker_instance`)
  startSupervised(t, 'worker/main.ts', testEnvironment(url, { LOG_LEVEL: 'info' }))
  const importAll = async (name: string, rows: string[]) => {
    const { id } = await uploadImport(alice, `${name}.csv`, [header, ...rows].join('\n'))
    await alice.post(`/api/imports/${id}/read`)
    await until(async () => (await readImport(alice, id)).state !== 'reading', `${name} is read`)
    await until(async () => (await readImport(alice, id)).state === 'ready', `${name} ran dry`, 300_000)
    const { summary: checked } = await readImport(alice, id)
    await alice.post(`/api/imports/${id}/run`, { dryRun: false })
    await until(async () => (await readImport(alice, id)).state === 'done', `${name} is imported`, 300_000)
    t.comment(`${name}: read, ran dry and imported after ${await secondsOf(alice, id)}`)
    const { summary } = await readImport(alice, id)
    t.match(summary, { rows: rows.length, new: rows.length, faults: 0 }, name)
    t.strictSame(
      { ...summary, isRehearsal: true },
      checked,
      `${name}: the dry run counts what the import does`,
    )
  }
  await importAll(
    '20 000 rows',
    Array.from({ length: 20_000 }, (_, at) => row(String(Math.floor(at / 8)), at, 10)),
  )
  await importAll(
    'order of 2 000 lines',
    Array.from({ length: 2_000 }, (_, at) => row('9999', at, at % 2 === 0 ? 10 : 0)),
  )
  const [found] = (await alice.get('/api/purchase-orders?search=9999')).json().data
  t.equal((await readOrder(alice, found.id)).lineItems.length, 2_000)
})
