import t from 'tap'
import { sql } from '../../shared/db/db.ts'
import { expectSoon, goTo, openCounting, scan, startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'

t.test('a location is counted while it sells', async (t) => {
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

  const countedOf = async (id: string) =>
    (await newestCount()).items.find(({ variantId }) => variantId === id)?.countedQuantity

  await t.test('a count starts with all products, ready for the scanner', async (t) => {
    await app.getByText('No counts yet').waitFor()
    await app.getByRole('link', { name: 'Start a count' }).first().click()
    await app.getByRole('heading', { name: 'Start a count', level: 1 }).waitFor()
    await button('Start counting').click()
    await app.getByText('Choose a location.').waitFor()
    await app.getByRole('link', { name: 'Back to Counts' }).click()
    await startCount(tab, ['Add every product'])
    await app.getByText(`0 of ${products.length} counted`).waitFor()
    t.match(await newestCount(), { status: 'draft', itemCount: products.length })
    await app.getByLabel('Scan or type').and(app.locator(':focus')).waitFor()
  })

  await t.test('scans and typed numbers are saved during the count', async (t) => {
    await scan(tab, mug.barcode, 3)
    await app.getByRole('status').getByText(`${mug.title}: 3`).waitFor()
    await expectSoon(t, () => number(mug.title).inputValue(), '3')
    await scan(tab, mug.sku.toLowerCase())
    await number(bowl.title).fill(String(bowl.stock + 2))
    await number(bowl.title).press('Enter')
    await app.getByLabel('Scan or type').and(app.locator(':focus')).waitFor()
    await app.getByText(`2 of ${products.length} counted`).waitFor()
    await saved()
    await expectSoon(t, () => countedOf(mug.variantId), 4)
    await expectSoon(t, () => countedOf(bowl.variantId), bowl.stock + 2)
    t.equal(await countedOf(plate.variantId), null)
  })

  await t.test('the late answer of added products does not bring old numbers back', async (t) => {
    const adding = '**/api/stock-counts/*/add-products'
    await page.route(adding, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await button('Add all products at this location').click()
    await app.getByText('There is no connection to Quartermaster.').first().waitFor()
    await page.unroute(adding)
    await scan(tab, mug.barcode, 2)
    await expectSoon(t, () => countedOf(mug.variantId), 6)
    // then the page has nothing left to read
    const unread = app.getByRole('row', { name: mug.title }).getByText('—', { exact: true })
    await unread.first().waitFor({ state: 'detached' })
    await button('Add all products at this location').click()
    await app.getByText('Every product at this location is already in the count.').waitFor()
    await expectSoon(t, () => number(mug.title).inputValue(), '6')
    await number(mug.title).fill('4')
    await number(mug.title).press('Enter')
    await saved()
  })

  await t.test('uncounted products can be listed, and keep their position when counted', async (t) => {
    const choose = (name: string) =>
      app.getByRole('navigation', { name: 'Show' }).getByRole('link', { name }).click()
    await choose('Not counted yet')
    await number(mug.title).waitFor({ state: 'detached' })
    await number(plate.title).fill('7')
    await number(plate.title).fill('')
    await saved()
    await app.getByText(`2 of ${products.length} counted`).waitFor()
    await t.resolves(until(() => page.frames()[1]?.url().includes('show=open'), 'the address has the filter'))
    await choose('All')
    await number(mug.title).waitFor()
    await app.getByLabel('Search this count').fill(plate.sku)
    await number(mug.title).waitFor({ state: 'detached' })
    await app.getByLabel('Search this count').fill(mug.sku)
    await number(plate.title).waitFor({ state: 'detached' })
    // one step leaves the search, whatever was typed
    await page.goBack()
    for (const { title } of [mug, plate]) await number(title).waitFor()
  })

  await t.test('a counted number has thousands, and is never the beginning of another text', async (t) => {
    const field = number(plate.title)
    const type = async (text: string, key = 'Tab') => {
      await field.fill('')
      await field.pressSequentially(text)
      await field.press(key)
    }
    const countedPlates = () => countedOf(plate.variantId)
    for (const [text, key, quantity] of [
      ['1,000', 'Tab', 1000],
      ['2.000', 'Enter', 2000],
      ['3 000', 'Tab', 3000],
    ] as const) {
      await type(text, key)
      await expectSoon(t, () => field.inputValue(), String(quantity), `${text} and ${key}`)
      await expectSoon(t, countedPlates, quantity, `${text} is stored`)
    }
    for (const text of ['1.5', '12x', '-4']) {
      await field.click()
      await field.press('ControlOrMeta+a')
      await field.pressSequentially(text)
      await field.press('Tab')
      await app.getByText(`“${text}” is not a whole number.`).waitFor()
      await expectSoon(t, () => field.inputValue(), '3000', 'the number before it stays')
      await expectSoon(t, countedPlates, 3000)
    }
    await type('')
    await app.getByText('is not a whole number.').waitFor({ state: 'detached' })
    await expectSoon(t, countedPlates, null)
    await saved()
  })

  await t.test('a sale during the count is neither lost nor counted twice', async (t) => {
    admin.shop.placeOrder([{ variantId: mug.variantId, quantity: 2 }])
    await untilStock(mug.variantId, mug.stock - 2)
    await button('Review').first().click()
    await app.getByRole('heading', { name: /^Review count/ }).waitFor()
    const differences = app.getByRole('table', { name: 'Differences' })
    await differences
      .getByRole('row', { name: mug.title })
      .getByText(`-${mug.stock - 4}`)
      .waitFor()
    await differences.getByRole('row', { name: bowl.title }).getByText('+2').waitFor()
    await expectSoon(
      t,
      () => differences.getByRole('row').count(),
      3,
      'only products with a difference, and the header',
    )
    await button('Submit').click()
    const dialog = app.getByRole('dialog')
    await dialog.getByText(`2 pieces more, ${mug.stock - 4} pieces fewer`).waitFor()
    const { id } = await newestCount()
    const saveElsewhere = async (countedQuantity: number | null) => {
      const items = [{ variantId: plate.variantId, countedQuantity }]
      await admin.send('PUT', `/stock-counts/${id}`, { items, device: 'another scanner' })
      const isCompared = async () => {
        const { items } = await newestCount()
        return items.every(({ countedQuantity, readAt }) => countedQuantity === null || readAt !== null)
      }
      await until(isCompared, 'the worker has compared the number')
    }
    await saveElsewhere(plate.stock + 1)
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await app.getByText('The differences have changed since you saw them').waitFor()
    await dialog.waitFor({ state: 'detached' })
    const late = differences.getByRole('row', { name: plate.title })
    await late.getByText('+1').waitFor()
    t.match(await newestCount(), { status: 'draft' })
    await saveElsewhere(null)
    await button('Submit').click()
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await late.waitFor({ state: 'detached' })
    await dialog.waitFor({ state: 'detached' })
    await button('Submit').click()
    await dialog.getByText(`2 pieces more, ${mug.stock - 4} pieces fewer`).waitFor()
    t.match(await newestCount(), { status: 'draft' })
    await dialog.getByRole('button', { name: 'Submit' }).click()
    const moved = app.getByRole('table', { name: 'Stock changes' })
    await moved.getByRole('row', { name: mug.title }).getByText('2', { exact: true }).waitFor()
    await untilStock(mug.variantId, 4 - 2)
    await untilStock(bowl.variantId, bowl.stock + 2)
    await untilStock(plate.variantId, plate.stock)
    t.match(await newestCount(), { status: 'submitted' })
  })

  await t.test('a blind count hides expected quantities until counting is finished', async (t) => {
    await app.getByRole('link', { name: 'Back to Counts' }).click()
    await startCount(tab, ['Add every product', 'Count blind'])
    await number(plate.title).waitFor()
    const hides = async (when: string) => {
      await number(plate.title).waitFor()
      const table = app.getByRole('table', { name: 'Products' })
      const columns = () => table.getByRole('columnheader').allInnerTexts()
      await expectSoon(t, columns, ['Product', 'Counted'], when)
      const showsStock = async () => {
        const row = (await table.getByRole('row', { name: plate.title }).innerText()).replace(plate.title, '')
        return row.replace(plate.sku, '').includes(String(plate.stock))
      }
      await expectSoon(t, showsStock, false, when)
    }
    await hides('at the start')
    await number(plate.title).fill(String(plate.stock + 1))
    await saved()
    await hides('after a number')
    await app.getByRole('link', { name: 'Back to Counts' }).click()
    await app.getByRole('link', { name: '#2', exact: true }).click()
    await hides('after returning to it')
    t.match(await newestCount(), { blind: true, isHidden: true, items: [{ expectedQuantity: null }] })
    await app.getByRole('button', { name: 'More' }).first().click()
    await app.getByRole('menuitem', { name: 'Cancel the count' }).waitFor()
    await expectSoon(t, () => app.getByRole('menuitem', { name: 'Show expected quantities' }).count(), 0)
    await page.keyboard.press('Escape')
    await button('Finish counting').first().click()
    await app.getByRole('dialog').getByText('The review then shows what is expected').waitFor()
    await button('Finish').click()
    const differences = app.getByRole('table', { name: 'Differences' })
    await differences
      .getByRole('row', { name: plate.title })
      .getByText(String(plate.stock), { exact: true })
      .waitFor()
    t.match(await newestCount(), { phase: 'review', isHidden: false })
  })

  await t.test('a cancelled count changes no stock', async (t) => {
    await button('Cancel the count').click()
    const dialog = app.getByRole('dialog')
    await dialog.getByText('No stock changes').waitFor()
    t.match(await newestCount(), { status: 'draft' })
    await dialog.getByRole('button', { name: 'Cancel the count' }).click()
    await app.getByText('Cancelled', { exact: true }).first().waitFor()
    await untilStock(plate.variantId, plate.stock)
    await until(async () => (await newestCount()).status === 'cancelled', 'the count is cancelled')
    await app.getByRole('link', { name: 'Back to Counts' }).click()
    const row = app.getByRole('table', { name: 'Counts' }).getByRole('row', { name: '#2' })
    await row.getByText('Cancelled').waitFor()
    await row.getByText(location.name).waitFor()
    t.pass('the list shows the status')
  })

  await t.test('a count can be submitted while the shop does not answer', async (t) => {
    admin.platform.faults.set({ graphql: [{ fault: 'answer-503', times: 100_000 }] })
    await goTo(app, 'Counts')
    await startCount(tab, ['Add every product'])
    await app.getByRole('columnheader', { name: 'Expected' }).waitFor()
    await app.getByRole('button', { name: 'More' }).first().click()
    await app.getByRole('menuitem', { name: 'Count blind on this device' }).click()
    await app.getByRole('columnheader', { name: 'Expected' }).waitFor({ state: 'detached' })
    await app.getByRole('button', { name: 'More' }).first().click()
    await app.getByRole('menuitem', { name: 'Show expected quantities' }).click()
    await app.getByRole('columnheader', { name: 'Expected' }).waitFor()
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
