import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { ProductListItem } from '../../shared/schemas/products.ts'
import type { PurchaseOrder } from '../../shared/schemas/purchase-orders.ts'
import { expectSoon, goTo, startAdmin, type Tab } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'

t.test('a merchant orders by the terms of suppliers', async (t) => {
  const { platform, install, open, get, send, adminUrl } = await startAdmin(t)
  await install()
  const products = (await get<ProductListItem[]>('/products')).flatMap(
    ({ title, productId, variants: [variant] }) =>
      variant ? [{ title, productId, variantId: variant.variantId }] : [],
  )
  const [mug, bowl, jug] = products
  if (!mug || !bowl || !jug) throw new Error('The shop has too few products')
  const northgate = await send<{ id: number }>('POST', '/suppliers', {
    name: 'Northgate',
    email: 'orders@northgate.example.com',
    minimumOrderValue: 100,
    defaultTaxRate: 20,
  })
  await send('POST', `/suppliers/${northgate.id}/products`, {
    variantId: mug.variantId,
    supplierSku: 'CUP-6',
    packSize: 6,
    minimumQuantity: 24,
    prices: [
      { price: 2, currency: 'USD' },
      { minQuantity: 48, price: 1.8, currency: 'USD' },
    ],
  })
  const kiln = await send<{ id: number }>('POST', '/suppliers', {
    name: 'Kiln',
    email: 'orders@kiln.example.com',
    currency: 'CNY',
  })
  await send('POST', `/suppliers/${kiln.id}/products`, {
    variantId: bowl.variantId,
    prices: [{ price: 30, currency: 'CNY' }],
  })
  await send('POST', `/suppliers/${kiln.id}/products`, {
    variantId: mug.variantId,
    supplierSku: 'K-1',
    prices: [{ price: 14, currency: 'CNY' }],
  })
  const orderOf = (id: number) => get<PurchaseOrder>(`/purchase-orders/${id}`)
  const tab = await open('/purchase-orders/new')
  const { app } = tab
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  const quantity = app.getByLabel(`Quantity of ${mug.title}`)
  const cost = app.getByLabel(`Unit cost of ${mug.title}`)
  const totals = app.locator('dl[aria-label="Totals"]')
  const choose = async (supplier: string) => {
    await app.getByRole('combobox', { name: 'Supplier' }).click()
    await app.getByRole('option', { name: supplier, exact: true }).click()
  }
  const add = async (title: string) => {
    await app.getByLabel('Add a product').fill(title)
    await app.getByRole('option').first().click()
  }

  await t.test('a line has price, packs, minimum and tax of the catalogue', async (t) => {
    await choose('Northgate')
    await add(mug.title)
    await expectSoon(t, () => cost.inputValue(), '2.00')
    await quantity.fill('10')
    await app
      .getByText(
        'Supplier SKU CUP-6 · Sold in packs of 6 · Minimum 24 · from 1: US$2.00 · from 48: US$1.80 · plus 20% tax',
      )
      .waitFor()
    await button(`Order 24 of ${mug.title}`).click()
    await expectSoon(t, () => quantity.inputValue(), '24')
    await app.getByText('4 packs × 6 = 24').waitFor()
    await totals.getByText('US$57.60').waitFor()
    await app.getByText('US$52.00 short of the supplier’s minimum').waitFor()
    await quantity.fill('48')
    await expectSoon(t, () => cost.inputValue(), '1.80', 'the price follows the quantity')
    await quantity.fill('24')
    await fits(t, tab, 'order-new')
  })

  await t.test('lines have discount and tax, and the order has references and copies', async (t) => {
    await app.getByText('Supplier SKU, pack size, discount and tax').click()
    await app.getByLabel(`Discount of ${mug.title} in percent`).fill('150')
    await button('Save draft').click()
    await app.getByText('Enter at most 100.').waitFor()
    await app.getByText('Fix 1 field to save.').waitFor()
    await app.getByLabel(`Discount of ${mug.title} in percent`).fill('5')
    await app.getByLabel(`Tax of ${mug.title} in percent`).fill('10')
    await app.getByLabel('Reference', { exact: true }).fill('Spring')
    await app.getByLabel('Supplier’s reference').fill('Q-77')
    for (const address of ['one@myshop.example.com', 'two@myshop.example.com']) {
      await app.getByRole('combobox', { name: 'Copies by e-mail to' }).fill(address)
      await app.getByRole('combobox', { name: 'Copies by e-mail to' }).press('Enter')
    }
    await totals.getByText('US$45.60').waitFor()
    await totals.getByText('US$50.16').waitFor()
    await fits(t, tab, 'order-new-details')
    await button('Save draft').click()
    await app.getByRole('heading', { name: 'PO-00001', level: 1 }).waitFor()
    t.match(await orderOf(1), {
      ...{ subtotal: 45.6, tax: 4.56, total: 50.16, reference: 'Spring', supplierReference: 'Q-77' },
      cc: ['one@myshop.example.com', 'two@myshop.example.com'],
      lineItems: [
        { quantity: 24, packs: 4, costPrice: 2, supplierSku: 'CUP-6', discountPercent: 5, taxRate: 10 },
      ],
    })
    for (const text of [
      'Spring',
      'Q-77',
      'two@myshop.example.com',
      '4 packs × 6',
      'less 5%',
      'plus 10% tax',
    ]) {
      await app.getByText(text, { exact: true }).waitFor()
    }
    await fits(t, tab, 'order')
  })

  await t.test('a top-up fills the gap to the supplier’s minimum', async (t) => {
    await app.getByText('US$54.40 short of the supplier’s minimum').waitFor()
    await button('Top up').click()
    await app.getByText(/^\d+ pieces added$/).waitFor()
    await expectSoon(t, () => button('Top up').count(), 0)
    t.match(await orderOf(1), { supplierMinimum: { shortBy: 0 }, lineItems: [{ quantity: 60 }] })
  })

  await t.test('today’s prices replace those of the lines, and can be undone', async (t) => {
    await app.getByRole('link', { name: 'Edit', exact: true }).click()
    await quantity.fill('24')
    await cost.fill('9')
    await button('Use today’s prices').click()
    await app.getByText('1 price changed').waitFor()
    await expectSoon(t, () => cost.inputValue(), '2.00')
    await button('Undo').click()
    await expectSoon(t, () => cost.inputValue(), '9.00')
    await button('Use today’s prices').click()
    await expectSoon(t, () => cost.inputValue(), '2.00')
    await button('Save').click()
    await app.getByRole('heading', { name: 'PO-00001', exact: true }).waitFor()
    t.match(await orderOf(1), { lineItems: [{ quantity: 24, costPrice: 2, discountPercent: 5 }] })
  })

  await t.test('an order in a foreign currency has a rate, and never the shop’s symbol', async (t) => {
    await goTo(app, 'Purchase orders')
    await app.getByRole('link', { name: 'Create an order' }).first().click()
    // the list has a field of this name, too
    await app.getByRole('heading', { name: 'Create an order', level: 1 }).waitFor()
    await choose('Kiln')
    await add(bowl.title)
    await expectSoon(t, () => app.getByLabel(`Unit cost of ${bowl.title}`).inputValue(), '30.00')
    await app.getByLabel(`Quantity of ${bowl.title}`).fill('100')
    await app.getByLabel('1 CNY in USD').fill('0.139')
    await totals.getByText('CN¥3,000.00').first().waitFor()
    await fits(t, tab, 'foreign-new')
    await button('Save draft').click()
    await app.getByRole('heading', { name: 'PO-00002', level: 1 }).waitFor()
    await app.getByText('0.139', { exact: true }).waitFor()
    await app.getByText('US$417.00', { exact: true }).waitFor()
    t.match(await orderOf(2), { currency: 'CNY', rate: 0.139, total: 3000, lineItems: [{ costPrice: 30 }] })
    await fits(t, tab, 'foreign')
    await goTo(app, 'Purchase orders')
    await app.getByRole('row').filter({ hasText: 'PO-00002' }).getByText('CN¥3,000.00').waitFor()
    await goTo(app, 'Home')
    await app.getByRole('row').filter({ hasText: 'PO-00002' }).getByText('CN¥3,000.00').waitFor()
  })

  await t.test('the next order in the currency has the last rate', async (t) => {
    await goTo(app, 'Purchase orders')
    await app.getByRole('link', { name: 'Create an order' }).first().click()
    // the list has a field of this name, too
    await app.getByRole('heading', { name: 'Create an order', level: 1 }).waitFor()
    await choose('Kiln')
    await app.getByText('The last rate you entered').waitFor()
    await expectSoon(t, () => app.getByLabel('1 CNY in USD').getAttribute('placeholder'), '0.139')
  })

  await t.test('an order moves to a supplier in another currency', async (t) => {
    const { productId } = (await orderOf(1)).lineItems[0] ?? {}
    const lineItems = [{ productId, variantId: mug.variantId, quantity: 24 }]
    const { id } = await send<{ id: number }>('POST', '/purchase-orders', {
      supplierId: northgate.id,
      lineItems,
    })
    const { app } = await open(`/purchase-orders/${id}/edit`)
    await app.getByRole('combobox', { name: 'Supplier' }).click()
    await app.getByRole('option', { name: 'Kiln', exact: true }).click()
    await app.getByText('The supplier’s is CNY').waitFor()
    await app.getByLabel('Currency').fill('CNY')
    await app.getByText('The last rate you entered').waitFor()
    await app.getByText('Supplier SKU K-1 · from 1: CN¥14.00').waitFor()
    await app.getByRole('button', { name: 'Use today’s prices' }).click()
    await app.getByText('1 price changed').waitFor()
    await app.getByRole('button', { name: 'Save', exact: true }).click()
    await app.getByRole('heading', { level: 1, name: /^PO-\d+$/ }).waitFor()
    t.match(await orderOf(id), {
      ...{ supplierName: 'Kiln', currency: 'CNY', rate: 0.139, total: 336 },
      lineItems: [{ quantity: 24, costPrice: 14, supplierSku: 'K-1', packSize: 1, taxRate: 0 }],
    })
  })

  await t.test('a duplicate has the prices and terms of the original', async (t) => {
    const { app } = await open('/purchase-orders/2')
    await app.getByRole('button', { name: 'More', exact: true }).click()
    await app.getByRole('menuitem', { name: 'Duplicate' }).click()
    await app.getByRole('heading', { name: 'PO-00004', level: 1 }).waitFor()
    t.match(await orderOf(4), {
      ...{ status: 'draft', currency: 'CNY', rate: 0.139 },
      lineItems: [{ quantity: 100, costPrice: 30 }],
    })
  })

  await t.test(
    'goods of an order without a rate can be received, but the page asks for the rate',
    async (t) => {
      await send('PUT', '/purchase-orders/4', { rate: null })
      await send('POST', '/purchase-orders/4/send', {})
      const tab = await open('/purchase-orders/4/receive')
      await tab.app.getByText('The rate of CNY is missing').waitFor()
      await fits(t, tab, 'receive')
      await tab.app.getByRole('link', { name: 'Enter the rate' }).click()
      await tab.app.getByLabel('1 CNY in USD').fill('0.14')
      await tab.app.getByRole('button', { name: 'Save', exact: true }).click()
      await tab.app.getByRole('heading', { name: 'PO-00004', exact: true }).waitFor()
      t.equal((await orderOf(4)).rate, 0.14)
      await tab.app.getByRole('link', { name: 'Receive' }).click()
      await tab.app.getByLabel(`Quantity received of ${bowl.title}`).fill('100')
      await expectSoon(t, () => tab.app.getByText('The rate of CNY is missing').count(), 0)
      await tab.app.getByRole('button', { name: 'Save receipt' }).first().click()
      await tab.app.getByText('100 received at').waitFor()
      // the receipts may be read before the order, whose new status decides what its form offers
      await tab.app.locator('header').getByText('Received', { exact: true }).waitFor()
      await fits(t, tab, 'received')
      await tab.app.getByRole('link', { name: 'Edit', exact: true }).click()
      await tab.app.getByLabel('1 CNY in USD').fill('0.15')
      const reference = tab.app.getByLabel('Reference', { exact: true })
      await expectSoon(t, () => reference.count(), 0, 'only the rate may change')
      await tab.app.getByRole('button', { name: 'Save', exact: true }).click()
      await tab.app.getByText('0.15', { exact: true }).waitFor()
    },
  )

  await t.test(
    'of two buyers that revise an order, the second sees the difference and keeps theirs',
    async (t) => {
      await send('POST', '/purchase-orders/1/send', {})
      const isMailed = (subject: RegExp) =>
        until(() => platform.mails().some((mail) => subject.test(String(mail.Subject))), `a mail ${subject}`)
      await isMailed(/PO-00001/)
      await until(async () => (await orderOf(1)).emailStatus === 'sent', 'the order is mailed')
      const [first, second] = await Promise.all([
        open('/purchase-orders/1/revise'),
        open('/purchase-orders/1/revise'),
      ])
      const discount = `Discount of ${mug.title} in percent`
      await second.app.getByText('Supplier SKU, pack size, discount and tax').click()
      await second.app.getByLabel(discount).fill('7.5')
      await second.app.getByLabel('Reason').fill('Better terms')
      await first.app.getByLabel('Reason').fill('More guests')
      await first.app.getByText('Change a line to save the reason').waitFor()
      await expectSoon(t, () => first.app.getByRole('button', { name: 'Save and e-mail' }).isDisabled(), true)
      await first.app.getByLabel(`Quantity of ${mug.title}`).fill('30')
      await first.app.getByText('Subtotal US$57.00, before US$45.60').waitFor()
      await fits(t, first, 'revise')
      await first.app.getByRole('button', { name: 'Save and e-mail' }).click()
      await first.app.getByRole('heading', { name: 'PO-00001', exact: true }).waitFor()
      const before = '24 at US$2.00, packs of 6, less 5%, plus 10% tax'
      const after = '30 at US$2.00, packs of 6, less 5%, plus 10% tax'
      const revision = first.app.getByText(`${mug.title}: ${before} → ${after}`)
      await revision.waitFor()
      await fits(t, first, 'revised')
      const parts = (url: URL) => /\/purchase-orders\/1\/(revisions|receipts)$/.test(url.pathname)
      await first.page.route(parts, (route) => route.fulfill({ status: 404, json: {} }))
      await first.page.reload()
      await first.app.getByText('The drafts could not be loaded').waitFor()
      const revisions = first.app
        .locator('section')
        .filter({ has: first.app.getByRole('heading', { name: 'Revisions' }) })
      await revisions.getByRole('button', { name: 'Try again' }).waitFor()
      await first.page.unroute(parts)
      await revisions.getByRole('button', { name: 'Try again' }).click()
      await revision.waitFor()
      const difference = /Product .* Quantity: 24 → 30/
      await until(
        () => platform.mails().some(({ TextBody }) => difference.test(String(TextBody))),
        'the difference is mailed',
      )
      // the mail of the other order is sent at its own time
      await until(() => platform.mails().length === 3, 'each order and the revision are mailed once')
      await until(async () => (await orderOf(1)).emailStatus === 'sent', 'the revision is mailed')

      await second.app.getByRole('button', { name: 'Save and e-mail' }).click()
      await second.app.getByText('This order was changed since you opened it').waitFor()
      await second.app
        .getByText(/^Cup|→/)
        .first()
        .waitFor()
      t.equal((await orderOf(1)).revision, 1, 'nothing is overwritten')
      await fits(t, second, 'revise-conflict')
      await second.app.getByRole('button', { name: 'Reload and keep my changes' }).click()
      await expectSoon(t, () => second.app.getByLabel(`Quantity of ${mug.title}`).inputValue(), '30')
      await expectSoon(t, () => second.app.getByLabel(discount).inputValue(), '7.5%')
      await expectSoon(t, () => second.app.getByLabel('Reason').inputValue(), 'Better terms')
      await second.app.getByRole('button', { name: 'Save and e-mail' }).click()
      await second.app.getByRole('heading', { name: 'PO-00001', exact: true }).waitFor()
      t.match(await orderOf(1), { revision: 2, lineItems: [{ quantity: 30, discountPercent: 7.5 }] })
    },
  )

  await t.test('the terms of the supplier may arrive after the first changes of a draft', async (t) => {
    const { productId } = (await orderOf(1)).lineItems[0] ?? {}
    const { id } = await send<{ id: number }>('POST', '/purchase-orders', {
      supplierId: northgate.id,
      lineItems: [{ productId, variantId: mug.variantId, quantity: 24 }],
    })
    const { app, page } = await open(`/purchase-orders/${id}/edit`)
    const terms = Promise.withResolvers<void>()
    t.teardown(() => terms.resolve())
    await page.route('**/api/suppliers/*/terms*', async (route) => {
      await terms.promise
      await route.continue()
    })
    await page.reload()
    await app.getByLabel(`Quantity of ${mug.title}`).fill('48')
    await app.getByText('Looking up prices …').waitFor()
    const supplier = app.getByRole('combobox', { name: 'Supplier' })
    const save = app.getByRole('button', { name: 'Save', exact: true })
    for (const waiting of [supplier, save, app.getByRole('button', { name: 'Use today’s prices' })])
      await expectSoon(t, () => waiting.isDisabled(), true)
    terms.resolve()
    const unitCost = () => app.getByLabel(`Unit cost of ${mug.title}`).inputValue()
    await expectSoon(t, unitCost, '1.80', 'the agreed price follows the quantity')
    await supplier.click()
    await app.getByRole('option', { name: 'Kiln', exact: true }).click()
    await app.getByText(/^Supplier SKU K-1/).waitFor()
    await save.click()
    await app.getByRole('heading', { level: 1, name: /^PO-\d+$/ }).waitFor()
    t.match(await orderOf(id), {
      ...{ supplierName: 'Kiln', tax: 0, total: 86.4 },
      lineItems: [{ quantity: 48, costPrice: 1.8, taxRate: 0 }],
    })
  })

  await t.test('a product in two packagings has the terms of the supplier SKU of its line', async (t) => {
    const packagings = [
      { supplierSku: 'V-1', prices: [{ price: 2 }] },
      {
        ...{ supplierSku: 'V-CS', packSize: 12, minimumQuantity: 48, quantityMultiple: 24 },
        prices: [{ price: 1.8 }],
      },
    ]
    for (const packaging of packagings)
      await send('POST', `/suppliers/${northgate.id}/products`, { variantId: bowl.variantId, ...packaging })
    const { page, app } = await open('/purchase-orders')
    let lineReads = 0
    await page.route(/\/terms\b/, async (route) => {
      // the currency of the supplier arrives after the terms of the line, which are not read again then
      if (/variantIds/.test(route.request().url())) lineReads += 1
      else await sleep(3_000)
      await route.fallback()
    })
    await page.goto(`${adminUrl}/purchase-orders/new?supplierId=${northgate.id}`)
    const unitCost = app.getByLabel(`Unit cost of ${bowl.title}`)
    await app.getByLabel('Add a product').fill(bowl.title)
    await app.getByRole('option').first().click()
    await expectSoon(t, () => unitCost.inputValue(), '2.00')
    await app.getByLabel(`Quantity of ${bowl.title}`).fill('55')
    await app.getByText('Supplier SKU, pack size, discount and tax').click()
    await app.getByLabel(`Supplier SKU of ${bowl.title}`).fill('V-CS')
    await expectSoon(t, () => unitCost.inputValue(), '1.80')
    await expectSoon(t, () => app.getByLabel(`Pack size of ${bowl.title}`).inputValue(), '12')
    await app
      .getByText(/^Supplier SKU V-CS · Sold in packs of 12 · Sold in multiples of 24 · Minimum 48/)
      .waitFor()
    // 55 x 1.80 = 99.00, and 20% tax of it are 19.80
    await app.locator('dl[aria-label="Totals"]').getByText('US$118.80').waitFor()
    t.equal(lineReads, 1)
    await page.unroute(/\/terms\b/)
    await app.getByRole('button', { name: 'Save draft' }).click()
    await app.getByRole('heading', { level: 1, name: /^PO-\d+$/ }).waitFor()
    await app.getByRole('link', { name: 'Edit', exact: true }).click()
    await app.getByRole('button', { name: `Order 72 of ${bowl.title}` }).click()
    await unitCost.fill('3')
    await app.getByRole('button', { name: 'Use today’s prices' }).click()
    await expectSoon(t, () => unitCost.inputValue(), '1.80')
    await app.getByRole('button', { name: 'Save', exact: true }).click()
    await app.getByRole('heading', { level: 1, name: /^PO-\d+$/ }).waitFor()
    const [{ id } = { id: 0 }] = await get<{ id: number }[]>('/purchase-orders')
    t.match(await orderOf(id), {
      ...{ total: 155.52, warnings: [] },
      lineItems: [{ supplierSku: 'V-CS', packSize: 12, quantity: 72, costPrice: 1.8 }],
    })
  })

  await t.test('the price of the last order is the one after its discount', async (t) => {
    const { productId, variantId } = jug
    const order = {
      supplierId: northgate.id,
      lineItems: [{ productId, variantId, quantity: 1, costPrice: 10, discountPercent: 10 }],
    }
    const sent = await send<{ id: number }>('POST', '/purchase-orders', order)
    await send('POST', `/purchase-orders/${sent.id}/send`, {})
    const { id } = await send<{ id: number }>('POST', '/purchase-orders', order)
    const { app } = await open(`/purchase-orders/${id}/edit`)
    const unitCost = app.getByLabel(`Unit cost of ${jug.title}`)
    const discount = app.getByLabel(`Discount of ${jug.title} in percent`)
    const reprice = app.getByRole('button', { name: 'Use today’s prices' })
    await reprice.click()
    // 10.00 less 10% = 9.00
    await app.getByText('No price differs').waitFor()
    await unitCost.fill('12')
    await reprice.click()
    await expectSoon(t, () => unitCost.inputValue(), '9.00')
    await expectSoon(t, () => discount.inputValue(), '')
    await app.getByRole('button', { name: 'Undo' }).click()
    await expectSoon(t, () => unitCost.inputValue(), '12.00')
    await expectSoon(t, () => discount.inputValue(), '10%')
  })
})

/** Asserts that the page does not scroll sideways on a phone and on a desktop. */
async function fits(t: Test, { page }: Tab, name: string): Promise<void> {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    const widthOfPage = () => page.frames()[1]?.evaluate('document.documentElement.scrollWidth')
    await expectSoon(t, async () => Number(await widthOfPage()) <= width, true, `${name} fits ${width} px`)
  }
}
