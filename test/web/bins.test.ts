import t from 'tap'
import { sql } from '../../shared/db/db.ts'
import type { StockLevel } from '../../shared/schemas/stock-levels.ts'
import { expectSoon, startAdmin, type Tab } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'

type Product = {
  productId: string
  title: string
  variants: { variantId: string; sku: string; barcode: string }[]
}

/** Whether something makes the page wider than the window. */
const isTooWide = ({ page }: Tab) =>
  page.frames()[1]?.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')

/** Whether all of an element is in the window. */
const isInWindow = (element: Element) => {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= (element.ownerDocument.defaultView?.innerHeight ?? 0)
}

t.test('goods get bins in the admin', async (t) => {
  const { install, get, open, db } = await startAdmin(t)
  await install()
  const products = await get<Product[]>('/products')
  const [first, second] = products.flatMap(({ productId, title, variants }) =>
    variants.map((variant) => ({ ...variant, productId, title })),
  )
  const [source] = await get<{ locationId: string; name: string }[]>('/locations')
  if (!first || !second || !source) throw new Error('The shop has two products and a location')
  const binOf = async (variantId: string) => {
    const query = new URLSearchParams({ variantId, locationId: source.locationId })
    return (await get<StockLevel[]>(`/stock-levels?${query}`))[0]?.bin
  }
  const tab = await open('/stock')
  const { app, page } = tab
  const button = (name: string | RegExp) => app.getByRole('button', { name, exact: typeof name === 'string' })

  await t.test('a bin is edited in place: Enter saves it, Escape does not', async (t) => {
    const place = `${first.title} at ${source.name}`
    const field = app.getByRole('textbox', { name: `Bin of ${place}` })
    await button(`Add a bin of ${place}`).click()
    await field.fill('A10')
    await field.press('Enter')
    await button(`Change bin A10 of ${place}`).click()
    t.equal(await binOf(first.variantId), 'A10')
    await field.fill('Z99')
    await field.press('Escape')
    await button(`Change bin A10 of ${place}`).waitFor()
    t.equal(await binOf(first.variantId), 'A10')
  })

  await t.test('a bin that is typed while the one before is saved is saved next', async (t) => {
    const place = `${first.title} at ${source.name}`
    const field = app.getByRole('textbox', { name: `Bin of ${place}` })
    const answer = Promise.withResolvers<void>()
    t.teardown(() => answer.resolve())
    await page.route('**/api/bins', async (route) => {
      await answer.promise
      await route.continue()
    })
    await button(`Change bin A10 of ${place}`).click()
    await field.fill('A11')
    const sent = page.waitForRequest('**/api/bins')
    await field.press('Enter')
    await sent
    await field.fill('A10')
    await field.press('Tab')
    const late = page.waitForResponse('**/api/bins')
    answer.resolve()
    await (await late).finished()
    await button(`Change bin A10 of ${place}`).waitFor()
    await page.unroute('**/api/bins')
    const stored = () => binOf(first.variantId)
    await expectSoon(t, stored, 'A10')
  })

  await t.test('pasted rows are checked, then saved, and the list is in the order of bins', async (t) => {
    await app.getByRole('link', { name: 'Set bins' }).click()
    await app.getByLabel('Rows', { exact: true }).fill(`sku\tbin\n${second.sku}\tA2\nNO-SUCH-SKU\tA3`)
    await button('Check').click()
    await app.getByText('Is required, unless one location is chosen for all rows').waitFor()
    await app.getByRole('combobox', { name: 'Location of rows without one' }).click()
    await app.getByRole('option', { name: source.name }).click()
    await button('Check').click()
    await app.getByRole('cell', { name: 'Row 3' }).waitFor()
    const result = app.getByText('1 row: 1 bin to be saved, 0 to be removed.')
    const firstFile = Promise.withResolvers<void>()
    t.teardown(() => firstFile.resolve())
    await page.route('**/api/bins/import', async (route) => {
      if (route.request().postDataJSON().csv.includes('\0')) await firstFile.promise
      await route.continue()
    })
    const choose = async (text: string) => {
      const checked = page.waitForRequest('**/api/bins/import')
      const file = { name: 'bins.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
      await app.locator('input[type=file]').setInputFiles(file)
      await checked
    }
    await page.setViewportSize({ width: 1280, height: 600 })
    await choose(`sku\tbin\n${second.sku}\tA\0`)
    await choose(`sku\tbin\n${second.sku}\tA2`)
    await result.waitFor()
    const refused = page.waitForResponse((response) => response.status() === 400)
    const readAgain = page.waitForResponse('**/api/locations')
    firstFile.resolve()
    await Promise.all([refused, readAgain])
    const rows = app.getByLabel('Rows', { exact: true })
    const isInvalid = () => rows.getAttribute('aria-invalid')
    await expectSoon(t, isInvalid, null, 'the refusal of the first file is not shown below the second')
    await page.unroute('**/api/bins/import')
    await expectSoon(t, () => result.evaluate(isInWindow), true, 'the result scrolls into view')
    await page.setViewportSize({ width: 1280, height: 900 })

    const renameTo = (sku: string) =>
      db.query(sql.typeAlias('void')`
        update variant set sku = ${sku}
        where shop_id = (select id from shop) and gid = ${second.variantId}
      `)
    // the import meets another SKU, and the check that follows it the first one again
    await page.route('**/api/bins/import', async (route) => {
      await renameTo(route.request().postDataJSON().dryRun ? second.sku : 'RENAMED')
      await route.continue()
    })
    await button('Save bins').click()
    await app.getByText('The data changed after the check, so nothing was imported.').waitFor()
    await result.waitFor()
    t.not(await binOf(second.variantId), 'A2')
    await page.unroute('**/api/bins/import')
    const answer = Promise.withResolvers<void>()
    t.teardown(() => answer.resolve())
    await page.route('**/api/bins/import', async (route) => {
      await answer.promise
      await route.continue()
    })
    await button('Save bins').click()
    await expectSoon(t, () => rows.isDisabled(), true, 'nothing is pasted during the import')
    answer.resolve()
    await app.getByText('1 bin saved, 0 removed.').waitFor()
    await page.unroute('**/api/bins/import')
    t.equal(await binOf(second.variantId), 'A2')
    const firstRows = async () => {
      const rows = await app.getByRole('row').allInnerTexts()
      return rows.slice(1, 3).map((row) => [second, first].findIndex(({ title }) => row.includes(title)))
    }
    await expectSoon(t, firstRows, [0, 1], 'A2 before A10')
    await app.getByRole('button', { name: 'Sort: Bin', exact: true }).waitFor()
  })

  await t.test('stock and bins fit a phone', async (t) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await until(async () => !(await isTooWide(tab)), 'the stock list fits')
    await app.getByRole('link', { name: 'Set bins' }).click()
    await app.getByRole('heading', { name: 'Set bins' }).waitFor()
    await expectSoon(t, async () => isTooWide(tab), false, 'the page fits')
  })
})
