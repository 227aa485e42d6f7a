import t from 'tap'
import type { ProductListItem } from '../../shared/schemas/products.ts'
import type { PurchaseOrder } from '../../shared/schemas/purchase-orders.ts'
import { expectSoon, startAdmin } from '../support/core/admin.ts'
import { visit } from '../support/web/page-tour.ts'

t.test('a merchant orders by the terms of suppliers', async (t) => {
  const { install, open, get, send } = await startAdmin(t)
  await install()
  const [mug, bowl] = (await get<ProductListItem[]>('/products')).flatMap(
    ({ title, productId, variants: [variant] }) =>
      variant ? [{ title, productId, variantId: variant.variantId }] : [],
  )
  if (!mug || !bowl) throw new Error('The shop has too few products')
  const addSupplier = async (fields: object, ...products: object[]) => {
    const { id } = await send<{ id: number }>('POST', '/suppliers', fields)
    for (const product of products) await send('POST', `/suppliers/${id}/products`, product)
    return id
  }
  const northgate = await addSupplier(
    { name: 'Northgate', email: 'orders@northgate.example.com', minimumOrderValue: 100, defaultTaxRate: 20 },
    {
      ...{ variantId: mug.variantId, supplierSku: 'CUP-6', packSize: 6, minimumQuantity: 24 },
      prices: [{ price: 2 }, { minQuantity: 48, price: 1.8 }],
    },
  )
  const kiln = await addSupplier(
    { name: 'Kiln', email: 'orders@kiln.example.com', currency: 'CNY' },
    { variantId: mug.variantId, supplierSku: 'K-1', prices: [{ price: 14 }] },
  )
  const vessel = await addSupplier(
    { name: 'Vessel', defaultTaxRate: 20 },
    { variantId: bowl.variantId, supplierSku: 'V-1', prices: [{ price: 2 }] },
    {
      ...{ variantId: bowl.variantId, supplierSku: 'V-CS', packSize: 12, minimumQuantity: 48 },
      ...{ quantityMultiple: 24, prices: [{ price: 1.8 }] },
    },
  )
  const orderOf = (id: number) => get<PurchaseOrder>(`/purchase-orders/${id}`)
  const tab = await open('/purchase-orders/new')
  const { page, app } = tab
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  const fieldOf = (name: string, { title }: typeof mug) => app.getByLabel(`${name} ${title}`)
  const totals = app.locator('dl[aria-label="Totals"]')
  const shown = (number: string) =>
    app.getByRole('heading', { name: number, level: 1, exact: true }).waitFor()
  const choose = async (supplier: string) => {
    await app.getByRole('combobox', { name: 'Supplier' }).click()
    await app.getByRole('option', { name: supplier, exact: true }).click()
  }
  const add = async ({ title }: typeof mug) => {
    await app.getByLabel('Add a product').fill(title)
    await app.getByRole('option', { name: title }).first().click()
  }
  const [quantity, cost] = [fieldOf('Quantity of', mug), fieldOf('Unit cost of', mug)]

  await t.test('a line has price, packs, minimum and tax of the catalogue', async (t) => {
    await choose('Northgate')
    await add(mug)
    await expectSoon(t, () => cost.inputValue(), '2.00')
    await quantity.fill('10')
    const sold = 'Supplier SKU CUP-6 · Sold in packs of 6 · Minimum 24'
    await app.getByText(`${sold} · from 1: US$2.00 · from 48: US$1.80 · plus 20% tax`).waitFor()
    await button(`Order 24 of ${mug.title}`).click()
    await expectSoon(t, () => quantity.inputValue(), '24')
    await app.getByText('4 packs × 6 = 24').waitFor()
    await totals.getByText('US$57.60').waitFor()
    await app.getByText('US$52.00 short of the supplier’s minimum').waitFor()
  })

  await t.test('lines have discount and tax, and the order has references and copies', async (t) => {
    await app.getByText('Supplier SKU, pack size, discount and tax').click()
    const discount = app.getByLabel(`Discount of ${mug.title} in percent`)
    await discount.fill('150')
    await button('Save draft').click()
    await app.getByText('Enter at most 100.').waitFor()
    await app.getByText('Fix 1 field to save.').waitFor()
    await discount.fill('5')
    await app.getByLabel(`Tax of ${mug.title} in percent`).fill('10')
    await app.getByLabel('Reference', { exact: true }).fill('Spring')
    await app.getByLabel('Supplier’s reference').fill('Q-77')
    const copies = app.getByRole('combobox', { name: 'Copies by e-mail to' })
    for (const address of ['one@myshop.example.com', 'two@myshop.example.com']) {
      await copies.fill(address)
      await copies.press('Enter')
    }
    await totals.getByText('US$50.16').waitFor()
    await button('Save draft').click()
    await shown('PO-00001')
    t.match(await orderOf(1), {
      ...{ subtotal: 45.6, tax: 4.56, total: 50.16, reference: 'Spring', supplierReference: 'Q-77' },
      cc: ['one@myshop.example.com', 'two@myshop.example.com'],
      lineItems: [
        { quantity: 24, packs: 4, costPrice: 2, supplierSku: 'CUP-6', discountPercent: 5, taxRate: 10 },
      ],
    })
    for (const text of ['Spring', 'Q-77', 'two@myshop.example.com', '4 packs × 6', 'less 5%', 'plus 10% tax'])
      await app.getByText(text, { exact: true }).waitFor()
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
    await shown('PO-00001')
    t.match(await orderOf(1), { lineItems: [{ quantity: 24, costPrice: 2, discountPercent: 5 }] })
  })

  await t.test('a product in two packagings has the terms of the supplier SKU of its line', async (t) => {
    const taxRate = Promise.withResolvers<void>()
    t.teardown(() => taxRate.resolve())
    let lineReads = 0
    await page.route(/\/terms\b/, async (route) => {
      // the currency of the supplier arrives after the terms of the line, which are not read again then
      if (/variantIds/.test(route.request().url())) lineReads += 1
      else await taxRate.promise
      await route.fallback()
    })
    await visit(tab, `/purchase-orders/new?supplierId=${vessel}`, 'Create an order')
    await add(bowl)
    const unitCost = fieldOf('Unit cost of', bowl)
    await expectSoon(t, () => unitCost.inputValue(), '2.00')
    taxRate.resolve()
    await fieldOf('Quantity of', bowl).fill('55')
    await app.getByText('Supplier SKU, pack size, discount and tax').click()
    await fieldOf('Supplier SKU of', bowl).fill('V-CS')
    await expectSoon(t, () => unitCost.inputValue(), '1.80')
    await expectSoon(t, () => fieldOf('Pack size of', bowl).inputValue(), '12')
    await app
      .getByText(/^Supplier SKU V-CS · Sold in packs of 12 · Sold in multiples of 24 · Minimum 48/)
      .waitFor()
    // 55 x 1.80 = 99.00, and 20% tax of it are 19.80
    await totals.getByText('US$118.80').waitFor()
    t.equal(lineReads, 1)
    await page.unroute(/\/terms\b/)
    await button(`Order 72 of ${bowl.title}`).click()
    await button('Save draft').click()
    await shown('PO-00002')
    t.match(await orderOf(2), {
      ...{ total: 155.52, warnings: [] },
      lineItems: [{ supplierSku: 'V-CS', packSize: 12, quantity: 72, costPrice: 1.8 }],
    })
  })

  await t.test('terms arrive after the first changes, and a draft moves to another supplier', async (t) => {
    const { productId, variantId } = mug
    const createDraft = (order: object) =>
      send<{ id: number }>('POST', '/purchase-orders', {
        lineItems: [{ productId, variantId, quantity: 24 }],
        ...order,
      })
    await createDraft({ supplierId: kiln, rate: 0.139 })
    const { id } = await createDraft({ supplierId: northgate })
    const terms = Promise.withResolvers<void>()
    t.teardown(() => terms.resolve())
    await page.route('**/api/suppliers/*/terms*', async (route) => {
      await terms.promise
      await route.continue()
    })
    await visit(tab, `/purchase-orders/${id}/edit`, 'Edit PO-00004')
    // terms of before are forgotten
    await page.reload()
    await quantity.fill('48')
    await app.getByText('Looking up prices …').waitFor()
    const supplier = app.getByRole('combobox', { name: 'Supplier' })
    for (const waiting of [supplier, button('Save'), button('Use today’s prices')])
      await expectSoon(t, () => waiting.isDisabled(), true)
    terms.resolve()
    await expectSoon(t, () => cost.inputValue(), '1.80', 'the agreed price follows the quantity')
    await choose('Kiln')
    await app.getByText('The supplier’s is CNY').waitFor()
    await app.getByLabel('Currency').fill('CNY')
    await app.getByText('The last rate you entered').waitFor()
    await expectSoon(t, () => app.getByLabel('1 CNY in USD').getAttribute('placeholder'), '0.139')
    await app.getByText('Supplier SKU K-1 · from 1: CN¥14.00').waitFor()
    await button('Use today’s prices').click()
    await app.getByText('1 price changed').waitFor()
    await button('Save').click()
    await shown('PO-00004')
    t.match(await orderOf(id), {
      ...{ supplierName: 'Kiln', currency: 'CNY', rate: 0.139, total: 672 },
      lineItems: [{ quantity: 48, costPrice: 14, supplierSku: 'K-1', packSize: 1, taxRate: 0 }],
    })
  })
})
