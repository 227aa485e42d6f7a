import t from 'tap'
import { sql } from '../../shared/db/db.ts'
import { expectSoon, goTo, openCounting, startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'

// a count from beginning to end: flows/counts-and-transfers.test.ts
t.test('counts are filtered, cancelled, and submitted without the shop', async (t) => {
  const admin = await startAdmin(t)
  await admin.install()
  const { location, products, untilStock, newestCount, startCount } = await openCounting(admin)
  const [mug, bowl, plate] = products
  if (!mug || !bowl || !plate) throw new Error('The shop has three products')
  const tab = await admin.open('/counts')
  const { page, app } = tab
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  const number = (title: string) => app.getByLabel(`Counted quantity of ${title}`, { exact: true })
  const saved = () => app.getByText('Saved', { exact: true }).waitFor()
  const choose = async (label: string, name: string) => {
    await app.getByRole('combobox', { name: label, exact: true }).click()
    await app.getByRole('option', { name, exact: true }).click()
  }

  await t.test('a sheet that matches nothing says so, and one since a day needs a day', async () => {
    await app.getByRole('link', { name: 'Start a count' }).first().click()
    await app.getByRole('heading', { name: 'Start a count', level: 1 }).waitFor()
    await button('Start counting').click()
    await app.getByText('Choose a location.').waitFor()
    await choose('Location', location.name)
    await app.getByLabel('Add every product').check()
    await choose('Stock that changed', 'Since a day')
    await button('Start counting').click()
    await app.getByText('Choose a day.').waitFor()
    await app.getByLabel('Changed since').fill('2099-01-01')
    await button('Start counting').click()
    await app.getByText('No product that is stocked at this location matches the filter.').waitFor()
  })

  await t.test('a sheet lists the bins that begin with a text', async (t) => {
    const at = { locationId: location.locationId }
    const bins = [
      { ...at, variantId: mug.variantId, bin: 'Rack 1-A10' },
      { ...at, variantId: bowl.variantId, bin: 'Rack 1-A2' },
      { ...at, variantId: plate.variantId, bin: 'Rack 2-A' },
    ]
    await admin.send('PUT', '/bins', { bins })
    await choose('Stock that changed', 'All stock, changed or not')
    await app.getByLabel('Bin', { exact: true }).fill('rack 1*')
    await button('Start counting').click()
    await number(mug.title).waitFor()
    await expectSoon(t, () => number(plate.title).count(), 0, 'only the products of the bins')
    const shown = async () => {
      const rows = await app.getByRole('row').allInnerTexts()
      return rows.flatMap((row) => /Rack 1-A\d+/.exec(row)?.[0] ?? [])
    }
    await expectSoon(t, shown, ['Rack 1-A2', 'Rack 1-A10'], 'in the order of bins')
    t.match(await newestCount(), { filter: { bin: 'rack 1*' }, itemCount: 2 })
  })

  await t.test('uncounted products can be listed, and keep their position when counted', async (t) => {
    const list = (name: string) =>
      app.getByRole('navigation', { name: 'Show' }).getByRole('link', { name }).click()
    await button('Add all products at this location').click()
    await app.getByText(`0 of ${products.length} counted`).waitFor()
    await number(mug.title).fill('4')
    await number(mug.title).press('Enter')
    await list('Not counted yet')
    await number(mug.title).waitFor({ state: 'detached' })
    await number(plate.title).fill('7')
    await number(plate.title).fill('')
    await number(plate.title).pressSequentially('1.5')
    await number(plate.title).press('Tab')
    await app.getByText('“1.5” is not a whole number.').waitFor()
    await expectSoon(t, () => number(plate.title).inputValue(), '', 'the number before it stays')
    await saved()
    await app.getByText(`1 of ${products.length} counted`).waitFor()
    await t.resolves(until(() => page.frames()[1]?.url().includes('show=open'), 'the address has the filter'))
    await list('All')
    await app.getByLabel('Search this count').fill(plate.sku)
    await number(mug.title).waitFor({ state: 'detached' })
    await app.getByLabel('Search this count').fill(mug.sku)
    await number(plate.title).waitFor({ state: 'detached' })
    // one step leaves the search, whatever was typed
    await page.goBack()
    for (const { title } of [mug, plate]) await number(title).waitFor()
  })

  await t.test('a cancelled count changes no stock', async (t) => {
    await app.getByRole('button', { name: 'More' }).first().click()
    await app.getByRole('menuitem', { name: 'Cancel the count' }).click()
    const dialog = app.getByRole('dialog')
    await dialog.getByText('No stock changes').waitFor()
    t.match(await newestCount(), { status: 'draft' })
    await dialog.getByRole('button', { name: 'Cancel the count' }).click()
    await app.getByText('Cancelled', { exact: true }).first().waitFor()
    await untilStock(mug.variantId, mug.stock)
    await until(async () => (await newestCount()).status === 'cancelled', 'the count is cancelled')
    await goTo(app, 'Counts')
    const { id } = await newestCount()
    const row = app.getByRole('table', { name: 'Counts' }).getByRole('row', { name: `#${id}` })
    await row.getByText('Cancelled').waitFor()
    await row.getByText(location.name).waitFor()
  })

  await t.test('a count can be submitted while the shop does not answer', async (t) => {
    admin.platform.faults.set({ graphql: [{ fault: 'answer-503', times: 100_000 }] })
    await startCount(tab, ['Add every product'])
    const expected = app.getByRole('columnheader', { name: 'Expected' })
    for (const [name, state] of [
      ['Count blind on this device', 'detached'],
      ['Show expected quantities', 'visible'],
    ] as const) {
      await app.getByRole('button', { name: 'More' }).first().click()
      await app.getByRole('menuitem', { name }).click()
      await expected.waitFor({ state })
    }
    await number(bowl.title).fill('5')
    await number(bowl.title).press('Enter')
    await saved()
    await button('Review').first().click()
    await app.getByText('Comparing 1 number with the stock in your shop').waitFor()
    await expectSoon(t, () => button('Submit').isDisabled(), true, 'the number is not compared yet')
    await expectSoon(t, () => button('Submit without comparing').count(), 0, 'only after two minutes')
    const { id } = await newestCount()
    // the page reads this before the two minutes are over
    await admin.db.query(sql.typeAlias('void')`
      update stock_count_item
      set entered_at = entered_at - interval '3 minutes', counted_at = now() - interval '115 seconds'
      where count_id = ${id} and counted_at is not null
    `)
    await app.getByText('Your shop does not answer').waitFor()
    await button('Submit without comparing').click()
    const dialog = app.getByRole('dialog')
    await dialog.getByText('1 number could not be compared').waitFor()
    t.match(await newestCount(), { status: 'draft' })
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await app.getByText(/1 number .* submitted while your shop did not answer/).waitFor()
    t.match(await newestCount(), { status: 'submitted', staleItemCount: 1 })
    admin.platform.faults.set({ graphql: [] })
    await untilStock(bowl.variantId, 5)
  })
})
