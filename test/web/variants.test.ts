import t from 'tap'
import type { StockLevel } from '../../shared/schemas/stock-levels.ts'
import type { Variant } from '../../shared/schemas/variants.ts'
import { expectSoon, startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'
import { visit } from '../support/web/page-tour.ts'

t.test('one page shows all about a product, and every SKU leads there', async (t) => {
  const { shop, install, get, send, open } = await startAdmin(t)
  await install()
  const [level] = await get<StockLevel[]>('/stock-levels')
  if (!level) throw new Error('No product is in stock')
  const { variantId, locationId, title, sku } = level
  const number = variantId.replace(/.*\//, '')
  const read = () => get<Variant>(`/variants/${number}`)
  const { productId, unitCost } = await read()
  if (unitCost === null) throw new Error('The platform reports a cost')

  const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', {
    name: 'Kiln',
    email: 'kiln@kiln.example.com',
    leadTimeDays: 4,
  })
  const line = { productId, variantId, quantity: 7, costPrice: 3.25 }
  const order = { supplierId, expectedAt: '2026-01-05T10:00:00Z', lineItems: [line] }
  const { id, poNumber } = await send<{ id: number; poNumber: string }>('POST', '/purchase-orders', order)
  await send('POST', `/purchase-orders/${id}/send`)
  await send('POST', '/reorder/rules', { variantId, reorderPoint: 1_000_000, reorderQuantity: 5, supplierId })
  await send('POST', '/stock-levels/adjust', {
    adjustments: [{ variantId, locationId, delta: 2, reason: 'Found' }],
  })

  const tab = await open('/stock')
  const { page, app } = tab
  const product = app.getByRole('heading', { level: 1, name: title })
  const frame = () => new URL(page.frames()[1]?.url() ?? '').pathname

  await t.test('the page shows stock, orders, rules, suppliers, cost and history', async (t) => {
    await app.getByRole('link', { name: title, exact: true }).first().click()
    await product.waitFor()
    await expectSoon(t, async () => frame(), `/variants/${number}`)
    const table = (name: string) => app.getByRole('table', { name, exact: true })
    await table('Stock by location').getByText(level.locationName).waitFor()
    await table('Orders on their way').getByRole('row', { name: poNumber }).getByText('Late').waitFor()
    await table('Orders on their way').getByText('7', { exact: true }).waitFor()
    await table('Reorder rules').getByText('Entered by hand').waitFor()
    await table('Suppliers').getByRole('row', { name: 'Kiln' }).getByText('3.25').waitFor()
    await table('History').getByText('Found').waitFor()
    await app.getByText('From your shop').waitFor()
    for (const fact of [sku, 'Vendor', 'Tags']) await app.getByText(fact, { exact: true }).first().waitFor()
  })

  await t.test('a person changes the cost, and takes that of the shop again', async (t) => {
    const change = app.getByRole('button', { name: 'Change' })
    await change.press('Enter')
    const field = app.getByLabel('Unit cost in').and(app.locator(':focus'))
    await field.fill('9.5')
    await field.press('Enter')
    await app.getByText('Entered by hand, ').waitFor()
    await change.and(app.locator(':focus')).waitFor()
    t.match(await read(), { unitCost: 9.5, costSource: 'manual' })
    await app.getByRole('button', { name: 'Change' }).click()
    await app.getByRole('button', { name: 'Use the cost of my shop' }).click()
    await app.getByText('From your shop').waitFor()
    t.match(await read(), { unitCost, costSource: 'platform' })
  })

  await t.test('a changed cost, vendor and tag of the shop arrive by webhook', async () => {
    shop.editProduct(productId, {
      vendor: 'Loom',
      tags: ['linen'],
      variants: [{ id: variantId, cost: '7.77' }],
    })
    await until(async () => {
      const { unitCost: cost, costSource, vendor, tags } = await read()
      return cost === 7.77 && costSource === 'platform' && vendor === 'Loom' && tags.join() === 'linen'
    }, 'the cost, vendor and tags of the shop')
  })

  for (const [path, name] of [
    [`/purchase-orders/${id}`, title],
    ['/stock/history', title],
    ['/reorder', sku],
    ['/reorder/rules', title],
    ['/reports/adjustments', title],
  ] as const) {
    await t.test(`${path} leads to the page`, async (t) => {
      await visit(tab, path)
      await app.getByRole('link', { name, exact: true }).first().click()
      await product.waitFor()
      await expectSoon(t, async () => frame(), `/variants/${number}`)
    })
  }

  await t.test('a new order line has the last price of the supplier, else the cost', async (t) => {
    const { app: form } = await open(`/purchase-orders/new?supplierId=${supplierId}`)
    const cost = (of: string) => form.getByLabel(`Unit cost of ${of}`).inputValue()
    const add = async (text: string) => {
      await form.getByLabel('Add a product').fill(text)
      await form.getByLabel('Add a product').press('Enter')
    }
    await add(sku)
    await expectSoon(t, () => cost(title), '3.25')
    const others = await get<{ title: string; variants: { sku: string; costPrice: number }[] }[]>('/products')
    const other = others.find((candidate) => candidate.variants[0]?.sku !== sku)
    await add(other?.variants[0]?.sku ?? '')
    await expectSoon(t, async () => Number(await cost(other?.title ?? '')), other?.variants[0]?.costPrice)
  })

  await t.test('the stock list is filtered by vendor, and the address keeps it', async (t) => {
    const stock = await open('/stock')
    await stock.app.getByRole('combobox', { name: 'Vendor' }).click()
    await stock.app.getByRole('option', { name: 'Loom', exact: true }).click()
    await stock.app.getByRole('row').nth(3).waitFor({ state: 'detached' })
    const vendor = async () => new URL(stock.page.frames()[1]?.url() ?? '').searchParams.get('vendor')
    await expectSoon(t, vendor, 'Loom')
    await stock.app.getByRole('link', { name: title, exact: true }).first().waitFor()
  })

  await t.test('the stock of a product is adjusted in the list, which shows that product only', async (t) => {
    await visit(tab, `/variants/${number}`)
    await app.getByRole('link', { name: 'Adjust', exact: true }).click()
    const rows = app.getByRole('table', { name: 'Stock by location' }).locator('tbody tr')
    const { levels } = await read()
    await app.getByRole('button', { name: `Remove filter Product: ${title}` }).waitFor()
    await expectSoon(t, () => rows.count(), levels.length)
    await app.getByRole('button', { name: `Remove filter Product: ${title}` }).click()
    await rows.nth(levels.length).waitFor()
  })

  await t.test('a product without a rule says which page suggests it', async (t) => {
    const other = (await get<StockLevel[]>('/stock-levels')).find((each) => each.variantId !== variantId)
    await visit(tab, `/variants/${other?.variantId.replace(/.*\//, '')}`)
    await app.getByText('No rule: Reorder does not suggest this product').waitFor()
    await app.getByRole('link', { name: 'Replenishment' }).click()
    await app.getByText('also of products without a rule').waitFor()
    await app.getByRole('link', { name: 'Reorder' }).click()
    await app.getByText('Products with a rule that are at or below their reorder point').waitFor()
    await app.getByRole('link', { name: 'Replenishment' }).click()
    await expectSoon(t, () => app.getByRole('heading', { level: 1 }).textContent(), 'Replenishment')
  })

  await t.test('an unknown product has a page that says so', async (t) => {
    await visit(tab, '/variants/999')
    await app.getByRole('heading', { name: 'Page not found' }).waitFor()
    t.pass()
  })
})
