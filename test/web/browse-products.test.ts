import t, { type Test } from 'tap'
import type { PurchaseOrder } from '../../shared/schemas/purchase-orders.ts'
import { expectSoon, goTo, startAdmin } from '../support/core/admin.ts'
import { findViolations } from '../support/core/axe.ts'

type Product = { title: string; vendor: string; variants: { variantId: string }[] }
type Suggestion = { variantId: string; suggestedQuantity: number }

t.test('many products are added at once', async (t) => {
  const { install, get, send, open, simulatorUrl } = await startAdmin(t)
  await install()
  const products = await get<Product[]>('/products')
  const titles = products.map(({ title }) => title)
  const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', { name: 'Northgate' })
  await send('POST', '/suppliers', { name: 'Kiln' })
  const tab = await open(`/suppliers/${supplierId}`)
  const { page, app } = tab
  // three products of the supplier and one of no supplier are low
  for (const [at, { variants }] of products.slice(0, 4).entries()) {
    await send('POST', '/reorder/rules', {
      variantId: variants[0]?.variantId,
      reorderPoint: 100_000,
      reorderQuantity: 10 + at,
      supplierId: at < 3 ? supplierId : null,
    })
  }
  const suggestions = await get<Suggestion[]>('/reorder/suggestions')
  const suggestedOf = (at: number) =>
    suggestions.find(({ variantId }) => variantId === products[at]?.variants[0]?.variantId)?.suggestedQuantity
  // without those that a busy API refuses, and the page repeats
  const answered: string[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (response.ok() && /^\/api\/(variants|products)$/.test(pathname)) answered.push(pathname)
  })
  const dialog = app.getByRole('dialog', { name: 'Browse products' })
  const boxes = dialog.getByRole('checkbox')
  const linesOf = async (id: number) =>
    (await get<PurchaseOrder>(`/purchase-orders/${id}`)).lineItems.map(({ title, quantity }) => [
      title,
      quantity,
    ])

  const holdVariants = async (t: Test) => {
    const answer = Promise.withResolvers<void>()
    t.teardown(() => answer.resolve())
    await page.route('**/api/variants?*', async (route) => {
      await answer.promise
      await route.continue()
    })
    return answer
  }

  await t.test('the list shows picture, stock and speed of sale', async (t) => {
    await app.getByRole('link', { name: 'Create an order' }).first().click()
    await app.getByRole('button', { name: 'Browse products' }).click()
    await expectSoon(t, () => boxes.count(), 6)
    const pictures = dialog.locator('li img')
    // one of five products has none
    await expectSoon(t, () => pictures.count(), 5)
    // the content security policy allows the pictures of the platform
    const areLoaded = () =>
      pictures.evaluateAll((images) => images.every((image) => (image as HTMLImageElement).naturalWidth > 0))
    await expectSoon(t, areLoaded, true, 'the pictures are shown')
    const address = new URL((await pictures.first().getAttribute('src')) ?? '')
    t.equal(address.origin, simulatorUrl)
    t.equal(address.searchParams.get('width'), '120')
    await expectSoon(t, () => pictures.first().getAttribute('loading'), 'lazy')
    const text = async () => (await dialog.locator('li').first().textContent()) ?? ''
    await expectSoon(t, async () => /\d in stock/.test(await text()), true)
    const low = `low, ${suggestedOf(0)?.toLocaleString('en')} suggested`
    await expectSoon(t, async () => (await text()).includes(low), true)
    await expectSoon(t, () => findViolations(tab), [])
  })

  await t.test('products are found, ticked by keys, and added together', async (t) => {
    await dialog.getByLabel('Search').fill(titles[5] ?? '')
    await expectSoon(t, () => boxes.count(), 1)
    await boxes.first().press('Space')
    await dialog.getByLabel(`Quantity of ${titles[5]}`).fill('7')
    await dialog.getByLabel('Search').fill('')
    await expectSoon(t, () => boxes.count(), 6)
    await expectSoon(t, () => boxes.nth(5).isChecked(), true, 'what is ticked stays ticked')
    await boxes.nth(0).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.keyboard.press('Escape')
    await dialog.getByText('2 products selected').waitFor()
    const leaving = app.getByRole('dialog', { name: 'Leave without adding?' })
    for (const close of [
      dialog.getByRole('button', { name: 'Cancel', exact: true }),
      dialog.locator('.mantine-Modal-close'),
    ]) {
      await close.click()
      await leaving.getByText('2 products selected and not added.').waitFor()
      await leaving.getByRole('button', { name: 'Keep choosing' }).click()
      await leaving.waitFor({ state: 'detached' })
      await dialog.getByText('2 products selected').waitFor()
    }
    const quantity = dialog.getByLabel(`Quantity of ${titles[1]}`)
    await expectSoon(t, () => quantity.inputValue(), String(suggestedOf(1)), 'as suggested')
    await quantity.fill('')
    await dialog.getByLabel('Search').fill(titles[5] ?? '')
    await expectSoon(t, () => boxes.count(), 1)
    await dialog
      .getByRole('status')
      .getByText(`2 products selected. Enter a quantity for ${titles[1]}.`)
      .waitFor()
    const add = dialog.getByRole('button', { name: 'Add 2 products' })
    await expectSoon(t, () => add.isDisabled(), true, 'a quantity is missing')
    await dialog.getByLabel('Search').fill('')
    await dialog.getByLabel(`Quantity of ${titles[1]}`).fill('3')
    await add.click()
    await dialog.waitFor({ state: 'detached' })
    await app.getByRole('button', { name: 'Save draft' }).click()
    await app.getByRole('heading', { name: 'PO-00001', level: 1 }).waitFor()
    t.strictSame(await linesOf(1), [
      [titles[5], 7],
      [titles[1], 3],
    ])
  })

  await t.test('all low products of the supplier come with their suggested quantities', async (t) => {
    await app.getByRole('link', { name: 'Edit' }).click()
    await app.getByLabel('Add a product').waitFor()
    const answer = await holdVariants(t)
    const choose = async (name: string) => {
      await app.getByRole('combobox', { name: 'Supplier' }).click()
      await app.getByRole('option', { name, exact: true }).click()
    }
    await app.getByRole('button', { name: 'Add low products' }).click()
    await app.getByRole('link', { name: /^Back to PO-/ }).click()
    await app.getByText('The lookup of low products is not answered yet, and will be lost.').waitFor()
    await app.getByRole('button', { name: 'Keep editing' }).click()
    await choose('Kiln')
    await expectSoon(t, () => app.getByRole('button', { name: 'Save', exact: true }).isEnabled(), true)
    const late = page.waitForResponse('**/api/variants?*')
    answer.resolve()
    await (await late).finished()
    await page.unroute('**/api/variants?*')
    await choose('Northgate')
    answered.length = 0
    await app.getByRole('button', { name: 'Add low products' }).click()
    await app.getByText('2 low products added').waitFor()
    t.strictSame(answered, ['/api/variants'], 'one request for all of them')
    await app.getByRole('button', { name: 'Save', exact: true }).click()
    await app.getByRole('heading', { name: 'PO-00001', level: 1, exact: true }).waitFor()
    t.strictSame(
      await linesOf(1),
      [
        [titles[5], 7],
        [titles[1], 3],
        [titles[0], suggestedOf(0)],
        [titles[2], suggestedOf(2)],
      ],
      'the line that was there keeps its quantity',
    )
  })

  await t.test('on a phone a transfer takes all low products by vendor', async (t) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await goTo(app, 'Transfers')
    await app.getByRole('link', { name: 'Create a transfer' }).first().click()
    await app.getByRole('button', { name: 'Browse products' }).click()
    await dialog.getByRole('combobox', { name: 'Stock' }).click()
    await app.getByRole('option', { name: 'Low stock' }).click()
    await expectSoon(t, () => boxes.count(), 4)
    await dialog.getByRole('combobox', { name: 'Vendor' }).fill(products[0]?.vendor ?? '')
    await app.getByRole('option', { name: products[0]?.vendor ?? '', exact: true }).click()
    const ofVendor = products.slice(0, 4).filter(({ vendor }) => vendor === products[0]?.vendor)
    await expectSoon(t, () => boxes.count(), ofVendor.length)
    const answer = await holdVariants(t)
    await boxes.first().check()
    const late = page.waitForResponse('**/api/variants?*')
    await dialog.getByRole('button', { name: 'Select all' }).click()
    await dialog.getByRole('button', { name: 'Clear' }).click()
    answer.resolve()
    await (await late).finished()
    await dialog.getByText('Tick the products to add.').waitFor()
    await dialog.getByRole('button', { name: 'Select all' }).click()
    await expectSoon(t, () => findViolations(tab), [])
    const width = async () => page.frames()[1]?.evaluate(() => document.documentElement.scrollWidth)
    await expectSoon(t, width, 360, 'nothing overflows')
    await dialog.getByRole('button', { name: /^Add \d product/ }).click()
    const quantities = () =>
      app
        .getByLabel(/^Quantity of/)
        .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value))
    await expectSoon(t, quantities, Array(ofVendor.length).fill('1'), 'a suggestion is a quantity to buy')
    await app.getByRole('button', { name: 'Browse products' }).click()
    await expectSoon(t, () => boxes.count(), 6)
    await dialog.getByRole('button', { name: 'Select all' }).click()
    const others = 6 - ofVendor.length
    await dialog.getByRole('button', { name: new RegExp(`^Add ${others} product`) }).click()
    await expectSoon(t, quantities, Array(6).fill('1'), 'all but those on the form are added')
  })
})
