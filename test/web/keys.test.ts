import type { FrameLocator, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { addSupplier, expectSoon, goTo, startAdmin, writeOrder } from '../support/core/admin.ts'
import { findViolations } from '../support/core/axe.ts'

type Product = { title: string; variants: { variantId: string; sku: string; barcode: string }[] }

const fieldOf = (app: FrameLocator) =>
  app.getByRole('combobox', { name: 'Search pages, orders, suppliers and products' })
const headingOf = (app: FrameLocator, name: string | RegExp) => app.getByRole('heading', { name, level: 1 })
const isWide = (page: Page) =>
  page.frames()[1]?.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')

t.test('the merchant reaches pages and records by keyboard', async (t) => {
  const { install, get, open } = await startAdmin(t)
  await install()
  const [product] = await get<Product[]>('/products')
  const [variant] = product?.variants ?? []
  if (!product || !variant) throw new Error('The shop has no product')
  const tab = await open('/suppliers')
  const { app, page } = tab
  await addSupplier(tab, 'Tideline Textiles', 'orders@tideline.example.com')
  await writeOrder(tab, product.title, 10, '2.50')
  const field = fieldOf(app)
  const dialogs = app.getByRole('dialog')
  const openPalette = async () => {
    await page.keyboard.press('Control+k')
    // the field takes the focus a moment after it is shown, and keys before that are lost
    await field.and(app.locator(':focus')).waitFor()
  }
  const resultsAre = () =>
    app
      .getByRole('status')
      .filter({ hasText: /^\d+ results?$/ })
      .waitFor({ state: 'attached' })
  /** Opens the palette and types; the results are complete. */
  const search = async (text: string) => {
    await openPalette()
    await page.keyboard.type(text)
    await resultsAre()
  }
  const chosen = () => app.getByRole('option', { selected: true }).innerText()
  const isChosen = (t: Test, name: string, message?: string) =>
    expectSoon(t, async () => (await chosen()).includes(name), true, message ?? `${name} is chosen`)

  await t.test('it finds an order, a supplier and a product by keyboard alone', async (t) => {
    const finds: [text: string, group: string, heading: string | RegExp][] = [
      ['PO-00001', 'Purchase orders', 'PO-00001'],
      ['tideline tex', 'Suppliers', 'Tideline Textiles'],
      [variant.sku, 'Products', new RegExp(product.title)],
      [variant.barcode, 'Products', new RegExp(product.title)],
    ]
    for (const [text, group, heading] of finds) {
      await goTo(app, 'Reports')
      await search(text)
      const first = app.getByRole('group', { name: group, exact: true }).getByRole('option').first()
      await first.waitFor()
      const name = await first.innerText()
      for (let presses = 0; presses < 20 && (await chosen()) !== name; presses += 1) {
        await page.keyboard.press('ArrowDown')
      }
      await page.keyboard.press('Enter')
      await headingOf(app, heading).waitFor()
      await expectSoon(t, () => dialogs.count(), 0, `${text} closes the palette`)
    }
  })

  await t.test('a code and Enter without a pause lead to the product, as from a scanner', async () => {
    await goTo(app, 'Reports')
    await openPalette()
    await page.keyboard.type(variant.barcode)
    await page.keyboard.press('Enter')
    await headingOf(app, new RegExp(product.title)).waitFor()
  })

  await t.test('it finds pages and actions without the server, and Escape returns the focus', async (t) => {
    await search('stocktake')
    await isChosen(t, 'Start a count')
    await page.keyboard.press('Enter')
    await headingOf(app, 'Start a count').waitFor()
    await search('')
    await isChosen(t, 'Create an order')
    await page.keyboard.press('ArrowUp')
    await isChosen(t, 'Count accuracy', 'the list goes round')
    await page.keyboard.press('Escape')
    await dialogs.waitFor({ state: 'detached' })
    await headingOf(app, 'Start a count').waitFor()
  })

  await t.test('it says when nothing is found, and when the server does not answer', async () => {
    await search('zzzz-nothing')
    await app.getByText('No results for “zzzz-nothing”').waitFor()
    await page.route('**/api/suppliers?*', (route) => route.abort())
    await field.fill('tide')
    await app.getByText('Some results could not be loaded').waitFor()
    await page.unroute('**/api/suppliers?*')
    await page.keyboard.press('Escape')
    await dialogs.waitFor({ state: 'detached' })
  })

  await t.test('one request per kind follows a pause in typing', async (t) => {
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (searchParams.has('search')) asked.push(`${pathname} ${searchParams.get('search')}`)
    })
    await search('')
    // all keys at once, because a busy machine pauses between real ones
    await field.evaluate((input) => {
      const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
      for (const typed of ['t', 'ti', 'tid', 'tide', 'tidel']) {
        value?.set?.call(input, typed)
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }
    })
    await app.getByRole('group', { name: 'Suppliers', exact: true }).waitFor()
    await resultsAre()
    t.strictSame(asked.sort(), ['/api/products tidel', '/api/purchase-orders tidel', '/api/suppliers tidel'])
    await page.keyboard.press('Escape')
    await dialogs.waitFor({ state: 'detached' })
    page.removeAllListeners('request')
  })

  await t.test('keys lead to pages, and "?" lists them', async (t) => {
    // a slow second key begins anew, so the test does not wait for the answer to the first one
    const pressBoth = (...keys: [string, string]) => Promise.all(keys.map((key) => page.keyboard.press(key)))
    await app.getByRole('link', { name: 'Alerts', exact: true }).focus()
    await pressBoth('g', 'o')
    await headingOf(app, 'Purchase orders').waitFor()
    await pressBoth('n', 'c')
    await headingOf(app, 'Start a count').waitFor()
    await app.getByRole('link', { name: 'Alerts', exact: true }).focus()
    await page.keyboard.press('?')
    const dialog = app.getByRole('dialog', { name: 'Keys' })
    await dialog.waitFor()
    const list = /Create an order\s+N then O[\s\S]*Stock\s+G then S/
    await expectSoon(t, async () => list.test(await dialog.innerText()), true, 'the keys are listed')
    await expectSoon(t, () => findViolations(tab), [], 'the list of keys is accessible')
    await page.keyboard.type('go')
    await expectSoon(t, () => dialog.count(), 1, 'keys do nothing while a dialog is open')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  await t.test('keys do nothing while a field has the focus, except Ctrl-K', async (t) => {
    await goTo(app, 'Suppliers')
    await app.getByRole('link', { name: 'Create a supplier' }).first().click()
    const name = app.getByLabel('Name')
    await name.click()
    await page.keyboard.type('go ? nc')
    await expectSoon(t, () => name.inputValue(), 'go ? nc')
    await expectSoon(t, () => dialogs.count(), 0)
    await page.keyboard.press('Control+k')
    await field.waitFor()
    await expectSoon(t, () => name.inputValue(), 'go ? nc')
    await page.keyboard.press('Control+k')
    await dialogs.waitFor({ state: 'detached' })
    await expectSoon(
      t,
      () => name.evaluate((element) => element.matches(':focus')),
      true,
      'the focus is back',
    )
    await search('alerts')
    await page.keyboard.press('Enter')
    await app.getByText('Leave without saving?').waitFor()
    await app.getByRole('button', { name: 'Leave', exact: true }).click()
    await headingOf(app, 'Alerts').waitFor()
  })

  await t.test('the palette is accessible, on a desktop and on a phone', async (t) => {
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 })
      if (width === 360) {
        await app.getByRole('button', { name: 'Search' }).click()
        await field.waitFor()
        await expectSoon(
          t,
          () => field.evaluate((element) => element.matches(':focus')),
          true,
          'it has the focus',
        )
      } else await search('')
      await expectSoon(t, () => findViolations(tab), [], `all destinations at ${width} px`)
      await field.fill('t')
      await app.getByRole('group', { name: 'Suppliers', exact: true }).waitFor()
      await expectSoon(t, () => findViolations(tab), [], `results at ${width} px`)
      await expectSoon(t, async () => isWide(page), false, `nothing overflows at ${width} px`)
      await page.keyboard.press('Escape')
      await dialogs.waitFor({ state: 'detached' })
    }
  })
})
