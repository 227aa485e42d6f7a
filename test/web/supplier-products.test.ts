import { readFile } from 'node:fs/promises'
import t from 'tap'
import type { ProductListItem } from '../../shared/schemas/products.ts'
import type { SupplierProduct } from '../../shared/schemas/supplier-products.ts'
import { expectSoon, startAdmin } from '../support/core/admin.ts'

t.test('a merchant keeps the products and prices of a supplier', async (t) => {
  const { install, open, get, send } = await startAdmin(t)
  await install()
  const products = (await get<ProductListItem[]>('/products')).flatMap(({ variants }) => variants)
  const { id } = await send<{ id: number }>('POST', '/suppliers', { name: 'Northgate', currency: 'USD' })
  const productsOf = (id: number) => get<SupplierProduct[]>(`/suppliers/${id}/products`)
  for (const { variantId } of products.slice(0, 3))
    await send('POST', `/suppliers/${id}/products`, { variantId })
  const { page, app } = await open(`/suppliers/${id}/products`)
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  const [first, second, third] = await productsOf(id)
  const cell = (name: string, of: SupplierProduct | undefined) => app.getByLabel(`${name} of ${of?.title}`)

  await t.test('the grid is edited with the keyboard, and nothing is half saved', async (t) => {
    await cell('Supplier SKU', first).click()
    for (const key of ['N-1', 'Tab', '2.50', 'Enter', '3', 'ArrowDown', '1,25', 'ArrowRight', 'many'])
      await (/^[A-Z][a-z]/.test(key) ? page.keyboard.press(key) : page.keyboard.type(key))
    await app.getByText('5 changes not saved').waitFor()
    await button('Save').click()
    await app.getByText('Must be a whole number from 1 to 1 000 000.').waitFor()
    await expectSoon(t, () => cell('Pack size', third).getAttribute('aria-invalid'), 'true')
    t.match(await productsOf(id), [{ price: null }, { price: null }, { price: null }])
  })

  await t.test('until the saved rows are read, the cells keep what was typed, and are locked', async (t) => {
    await cell('Minimum', third).fill('1,000')
    await cell('Pack size', third).fill('6')
    await page.keyboard.press('ArrowUp')
    const hasFocus = () => cell('Pack size', second).evaluate((input) => input === document.activeElement)
    await expectSoon(t, hasFocus, true)
    const [saving, reading] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    t.teardown(() => [saving, reading].map(({ resolve }) => resolve()))
    await page.route('**/products/bulk', async (route) => {
      await saving.promise
      await route.continue()
    })
    await page.keyboard.press('Control+s')
    await expectSoon(
      t,
      () => cell('Pack size', second).isDisabled(),
      true,
      'nothing is typed during the save',
    )
    let isRead = false
    await page.route(`**/suppliers/${id}/products?*`, async (route) => {
      isRead = true
      await reading.promise
      await route.continue()
    })
    saving.resolve()
    await expectSoon(t, async () => isRead, true, 'the saved rows are read')
    await expectSoon(t, () => cell('Supplier SKU', first).inputValue(), 'N-1', 'no older value is shown')
    reading.resolve()
    await app.getByText('Products saved').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    t.match(await productsOf(id), [
      { id: first?.id, supplierSku: 'N-1', price: 2.5 },
      { id: second?.id, price: 3 },
      { id: third?.id, price: 1.25, packSize: 6, minimumQuantity: 1000 },
    ])
  })

  await t.test('cells are pasted, changes discarded, and a search keeps them', async (t) => {
    const at = cell('Supplier SKU', first)
    await at.evaluate((input) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', 'P-1\t4\t12\r\nP-2\t5\t24\r\n')
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })
    await app.getByText('6 changes not saved').waitFor()
    await button('Discard').click()
    await button('Discard changes').click()
    await expectSoon(t, () => at.inputValue(), 'N-1')
    await cell('Price', first).fill('4.50')
    await app.getByLabel('Search products of this supplier').fill(second?.title ?? '')
    await expectSoon(t, () => app.getByRole('row').count(), 3, 'the changed row stays in the grid')
    await cell('Price', second).fill('5.50')
    await app.getByText('2 changes not saved').waitFor()
    await button('Save').click()
    await expectSoon(t, () => app.getByText('not saved').count(), 0)
    const prices = async () => (await productsOf(id)).slice(0, 2).map(({ price }) => price)
    await expectSoon(t, prices, [4.5, 5.5])
    await app.getByLabel('Search products of this supplier').fill('')
    await cell('Price', third).waitFor()
    const download = page.waitForEvent('download')
    await button('CSV').click()
    t.match((await readFile(await (await download).path(), 'utf8')).split('\n')[1], /N-1,,4\.5,USD,1/)
  })

  await t.test('a bad row of a price list is named, and the list is imported when it is right', async (t) => {
    await app.getByRole('link', { name: 'Import a price list' }).first().click()
    const text = app.getByLabel('Rows of the price list')
    const hasLastCell = async () => (await text.getAttribute('placeholder'))?.endsWith('\t48\t')
    await expectSoon(t, hasLastCell, true, 'the sample has the empty cell at its end')
    const rows = [
      'sku\tsupplier sku\tprice\tpack size',
      `${first?.sku}\tN-1\t7\t6`,
      `${products[4]?.sku}\tK-4\t8\t6`,
    ]
    const before = await productsOf(id)
    const bad = [rows[0], `${first?.sku}\tN-1\tfree\t6`, 'GONE\tK-4\t8\t6']
    await text.fill(bad.join('\n'))
    await button('Check').click()
    const errors = app.getByRole('table', { name: 'Errors' })
    await expectSoon(t, () => errors.getByRole('row').allTextContents(), [
      'RowColumnError',
      'Row 2priceMust be a number from 0 to 1 000 000 000 with at most 4 decimals.',
      'Row 3skuUnknown SKU "GONE".',
    ])
    await text.fill(rows.join('\n'))
    await button('Check').click()
    await app.getByText('2 rows: 1 product to be added, 1 to be changed').waitFor()
    t.strictSame(await productsOf(id), before)
    await button('Import').click()
    await app.getByText('1 product added, 1 changed.').waitFor()
    t.match(
      (await productsOf(id)).find(({ supplierSku }) => supplierSku === 'K-4'),
      { price: 8, packSize: 6 },
    )
  })
})
