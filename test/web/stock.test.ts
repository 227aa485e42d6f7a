import t from 'tap'
import type { StockLevel } from '../../shared/schemas/stock-levels.ts'
import type { StockMovement } from '../../shared/schemas/stock-movements.ts'
import { expectSoon, goTo, startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'

t.test('stock is found, adjusted, tracked, and pushed to the platform', async (t) => {
  const { platform, shop, install, get, open } = await startAdmin(t)
  await install()
  const levels = await get<StockLevel[]>('/stock-levels')
  const level = levels.find(({ currentStock }) => currentStock > 0)
  if (!level) throw new Error('No product is in stock')
  const { variantId, locationId, title, sku, locationName, currentStock: before } = level
  const name = `${title} at ${locationName}`

  const appStock = async () => {
    const results = await get<StockLevel[]>(
      `/stock-levels?${new URLSearchParams({ search: sku, locationId })}`,
    )
    return results.find((level) => level.variantId === variantId)?.currentStock
  }
  const platformStock = () => shop.stockOf(variantId, locationId)
  const untilBoth = (quantity: number) =>
    until(
      async () => (await appStock()) === quantity && platformStock() === quantity,
      `${quantity} in the app and on the platform`,
    )
  const moves = async () => {
    const results = await get<StockMovement[]>(
      `/stock-movements?${new URLSearchParams({ variantId, locationId })}`,
    )
    return results
      .filter(({ kind }) => kind !== 'platform')
      .map(({ kind, delta, reason }) => [kind, delta, reason])
  }

  const { page, app } = await open('/stock')
  const address = () => new URL(page.frames()[1]?.url() ?? '').searchParams
  const dialog = app.getByRole('dialog')
  const row = app.getByRole('row', { name: title }).filter({ hasText: locationName })
  /** The available quantity is the last number of the row. */
  const shown = (quantity: number) => row.getByText(String(quantity), { exact: true }).last().waitFor()
  const change = async (way: string, quantity: number, reason = '') => {
    await app.getByRole('button', { name: `Adjust ${name}` }).click()
    await dialog.getByText(way, { exact: true }).click()
    await dialog.getByLabel(/quantity/i).fill(String(quantity))
    if (reason) await dialog.getByRole('button', { name: reason }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
  }

  await t.test('the search text is in the address, and the back button clears it', async (t) => {
    await app.getByRole('row').nth(levels.length).waitFor()
    await app.getByRole('searchbox', { name: 'Search' }).fill('no such thing')
    await app.getByText('No results for').waitFor()
    await app.getByRole('searchbox', { name: 'Search' }).fill(sku)
    await row.waitFor()
    await app.getByRole('combobox', { name: 'Location' }).click()
    await app.getByRole('option', { name: locationName }).click()
    await app.getByRole('row').nth(2).waitFor({ state: 'detached' })
    const filters = async () => [address().get('search'), address().get('locationId')]
    await expectSoon(t, filters, [sku, locationId])
    await page.goBack()
    await until(() => !address().has('locationId'), 'the back button goes one step back')
    t.equal(address().get('search'), sku)
    await page.goBack()
    await app.getByRole('row').nth(levels.length).waitFor()
    await expectSoon(t, () => app.getByRole('searchbox', { name: 'Search' }).inputValue(), '')
  })

  await t.test('stock is added with a reason: in the app, the history and on the platform', async (t) => {
    await app.getByRole('searchbox', { name: 'Search' }).fill(sku)
    // the chip of the search moves the rows down
    await app.getByRole('button', { name: `Remove filter Search: ${sku}` }).waitFor()
    await change('Add', 5, 'Found')
    await app.getByText(`${name}: ${before} → ${before + 5}.`).waitFor()
    // the message with Undo does not end while the pointer is on it
    await app.getByRole('button', { name: 'Undo' }).hover()
    await shown(before + 5)
    await untilBoth(before + 5)
    t.strictSame(await moves(), [['delta', 5, 'Found']])
    await row.getByText('syncing').waitFor({ state: 'detached' })
  })

  await t.test('an adjustment is undone in spite of a sale in between', async (t) => {
    shop.adjustStock(variantId, locationId, -1)
    await until(async () => (await appStock()) === before + 4, 'the sale is applied')
    await app.getByRole('button', { name: 'Undo' }).click()
    await app.getByText(`Undone: ${name} has ${before - 1}.`).waitFor()
    await untilBoth(before - 1)
    t.strictSame((await moves())[0], ['delta', -5, 'Undone: Found'])
    await shown(before - 1)
  })

  await t.test('removing more than the stock is refused unless confirmed', async (t) => {
    const response = Promise.withResolvers<void>()
    // the list, too: the page reads it every 3 s while a row is being changed
    const ofLevels = /\/api\/stock-levels(\/adjust|\?.*)$/
    await page.route(ofLevels, async (route) => {
      await response.promise
      await route.continue()
    })
    await change('Remove', before + 1)
    await shown(-2)
    // the answer belongs to this dialog, which must not be closed for one of another level
    const cancel = dialog.getByRole('button', { name: 'Cancel' })
    await expectSoon(t, () => cancel.isDisabled(), true)
    await app.locator('body').press('Escape')
    await dialog.waitFor()
    response.resolve()
    await dialog.getByText(`Only ${before - 1} in stock.`, { exact: true }).waitFor()
    const result = `Removing ${before + 1} leaves -2 until you recount.`
    await dialog.getByText(`Only ${before - 1} in stock. ${result}`).waitFor()
    await shown(before - 1)
    await page.unroute(ofLevels)
    t.equal(await appStock(), before - 1, 'the stock is unchanged')
    const allow = dialog.getByRole('button', { name: 'Remove anyway' })
    await dialog.getByLabel(/quantity/i).fill(String(before + 2))
    await allow.waitFor({ state: 'detached' })
    await dialog.getByLabel(/quantity/i).fill(String(before + 1))
    await dialog.getByRole('button', { name: 'Save' }).click()
    await allow.click()
    await dialog.waitFor({ state: 'detached' })
    await untilBoth(-2)
  })

  await t.test('an adjustment whose answer was lost is not made again with another reason', async (t) => {
    let attempts = 0
    await page.route('**/stock-levels/adjust', async (route) => {
      attempts += 1
      // the limit is checked before the key: the first attempt may have worked
      if (attempts === 2) return route.fulfill({ status: 429 })
      await route.fetch()
      await route.abort()
    })
    await change('Add', 1)
    await dialog.getByText('There is no connection to Quartermaster.').waitFor()
    await page.unroute('**/stock-levels/adjust')
    await dialog.getByRole('button', { name: 'Found' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('An earlier save of this form was stored').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await shown(-1)
    await untilBoth(-1)
    t.strictSame((await moves())[0], ['delta', 1, ''])
  })

  await t.test('a quantity can be set', async (t) => {
    await change('Set to', 30, 'Correction')
    await app.getByText(`${name}: -1 → 30.`).waitFor()
    await untilBoth(30)
    t.strictSame((await moves())[0], ['set', 31, 'Correction'])
  })

  await t.test('what lies on the shelf is shown beside what can be sold, and can be set', async (t) => {
    const order = shop.placeOrder([{ variantId, locationId, quantity: 4 }])
    const cell = (column: string) => row.getByRole('cell').nth(columns.indexOf(column))
    const columns = ['Product', 'Location and bin', 'On hand', 'Committed', 'Available']
    await until(
      async () =>
        (await get<StockLevel[]>(`/stock-levels?${new URLSearchParams({ variantId, locationId })}`))[0]
          ?.committed === 4,
      'the sale is read',
    )
    await page.reload()
    await app.getByRole('searchbox', { name: 'Search' }).fill(sku)
    for (const [column, quantity] of [
      ['On hand', '30'],
      ['Committed', '4'],
      ['Available', '26'],
    ]) {
      await expectSoon(t, () => cell(column ?? '').innerText(), quantity ?? '', column)
    }
    await app.getByRole('button', { name: `Adjust ${name}` }).click()
    await dialog.getByText('Set to', { exact: true }).click()
    await dialog.getByLabel(/quantity/i).fill('29')
    await dialog.getByLabel(/Include committed and unavailable pieces/).check()
    await dialog.getByText('Available: 26 → 25, on hand: 29').waitFor()
    let attempts = 0
    await page.route('**/api/stock-levels/bulk', (route) => {
      attempts += 1
      if (attempts > 1) return route.continue()
      const error = { code: 'levels_not_read', message: 'The on-hand quantity is still being read.' }
      return route.fulfill({ status: 409, json: { success: false, error } })
    })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await app.getByText(`${name}: 26 → 25.`).waitFor()
    t.ok(attempts >= 2, 'the dialog waits for the reading of a sale')
    await page.unroute('**/api/stock-levels/bulk')
    await untilBoth(25)
    shop.fulfillOrder(order.id)
    await change('Set to', 30)
    await untilBoth(30)
  })

  await t.test('an adjustment works by keyboard, and the focus returns', async (t) => {
    const button = app.getByRole('button', { name: `Adjust ${name}` })
    await button.press('Enter')
    await dialog.getByLabel('Quantity to add').and(app.locator(':focus')).waitFor()
    await page.keyboard.type('3')
    await app.locator('html').click({ position: { x: 5, y: 5 }, force: true })
    await dialog.getByLabel('Quantity to add').press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await button.and(app.locator(':focus')).waitFor()
    await untilBoth(33)
    t.strictSame((await moves())[0], ['delta', 3, ''])
  })

  await t.test('the history of a level shows users, changes and reasons', async (t) => {
    await app.getByRole('link', { name: `History of ${name}` }).click()
    await app.getByRole('heading', { name: 'Stock history' }).waitFor()
    const product = app.getByRole('textbox', { name: 'Product' })
    await until(async () => (await product.inputValue()) === title, 'the product is named')
    await app.getByRole('button', { name: `Remove filter Product: ${title}` }).waitFor()
    await app.getByRole('row', { name: /Set Correction \+31 -1 → 30 User 1/ }).waitFor()
    await app.getByRole('combobox', { name: 'Change type' }).click()
    await app.getByRole('option', { name: 'Adjusted' }).click()
    await app.getByText('Correction').waitFor({ state: 'detached' })
    const history = app.getByRole('table', { name: 'Stock history' })
    await expectSoon(t, () => history.getByRole('row').count(), 6, 'five adjustments and the header')
    await app.getByRole('table', { name: 'Stock now' }).getByText('33', { exact: true }).first().waitFor()
    await app.getByRole('button', { name: 'All products' }).click()
    await app.getByRole('columnheader', { name: 'Product' }).waitFor()
    const filters = async () => [address().get('kind'), address().has('variantId')]
    await expectSoon(t, filters, ['delta', false])
    const from = app.getByLabel('From', { exact: true })
    const days = async () => [await from.inputValue(), address().get('startDate')]
    await from.pressSequentially('06062')
    await expectSoon(t, days, ['0002-06-06', null], 'a day that is typed in part does not filter')
    await history.getByRole('row').nth(4).waitFor()
    await from.fill('2099-06-06')
    await app.getByText('No stock changes match these filters').waitFor()
    await app.getByLabel('To', { exact: true }).fill('2020-06-06')
    await app.getByText('The end date must not be before the start date.').waitFor()
    await history.getByRole('row').nth(4).waitFor()
    await expectSoon(t, days, ['2099-06-06', '2099-06-06'])
  })

  /** Makes the platform's quantity change before every attempt, until the push fails. */
  const failNextPush = async () => {
    const { nextRequest } = platform.faults
    platform.faults.set({ webhooks: [{ fault: 'drop', times: 1000 }] })
    platform.faults.nextRequest = (domain, document) => {
      if (document.includes('SetQuantities')) shop.adjustStock(variantId, locationId, 1)
      return nextRequest(domain, document)
    }
    await goTo(app, 'Stock')
    // the history has a field of this name, too
    await app.getByRole('heading', { name: 'Stock', level: 1, exact: true }).waitFor()
    await app.getByRole('searchbox', { name: 'Search' }).fill(sku)
    await row.waitFor()
    // the page shows what it read last until it has read the failed pushes again
    await app.getByText('1 stock change didn’t sync').waitFor({ state: 'detached' })
    const now = (await appStock()) ?? 0
    await change('Set to', now + 10)
    await app.getByText('1 stock change didn’t sync').waitFor()
    platform.faults.nextRequest = nextRequest
    platform.faults.set({ webhooks: [] })
    await app.getByRole('link', { name: 'Retry or discard' }).click()
    await app.getByText('kept changing').waitFor()
  }

  await t.test('a failed push is retried', async (t) => {
    await failNextPush()
    await app.getByRole('row', { name: `+10 ${name}` }).waitFor()
    await app.getByRole('button', { name: 'Try again' }).click()
    await app.getByText('No changes waiting').waitFor()
    await until(
      async () => (await appStock()) === platformStock(),
      'one quantity in the app and on the platform',
    )
    t.ok(((await appStock()) ?? 0) >= 43)
  })

  await t.test('a failed push is discarded: our level equals the platform’s', async (t) => {
    await failNextPush()
    const quantity = platformStock()
    await app.getByRole('button', { name: 'Discard' }).click()
    await dialog.getByText('-10').waitFor()
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await app.getByText('No changes waiting').waitFor()
    await untilBoth(quantity ?? 0)
    t.strictSame((await moves())[0]?.slice(0, 2), ['discard', -10])
  })
})
