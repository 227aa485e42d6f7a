import t from 'tap'
import type { StockLevel } from '../../shared/schemas/stock-levels.ts'
import type { StockMovement } from '../../shared/schemas/stock-movements.ts'
import { startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/processes.ts'

t.test('stock is found, put right, followed, and told to the platform', { timeout: 300_000 }, async (t) => {
  const { platform, shop, install, get, open } = await startAdmin(t)
  await install()
  const levels = await get<StockLevel[]>('/stock-levels')
  const level = levels.find(({ currentStock }) => currentStock > 0)
  if (!level) throw new Error('There is nothing in stock')
  const { variantId, locationId, title, sku, locationName, currentStock: before } = level
  const name = `${title} at ${locationName}`

  const here = async () => {
    const found = await get<StockLevel[]>(`/stock-levels?${new URLSearchParams({ search: sku, locationId })}`)
    return found.find((one) => one.variantId === variantId)?.currentStock
  }
  const there = () => shop.stockOf(variantId, locationId)
  const agreed = (pieces: number) =>
    until(async () => (await here()) === pieces && there() === pieces, `${pieces} here and there`)
  const moves = async () => {
    const found = await get<StockMovement[]>(
      `/stock-movements?${new URLSearchParams({ variantId, locationId })}`,
    )
    return found
      .filter(({ kind }) => kind !== 'platform')
      .map(({ kind, delta, reason }) => [kind, delta, reason])
  }

  const { page, app } = await open('/stock')
  const address = () => new URL(page.frames()[1]?.url() ?? '').searchParams
  const dialog = app.getByRole('dialog')
  const row = app.getByRole('row', { name: title }).filter({ hasText: locationName })
  const shown = (pieces: number) => row.getByText(String(pieces), { exact: true }).waitFor()
  const change = async (way: string, pieces: number, reason = '') => {
    await app.getByRole('button', { name: `Adjust ${name}` }).click()
    await dialog.getByText(way, { exact: true }).click()
    await dialog.getByLabel(/^How many/).fill(String(pieces))
    if (reason) await dialog.getByRole('button', { name: reason }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
  }

  await t.test('what is looked for stands in the address, and back leads out of it', async (t) => {
    await app.getByRole('row').nth(levels.length).waitFor()
    await app.getByLabel('Search').fill('no such thing')
    await app.getByText('Nothing like this').waitFor()
    await app.getByLabel('Search').fill(sku)
    await row.waitFor()
    await app.getByRole('combobox', { name: 'Location' }).click()
    await app.getByRole('option', { name: locationName }).click()
    await app.getByRole('row').nth(2).waitFor({ state: 'detached' })
    t.match(Object.fromEntries(address()), { search: sku, locationId })
    await page.goBack()
    await until(() => !address().has('locationId'), 'one step back')
    t.equal(address().get('search'), sku)
    await page.goBack()
    await app.getByRole('row').nth(levels.length).waitFor()
    t.equal(await app.getByLabel('Search').inputValue(), '')
  })

  await t.test('pieces are added with a reason: here, in the history and on the platform', async (t) => {
    await app.getByLabel('Search').fill(sku)
    await change('Add', 5, 'Found')
    await app.getByText(`${name}: ${before} → ${before + 5}.`).waitFor()
    await shown(before + 5)
    await agreed(before + 5)
    t.strictSame(await moves(), [['delta', 5, 'Found']])
    await row.getByText('on its way').waitFor({ state: 'detached' })
  })

  await t.test('and taken back, whatever was sold meanwhile', async (t) => {
    shop.adjustStock(variantId, locationId, -1)
    await until(async () => (await here()) === before + 4, 'the sale is known')
    await app.getByRole('button', { name: 'Undo' }).click()
    await app.getByText(`Undone: ${name} has ${before - 1}.`).waitFor()
    await agreed(before - 1)
    t.strictSame((await moves())[0], ['delta', -5, 'Undone: Found'])
    await shown(before - 1)
  })

  await t.test('more than there is is refused, and taken off only when that is meant', async (t) => {
    const answer = Promise.withResolvers<void>()
    await page.route('**/stock-levels/adjust', async (route) => {
      await answer.promise
      await route.continue()
    })
    await change('Take off', before + 1)
    await row.getByText('-2', { exact: true }).waitFor()
    answer.resolve()
    await dialog.getByText(`Is more than there is: ${before - 1}.`).waitFor()
    await row.getByText(String(before - 1), { exact: true }).waitFor()
    await page.unroute('**/stock-levels/adjust')
    t.equal(await here(), before - 1, 'nothing has moved')
    const allow = dialog.getByRole('button', { name: 'Allow below zero' })
    await dialog.getByLabel(/^How many/).fill(String(before + 2))
    await allow.waitFor({ state: 'detached' })
    await dialog.getByLabel(/^How many/).fill(String(before + 1))
    await dialog.getByRole('button', { name: 'Save' }).click()
    await allow.click()
    await dialog.waitFor({ state: 'detached' })
    await agreed(-2)
  })

  await t.test('a number from the shelf takes the place of the level', async (t) => {
    await change('Set to', 30, 'Correction')
    await app.getByText(`${name}: -2 → 30.`).waitFor()
    await agreed(30)
    t.strictSame((await moves())[0], ['set', 32, 'Correction'])
  })

  await t.test('all of it by keyboard, and the focus comes back', async (t) => {
    const button = app.getByRole('button', { name: `Adjust ${name}` })
    await button.press('Enter')
    await dialog.getByLabel('How many more').and(app.locator(':focus')).waitFor()
    await page.keyboard.type('3')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await button.and(app.locator(':focus')).waitFor()
    await agreed(33)
    t.strictSame((await moves())[0], ['delta', 3, ''])
  })

  await t.test('the history of the row says who did what and why', async (t) => {
    await app.getByRole('link', { name: `History of ${name}` }).click()
    await app.getByRole('heading', { name: 'Stock history' }).waitFor()
    const product = app.getByRole('textbox', { name: 'Product' })
    await until(async () => (await product.inputValue()) === title, 'the product is named')
    await app.getByRole('row', { name: /Set Correction \+32 -2 → 30 Person 1/ }).waitFor()
    await app.getByRole('combobox', { name: 'What' }).click()
    await app.getByRole('option', { name: 'Adjusted' }).click()
    await app.getByText('Correction').waitFor({ state: 'detached' })
    t.equal(await app.getByRole('row').count(), 5, 'four adjustments under the names of the columns')
    await app.getByRole('button', { name: 'All products' }).click()
    await app.getByRole('columnheader', { name: 'Product' }).waitFor()
    t.equal(address().get('kind'), 'delta')
    t.notOk(address().has('variantId'))
  })

  /** The platform's number is another one whenever it is told, until somebody gives up. */
  const failNextPush = async () => {
    const { nextRequest } = platform.faults
    platform.faults.set({ webhooks: [{ fault: 'drop', times: 1000 }] })
    platform.faults.nextRequest = (domain, document) => {
      if (document.includes('SetQuantities')) shop.adjustStock(variantId, locationId, 1)
      return nextRequest(domain, document)
    }
    await app.getByRole('link', { name: 'Stock', exact: true }).first().click()
    await app.getByLabel('Search').fill(sku)
    await row.waitFor()
    const now = (await here()) ?? 0
    await change('Set to', now + 10)
    await app.getByText('1 change of stock has not reached your shop').waitFor()
    platform.faults.nextRequest = nextRequest
    platform.faults.set({ webhooks: [] })
    await app.getByRole('link', { name: 'Decide what to do' }).click()
    await app.getByText('kept changing').waitFor()
  }

  await t.test('a change that the platform did not take is told again', async (t) => {
    await failNextPush()
    await app.getByRole('row', { name: `+10 ${name}` }).waitFor()
    await app.getByRole('button', { name: 'Try again' }).click()
    await app.getByText('Nothing is on its way').waitFor()
    const pieces = (await here()) ?? 0
    t.ok(pieces >= 43)
    await agreed(pieces)
  })

  await t.test('or discarded: our level is the platform’s again', async (t) => {
    await failNextPush()
    const pieces = there()
    await app.getByRole('button', { name: 'Discard' }).click()
    await dialog.getByText('-10').waitFor()
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await app.getByText('Nothing is on its way').waitFor()
    await agreed(pieces ?? 0)
    t.strictSame((await moves())[0]?.slice(0, 2), ['discard', -10])
  })
})
