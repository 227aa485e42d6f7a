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
import { startAdmin, type Tab } from '../support/core/admin.ts'
import { makePast, reported } from '../support/core/reported.ts'

/** The cells of a table, as they are read: numbers without their units. */
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

const drawn = ({ app }: Tab, title: string): Locator =>
  app.locator('section', { hasText: title }).locator('[role="img"]')
const barsOf = (tab: Tab, title: string) => drawn(tab, title).locator('.recharts-bar-rectangle path')

const percent = (part: number | null) => (part === null ? '—' : Math.round(part * 10) / 10)

t.test('reports answer in numbers, drawings and files', { timeout: 400_000 }, async (t) => {
  const { install, open, get, db } = await startAdmin(t)
  await install()
  const tab = await open('/reports')
  const { page, app } = tab
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const isDrawingLoaded = async () => {
    const scripts = new Set(asked.filter((url) => url.endsWith('.js')))
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

  await t.test('before there is anything, a report says when there will be', async (t) => {
    await openReport('Procurement spend')
    await app.getByText('An order counts from when it is sent').waitFor()
    await openReport('Supplier performance')
    await app.getByText('A supplier is here as soon as an order was sent to it.').waitFor()
    await openReport('Adjustments')
    await app.getByText('is listed here from then on').waitFor()
    await openReport('ABC classes')
    t.equal((await readRows(tab, 'Products by what they earn')).length, 6)
    t.equal(await app.locator('[role="img"]').count(), 0, 'nobody has earned anything to draw')
    t.notOk(await isDrawingLoaded(), 'what draws is not loaded before it is needed')
  })

  await makePast(db)

  await t.test('spend is drawn and listed by month and by supplier', async (t) => {
    const spend = await get<ProcurementSpend>('/reports/procurement-spend')
    t.equal(spend.orderCount, reported.orders)
    await openReport('Procurement spend')
    await app.getByText('US$7,800.00').waitFor()
    t.strictSame(
      (await readRows(tab, 'Spend by month')).map(([, amount]) => amount),
      spend.byMonth.map((month) => month.spend).reverse(),
    )
    t.strictSame(
      await readRows(tab, 'Spend by supplier'),
      spend.bySupplier.map(({ supplierName, orderCount, spend }) => [supplierName, orderCount, spend]),
    )
    await barsOf(tab, 'By month').first().waitFor()
    t.equal(await barsOf(tab, 'By month').count(), spend.byMonth.length)
    t.equal(await barsOf(tab, 'By supplier').count(), reported.suppliers)
    t.ok(await isDrawingLoaded())
  })

  await t.test('a period stands in the address, changes the rows, and survives a reload', async (t) => {
    const days = () => Object.fromEntries(new URL(page.url()).searchParams)
    await choose('Last 30 days')
    await page.waitForURL(/startDate=.*endDate=/)
    await app.getByText('US$300.00').first().waitFor()
    const { startDate, endDate } = days()
    t.match({ startDate, endDate }, { startDate: /^\d{4}-\d\d-\d\d$/, endDate: /^\d{4}-\d\d-\d\d$/ })
    const path = `/reports/procurement-spend?startDate=${startDate}&endDate=${endDate}`
    const recent = await get<ProcurementSpend>(path)
    const expectRecent = async () =>
      t.strictSame(
        await readRows(tab, 'Spend by supplier'),
        recent.bySupplier.map(({ supplierName, orderCount, spend }) => [supplierName, orderCount, spend]),
      )
    t.equal(recent.orderCount, 2)
    await expectRecent()
    await page.reload()
    await isChosen('Last 30 days')
    await expectRecent()
    t.equal(await app.getByLabel('From').inputValue(), startDate)

    await app.getByLabel('To', { exact: true }).fill('2020-01-31')
    await app.getByText('This is before the first day.').waitFor()
    await app.getByLabel('From').fill('2020-01-01')
    await app.getByText('No orders like this').waitFor()
    t.match(days(), { startDate: '2020-01-01', endDate: '2020-01-31' })
    const backwards = asked.filter((url) => url.includes(`startDate=${startDate}&endDate=2020`))
    t.strictSame(backwards, [], 'a period that ends before it begins is not asked for')
    await page.goBack()
    await isChosen('Last 30 days')
    await expectRecent()
  })

  await t.test('the best sellers are drawn, and looked for', async (t) => {
    const expected = async (query: string) =>
      (await get<SalesVelocity[]>(`/reports/sales-velocity${query}`)).map((variant) => [
        `${variant.title} ${variant.sku}`,
        variant.unitsSold,
        variant.avgDailySales,
        variant.currentStock,
        variant.daysOfStockRemaining ?? '—',
      ])
    await openReport('Sales velocity')
    t.strictSame(await readRows(tab, 'Sales velocity'), await expected(''))
    await barsOf(tab, 'Best sellers').first().waitFor()
    t.equal(await barsOf(tab, 'Best sellers').count(), 5, 'one of six has not been sold for long')
    await choose('7 days')
    await app.getByText('the last 7 days').waitFor()
    t.strictSame(await readRows(tab, 'Sales velocity'), await expected('?period=7d'))
    const sku = (await get<SalesVelocity[]>('/reports/sales-velocity?period=7d'))[1]?.sku ?? ''
    await app.getByLabel('Search').fill(sku)
    await page.waitForURL(/search=/)
    await app.getByRole('row').nth(2).waitFor({ state: 'detached' })
    t.strictSame(await readRows(tab, 'Sales velocity'), await expected(`?period=7d&search=${sku}`))
  })

  await t.test('what earns most is drawn with its share, by class', async (t) => {
    const all = await get<AbcVariant[]>('/reports/abc')
    await openReport('ABC classes')
    t.strictSame(
      await readRows(tab, 'Products by what they earn'),
      all.map(({ title, sku, abcClass, unitsSold, revenue, share, cumulativeShare }) => [
        `${title} ${sku}`,
        abcClass,
        unitsSold,
        revenue,
        percent(share * 100),
        percent(cumulativeShare * 100),
      ]),
    )
    await barsOf(tab, 'What earns most').first().waitFor()
    t.equal(await barsOf(tab, 'What earns most').count(), 6)
    t.equal(await drawn(tab, 'What earns most').locator('.recharts-line-dots circle').count(), 6)
    await choose('A')
    await page.waitForURL(/class=A/)
    await app.getByRole('cell', { name: 'C', exact: true }).first().waitFor({ state: 'detached' })
    t.equal(
      (await readRows(tab, 'Products by what they earn')).length,
      all.filter(({ abcClass }) => abcClass === 'A').length,
    )
  })

  await t.test('the value of the stock is drawn for each location', async (t) => {
    await openReport('Inventory value')
    const days = await get<InventoryValue[]>('/reports/inventory-value')
    t.strictSame(
      (await readRows(tab, 'Inventory value by day and location')).map((row) => row.slice(1)),
      days
        .slice(0, 50)
        .map(({ locationName, quantity, uncostedQuantity, value }) => [
          locationName,
          quantity,
          uncostedQuantity,
          value,
        ]),
    )
    const lines = drawn(tab, 'By location').locator('.recharts-area-curve[stroke^="#"]')
    await lines.first().waitFor()
    t.equal(await lines.count(), new Set(days.map(({ locationId }) => locationId)).size)
    const corners = (await lines.first().getAttribute('d'))?.match(/[ML]/g)
    t.equal(corners?.length, 30, 'a corner for each day')
    await app.getByRole('button', { name: 'Load more' }).click()
    await app.getByRole('row').nth(days.length).waitFor()
    t.equal((await readRows(tab, 'Inventory value by day and location')).length, days.length)
  })

  await t.test('dead stock is what was not sold for so many days', async (t) => {
    await openReport('Dead stock')
    await app.getByText('All that is in stock was sold in the last 90 days.').waitFor()
    await choose('30 days')
    await page.waitForURL(/days=30/)
    const [dead] = await get<DeadStock[]>('/reports/dead-stock?days=30')
    t.match(dead, { daysSinceSold: 50, unitCost: 2 })
    t.match(await readRows(tab, 'Dead stock'), [
      [`${dead?.title} ${dead?.sku}`, dead?.currentStock, 2, dead?.value, / 20\d\d$/, 50],
    ])
  })

  await t.test('suppliers are measured, all of them and each on its own page', async (t) => {
    const all = await get<SupplierPerformance[]>('/reports/supplier-performance')
    await openReport('Supplier performance')
    t.strictSame(
      await readRows(tab, 'Supplier performance'),
      all.map((of) => [
        of.supplierName,
        of.ordersSent,
        of.ordersReceived,
        of.leadTimeDays,
        percent(of.onTimePercent),
        percent(of.fillRatePercent),
        percent(of.priceDriftPercent),
        of.statedLeadTimeDays ?? '—',
      ]),
    )
    const unstated = all.find(({ statedLeadTimeDays }) => statedLeadTimeDays === null)
    await app.getByRole('link', { name: unstated?.supplierName ?? '' }).click()
    const card = app.locator('section', { hasText: 'Performance' })
    await card.getByText(`${unstated?.leadTimeDays} days`).waitFor()
    await card.getByText('Known when an order is due').waitFor()
    t.equal(await card.getByText('—', { exact: true }).count(), 1, 'nobody can say whether it was on time')
    t.equal(await card.getByText('100%').count(), 1)
  })

  await t.test('a file holds the whole list, not only what is shown', async (t) => {
    await openReport('Adjustments')
    t.equal((await readRows(tab, 'Adjustments')).length, 50)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      app.getByRole('button', { name: 'CSV' }).click(),
    ])
    t.equal(file.suggestedFilename(), 'adjustments.csv')
    const [head, ...lines] = (await readFile(await file.path(), 'utf8')).trimEnd().split(/\r?\n/)
    t.match(head, /^\uFEFFid,variantId,sku,/)
    t.equal(lines.length, reported.adjustments)
    t.equal(new Set(lines.map((line) => line.split(',')[0])).size, reported.adjustments, 'each once')
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
