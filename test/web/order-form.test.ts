import t from 'tap'
import type { ProductListItem } from '../../shared/schemas/products.ts'
import type { PurchaseOrder } from '../../shared/schemas/purchase-orders.ts'
import { expectSoon, startAdmin } from '../support/core/admin.ts'
import { findViolations } from '../support/core/axe.ts'
import { until } from '../support/core/until.ts'

t.test('a merchant fills in the form of an order', async (t) => {
  const { shop, install, open, get, send } = await startAdmin(t)
  await install()
  // no cost is known: neither the platform's nor that of an earlier order
  const listed = await get<ProductListItem[]>('/products')
  for (const { productId, variants } of listed) {
    const withoutCost = variants.map(({ variantId }) => ({ id: variantId, cost: null }))
    shop.editProduct(productId, { variants: withoutCost })
  }
  const hasCost = ({ variants }: ProductListItem) => variants.some(({ costPrice }) => costPrice !== null)
  await until(async () => !(await get<ProductListItem[]>('/products')).some(hasCost), 'no product has a cost')
  const [first, second, third] = listed
  if (!first || !second || !third) throw new Error('The shop has too few products')
  await send('POST', '/suppliers', { name: 'Northgate', email: 'orders@northgate.example.com' })
  const orderOf = (id: number) => get<PurchaseOrder>(`/purchase-orders/${id}`)
  const tab = await open('/purchase-orders/new')
  const { app, page } = tab
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  const cost = app.getByLabel(`Unit cost of ${first.title}`)
  const quantity = app.getByLabel(`Quantity of ${first.title}`)
  const total = app.locator('dl[aria-label="Totals"] dd').last()
  const add = async (title: string) => {
    await app.getByLabel('Add a product').fill(title)
    // the results of the search before are shown until the new ones arrive
    await app.getByRole('option', { name: title }).click()
  }
  const type = async (field: typeof cost, text: string) => {
    await field.fill('')
    await field.pressSequentially(text)
    await field.press('Tab')
  }

  await t.test('an empty field with an error keeps the colour of its example', async (t) => {
    const supplier = app.getByRole('combobox', { name: 'Supplier' })
    const colourOf = (name: string) =>
      app.getByRole('combobox', { name }).evaluate((field) => getComputedStyle(field, '::placeholder').color)
    await button('Save draft').click()
    await app.getByText('Choose a supplier.').first().waitFor()
    await expectSoon(t, () => supplier.getAttribute('aria-invalid'), 'true')
    const plain = await colourOf('Deliver to')
    await expectSoon(t, () => colourOf('Supplier'), plain)
    await supplier.click()
    await app.getByRole('option', { name: 'Northgate' }).click()
  })

  await t.test('the highlighted result of the search can be read', async (t) => {
    await app.getByLabel('Add a product').fill(first.title)
    await app.locator('[role=option][data-combobox-selected]').waitFor()
    await expectSoon(t, () => findViolations(tab), [], 'axe finds nothing')
    await app.getByRole('option').first().click()
  })

  await t.test('a typed number is the number that the merchant wrote', async (t) => {
    await type(quantity, '2')
    await type(cost, '1.234,50')
    await expectSoon(t, () => cost.inputValue(), '1234.50')
    await expectSoon(t, () => total.textContent(), 'US$2,469.00')
  })

  await t.test('what is no number stays as it was typed, with an error, and is not saved', async (t) => {
    for (const [field, typed, error] of [
      [cost, '-3', 'Enter a number that is not negative.'],
      [quantity, '1.5', 'Enter a whole number.'],
    ] as const) {
      await type(field, typed)
      await app.getByText(error, { exact: true }).waitFor()
      await expectSoon(t, () => field.inputValue(), typed)
      await button('Save draft').click()
      await app.getByText('Fix 1 field to save.').waitFor()
      await type(field, '2')
      await app.getByText(error, { exact: true }).waitFor({ state: 'detached' })
      await app.getByText('Fix 1 field to save.').waitFor({ state: 'detached' })
    }
    t.strictSame(await get('/purchase-orders'), [], 'nothing was saved')
  })

  await t.test('20% as the tax is the tax rate of all lines', async (t) => {
    const tax = app.getByLabel(/^Tax/)
    await type(tax, '20%')
    await app.getByText('Tax, 20% of each line').waitFor()
    await expectSoon(t, () => total.textContent(), 'US$4.80', '2 × 2.00 and 20 %')
    await expectSoon(t, () => tax.inputValue(), '')
    const discount = app.getByLabel('Discount', { exact: true })
    await type(discount, '1')
    await expectSoon(t, () => tax.getAttribute('placeholder'), '0.60', 'the discount is not taxed')
    await type(discount, '')
    await type(tax, '120%')
    await app.getByText('Enter at most 100.').waitFor()
    await type(tax, '')
  })

  await t.test('a draft is saved without the cost and the quantity of a line', async (t) => {
    await add(second.title)
    await app.getByLabel(`Quantity of ${second.title}`).fill('')
    await app.getByText('+ 1 line without cost').waitFor()
    await button('Save draft').click()
    await app.getByRole('heading', { name: 'PO-00001', level: 1, exact: true }).waitFor()
    t.match(await orderOf(1), {
      ...{ total: 4.8, isOwnTax: false, unknownCosts: 1 },
      lineItems: [
        { quantity: 2, costPrice: 2, taxRate: 20, lineTotal: 4 },
        { quantity: 0, costPrice: null, taxRate: 20, lineTotal: null },
      ],
    })
    await app.getByText('+ 1 line without cost').waitFor()
    await button('Send').click()
    const dialog = app.getByRole('dialog')
    await dialog.getByText('1 line without a quantity. Edit the order before you send it.').waitFor()
    const sending = dialog.getByRole('button', { name: 'Send', exact: false }).last()
    await expectSoon(t, () => sending.isDisabled(), true, 'it cannot be sent')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  await t.test('a refused save leads to the field, whose error goes when it is mended', async (t) => {
    await app.getByRole('link', { name: 'Edit' }).click()
    await app.getByText('Tax, 20% of each line').waitFor()
    const currency = app.getByLabel('Currency')
    await currency.fill('XX')
    await app.getByLabel('Internal note').fill('Ask for a discount')
    await button('Save').focus()
    await page.keyboard.press('Enter')
    await app.getByText('Fix 1 field to save.').waitFor()
    const hasFocus = () => currency.evaluate((field) => field === document.activeElement)
    await expectSoon(t, hasFocus, true, 'it has the focus')
    await expectSoon(t, () => currency.getAttribute('aria-invalid'), 'true')
    await currency.fill('USD')
    await expectSoon(t, () => currency.getAttribute('aria-invalid'), null, 'gone before the next save')
    await app.getByText('Fix 1 field to save.').waitFor({ state: 'detached' })
  })

  await t.test('what is typed while a save is under way is kept', async (t) => {
    await app.getByLabel(`Quantity of ${second.title}`).fill('5')
    await add(third.title)
    await app.getByLabel(`Unit cost of ${third.title}`).fill('1')
    const gate = Promise.withResolvers<void>()
    const sent = Promise.withResolvers<void>()
    await page.route('**/api/purchase-orders/1', async (route) => {
      if (route.request().method() !== 'PUT') return route.continue()
      sent.resolve()
      await gate.promise
      return route.continue()
    })
    await button('Save').click()
    await sent.promise
    await app.getByLabel('Internal note').fill('Ask for a discount of 5 %')
    gate.resolve()
    await app.getByText('PO-00001 saved').waitFor()
    t.equal((await orderOf(1)).notes, 'Ask for a discount')
    await expectSoon(t, () => app.getByLabel('Internal note').inputValue(), 'Ask for a discount of 5 %')
    await page.unroute('**/api/purchase-orders/1')
    await button('Save').click()
    await app.getByRole('heading', { name: 'PO-00001', level: 1, exact: true }).waitFor()
    t.match(await orderOf(1), {
      notes: 'Ask for a discount of 5 %',
      lineItems: [{ taxRate: 20 }, { quantity: 5, costPrice: null }, { taxRate: 20, costPrice: 1 }],
    })
  })

  await t.test('sending asks once about lines without a cost', async (t) => {
    await button('Send').click()
    const dialog = app.getByRole('dialog')
    await dialog.getByText(/^1 line without a cost\. The supplier reads “to be agreed” there/).waitFor()
    await dialog.getByRole('button', { name: 'Send without costs' }).click()
    await app.getByText('E-mailed').waitFor()
    await app.getByText('To be agreed').waitFor()
    t.match(await orderOf(1), { status: 'sent', unknownCosts: 1 })
  })
})
