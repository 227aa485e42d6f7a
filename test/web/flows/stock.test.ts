import t from 'tap'
import type { StockLevel } from '../../../shared/schemas/stock-levels.ts'
import { expectSoon, startAdmin } from '../../support/core/admin.ts'
import { until } from '../../support/core/until.ts'
import { openStock } from '../../support/web/stock-page.ts'

t.test('stock is found, adjusted, tracked, and pushed to the platform', async (t) => {
  const admin = await startAdmin(t)
  const { shop, install, get } = admin
  await install()
  const stock = await openStock(admin)
  const { tab, dialog, row, level, name, appStock, untilBoth, moves, shown, findRow, change } = stock
  const { variantId, locationId, title, sku, currentStock: before } = level
  const { page, app } = tab
  const address = () => new URL(page.frames()[1]?.url() ?? '').searchParams

  await t.test('stock is added with a reason: in the app, the history and on the platform', async (t) => {
    await findRow()
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

  await t.test('a quantity can be set', async (t) => {
    await change('Set to', 30, 'Correction')
    await app.getByText(`${name}: -2 → 30.`).waitFor()
    await untilBoth(30)
    t.strictSame((await moves())[0], ['set', 32, 'Correction'])
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
    await app.getByRole('row', { name: /Set Correction \+32 -2 → 30 User 1/ }).waitFor()
    await app.getByRole('combobox', { name: 'Change type' }).click()
    await app.getByRole('option', { name: 'Adjusted' }).click()
    await app.getByText('Correction').waitFor({ state: 'detached' })
    const history = app.getByRole('table', { name: 'Stock history' })
    await expectSoon(t, () => history.getByRole('row').count(), 5, 'four adjustments and the header')
    await app.getByRole('table', { name: 'Stock now' }).getByText('33', { exact: true }).first().waitFor()
    await app.getByRole('button', { name: 'All products' }).click()
    await app.getByRole('columnheader', { name: 'Product' }).waitFor()
    const filters = async () => [address().get('kind'), address().has('variantId')]
    await expectSoon(t, filters, ['delta', false])
    await app.getByLabel('From', { exact: true }).fill('2099-06-06')
    await app.getByText('No stock changes match these filters').waitFor()
    await app.getByLabel('To', { exact: true }).fill('2020-06-06')
    await app.getByText('The end date must not be before the start date.').waitFor()
    await history.getByRole('row').nth(3).waitFor()
  })
})
