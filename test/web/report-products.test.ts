import t from 'tap'
import type { ListView } from '../../shared/schemas/list-views.ts'
import type { AbcVariant, DeadStock, InventoryValue, SalesVelocity } from '../../shared/schemas/reports.ts'
import { expectSoon, startAdmin } from '../support/core/admin.ts'
import { makeReportHistory } from '../support/make/sales.ts'
import { visit } from '../support/web/page-tour.ts'
import { barsOf, chartOf, percent, readRows } from '../support/web/report-page.ts'

t.test('reports of products are drawn, filtered and kept as views', async (t) => {
  const { install, open, get, db } = await startAdmin(t)
  await install()
  await makeReportHistory(db)
  const tab = await open('/reports')
  const { page, app } = tab
  await app.getByRole('heading', { name: 'Reports', level: 1 }).waitFor()
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

  await t.test('best sellers are drawn, for as many days as are known', async (t) => {
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
    await expectSoon(t, () => app.getByText('days known:').count(), 0, 'all of the period is known')
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
  })

  await t.test('a saved view of a report keeps its period and columns', async (t) => {
    const table = app.getByRole('table', { name: 'Margin', exact: true })
    const head = table.getByRole('columnheader', { name: 'Unknown cost', exact: true })
    const button = (name: string) => app.getByRole('button', { name, exact: true })
    const params = async () => new URL(page.url()).search
    await openReport('Margin')
    await choose('Last 30 days')
    await page.waitForURL(/startDate=/)
    const period = await params()
    await button('Columns').click()
    await app.getByRole('checkbox', { name: 'Unknown cost', exact: true }).uncheck()
    await head.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await button('Views').click()
    await app.getByRole('menuitem', { name: 'Save this view' }).click()
    await app.getByRole('dialog').getByLabel('Name').fill('Short')
    await app.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await button('View: Short').waitFor()
    const [view] = await get<ListView[]>('/list-views?list=margin')
    // on the last day of a month with 30 days it is this month, too
    t.match(view?.query, /^(period=last-30-days|endDate=.*&startDate=.*)$/)
    await openReport('Margin')
    await button('Columns').click()
    await button('Reset columns').click()
    await head.waitFor()
    await page.keyboard.press('Escape')
    await button('Views').click()
    await app.getByRole('menuitem', { name: 'Short' }).click()
    await head.waitFor({ state: 'detached' })
    await expectSoon(t, params, period)
    await button('View: Short').waitFor()
  })
})
