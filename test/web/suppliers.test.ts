import t from 'tap'
import { sql } from '../../shared/db/db.ts'
import type { ProductFacets, ProductListItem } from '../../shared/schemas/products.ts'
import type { SupplierListItem } from '../../shared/schemas/suppliers.ts'
import { clickLink, expectSoon, goTo, startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'
import { visit } from '../support/web/page-tour.ts'

t.test('a merchant keeps suppliers', async (t) => {
  const { shop, install, open, get, send, db } = await startAdmin(t)
  await install()
  const vendors = ['Northgate ', 'NORTHGATE', 'northgate', 'Kiln', 'Kiln Ltd']
  const products = await get<ProductListItem[]>('/products')
  for (const [at, { productId }] of products.entries())
    shop.editProduct(productId, { vendor: vendors[at] ?? '' })
  await until(
    async () =>
      (await get<ProductFacets>('/products/facets')).vendors.every((name) => vendors.includes(name)),
    'the products have their new vendors',
  )
  const suppliers = (query = '') => get<SupplierListItem[]>(`/suppliers${query}`)
  const add = (fields: object) => send<{ id: number }>('POST', '/suppliers', fields)
  const tab = await open('/suppliers')
  const { page, app } = tab
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  const dialog = app.getByRole('dialog')

  await t.test('the vendors of the products become suppliers, and twins one', async (t) => {
    await app.getByRole('link', { name: 'From vendors' }).click()
    const rows = app.getByRole('table', { name: 'Suppliers from vendors' }).getByRole('row')
    const twins = rows.filter({ hasText: 'NORTHGATE' })
    await twins.getByText('New').waitFor()
    await expectSoon(t, async () => (await twins.textContent())?.includes('northgate'), true)
    await expectSoon(t, () => rows.count(), 4)
    t.strictSame(await suppliers(), [], 'the preview creates nothing')

    const answer = Promise.withResolvers<void>()
    t.teardown(() => answer.resolve())
    await page.route('**/suppliers/from-vendors', async (route) => {
      await answer.promise
      await route.continue()
    })
    await app.getByRole('combobox', { name: 'Kiln Ltd is the same as' }).click()
    const chosen = page.waitForRequest('**/suppliers/from-vendors')
    await app.getByRole('option', { name: 'Kiln', exact: true }).click()
    await chosen
    const isCreatable = () => button('Create suppliers').isEnabled()
    await expectSoon(t, isCreatable, false, 'the choice has no preview yet')
    await expectSoon(t, () => rows.count(), 4, 'the rows stay until the new ones arrive')
    answer.resolve()
    await expectSoon(t, () => rows.count(), 3)
    await page.unroute('**/suppliers/from-vendors')
    await app.getByText('2 new suppliers').waitFor()
    await app.getByLabel('E-mail of Kiln').evaluate((input) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', 'kiln@kiln.example\nsales@northgate.example\n')
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })
    await clickLink(app, 'Suppliers')
    await app.getByText('Leave without saving?').waitFor()
    await button('Keep editing').click()
    await button('Create suppliers').click()
    await app.getByText('2 suppliers created, 5 products added').waitFor()
    const created = await Promise.all(
      (await suppliers()).map(({ id }) => get<{ name: string; email: string }>(`/suppliers/${id}`)),
    )
    t.strictSame(created.map(({ name, email }) => `${name.toLowerCase()} ${email}`).sort(), [
      'kiln kiln@kiln.example',
      'northgate sales@northgate.example',
    ])
    await app.getByRole('link', { name: 'From vendors' }).click()
    await app.getByText('There is nothing to create.').waitFor()
    await expectSoon(t, isCreatable, false)
  })

  await t.test('the country is chosen by its name or its code, never cut to another one', async (t) => {
    const { id } = await add({ name: 'Clay', accountNumber: 'C-1' })
    // a code of before the API checked them
    await db.query(sql.typeAlias('void')`
      update supplier set country_code = 'QZ' where shop_id = (select id from shop) and id = ${id}
    `)
    await visit(tab, `/suppliers/${id}`, 'Clay')
    const country = app.getByRole('combobox', { name: 'Country' })
    await expectSoon(t, () => country.inputValue(), 'QZ', 'a stored code without a name is shown')
    await country.click()
    await app.getByRole('option', { name: 'Albania' }).waitFor()
    await country.fill('ge')
    await expectSoon(t, () => app.getByRole('option').first().textContent(), 'Georgia')
    await country.fill('Germany')
    await app.locator('[data-combobox-selected]', { hasText: 'Germany' }).waitFor()
    await country.press('Enter')
    await expectSoon(t, () => country.inputValue(), 'Germany')
    await country.fill('Nowhere')
    await app.getByText('No matching countries').waitFor()
    await country.press('Tab')
    await expectSoon(t, () => country.inputValue(), 'Germany', 'a word that is no country changes nothing')
    await button('Save').first().click()
    await app.getByText('Supplier saved').first().waitFor()
    t.match(await get(`/suppliers/${id}`), { countryCode: 'DE' })
  })

  await t.test('a merge begins at its picker, which tells equal names apart', async (t) => {
    const other = await add({ name: 'clay', email: 'clay@clay.example' })
    const third = await add({ name: 'Clay', accountNumber: 'C-3' })
    await button('Merge').press('Enter')
    const into = dialog.getByRole('combobox', { name: 'Into' }).and(app.locator(':focus'))
    await into.waitFor()
    await expectSoon(t, () => app.getByRole('option').count(), 0, 'the list covers no text')
    await into.fill('clay')
    await expectSoon(t, () => app.getByRole('option').allTextContents(), [
      'Clay · C-3',
      'clay · clay@clay.example',
    ])
    await app.getByRole('option', { name: 'Clay · C-3' }).click()
    await expectSoon(t, () => into.inputValue(), 'Clay · C-3')
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await app.getByText('Clay merged into Clay').waitFor()
    t.match(await get(`/suppliers/${third.id}`), { name: 'Clay' })
    t.match(await get(`/suppliers/${other.id}`), { name: 'clay' })
  })

  await t.test('an archived supplier is restored, in the list and on its page', async (t) => {
    const { id } = await add({ name: 'Old friend' })
    const order = await send<{ poNumber: string }>('POST', '/purchase-orders', {
      supplierId: id,
      lineItems: [],
    })
    await visit(tab, `/suppliers/${id}`, 'Old friend')
    await button('Delete').click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await app.getByRole('link', { name: 'Archived' }).click()
    await button('Restore Old friend').click()
    await app.getByText('No archived suppliers').waitFor()
    await app.getByRole('link', { name: 'Active' }).click()
    await app.getByRole('link', { name: 'Old friend' }).waitFor()
    t.match(await suppliers('?search=friend'), [{ id, archivedAt: null }])

    await send('POST', '/suppliers/archive', { ids: [id] })
    await visit(tab, `/purchase-orders?supplierId=${id}`, 'Purchase orders')
    await expectSoon(t, () => app.getByRole('combobox', { name: 'Supplier' }).inputValue(), 'Old friend')
    await button('Remove filter Supplier: Old friend').waitFor()
    await app.getByRole('link', { name: order.poNumber }).click()
    await app.getByRole('link', { name: 'Old friend' }).click()
    await app.getByText('This supplier is archived').waitFor()
    await expectSoon(t, () => button('Delete').count(), 0)
    await button('Restore Old friend').click()
    await button('Delete').waitFor()
    t.match(await suppliers('?search=friend'), [{ id, archivedAt: null }])
  })

  await t.test('selected suppliers are archived and restored together', async (t) => {
    for (const name of ['Bulk one', 'Bulk two']) await add({ name })
    await goTo(app, 'Suppliers')
    await app.getByLabel('Search suppliers').fill('bulk')
    // the list before the search shows them, too, and the search clears the selection
    await app.getByRole('status').filter({ hasText: '2 of 2' }).first().waitFor()
    const select = async () => {
      await app.getByRole('checkbox', { name: 'Select Bulk one' }).check()
      await app.getByRole('checkbox', { name: 'Select Bulk two' }).check()
      await app.getByText('2 selected').waitFor()
    }
    await select()
    await button('Archive').click()
    await dialog.getByText('Archive 2 suppliers?').waitFor()
    await dialog.getByRole('button', { name: 'Archive', exact: true }).click()
    await app.getByText('2 suppliers archived').waitFor()
    t.strictSame(await suppliers('?search=bulk'), [])
    await app.getByRole('link', { name: 'Archived' }).click()
    await select()
    await button('Restore').click()
    await app.getByText('2 suppliers restored').waitFor()
    t.match(await suppliers('?search=bulk'), [{ name: 'Bulk two' }, { name: 'Bulk one' }])
  })
})
