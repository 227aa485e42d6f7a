import { readFile } from 'node:fs/promises'
import t from 'tap'
import type { StockLevel } from '../../shared/schemas/stock-levels.ts'
import { expectSoon, goTo, startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'

t.test('stock is sorted, filtered, changed together and imported', async (t) => {
  const { shop, install, get, open } = await startAdmin(t)
  await install()
  const read = (query = '') => get<StockLevel[]>(`/stock-levels?limit=250${query}`)
  const [first, second] = (await read('&sort=title')).filter(({ currentStock }) => currentStock > 5)
  if (!first || !second) throw new Error('Two levels have stock')
  const nameOf = ({ title, locationName }: StockLevel) => `${title} at ${locationName}`
  const stockOf = async ({ variantId, locationId }: StockLevel) =>
    (await read(`&${new URLSearchParams({ variantId, locationId })}`))[0]?.currentStock
  const untilStock = (level: StockLevel, quantity: number) =>
    until(
      async () =>
        (await stockOf(level)) === quantity && shop.stockOf(level.variantId, level.locationId) === quantity,
      `${quantity} of ${nameOf(level)} in the app and on the platform`,
    )

  const { page, app } = await open('/stock')
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  const dialog = app.getByRole('dialog')
  const address = () => new URL(page.frames()[1]?.url() ?? '').searchParams
  const select = (level: StockLevel) =>
    app.getByRole('checkbox', { name: `Select ${nameOf(level)}`, exact: true }).check()
  /** The message with Undo does not end while the pointer is on it. */
  const keepMessage = () => button('Undo').hover()

  await t.test('the list is sorted by its heads and its menu, and has columns to choose', async (t) => {
    const total = (await read()).length
    await app.getByText(new RegExp(`^\\d+ of ${total}$`)).waitFor()
    await button('Product').click()
    await until(() => address().get('sort') === 'title', 'the sort is in the address')
    const firstRow = app.getByRole('row').nth(1)
    await firstRow.getByText(first.title).first().waitFor()
    await button('Columns').click()
    await app.getByRole('checkbox', { name: 'Unit cost' }).check()
    await app.getByRole('columnheader', { name: 'Unit cost' }).waitFor()
    await page.keyboard.press('Escape')
    t.equal(address().get('sort'), 'title')
  })

  await t.test('selected rows are adjusted together with a reason, and undone', async (t) => {
    const [a, b] = [first.currentStock, second.currentStock]
    await select(first)
    await select(second)
    await app.getByText('2 selected').waitFor()
    await button('Adjust by').click()
    await dialog.getByText('Remove', { exact: true }).click()
    await dialog.getByLabel('Quantity to remove from each').fill('3')
    await dialog.getByText(`${a} → ${a - 3}`).waitFor()
    await dialog.getByRole('button', { name: 'Damaged' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await app.getByText('2 stock levels changed: -6 pieces.').waitFor()
    await app.getByText('2 selected').waitFor({ state: 'detached' })
    await keepMessage()
    await untilStock(first, a - 3)
    await untilStock(second, b - 3)
    await button('Undo').click()
    await app.getByText('Undone: 2 stock levels changed back.').waitFor()
    await untilStock(first, a)
    await untilStock(second, b)
    const { variantId, locationId } = first
    const moves = await get<{ reason: string; delta: number }[]>(
      `/stock-movements?${new URLSearchParams({ variantId, locationId, limit: '2' })}`,
    )
    t.match(moves, [
      { delta: 3, reason: 'Undone: Damaged' },
      { delta: -3, reason: 'Damaged' },
    ])
  })

  await t.test('while a change is under way its form is locked, so that it applies once', async (t) => {
    const gate = Promise.withResolvers<void>()
    await page.route('**/api/stock-levels/adjust', async (route) => {
      await gate.promise
      return route.continue()
    })
    await select(first)
    await select(second)
    await button('Adjust by').click()
    const quantity = dialog.getByLabel('Quantity to add to each')
    await quantity.fill('1')
    await quantity.press('Enter')
    await expectSoon(t, () => quantity.isDisabled(), true)
    await expectSoon(t, () => dialog.getByRole('button', { name: 'Save' }).isDisabled(), true)
    gate.resolve()
    await app.getByText('2 stock levels changed: +2 pieces.').waitFor()
    await page.unroute('**/api/stock-levels/adjust')
    await keepMessage()
    await untilStock(first, first.currentStock + 1)
    await button('Undo').click()
    // the message of the last undo may still be shown
    await app.getByText('Undone: 2 stock levels changed back.').last().waitFor()
    await untilStock(first, first.currentStock)
    await untilStock(second, second.currentStock)
  })

  await t.test('a change below zero names its rows, and needs a second word', async (t) => {
    await page.reload()
    await select(first)
    await select(second)
    await button('Adjust by').click()
    await dialog.getByText('Remove', { exact: true }).click()
    const quantity = dialog.getByLabel('Quantity to remove from each')
    await quantity.fill(String(first.currentStock + 1))
    await quantity.press('Enter')
    await dialog.getByText(`Only ${first.currentStock} in stock.`).waitFor()
    await button('Change anyway').waitFor()
    await expectSoon(t, () => quantity.evaluate((field) => field === document.activeElement), true)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await app.getByText('2 selected').waitFor()
    t.equal(await stockOf(first), first.currentStock)
    t.equal(await stockOf(second), second.currentStock)
  })

  await t.test('selected rows are set together, and the list shows what is out of stock', async () => {
    await page.reload()
    await select(first)
    await select(second)
    await button('Set quantity').click()
    await dialog.getByLabel('New quantity of each').fill('0')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await app.getByText(/^2 stock levels changed: -[\d,]+ pieces\.$/).waitFor()
    await untilStock(first, 0)
    await app.getByRole('combobox', { name: 'Availability' }).click()
    await app.getByRole('option', { name: 'Out of stock' }).click()
    await button('Remove filter Availability: Out of stock').waitFor()
    const out = (await read('&stock=out')).length
    await expectSoon(t, () => app.getByRole('row').count(), out + 1, 'the rows and the head')
    await button('Clear all').click()
  })

  await t.test('a file is checked, shows old and new, is imported, and reverted', async (t) => {
    await app.getByRole('link', { name: 'Import stock' }).click()
    const rows = app.getByLabel('Rows', { exact: true })
    const lines = (...given: [StockLevel, string][]) =>
      [
        'SKU,Location,Quantity',
        ...given.map(([l, quantity]) => `${l.sku},${l.locationName},${quantity}`),
      ].join('\n')
    await rows.fill(`${lines([first, '12'], [second, 'many'])}\nNO-SUCH-SKU,${first.locationName},1`)
    await button('Check').click()
    await app.getByText('2 errors').waitFor()
    await app.getByText('Must be a whole number.').waitFor()
    await app.getByText('Unknown SKU "NO-SUCH-SKU".').waitFor()
    t.equal(await stockOf(first), 0)
    await rows.fill(lines([first, '12'], [second, '7']))
    await button('Check').click()
    await app.getByText('2 rows: 2 stock levels to change, +19 pieces.').waitFor()
    await app.getByText('0 → 12').waitFor()
    await app.getByRole('main').getByRole('button', { name: 'Import stock', exact: true }).click()
    await app.getByText('2 stock levels changed.').waitFor()
    await untilStock(first, 12)
    await untilStock(second, 7)
    await button('Revert stock import #1').click()
    await dialog.getByRole('button', { name: 'Revert import' }).click()
    await app.getByText('Reverted: 2 stock levels changed back.').waitFor()
    await untilStock(first, 0)
    await untilStock(second, 0)
    await app.getByText(/^Reverted .*\d{4}/).waitFor()
  })

  await t.test('the CSV of the stock is for people', async (t) => {
    await goTo(app, 'Stock')
    const [file] = await Promise.all([page.waitForEvent('download'), button('CSV').click()])
    t.match(file.suggestedFilename(), /^stock-\d{4}-\d{2}-\d{2}\.csv$/)
    t.match(await readFile(await file.path(), 'utf8'), /^\uFEFFSKU,Product,Barcode,Location,Bin,On hand,/)
  })
})
