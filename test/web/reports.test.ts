import { readFile } from 'node:fs/promises'
import type { Locator } from 'playwright-core'
import t from 'tap'
import type {
  AbcVariant,
  DeadStock,
  InventoryValue,
  ProcurementSpend,
  SalesVelocity,
  SupplierPerformance,
} from '../../shared/schemas/reports.ts'
import { expectSoon, startAdmin, type Tab } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'
import { makeReportHistory, reportHistory } from '../support/make/sales.ts'

/** The cells of a table, with numbers without their units. */
async function readRows({ app }: Tab, name: string): Promise<(string | number)[][]> {
  const rows = app.getByRole('table', { name, exact: true }).locator('tbody tr')
  await rows.first().waitFor()
  await app.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  return (await rows.allInnerTexts()).map((row) => row.split('\t').map(read))
}

/** `US$1,200.00`, `36%` and `4.5 days` are 1200, 36 and 4.5. */
const read = (cell: string) => {
  const text = cell.trim().replace(/\n+/g, ' ')
  return /^-?\D{0,3}[\d,.]+(%| days?)?$/.test(text) ? Number(text.replace(/[^\d.-]/g, '')) : text
}

const chartOf = ({ app }: Tab, title: string): Locator =>
  app.locator('section', { hasText: title }).locator('[role="img"]')
const barsOf = (tab: Tab, title: string) => chartOf(tab, title).locator('.recharts-bar-rectangle path')

const percent = (part: number | null) => (part === null ? '—' : Math.round(part * 10) / 10)

t.test('reports are shown as tables, charts and files', async (t) => {
  const { install, open, get, db } = await startAdmin(t)
  await install()
  const tab = await open('/reports')
  const { page, app } = tab
  const requestedUrls: string[] = []
  page.on('request', (request) => requestedUrls.push(request.url()))
  const isChartCodeLoaded = async () => {
    const scripts = new Set(requestedUrls.filter((url) => url.endsWith('.js')))
    const texts = await Promise.all([...scripts].map(async (url) => (await fetch(url)).text()))
    return texts.some((text) => text.includes('recharts-'))
  }
  const openReport = async (name: string) => {
    await page.goto(page.url().replace(/(\/apps\/[^/]+).*/, '$1/reports'))
    await app.getByRole('link', { name, exact: true }).click()
    await app.getByRole('heading', { name, level: 1 }).waitFor()
  }
  const isChosen = (name: string) => app.getByRole('button', { name, exact: true, pressed: true }).waitFor()
  const choose = async (name: string) => {
    await app.getByRole('button', { name, exact: true }).click()
    await isChosen(name)
  }

  await t.test('an empty report says when it will have data', async (t) => {
    await openReport('Procurement spend')
    await app.getByText('Orders are included once they are sent').waitFor()
    await openReport('Supplier performance')
    await app.getByText('You’ll see a supplier here once you send it an order.').waitFor()
    await openReport('Adjustments')
    await app.getByText('Stock that people set, adjust or count is listed here.').waitFor()
    await until(
      async () => (await get<AbcVariant[]>('/reports/abc')).length === 6,
      'the sync has ranked them',
    )
    await openReport('ABC classes')
    await expectSoon(t, async () => (await readRows(tab, 'Products by revenue')).length, 6)
    await expectSoon(t, () => app.locator('[role="img"]').count(), 0, 'there is no revenue to draw')
    t.notOk(await isChartCodeLoaded(), 'the chart code is not loaded before it is needed')
  })

  await makeReportHistory(db)

  await t.test('spend is shown by month and by supplier, as chart and table', async (t) => {
    const spend = await get<ProcurementSpend>('/reports/procurement-spend')
    t.equal(spend.orderCount, reportHistory.orders)
    await openReport('Procurement spend')
    await app.getByText('US$7,800.00').waitFor()
    await expectSoon(
      t,
      async () => (await readRows(tab, 'Spend by month')).map(([, amount]) => amount),
      spend.byMonth.map((month) => month.spend).reverse(),
    )
    await expectSoon(
      t,
      () => readRows(tab, 'Spend by supplier'),
      spend.bySupplier.map(({ supplierName, orderCount, spend }) => [supplierName, orderCount, spend]),
    )
    await barsOf(tab, 'By month').first().waitFor()
    await expectSoon(t, () => barsOf(tab, 'By month').count(), spend.byMonth.length)
    await expectSoon(t, () => barsOf(tab, 'By supplier').count(), reportHistory.suppliers)
    t.ok(await isChartCodeLoaded())
  })

  await t.test('a period is in the address, changes the rows, and survives a reload', async (t) => {
    const days = () => Object.fromEntries(new URL(page.url()).searchParams)
    await choose('Last 30 days')
    await page.waitForURL(/startDate=.*endDate=/)
    await app.getByText('US$300.00').first().waitFor()
    const { startDate, endDate } = days()
    t.match({ startDate, endDate }, { startDate: /^\d{4}-\d\d-\d\d$/, endDate: /^\d{4}-\d\d-\d\d$/ })
    const path = `/reports/procurement-spend?startDate=${startDate}&endDate=${endDate}`
    const recent = await get<ProcurementSpend>(path)
    const expectRecent = async () =>
      await expectSoon(
        t,
        () => readRows(tab, 'Spend by supplier'),
        recent.bySupplier.map(({ supplierName, orderCount, spend }) => [supplierName, orderCount, spend]),
      )
    t.equal(recent.orderCount, 2)
    await expectRecent()
    await page.reload()
    await isChosen('Last 30 days')
    await expectRecent()
    await expectSoon(t, () => app.getByLabel('From').inputValue(), startDate)

    await app.getByLabel('To', { exact: true }).fill('2020-01-31')
    await app.getByText('The end date must not be before the start date.').waitFor()
    await app.getByLabel('From').fill('2020-01-01')
    await app.getByText('No orders match these filters').waitFor()
    const period = async () => [days().startDate, days().endDate]
    await expectSoon(t, period, ['2020-01-01', '2020-01-31'])
    const backwards = requestedUrls.filter((url) => url.includes(`startDate=${startDate}&endDate=2020`))
    t.strictSame(backwards, [], 'a period that ends before its start is not requested')
    await page.goBack()
    await isChosen('Last 30 days')
    await expectRecent()
  })

  await t.test('best sellers are drawn and can be searched', async (t) => {
    const expected = async (query: string, days = 30) =>
      (await get<SalesVelocity[]>(`/reports/sales-velocity${query}`)).map((variant) => [
        `${variant.title} ${variant.sku}`,
        variant.unitsSold,
        variant.returnedUnits,
        variant.avgDailySales,
        variant.currentStock,
        variant.daysOfStockRemaining ?? '—',
        `${variant.periodDays} of ${days}`,
      ])
    await openReport('Sales velocity')
    await expectSoon(t, () => readRows(tab, 'Sales velocity'), await expected(''))
    await barsOf(tab, 'Best sellers').first().waitFor()
    await expectSoon(
      t,
      () => barsOf(tab, 'Best sellers').count(),
      5,
      'one of six was not sold for a long time',
    )
    await choose('7 days')
    await app.getByText('the last 7 days').waitFor()
    await expectSoon(t, () => readRows(tab, 'Sales velocity'), await expected('?period=7d', 7))
    const sku = (await get<SalesVelocity[]>('/reports/sales-velocity?period=7d'))[1]?.sku ?? ''
    await app.getByRole('searchbox', { name: 'Search' }).fill(sku)
    await page.waitForURL(/search=/)
    await app.getByRole('row').nth(2).waitFor({ state: 'detached' })
    await expectSoon(t, () => readRows(tab, 'Sales velocity'), await expected(`?period=7d&search=${sku}`, 7))
    await expectSoon(t, () => app.getByText('days known:').count(), 0, 'all of the period is known')
    await app.getByRole('searchbox', { name: 'Search' }).fill('')
    await choose('90 days')
    await app.getByText('60 of 90 days known').waitFor()
    await app.getByText('60 of 90', { exact: true }).first().waitFor()
  })

  await t.test('products by revenue are drawn with their share, and filtered by class', async (t) => {
    const all = await get<AbcVariant[]>('/reports/abc')
    await openReport('ABC classes')
    await expectSoon(
      t,
      () => readRows(tab, 'Products by revenue'),
      all.map(({ title, sku, abcClass, unitsSold, revenue, share, cumulativeShare }) => [
        `${title} ${sku}`,
        abcClass,
        unitsSold,
        revenue,
        percent(share * 100),
        percent(cumulativeShare * 100),
      ]),
    )
    await barsOf(tab, 'Top products by revenue').first().waitFor()
    await expectSoon(t, () => barsOf(tab, 'Top products by revenue').count(), 6)
    await expectSoon(
      t,
      () => chartOf(tab, 'Top products by revenue').locator('.recharts-line-dots circle').count(),
      6,
    )
    await choose('A')
    await page.waitForURL(/class=A/)
    await app.getByRole('cell', { name: 'C', exact: true }).first().waitFor({ state: 'detached' })
    await expectSoon(
      t,
      async () => (await readRows(tab, 'Products by revenue')).length,
      all.filter(({ abcClass }) => abcClass === 'A').length,
    )
  })

  await t.test('the inventory value is drawn for each location', async (t) => {
    await openReport('Inventory value')
    const days = await get<InventoryValue[]>('/reports/inventory-value')
    await expectSoon(
      t,
      async () => (await readRows(tab, 'Inventory value by day and location')).map((row) => row.slice(1)),
      days
        .slice(0, 50)
        .map(({ locationName, quantity, uncostedQuantity, value }) => [
          locationName,
          quantity,
          uncostedQuantity,
          value,
        ]),
    )
    const lines = chartOf(tab, 'By location').locator('.recharts-area-curve[stroke^="#"]')
    await lines.first().waitFor()
    await expectSoon(t, () => lines.count(), new Set(days.map(({ locationId }) => locationId)).size)
    const corners = async () => (await lines.first().getAttribute('d'))?.match(/[ML]/g)?.length
    await expectSoon(t, corners, 30, 'one point per day')
    await app.getByRole('button', { name: 'Load more' }).click()
    await app.getByRole('row').nth(days.length).waitFor()
    await expectSoon(
      t,
      async () => (await readRows(tab, 'Inventory value by day and location')).length,
      days.length,
    )
  })

  await t.test('dead stock lists products not sold in the chosen number of days', async (t) => {
    await openReport('Dead stock')
    await app.getByText('All products in stock sold in the last 90 days, or').waitFor()
    await choose('30 days')
    await page.waitForURL(/days=30/)
    const [dead] = await get<DeadStock[]>('/reports/dead-stock?days=30')
    t.match(dead, { daysSinceSold: 50 })
    let rows: (string | number)[][] = []
    const readDead = async () => {
      rows = await readRows(tab, 'Dead stock')
      return rows.length
    }
    await expectSoon(t, readDead, 1)
    t.match(rows, [
      [
        `${dead?.title} ${dead?.sku}`,
        dead?.currentStock,
        dead?.onHand,
        dead?.unitCost,
        dead?.value,
        / 20\d\d$/,
        50,
      ],
    ])
    await app.getByText('1 of 1', { exact: true }).waitFor()
    await app.getByLabel('Search', { exact: true }).fill('no such product')
    await app.getByText('No results for “no such product”').waitFor()
    await app.getByRole('button', { name: 'Remove filter Search: no such product' }).click()
    await expectSoon(t, readDead, 1, 'the chip clears the search')
    await app.getByLabel('Search', { exact: true }).fill(dead?.sku ?? '')
    await page.waitForURL(({ searchParams }) => searchParams.get('search') === dead?.sku)
    await app.getByRole('button', { name: 'Views' }).click()
    await app.getByRole('menuitem', { name: 'Save this view' }).click()
    await app.getByRole('dialog').getByLabel('Name').fill('One product')
    await app.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await app.getByRole('dialog').waitFor({ state: 'detached' })
    t.match(await get('/list-views?list=dead-stock'), [{ name: 'One product', query: /days=30&search=/ }])
  })

  await t.test('supplier performance is shown for all suppliers and on each supplier page', async (t) => {
    const all = await get<SupplierPerformance[]>('/reports/supplier-performance')
    await openReport('Supplier performance')
    await expectSoon(
      t,
      () => readRows(tab, 'Supplier performance'),
      all.map((of) => [
        of.supplierName,
        of.ordersSent,
        of.ordersReceived,
        of.leadTimeDays,
        percent(of.onTimePercent),
        percent(of.fillRatePercent),
        percent(of.rejectedPercent),
        percent(of.priceDriftPercent),
        percent(of.returnedPercent),
        of.statedLeadTimeDays ?? '—',
      ]),
    )
    const unstated = all.find(({ statedLeadTimeDays }) => statedLeadTimeDays === null)
    await app.getByRole('link', { name: unstated?.supplierName ?? '' }).click()
    const card = app.locator('section', { hasText: 'Performance' })
    await card.getByText(`${unstated?.leadTimeDays} days`).waitFor()
    await card.getByText('Available when an order is due').waitFor()
    await expectSoon(t, () => card.getByText('—', { exact: true }).count(), 1, 'the on-time share is unknown')
    await expectSoon(t, () => card.getByText('100%').count(), 1)
  })

  await t.test('an export has the whole list, not only the shown rows', async (t) => {
    await openReport('Adjustments')
    await expectSoon(t, async () => (await readRows(tab, 'Adjustments')).length, 50)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      app.getByRole('button', { name: 'CSV' }).click(),
    ])
    t.match(file.suggestedFilename(), /^adjustments-\d{4}-\d{2}-\d{2}\.csv$/)
    const [head, ...lines] = (await readFile(await file.path(), 'utf8')).trimEnd().split(/\r?\n/)
    t.match(head, /^\uFEFFSKU,Product,.*,Movement ID,Variant ID,Location ID$/)
    t.equal(lines.length, reportHistory.adjustments)
    t.equal(
      new Set(lines.map((line) => line.split(',').at(-3))).size,
      reportHistory.adjustments,
      'each adjustment once',
    )
    await choose('Last 30 days')
    await page.waitForURL(/startDate=/)
    const [recent] = await Promise.all([
      page.waitForEvent('download'),
      app.getByRole('button', { name: 'CSV' }).click(),
    ])
    const rows = (await readFile(await recent.path(), 'utf8')).trim().split(/\r?\n/).length - 1
    t.ok(rows >= 58 && rows <= 60, `two a day: ${rows}`)
  })
})
