import t, { type Test } from 'tap'
import type { SalesVelocity } from '../../../shared/schemas/reports.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { sell } from '../../support/make/sales.ts'
import { makeStock, markVariant, takeStock, variantGid } from '../../support/make/stock.ts'

/** Five variants with 10 units at each of two locations. Variant 1 sells most in 30 days, 2 in 7 days, 3 in 90 days. */
async function start(t: Test) {
  const app = await startApp(t)
  const { db, alice } = app
  await makeStock(db, alice, { variants: 5, locations: 2 })
  await sell(db, alice, [
    [1, 7, 20],
    [2, 3, 2],
    [3, 9, 60],
  ])
  const list = async (query = '', person: Person = alice): Promise<SalesVelocity[]> =>
    (await person.get(`/api/reports/sales-velocity${query}`)).json().data
  return { ...app, list }
}

const numbers = (report: SalesVelocity[]) =>
  report.map(({ variantId }) => Number(/\d+$/.exec(variantId)?.[0]))

t.test('the report is sorted by sales of the period, which is 30 days by default', async (t) => {
  const { list } = await start(t)
  const report = await list()
  t.strictSame(report[0], {
    variantId: variantGid(1),
    sku: 'SKU-1',
    title: 'Mug 1 - Size 1',
    unitsSold: 7,
    avgDailySales: 0.23,
    currentStock: 20,
    daysOfStockRemaining: 85.7,
    returnedUnits: 0,
    periodDays: 30,
    knownSince: null,
    confidence: 'high',
  })
  t.strictSame(numbers(report), [1, 2, 5, 4, 3])
  t.strictSame(report, await list('?period=30d'))
  t.strictSame(numbers(await list('?period=7d')), [2, 5, 4, 3, 1])
  t.match(await list('?period=7d'), [{ unitsSold: 3, avgDailySales: 0.43, daysOfStockRemaining: 46.7 }])
  t.strictSame(numbers(await list('?period=90d')), [3, 1, 2, 5, 4])
  t.match(await list('?period=90d'), [{ unitsSold: 9, avgDailySales: 0.1, daysOfStockRemaining: 200 }])
})

t.test('the days of stock are null without sales and 0 for negative stock', async (t) => {
  const { db, alice, list } = await start(t)
  const [, , unsold] = await list()
  t.match(unsold, { unitsSold: 0, avgDailySales: 0, currentStock: 20, daysOfStockRemaining: null })
  await takeStock(db, alice, { variant: 1, location: 1, quantity: 10 })
  await alice.post('/api/stock-levels/adjust', {
    adjustments: [{ variantId: variantGid(1), locationId: 'gid://platform/Location/2', delta: -30 }],
    allowNegative: true,
  })
  t.match(await list(), [{ currentStock: -20, daysOfStockRemaining: 0 }])
})

t.test('the report omits deleted and untracked variants', async (t) => {
  const { db, alice, list } = await start(t)
  await markVariant(db, alice, 1, 'deleted')
  await markVariant(db, alice, 2, 'untracked')
  t.strictSame(numbers(await list()), [5, 4, 3])
})

t.test('a search matches title, SKU and barcode', async (t) => {
  const { list } = await start(t)
  t.strictSame(numbers(await list('?search=MUG+2')), [2])
  t.strictSame(numbers(await list('?search=sku-3')), [3])
  t.strictSame(numbers(await list('?search=%25')), [])
})

t.test('the pages contain every variant once, including those with equal sales', async (t) => {
  const { alice } = await start(t)
  for (const period of ['7d', '30d', '90d']) {
    const address = `/api/reports/sales-velocity?period=${period}`
    const listed: SalesVelocity[] = []
    let pages = 0
    for (let next: string | undefined = `${address}&limit=2`; next && pages < 9; pages += 1) {
      const answer = await alice.get(next)
      listed.push(...answer.json().data)
      next = /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1]
    }
    t.strictSame(listed, (await alice.get(address)).json().data)
    t.equal(pages, 3)
  }
})

t.test('the API names invalid periods, cursors and limits', async (t) => {
  const { alice } = await start(t)
  for (const [field, value] of [
    ['period', '14d'],
    ['period', ''],
    ['cursor', '5'],
    ['cursor', '-1-5'],
    ['limit', '0'],
  ]) {
    const answer = await alice.get(`/api/reports/sales-velocity?${field}=${value}`)
    t.match(expectFailure(t, answer, 400, 'invalid_request').details, [{ path: `/${field}` }])
  }
})

t.test('the report is exported as CSV', async (t) => {
  const { alice } = await start(t)
  const { body } = await alice.get('/api/reports/sales-velocity?limit=1', { accept: 'text/csv' })
  t.equal(
    body,
    `\uFEFFSKU,Product,Units sold,Daily sales,Available,Days of stock left,Returned units,Days of the period,Sales known since (UTC),Confidence,Variant ID\nSKU-1,Mug 1 - Size 1,7,0.23,20,85.7,0,30,,High,${variantGid(1)}\n`,
  )
})

t.test('a shop without products has an empty report', async (t) => {
  const { mallory, list } = await start(t)
  t.strictSame(await list('', mallory), [])
})

t.test('the sales and stock of two shops with the same products are separate', async (t) => {
  const { db, mallory, list } = await start(t)
  const before = await list()
  await makeStock(db, mallory, { variants: 5, available: 99 })
  await sell(db, mallory, [[1, 50, 1]])
  t.strictSame(await list(), before)
  t.match(await list('', mallory), [{ unitsSold: 50, currentStock: 99 }])
})
