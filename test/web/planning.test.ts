import t from 'tap'
import { sql } from '../../shared/db/db.ts'
import type { VariantForecast } from '../../shared/schemas/forecasts.ts'
import { domain, expectSoon, startAdmin } from '../support/core/admin.ts'
import { dayFromToday } from '../support/core/instants.ts'
import { until } from '../support/core/until.ts'
import { computePlans, setPrice } from '../support/make/planning.ts'
import { setDemandDays, setForecast } from '../support/make/replenishment.ts'
import { visit } from '../support/web/page-tour.ts'

type Product = { productId: string; title: string; variants: { variantId: string; sku: string }[] }

t.test('a buyer sees gaps, overstock, lost sales and arrivals', async (t) => {
  const { db, install, get, send, open, adminUrl } = await startAdmin(t)
  await install()
  const products = await get<Product[]>('/products')
  const shopId = await db.oneFirst(sql.typeAlias('id')`select id from shop where domain = ${domain}`)
  const shop = { shopId }
  const numberOf = ({ variants: [variant] }: Product) =>
    BigInt(variant?.variantId.split('/').at(-1) ?? '') as unknown as number
  const [first, second, third] = products
  if (!first || !second || !third) throw new Error('The shop has products')
  const tab = await open('/reports')
  const { page, app } = tab
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  const table = (name: string) => app.getByRole('table', { name, exact: true })

  await t.test('reports on the day of the installation', async () => {
    await app.getByRole('link', { name: 'Stock gaps', exact: true }).click()
    await app.getByText('No product runs out too early').waitFor()
    // the worker plans on the day of the installation: what did not sell in the known days is overstock
    await until(async () => (await get<unknown[]>('/reports/overstock')).length > 0, 'the worker has planned')
    await visit(tab, '/reports/overstock')
    await table('Overstock').waitFor()
    await visit(tab, '/reports/lost-sales')
    await app.getByText('No sales were lost').waitFor()
    await visit(tab, '/reports/arrivals')
    await app.getByText('Nothing arrives in this week').waitFor()
    await visit(tab, '/reports/open-to-buy')
    await app.getByText('The need shows after the first night with a forecast').waitFor()
  })

  const supplier = { name: 'Northgate Ceramics', leadTimeDays: 14 }
  const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', supplier)
  const makeOrder = async (product: Product, days: number) => {
    const order = await send<{ id: number; poNumber: string }>('POST', '/purchase-orders', {
      supplierId,
      expectedAt: `${dayFromToday(days)}T12:00:00Z`,
      lineItems: [
        {
          ...{ productId: product.productId, variantId: product.variants[0]?.variantId },
          ...{ sku: product.variants[0]?.sku, title: product.title, quantity: 5_000, costPrice: 4 },
        },
      ],
    })
    await send('POST', `/purchase-orders/${order.id}/send`)
    return order
  }
  const late = await makeOrder(first, 40)
  const overdue = await makeOrder(second, -3)
  const today = await makeOrder(second, 0)
  for (const [product, perWeek, price] of [
    [first, 700, 20],
    [second, 350, 10],
    [third, 1, null],
  ] as const) {
    await setForecast(db, shop, numberOf(product), { units: new Array(26).fill(perWeek) })
    await setPrice(db, shop, numberOf(product), { price, cost: 4 })
  }
  await db.query(sql.typeAlias('void')`
    insert into sales_reading (shop_id, known_since) values (${shopId}, now() - interval '300 days')
    on conflict (shop_id) do update set known_since = excluded.known_since
  `)
  await setDemandDays(db, shop, numberOf(first), [
    { daysAgo: 20, units: 80 },
    { daysAgo: 3, units: 0 },
    { daysAgo: 2, units: 0 },
  ])
  await computePlans(db, shop)
  await page.reload()

  await t.test('the home page leads to the gaps, which name the cheapest cure', async () => {
    await visit(tab, '/')
    await app.getByRole('link', { name: /runs? out before goods arrive/ }).click()
    await app.getByRole('heading', { name: 'Stock gaps', level: 1 }).waitFor()
    const row = table('Stock gaps').locator('tbody tr', { hasText: first.title })
    const cure = row.getByText(/Expedite|Buy/)
    await cure.first().waitFor()
    await row.getByRole('link', { name: first.title }).click()
    await app.getByText(/Stock runs out on .* The next order arrives on/).waitFor()
    await app.getByText(/^Saves /).waitFor()
    const week = table('Forecast by week').locator('tbody tr', { hasText: 'Stock runs out' })
    await week.getByText(`Expedite ${late.poNumber}`, { exact: true }).waitFor()
    const forecast = await get<VariantForecast>(`/variants/${numberOf(first)}/forecast`)
    t.match(forecast.gaps, [{ locationId: null, nextArrivalOn: dayFromToday(40) }])
    await app.getByRole('link', { name: late.poNumber }).first().waitFor()
  })

  await t.test('overstock shows the money in stock, and a choice of days stays in the address', async (t) => {
    await visit(tab, '/reports/overstock')
    const row = table('Overstock').locator('tbody tr', { hasText: third.title })
    await row.getByText(/Mark down .* piece/).waitFor()
    await button('365 days').click()
    await expectSoon(t, async () => /days=365/.test(page.url()), true, 'the address has the days')
    await row.getByText(/Mark down .* piece/).waitFor()
  })

  await t.test('the link of a gap opens an order of the missing pieces', async (t) => {
    const number = third.variants[0]?.variantId.replace(/.*\//, '')
    await visit(tab, `/purchase-orders/new?supplierId=${supplierId}&variantId=${number}&quantity=7`)
    await expectSoon(t, () => app.getByLabel(`Quantity of ${third.title}`).inputValue(), '7')
    await button('Save draft').click()
    await app.getByRole('heading', { name: /^PO-/, level: 1 }).waitFor()
    await table('Lines').getByRole('row', { name: third.title }).getByText('7', { exact: true }).waitFor()
  })

  await t.test('lost sales show the days without stock', async () => {
    await visit(tab, '/reports/lost-sales')
    const row = table('Lost sales').locator('tbody tr', { hasText: first.title })
    await row.getByText('2 of 90 days').waitFor()
    await button('30 days').click()
    await row.getByText('2 of 30 days').waitFor()
  })

  await t.test('the calendar has overdue orders first, and turns by week and month', async (t) => {
    await visit(tab, '/reports/arrivals')
    const overdueRow = table('Overdue arrivals').locator('tbody tr').first()
    await overdueRow.getByRole('link', { name: overdue.poNumber }).waitFor()
    const calendar = app.getByRole('list', { name: 'Arrivals by day', exact: true })
    const day = (days: number) =>
      calendar.locator('> li', {
        hasText: new Intl.DateTimeFormat('en-GB', { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(
          new Date(`${dayFromToday(days)}T00:00:00Z`),
        ),
      })
    await button('Month').click()
    await calendar.getByRole('link', { name: today.poNumber }).waitFor()
    await visit(tab, `/reports/arrivals?day=${dayFromToday(33)}`)
    await app.getByText('Nothing arrives in this week').waitFor()
    const answer = Promise.withResolvers<void>()
    t.teardown(() => answer.resolve())
    await page.route('**/api/reports/arrivals?*', async (route) => {
      await answer.promise
      await route.continue()
    })
    const heading = () => app.getByRole('heading', { level: 2 }).allTextContents()
    const before = await heading()
    await button('Next week').click()
    await until(async () => (await heading()).join() !== before.join(), 'the heading has the next week')
    await expectSoon(t, () => app.getByText('Nothing arrives in this week').count(), 0, 'it is not known yet')
    answer.resolve()
    await day(40).getByRole('link', { name: late.poNumber }).waitFor()
    await expectSoon(t, () => calendar.locator('> li').count(), 7)
  })

  await t.test('open-to-buy has the orders of the month and the need of the forecast', async () => {
    await visit(tab, '/reports/open-to-buy')
    const months = table('Open to buy').locator('tbody tr')
    await months.nth(2).getByText('60,000.00').first().waitFor()
    await send('POST', '/buying-budgets', {
      ...{ name: 'Of this month', month: dayFromToday(0).slice(0, 7), amount: 71_000 },
    })
    await page.reload()
    await months.nth(2).getByText('71,000.00').first().waitFor()
  })

  await t.test('a link from a gap begins a transfer with its locations, product and quantity', async (t) => {
    const [from, to] = await get<{ locationId: string; name: string }[]>('/locations')
    if (!from || !to) throw new Error('The shop has two locations')
    const start = new URLSearchParams({ from: from.locationId, to: to.locationId, quantity: '7' })
    // in quotes, as a link has it: the number may exceed the safe integers
    await visit(tab, `/transfers/new?${start}&variantId=%22${numberOf(first)}%22`)
    await app.getByLabel(`Quantity of ${first.title}`).first().waitFor()
    await expectSoon(t, () => app.getByLabel(`Quantity of ${first.title}`).first().inputValue(), '7')
    await expectSoon(t, () => app.getByLabel('From', { exact: true }).first().inputValue(), from.name)
    await expectSoon(t, () => app.getByLabel('To', { exact: true }).first().inputValue(), to.name)
    await button('Save transfer').click()
    const transfers = async () => (await get<{ id: number }[]>('/stock-transfers')).length
    await expectSoon(t, transfers, 1, 'the transfer is saved')
  })

  await t.test('arrivals without a date are loaded in pages', async (t) => {
    // without a lead time
    const kiln = await send<{ id: number }>('POST', '/suppliers', { name: 'Kiln' })
    for (const { productId, title, variants } of [second, third]) {
      const { variantId, sku } = variants[0] ?? {}
      const { id } = await send<{ id: number }>('POST', '/purchase-orders', {
        supplierId: kiln.id,
        lineItems: [{ productId, variantId, sku, title, quantity: 1, costPrice: 4 }],
      })
      await send('POST', `/purchase-orders/${id}/send`)
    }
    await page.route(/\/api\/reports\/arrivals\?.*dated=false/, (route) =>
      route.continue({ url: route.request().url().replace('limit=50', 'limit=1') }),
    )
    await page.goto(`${adminUrl}/reports/arrivals`)
    const rows = table('Arrivals without a date').locator('tbody tr')
    await expectSoon(t, () => rows.count(), 1)
    await button('Load more').click()
    await expectSoon(t, () => rows.count(), 2)
  })
})
