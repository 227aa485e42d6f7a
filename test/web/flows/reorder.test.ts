import t from 'tap'
import type { PurchaseOrder } from '../../../shared/schemas/purchase-orders.ts'
import type { ReorderRule } from '../../../shared/schemas/reorder-rules.ts'
import type { ReorderSuggestion } from '../../../shared/schemas/reorder-suggestions.ts'
import { expectSoon, startAdmin } from '../../support/core/admin.ts'
import { until } from '../../support/core/until.ts'
import { visit } from '../../support/web/page-tour.ts'

type Product = { title: string; variants: { variantId: string; sku: string; currentStock: number }[] }

t.test('from a rule to a draft order', async (t) => {
  const { install, get, send, open, adminUrl } = await startAdmin(t)
  await install()
  await send('POST', '/suppliers', { name: 'Northgate', email: 'orders@northgate.example.com' })
  await send('POST', '/suppliers', { name: 'Southgate' })
  const tab = await open('/reorder')
  const { page, app } = tab
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  /** Loads the page again, because its records were changed elsewhere. */
  const loadReorder = () => page.goto(`${adminUrl}/reorder`)
  const products = (await get<Product[]>('/products')).map(({ title, variants: [variant] }) => ({
    title,
    variantId: variant?.variantId ?? '',
    sku: variant?.sku ?? '',
    stock: variant?.currentStock ?? 0,
  }))
  const [first, second, third] = products
  if (!first || !second || !third) throw new Error('The shop has too few products')
  const rules = () => get<ReorderRule[]>('/reorder/rules')
  const ruleOf = async ({ variantId }: { variantId: string }) =>
    (await rules()).find((rule) => rule.variantId === variantId)

  await t.test('a manual rule is created, and errors are shown at its fields', async (t) => {
    await app.getByText('No reorder rules yet').waitFor()
    await app.getByRole('link', { name: 'Create a rule' }).click()
    await button('Save').first().click()
    await app.getByText('Choose a product.').waitFor()
    await app.getByLabel('Product').fill(first.sku)
    await app.getByRole('option').first().click()
    await button('Save').first().click()
    await app.getByText('Enter a reorder point.').first().waitFor()
    await app.getByLabel('Reorder point').fill(String(first.stock + 5))
    await app.getByLabel('Quantity').fill('24')
    await app.getByRole('combobox', { name: 'Supplier' }).click()
    await app.getByRole('option', { name: 'Northgate' }).click()
    await button('Save').first().click()
    await app.getByRole('heading', { name: 'Reorder rules' }).waitFor()
    await app.getByLabel(`Reorder point of ${first.title}`).waitFor()
    const supplier = app.getByRole('combobox', { name: `Supplier of ${first.title}` })
    await expectSoon(t, () => supplier.evaluate((field) => field.clientWidth > 170), true, 'names fit')
    const head = app.getByRole('columnheader', { name: 'Supplier' })
    await expectSoon(t, async () => ((await head.boundingBox())?.width ?? 0) > 190, true, 'it is a table')
    t.match(await rules(), [
      { reorderPoint: first.stock + 5, reorderQuantity: 24, supplierName: 'Northgate', locationId: null },
    ])
  })

  await t.test('a second rule for the same product links to the first', async (t) => {
    await visit(tab, '/reorder/rules/new')
    await app.getByLabel('Product').fill(first.sku)
    await app.getByLabel('Product').press('Enter')
    await app.getByRole('status').getByText(first.title).waitFor()
    await app.getByLabel('Reorder point').fill('1')
    await app.getByLabel('Quantity').fill('1')
    await button('Save').first().click()
    await app.getByRole('alert').getByText('Change it instead').waitFor()
    await app.getByRole('link', { name: /^Show the rules of/ }).click()
    await button('Leave').click()
    await app.getByRole('button', { name: `Remove filter Product: ${first.title}` }).waitFor()
    await app.getByLabel(`Quantity of ${first.title}`).waitFor()
    t.equal((await rules()).length, 1)
  })

  await t.test('low stock is suggested with an explanation, and becomes a draft order', async (t) => {
    await send('POST', '/reorder/rules', {
      variantId: second.variantId,
      reorderPoint: second.stock,
      reorderQuantity: 7,
    })
    await loadReorder()
    const suggestions = await get<ReorderSuggestion[]>('/reorder/suggestions')
    const suggestion = suggestions.find(({ variantId }) => variantId === first.variantId)
    await button(`Why? 24 of ${first.title}`).click()
    await app.getByText(suggestion?.explanation ?? 'an explanation').waitFor()
    await app.getByRole('table', { name: 'No supplier' }).getByText(second.title).waitFor()
    await expectSoon(t, () => button('Create draft orders').isDisabled(), true, 'nothing is selected')
    await app.getByLabel('All from Northgate').check()
    await expectSoon(t, () => app.getByLabel(first.title, { exact: true }).isChecked(), true)
    await app.getByText('1 selected, from 1 supplier').waitFor()
    await button('Create draft orders').click()
    const done = app.getByRole('region', { name: '1 draft order created' })
    await done.getByText('Northgate').waitFor()
    await done.and(app.locator(':focus')).waitFor()
    await app.getByText('24 in a draft').waitFor()
    await expectSoon(
      t,
      () => app.getByLabel(first.title, { exact: true }).count(),
      0,
      'it cannot be selected again',
    )
    await done.getByRole('link').click()
    await app.getByRole('heading', { name: 'PO-00001' }).waitFor()
    const order = await get<PurchaseOrder>('/purchase-orders/1')
    t.match(order, { status: 'draft', supplierName: 'Northgate' })
    t.match(order.lineItems, [{ variantId: first.variantId, quantity: 24 }])
    t.equal(order.lineItems.length, 1)
  })

  await t.test('suggestions can be searched, with the search text in the address', async (t) => {
    const shown = ({ title }: { title: string }) => app.getByRole('table').getByText(title, { exact: true })
    await visit(tab, `/reorder?search=${second.sku}`)
    await shown(second).waitFor()
    await expectSoon(t, () => shown(first).count(), 0)
    await app.getByRole('searchbox', { name: 'Product' }).fill('no such product')
    await app.getByText('No results for “no such product”').waitFor()
    await app.getByRole('button', { name: 'Remove filter Search: no such product' }).click()
    await shown(first).waitFor()
    await page.goBack()
    await app.getByText('No results for “no such product”').waitFor()
    await page.goForward()
    await shown(first).waitFor()
  })

  await t.test('a suggestion without a supplier links to its rule, where one is chosen', async (t) => {
    await app.getByRole('link', { name: 'Choose a supplier' }).click()
    await app.getByRole('combobox', { name: `Supplier of ${second.title}` }).click()
    // after the save the page reads all its records again: the next test needs the suggestions as the page shows them
    const isRead = page.waitForResponse(
      (response) =>
        response.ok() &&
        response.request().method() === 'GET' &&
        /\/api\/reorder\/rules\?/.test(response.url()),
    )
    await app.getByRole('option', { name: 'Southgate' }).click()
    await until(async () => (await ruleOf(second))?.supplierName === 'Southgate', 'the supplier is saved')
    await (await isRead).finished()
    await page.goBack()
    await app.getByLabel(second.title, { exact: true }).waitFor()
    await expectSoon(t, () => app.getByLabel(first.title, { exact: true }).count(), 0)
  })

  await t.test(
    'a suggestion that changed in the meantime is not ordered, and the reason is shown',
    async (t) => {
      await app.getByLabel('All', { exact: true }).last().check()
      const { id } = (await ruleOf(second)) ?? { id: 0 }
      await send('PUT', `/reorder/rules/${id}`, { supplierId: null })
      await button('Create draft orders').click()
      const done = app.getByRole('region', { name: 'Nothing was ordered' })
      await done.getByText(`${second.title} was not ordered. Its reorder rule has no supplier.`).waitFor()
      t.equal((await get<unknown[]>('/purchase-orders')).length, 1)
      await send('PUT', `/reorder/rules/${id}`, { reorderPoint: 0 })
    },
  )

  await t.test('suggestions beyond one page can be ordered together', async (t) => {
    const { id } = (await get<{ id: number; name: string }[]>('/suppliers')).find(
      ({ name }) => name === 'Southgate',
    ) ?? { id: 0 }
    for (const rule of await rules()) await send('PUT', `/reorder/rules/${rule.id}`, { reorderPoint: 0 })
    for (const { variantId } of [second, third]) {
      const body = { variantId, reorderPoint: 1_000_000, reorderQuantity: 1, supplierId: id }
      await send('POST', '/reorder/rules/bulk', { rules: [body] })
    }
    await page.route('**/api/reorder/suggestions?limit=250', (route) =>
      route.continue({ url: route.request().url().replace('250', '1') }),
    )
    await loadReorder()
    await button('Load more').waitFor()
    await app.getByLabel('All from Southgate').check()
    await button('Select all suggestions').click()
    await app.getByText('All suggestions selected').waitFor()
    await button('Create draft orders').click()
    await app.getByRole('region', { name: '1 draft order created' }).getByText('Southgate').waitFor()
    const [order] = await get<{ supplierName: string; lineItemCount: number }[]>('/purchase-orders')
    t.match(order, { supplierName: 'Southgate', lineItemCount: 2 })
    await page.unroute('**/api/reorder/suggestions?limit=250')
  })

  await t.test('without low stock the page says that there is nothing to order', async () => {
    for (const { id } of await rules()) await send('PUT', `/reorder/rules/${id}`, { reorderPoint: 0 })
    await loadReorder()
    await app.getByText('Nothing to order').waitFor()
  })
})
