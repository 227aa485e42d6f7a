import t from 'tap'
import { sql } from '../../shared/db/db.ts'
import { recomputeSalesVelocity } from '../../shared/domain/ledgers/sales/velocity.ts'
import { enqueue } from '../../shared/queue/enqueue.ts'
import { jobs } from '../../shared/queue/jobs.ts'
import type { VariantForecast } from '../../shared/schemas/forecasts.ts'
import type { ProductListItem } from '../../shared/schemas/products.ts'
import type { ReorderRule } from '../../shared/schemas/reorder-rules.ts'
import { expectSoon, startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'
import { visit } from '../support/web/page-tour.ts'

t.test('a merchant reads and corrects the forecast', async (t) => {
  const admin = await startAdmin(t)
  await admin.install()
  const { db, get, open, send } = admin
  const { id: shopId } = await db.one(sql.typeAlias('id')`select id from shop limit 1`)
  const [product] = await get<ProductListItem[]>('/products?limit=1')
  const variant = product?.variants[0]
  if (!product || !variant) throw new Error('The shop has a product')
  const number = variant.variantId.split('/').at(-1)
  const tab = await open(`/variants/${number}`)
  const { app, page } = tab
  const button = (name: string) => app.getByRole('button', { name, exact: true })

  await t.test('without sales the pages say what the forecast needs', async () => {
    await app.getByText('The forecast needs four weeks of sales').waitFor()
    await visit(tab, '/reports/forecast-accuracy')
    await app.getByText('The forecast needs four weeks of sales').waitFor()
  })

  await db.query(sql.typeAlias('void')`
    insert into sale (shop_id, order_gid, line_gid, variant_gid, quantity, cancelled, ordered_at)
    select ${shopId}, 'w' || week, 'w' || week, ${variant.variantId}, 14, 0,
      date_trunc('week', now()) - week * interval '7 days' + interval '60 hours'
    from generate_series(1, 40) as week
  `)
  await db.query(sql.typeAlias('void')`
    insert into sales_reading (shop_id, known_since) values (${shopId}, now() - interval '300 days')
    on conflict (shop_id) do update set known_since = excluded.known_since
  `)
  await recomputeSalesVelocity(db, shopId, { isWhole: true })
  await enqueue(db, jobs.rollUpDemand, { shopId })
  const forecastPath = `/variants/${number}/forecast`
  const forecast = () => get<VariantForecast>(forecastPath)
  await until(async () => (await forecast()).model !== null, 'the worker has made the forecast')

  await t.test('the product page shows the forecast as sentence, chart and table', async (t) => {
    await page.goto(`${admin.adminUrl}/variants/${number}`)
    await app.getByText('in four weeks from this Monday on').waitFor()
    const lasts = app.getByText(/Stock runs out on|Stock and orders last/)
    await lasts.first().waitFor()
    await app.locator('[role="img"] .recharts-line path').first().waitFor({ state: 'attached' })
    const rows = app.getByRole('table', { name: 'Forecast by week', exact: true }).locator('tbody tr')
    await expectSoon(t, () => rows.count(), 26)
    await app.getByText(/^The forecast (continues|repeats) /).waitFor()
  })

  await t.test('numbers that the worker computes arrive on the open page', async () => {
    await send('POST', '/reorder/rules', { variantId: variant.variantId, mode: 'auto' })
    const isComputed = async () => (await get<ReorderRule[]>('/reorder/rules'))[0]?.computedAt !== null
    await until(isComputed, 'the worker has computed the rule')
    const compute = (isDone: boolean) =>
      db.query(sql.typeAlias('void')`
        with rule as (
          update reorder_rule set computed_at = ${isDone ? sql.fragment`now()` : sql.fragment`null`}
          where shop_id = ${shopId}
        )
        update variant_forecast set is_stale = ${!isDone} where shop_id = ${shopId}
      `)
    await compute(false)
    await page.reload()
    await app.getByText('The forecast is being computed again.').waitFor()
    await app.getByText('Computing …').first().waitFor()
    await compute(true)
    await app.getByText('The forecast is being computed again.').waitFor({ state: 'detached' })
    await app.getByText('Computing …').first().waitFor({ state: 'detached' })
    const isSavedAt = (minutesAgo: number) =>
      db.query(sql.typeAlias('void')`
        update reorder_rule
        set computed_at = null, inputs = null, updated_at = now() - ${minutesAgo} * interval '1 minute'
        where shop_id = ${shopId}
      `)
    await isSavedAt(0)
    await page.reload()
    await app.getByText('Computing …').first().waitFor()
    await isSavedAt(3)
    await app.getByText('Not computed yet. A product needs 7 days of known sales.').waitFor()
    await app.getByText('Computing …').first().waitFor({ state: 'detached' })
  })

  await t.test('a number entered by hand replaces it and is taken back', async (t) => {
    await button('Enter weekly sales').press('Enter')
    await app.getByLabel('Pieces sold in a week').and(app.locator(':focus')).waitFor()
    await button('Cancel').press('Enter')
    await button('Enter weekly sales').and(app.locator(':focus')).press('Enter')
    await app.getByLabel('Pieces sold in a week').fill('50')
    await button('Save forecast').click()
    await app.getByText('Entered by hand', { exact: true }).waitFor()
    await app.getByText('200 pieces').waitFor()
    t.match(await forecast(), { model: 'manual', unitsPerWeek: 50 })
    // a colleague enters another number while the form is open
    await button('Enter weekly sales').click()
    await app.getByLabel('Pieces sold in a week').fill('80')
    await send('PUT', forecastPath, { unitsPerWeek: 60 })
    await button('Save forecast').click()
    await app.getByText('Pieces sold in a week: 60', { exact: true }).waitFor()
    await app.getByLabel('Pieces sold in a week').fill('')
    await button('Overwrite with mine').waitFor({ state: 'hidden' })
    await button('Use theirs').click()
    await app.getByText('240 pieces').waitFor()
    await app.getByText(/Reload|This forecast was changed/).waitFor({ state: 'hidden' })
    await button('Use the computed forecast').click()
    await app.getByText('Entered by hand', { exact: true }).waitFor({ state: 'detached' })
    t.equal((await forecast()).unitsPerWeek, null)
  })

  await t.test('an event is added, edited and deleted, and changes the forecast', async (t) => {
    const [, , { week = '', units: before = 0 } = {}] = (await forecast()).weeks
    const sunday = new Date(Date.parse(week) + 6 * 86_400_000).toISOString().slice(0, 10)
    await visit(tab, '/demand-events')
    await app.getByText('No events yet').waitFor()
    await button('Create an event').first().click()
    await button('Save event').click()
    await app.getByText('Choose the first day.').waitFor()
    await app.getByLabel('Name').fill('Spring fair')
    await app.getByLabel('Sales compared with usual (factor)').fill('2')
    await app.getByLabel('First day').fill(sunday)
    await app.getByLabel('Last day').fill(week)
    await button('Save event').click()
    await app.getByText('The last day must not be before the first.').waitFor()
    await app.getByLabel('First day').fill(week)
    await app.getByLabel('Last day').fill(sunday)
    await button('Save event').click()
    await app.getByRole('table', { name: 'Events' }).getByText('2 × usual').waitFor()
    const factor = async () => Math.round(((await forecast()).weeks[2]?.units ?? 0) * (100 / before)) / 100
    const expectUnits = (expected: number) => expectSoon(t, factor, expected)
    await expectUnits(2)
    // another user changes it while the dialog is open
    await button('Edit Spring fair').click()
    const [{ id = 0 } = {}] = await get<{ id: number }[]>('/demand-events')
    await admin.send('PUT', `/demand-events/${id}`, { factor: 4 })
    await app.getByLabel('Sales compared with usual (factor)').fill('3.5')
    await button('Save event').click()
    await app.getByText('This event was changed since you opened it').waitFor()
    await app.getByText('Sales: 4 × usual').waitFor()
    await button('Overwrite with mine').click()
    await app.getByText('3.5 × usual').waitFor()
    await expectUnits(3.5)
    // the answer about this event must not close or fill the dialog of another one
    const fair = { name: 'Autumn fair', kind: 'event', scope: 'shop', factor: 2 }
    await send('POST', '/demand-events', { ...fair, startsOn: week, endsOn: week })
    await page.reload()
    const answer = Promise.withResolvers<void>()
    const removing = '**/api/demand-events/*'
    await page.route(removing, async (route) => {
      await answer.promise
      await route.fulfill({ status: 409, json: { error: { code: 'conflict', message: 'Refused.' } } })
    })
    await button('Delete Spring fair').click()
    await button('Delete the event').click()
    await expectSoon(t, () => button('Keep the event').isDisabled(), true)
    await app.locator('body').press('Escape')
    answer.resolve()
    await app.getByRole('dialog').getByText('Refused.').waitFor()
    await button('Keep the event').click()
    await page.unroute(removing)
    await button('Delete Autumn fair').click()
    await button('Delete the event').waitFor()
    await expectSoon(t, () => app.getByText('Refused.').count(), 0)
    await button('Delete the event').click()
    await button('Delete Autumn fair').waitFor({ state: 'detached' })
    await button('Delete Spring fair').click()
    await button('Delete the event').click()
    await app.getByText('No events yet').waitFor()
    await expectUnits(1)
  })

  await t.test('the report says in one sentence how wrong the forecasts were', async (t) => {
    await db.query(sql.typeAlias('void')`
      insert into forecast_week (shop_id, variant_id, week, units)
      select ${shopId}, id, date_trunc('week', now())::date - 28, 70
      from variant where shop_id = ${shopId} and gid = ${variant.variantId}
    `)
    await page.goto(`${admin.adminUrl}/reports/forecast-accuracy`)
    // 70 of 56
    const sentence = 'Last month’s forecasts were off by 25%: they expected 25% more than was sold.'
    await app.getByText(sentence).waitFor()
    const rows = app.getByRole('table', { name: 'Forecast accuracy by product' }).locator('tbody tr')
    await expectSoon(t, () => rows.count(), 1)
    await app.getByLabel('Search', { exact: true }).fill('no such product')
    await app.getByText('No results for “no such product”').waitFor()
    await app.getByText('0 products compared').waitFor()
    await button('Remove filter Search: no such product').click()
    await expectSoon(t, () => rows.count(), 1)
  })
})
