import t from 'tap'
import type { ProductListItem } from '../../shared/schemas/products.ts'
import type { SupplierProduct } from '../../shared/schemas/supplier-products.ts'
import { expectSoon, startAdmin } from '../support/core/admin.ts'
import { visit } from '../support/web/page-tour.ts'

t.test('a merchant agrees prices with a supplier', async (t) => {
  const { install, open, get, send } = await startAdmin(t)
  await install()
  const products = (await get<ProductListItem[]>('/products')).flatMap(
    ({ productId, variants: [variant] }) => (variant ? [{ productId, ...variant }] : []),
  )
  const productsOf = (id: number) => get<SupplierProduct[]>(`/suppliers/${id}/products`)
  const addSupplier = (name: string) => send<{ id: number }>('POST', '/suppliers', { name, currency: 'USD' })
  const addProduct = (id: number, at: number, fields: object = {}) =>
    send<SupplierProduct>('POST', `/suppliers/${id}/products`, {
      variantId: products[at]?.variantId,
      ...fields,
    })
  const tab = await open('/suppliers')
  const { page, app } = tab
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  const dialog = app.getByRole('dialog')
  const closeDialog = async () => {
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }

  await t.test('prices are typed in the currency that the supplier has now', async (t) => {
    const other = await addSupplier('Changed currency')
    const { title } = await addProduct(other.id, 0, { prices: [{ price: 10, currency: 'USD' }] })
    await send('PUT', `/suppliers/${other.id}`, { currency: 'EUR' })
    await visit(tab, `/suppliers/${other.id}/products`, 'Changed currency')
    await app.getByText('EUR · today US$10.00').waitFor()
    const price = app.getByLabel(`Price of ${title}`)
    await expectSoon(t, () => price.inputValue(), '')
    await price.fill('9')
    await button('Save').click()
    await expectSoon(t, () => app.getByText('today US$10.00').count(), 0)
    t.match(await productsOf(other.id), [
      { price: 9, currency: 'EUR', prices: [{ price: 9 }, { price: 10 }] },
    ])
    await button(`Prices of ${title}`).click()
    const currency = dialog.getByLabel('Currency')
    await expectSoon(t, () => currency.inputValue(), 'EUR')
    await dialog.getByLabel('New price', { exact: true }).fill('8')
    await currency.fill('gbp')
    await button('Add').click()
    await app.getByRole('table', { name: 'Prices' }).getByText('£8.00').waitFor()
    await expectSoon(t, () => currency.inputValue(), 'EUR')
    await closeDialog()
  })

  await t.test('a new price says which days the others keep; each error is at its field', async (t) => {
    const other = await addSupplier('From a list')
    const csv = `SKU,Price\n${products[0]?.sku},10`
    await send('POST', '/supplier-prices/import', { csv, dryRun: false, supplierId: other.id })
    const [{ title } = { title: '' }] = await productsOf(other.id)
    await visit(tab, `/suppliers/${other.id}/products`, 'From a list')
    await button(`Prices of ${title}`).click()
    const [price, from] = [dialog.getByLabel('New price', { exact: true }), dialog.getByLabel('Valid from')]
    const hint = dialog.getByRole('status')
    await expectSoon(t, () => hint.allTextContents(), [''], 'it is there before it says something')
    await price.fill('12')
    await hint.getByText(/^US\$10.00 from 1 ends on \d+ \w+ \d+\.$/).waitFor()
    await from.fill('0202-03-01')
    await expectSoon(t, () => hint.allTextContents(), [''])
    await expectSoon(t, () => from.getAttribute('max'), '9999-12-31')
    await button('Add').click()
    await dialog.getByText('Enter a year of four digits.').waitFor()
    await expectSoon(t, () => price.inputValue(), '12.00')
    await from.fill('2099-12-01')
    await dialog.getByLabel('Valid to').fill('2099-02-01')
    await button('Add').click()
    await dialog.getByText('The price ends before it begins.').waitFor()
    await dialog.getByLabel('Valid to').fill('2099-12-24')
    const quantity = dialog.getByLabel('From quantity')
    await quantity.fill('9999999999')
    await button('Add').click()
    await expectSoon(t, () => quantity.getAttribute('aria-invalid'), 'true')
    t.match(await productsOf(other.id), [{ prices: [{ price: 10, validTo: null }] }])
    await quantity.fill('1')
    await hint.getByText('US$10.00 from 1 ends on 30 Nov 2099, and holds again from 25 Dec 2099.').waitFor()
    await button('Add').click()
    await dialog.getByRole('cell', { name: 'Entered by hand' }).waitFor()
    await expectSoon(t, () => dialog.getByRole('cell', { name: 'From a price list' }).count(), 2)
    await price.fill('10')
    await button('Add').click()
    await dialog.getByText('This price already holds on these days.').waitFor()
    t.match((await productsOf(other.id))[0]?.prices, [
      { price: 10, validTo: '2099-11-30', source: 'import' },
      { price: 12, validFrom: '2099-12-01', validTo: '2099-12-24', source: 'typed' },
      { price: 10, validFrom: '2099-12-25', source: 'import' },
    ])
    await closeDialog()
  })

  await t.test('a product has details, can be paused, and a price is deleted after a question', async (t) => {
    const other = await addSupplier('Pausing')
    const { productId, variantId = '' } = products[1] ?? {}
    const { title } = await addProduct(other.id, 1, {
      ...{ supplierSku: 'P-1', rank: 1 },
      prices: [{ price: 4 }, { price: 3, minQuantity: 10 }],
    })
    const order = await send<{ id: number }>('POST', '/purchase-orders', {
      supplierId: other.id,
      lineItems: [{ productId, variantId, quantity: 1, costPrice: 10, discountPercent: 10 }],
    })
    await send('POST', `/purchase-orders/${order.id}/send`, {})
    await visit(tab, `/suppliers/${other.id}/products`, 'Pausing')
    await button(`Details of ${title}`).click()
    // 10.00 less 10%
    await app.getByText(/^Last cost US\$9\.00 on /).waitFor()
    await app.getByLabel('Title at the supplier').fill('Becher')
    await app.getByLabel('Barcode of the pack').fill('4006381333931')
    await app.getByRole('switch', { name: 'Active' }).click()
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await app.getByRole('row').filter({ hasText: title }).getByText('Inactive').waitFor()
    const details = {
      supplierTitle: 'Becher',
      packBarcode: '4006381333931',
      isActive: false,
      supplierSku: 'P-1',
    }
    t.match(await productsOf(other.id), [details])

    await button(`Prices of ${title}`).click()
    const remove = button('Delete the price US$3.00 from 10')
    await remove.click()
    await app.getByRole('dialog', { name: 'Delete the price US$3.00?' }).waitFor()
    await button('Cancel').click()
    await remove.click()
    await button('Delete').click()
    // the dialog opens again when the price is deleted
    await app.getByRole('dialog', { name: `Prices of ${title}` }).waitFor()
    await expectSoon(t, () => remove.count(), 0)
    t.match((await productsOf(other.id))[0]?.prices, [{ price: 4 }])
    await closeDialog()
  })

  await t.test('a variant shows its suppliers, and one of several is made the preferred', async (t) => {
    const number = products[1]?.variantId.replace(/.*\//, '')
    const second = await addSupplier('Second source')
    await addProduct(second.id, 1, { prices: [{ price: 0.75 }] })
    const source = await addSupplier('Third source')
    const { title } = await addProduct(source.id, 1, { prices: [{ price: 0.5 }] })
    await visit(tab, `/variants/${number}`, title)
    const rows = app.getByRole('table', { name: 'Prices of suppliers' }).getByRole('row')
    const row = (name: string) => rows.filter({ hasText: name })
    await row('Pausing').getByText('Inactive').waitFor()
    await expectSoon(
      t,
      () => row('Pausing').getByRole('button').count(),
      0,
      'a paused product is not preferred',
    )
    await row('Second source').getByText('Preferred').waitFor()
    await row('Third source').getByText('US$0.50').waitFor()
    await button('Prefer Third source').click()
    await row('Third source').getByText('Preferred').waitFor()
    t.match(await get(`/variants/${number}/suppliers`), [{ supplierName: 'Third source', rank: 1 }])
  })
})
