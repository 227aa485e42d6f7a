import { readFile } from 'node:fs/promises'
import t from 'tap'
import type { ProductListItem } from '../../../shared/schemas/products.ts'
import type { AbcVariant, ProcurementSpend, SupplierPerformance } from '../../../shared/schemas/reports.ts'
import { expectSoon, startAdmin } from '../../support/core/admin.ts'
import { daysAgo } from '../../support/core/instants.ts'
import { until } from '../../support/core/until.ts'
import { makeReportHistory, reportHistory } from '../../support/make/sales.ts'
import { visit } from '../../support/web/page-tour.ts'
import { barsOf, percent, readRows } from '../../support/web/report-page.ts'

t.test('reports are shown as tables, charts and files', async (t) => {
  const { install, open, get, send, db } = await startAdmin(t)
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
    await visit(tab, '/reports')
    await app.getByRole('link', { name, exact: true }).click()
    await app.getByRole('heading', { name, level: 1 }).waitFor()
  }
  const isChosen = (name: string) => app.getByRole('button', { name, exact: true, pressed: true }).waitFor()
  const choose = async (name: string) => {
    await app.getByRole('button', { name, exact: true }).click()
    await isChosen(name)
  }

  await t.test('an empty report says when it will have data', async (t) => {
    await app.getByRole('heading', { name: 'Reports', level: 1 }).waitFor()
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
  // the empty reports are not shown again
  await page.reload()

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

  await t.test('orders with lines without a cost say so where their money is', async () => {
    const [
      {
        productId,
        variants: [variant],
      } = { productId: '', variants: [] },
    ] = await get<ProductListItem[]>('/products')
    const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', { name: 'Kiln' })
    const { id } = await send<{ id: number }>('POST', '/purchase-orders', {
      ...{ supplierId, expectedAt: daysAgo(2).toISOString() },
      lineItems: [{ productId, variantId: variant?.variantId, quantity: 3, costPrice: null }],
    })
    await send('POST', `/purchase-orders/${id}/send`, { allowUnknownCosts: true })
    await send('POST', '/buying-budgets', {
      ...{ name: 'This month', month: new Date().toISOString().slice(0, 7), amount: 71_000 },
    })
    await page.reload()
    await app.getByRole('heading', { level: 1 }).waitFor()
    for (const [path, text] of [
      ['/reports/arrivals', '+ 1 line without cost'],
      ['/reports/open-to-buy', '1 order with lines without a cost: these lines are left out.'],
      ['/reports/commitments', '+ 1 line without cost'],
      ['/reports/procurement-spend', '+ 1 line without cost'],
      ['/buying-budgets', '1 without rate or cost'],
    ] as const) {
      await visit(tab, path)
      await app.getByText(text, { exact: true }).first().waitFor()
    }
  })
})
