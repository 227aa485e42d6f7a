import { readFile } from 'node:fs/promises'
import t from 'tap'
import { sql } from '../../shared/db/db.ts'
import { upsertProducts } from '../../shared/domain/catalogue/upsert-products.ts'
import type { ProductFacets, ProductListItem } from '../../shared/schemas/products.ts'
import type { SupplierProduct } from '../../shared/schemas/supplier-products.ts'
import type { SupplierListItem } from '../../shared/schemas/suppliers.ts'
import { clickLink, expectSoon, goTo, startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'
import { product, variant } from '../support/make/catalogue.ts'
import { paste } from './paste.ts'

const listed = 2_000

t.test('a merchant keeps suppliers with their products and prices', async (t) => {
  const { shop, install, open, get, send, db } = await startAdmin(t)
  await install()
  const { id: shopId } = await db.one(sql.typeAlias('id')`
    select shop_id as id from product order by id limit 1
  `)
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
  const productsOf = (id: number) => get<SupplierProduct[]>(`/suppliers/${id}/products`)
  const { page, app } = await open('/suppliers')

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
    const isCreatable = () => app.getByRole('button', { name: 'Create suppliers' }).isEnabled()
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
    await app.getByRole('button', { name: 'Keep editing' }).click()
    await app.getByRole('button', { name: 'Create suppliers' }).click()
    await app.getByText('2 suppliers created, 5 products added').waitFor()
    const emails = (await suppliers()).map(
      async ({ id }) => (await get<{ email: string }>(`/suppliers/${id}`)).email,
    )
    t.strictSame((await Promise.all(emails)).sort(), ['kiln@kiln.example', 'sales@northgate.example'])
    t.strictSame((await suppliers()).map(({ name }) => name.toLowerCase()).sort(), ['kiln', 'northgate'])

    await app.getByRole('link', { name: 'From vendors' }).click()
    await app.getByText('There is nothing to create.').waitFor()
    await expectSoon(t, () => app.getByRole('button', { name: 'Create suppliers' }).isDisabled(), true)
  })

  await t.test('the grid is edited with the keyboard and saved', async (t) => {
    const [supplier] = await suppliers('?search=northgate')
    const id = supplier?.id ?? 0
    await goTo(app, 'Suppliers')
    await app.getByRole('link', { name: supplier?.name ?? '', exact: true }).click()
    await app.getByRole('link', { name: 'Products and prices' }).click()
    const [first, second, third] = await productsOf(id)
    const cell = (name: string, of: SupplierProduct | undefined) => app.getByLabel(`${name} of ${of?.title}`)
    await cell('Supplier SKU', first).click()
    await page.keyboard.type('N-1')
    await page.keyboard.press('Tab')
    await page.keyboard.type('2.50')
    await page.keyboard.press('Enter')
    await page.keyboard.type('3')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.type('1,25')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('many')
    await app.getByText('5 changes not saved').waitFor()
    await app.getByRole('button', { name: 'Save', exact: true }).click()
    await app.getByText('Must be a whole number from 1 to 1 000 000.').waitFor()
    await expectSoon(t, () => cell('Pack size', third).getAttribute('aria-invalid'), 'true')
    t.match(
      await productsOf(id),
      [{ price: null }, { price: null }, { price: null }],
      'nothing is half saved',
    )

    await cell('Minimum', third).fill('1,000')
    await cell('Pack size', third).fill('6')
    await page.keyboard.press('ArrowUp')
    await expectSoon(
      t,
      () => cell('Pack size', second).evaluate((input) => input === document.activeElement),
      true,
    )
    const gate = Promise.withResolvers<void>()
    t.teardown(() => gate.resolve())
    await page.route('**/products/bulk', async (route) => {
      await gate.promise
      await route.continue()
    })
    await page.keyboard.press('Control+s')
    await expectSoon(
      t,
      () => cell('Pack size', second).isDisabled(),
      true,
      'nothing is typed during the save',
    )
    const reading = Promise.withResolvers<void>()
    t.teardown(() => reading.resolve())
    let isRead = false
    await page.route(`**/suppliers/${id}/products?*`, async (route) => {
      isRead = true
      await reading.promise
      await route.continue()
    })
    gate.resolve()
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

  await t.test('cells of a spreadsheet are pasted into the grid, and changes can be discarded', async (t) => {
    const [supplier] = await suppliers('?search=northgate')
    const [first, second] = await productsOf(supplier?.id ?? 0)
    const at = app.getByLabel(`Supplier SKU of ${first?.title}`)
    const paste = (text: string) =>
      at.evaluate((input, pasted) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', pasted)
        input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      }, text)
    await paste('P-1\t4\t12\r\nP-2\t5\t24\r\n')
    await app.getByText('6 changes not saved').waitFor()
    await app.getByRole('button', { name: 'Discard' }).click()
    await app.getByRole('button', { name: 'Discard changes' }).click()
    await expectSoon(t, () => at.inputValue(), 'N-1')
    await paste('P-1\t4\t12\r\nP-2\t5\t24\r\n')
    await app.getByRole('button', { name: 'Save', exact: true }).click()
    await expectSoon(t, () => app.getByText('not saved').count(), 0)
    const firstSku = async () => (await productsOf(supplier?.id ?? 0))[0]?.supplierSku
    await expectSoon(t, firstSku, 'P-1', 'the pasted cells are stored')
    t.match(await productsOf(supplier?.id ?? 0), [
      { id: first?.id, supplierSku: 'P-1', price: 4, packSize: 12 },
      { id: second?.id, supplierSku: 'P-2', price: 5, packSize: 24 },
    ])
    const download = page.waitForEvent('download')
    await app.getByRole('button', { name: 'CSV' }).click()
    t.match((await readFile(await (await download).path(), 'utf8')).split('\n')[1], /P-1,,4,USD,1,12/)
    await app.getByRole('button', { name: `Prices of ${first?.title}` }).click()
    const prices = app.getByRole('table', { name: 'Prices' })
    await prices.getByText('Entered by hand').first().waitFor()
    await app.getByLabel('New price', { exact: true }).fill('3.5')
    await app.getByLabel('From quantity', { exact: true }).fill('100')
    await app.getByRole('button', { name: 'Add', exact: true }).click()
    await prices.getByText('From 100').waitFor()
    await app.getByRole('button', { name: 'Close', exact: true }).click()
  })

  await t.test('prices that were typed before a search are saved, too', async (t) => {
    const [supplier] = await suppliers('?search=northgate')
    const id = supplier?.id ?? 0
    const { app } = await open(`/suppliers/${id}/products`)
    const [first, second] = await productsOf(id)
    await app.getByLabel(`Price of ${first?.title}`).fill('4.50')
    await app.getByLabel('Search products of this supplier').fill(second?.title ?? '')
    await expectSoon(t, () => app.getByRole('row').count(), 3, 'the changed row stays in the grid')
    await app.getByLabel(`Price of ${second?.title}`).fill('5.50')
    await app.getByText('2 changes not saved').waitFor()
    await app.getByRole('button', { name: 'Save', exact: true }).click()
    await app.getByText('Products saved').waitFor()
    t.match(await productsOf(id), [
      { id: first?.id, price: 4.5 },
      { id: second?.id, price: 5.5 },
    ])
  })

  await t.test('prices are typed in the currency that the supplier has now', async (t) => {
    const { id } = await send<{ id: number }>('POST', '/suppliers', { name: 'Changed currency' })
    const variantId = products[0]?.variants[0]?.variantId
    const { title } = await send<SupplierProduct>('POST', `/suppliers/${id}/products`, {
      variantId,
      prices: [{ price: 10, currency: 'USD' }],
    })
    await send('PUT', `/suppliers/${id}`, { currency: 'EUR' })
    const tab = await open(`/suppliers/${id}/products`)
    await tab.app.getByText('EUR · today US$10.00').waitFor()
    const price = tab.app.getByLabel(`Price of ${title}`)
    await expectSoon(t, () => price.inputValue(), '')
    await price.fill('9')
    await tab.app.getByRole('button', { name: 'Save', exact: true }).click()
    await tab.app.getByText('Products saved').waitFor()
    await expectSoon(t, () => tab.app.getByText('today US$10.00').count(), 0)
    t.match(await productsOf(id), [{ price: 9, currency: 'EUR', prices: [{ price: 9 }, { price: 10 }] }])
    await tab.app.getByRole('button', { name: `Prices of ${title}` }).click()
    const prices = tab.app.getByRole('table', { name: 'Prices' })
    await prices.getByText('US$10.00').waitFor()
    const currency = tab.app.getByRole('dialog').getByLabel('Currency')
    await expectSoon(t, () => currency.inputValue(), 'EUR')
    await tab.app.getByLabel('New price', { exact: true }).fill('8')
    await currency.fill('gbp')
    await tab.app.getByRole('button', { name: 'Add', exact: true }).click()
    await prices.getByText('£8.00').waitFor()
    await expectSoon(t, () => currency.inputValue(), 'EUR')
  })

  await t.test('a price that begins later ends the one before it', async (t) => {
    const { id } = await send<{ id: number }>('POST', '/suppliers', { name: 'Later prices', currency: 'USD' })
    const { title } = await send<SupplierProduct>('POST', `/suppliers/${id}/products`, {
      variantId: products[0]?.variants[0]?.variantId,
      prices: [{ price: 10 }, { price: 9, minQuantity: 50 }],
    })
    const tab = await open(`/suppliers/${id}/products`)
    await tab.app.getByRole('button', { name: `Prices of ${title}` }).click()
    const dialog = tab.app.getByRole('dialog')
    const add = async (price: string, from: string, to: string) => {
      await dialog.getByLabel('New price', { exact: true }).fill(price)
      await dialog.getByLabel('Valid from').fill(from)
      await dialog.getByLabel('Valid to').fill(to)
    }
    await add('12', '2099-03-01', '')
    await dialog.getByText('US$10.00 from 1 ends on 28 Feb 2099.').waitFor()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    const stored = async () =>
      (await productsOf(id))[0]?.prices.map(({ minQuantity, price, validFrom, validTo }) =>
        [minQuantity, price, validFrom, validTo].join(' '),
      )
    await expectSoon(t, stored, ['1 10  2099-02-28', '1 12 2099-03-01 ', '50 9  '])
    await add('11', '2099-12-01', '2099-12-24')
    await dialog.getByText('US$12.00 from 1 ends on 30 Nov 2099, and holds again from 25 Dec 2099.').waitFor()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expectSoon(t, stored, [
      '1 10  2099-02-28',
      '1 12 2099-03-01 2099-11-30',
      '1 11 2099-12-01 2099-12-24',
      '1 12 2099-12-25 ',
      '50 9  ',
    ])
    await add('8', '2099-03-01', '2099-03-31')
    await dialog.getByText('US$12.00 from 1 begins on 1 Apr 2099.').waitFor()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expectSoon(t, stored, [
      '1 10  2099-02-28',
      '1 8 2099-03-01 2099-03-31',
      '1 12 2099-04-01 2099-11-30',
      '1 11 2099-12-01 2099-12-24',
      '1 12 2099-12-25 ',
      '50 9  ',
    ])
    await add('7', '2099-03-01', '2099-03-31')
    await dialog.getByText('US$8.00 from 1 is replaced.').waitFor()
    await add('8', '2099-03-10', '2099-03-20')
    await expectSoon(t, () => dialog.getByText(/^US\$8.00 from 1 /).count(), 0)
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByText('This price already holds on these days.').waitFor()
    await tab.page.close()
  })

  await t.test('a day with a wrong year, and a refused quantity, are errors of their fields', async (t) => {
    const { id } = await send<{ id: number }>('POST', '/suppliers', { name: 'Wrong years', currency: 'USD' })
    const { title } = await send<SupplierProduct>('POST', `/suppliers/${id}/products`, {
      variantId: products[0]?.variants[0]?.variantId,
      prices: [{ price: 10 }],
    })
    const tab = await open(`/suppliers/${id}/products`)
    await tab.app.getByRole('button', { name: `Prices of ${title}` }).click()
    const dialog = tab.app.getByRole('dialog')
    const [price, from] = [dialog.getByLabel('New price', { exact: true }), dialog.getByLabel('Valid from')]
    const add = dialog.getByRole('button', { name: 'Add', exact: true })
    const hint = dialog.getByRole('status')
    const hints = async () => (await hint.allTextContents()).filter((text) => text !== '')
    await expectSoon(t, () => hint.count(), 1, 'it is there before it says something')
    await price.fill('12')
    for (const day of ['0002-03-01', '0202-03-01', '20261-03-01']) {
      await from.fill(day)
      await expectSoon(t, hints, [], day)
    }
    await expectSoon(t, () => from.getAttribute('max'), '9999-12-31')
    await add.click()
    await dialog.getByText('Enter a year of four digits.').waitFor()
    await expectSoon(t, () => price.inputValue(), '12.00')
    await from.fill('2099-03-01')
    await expectSoon(t, hints, ['US$10.00 from 1 ends on 28 Feb 2099.'])
    await dialog.getByLabel('Valid to').fill('2099-02-01')
    await add.click()
    await dialog.getByText('The price ends before it begins.').waitFor()
    await dialog.getByLabel('Valid to').fill('')
    const quantity = dialog.getByLabel('From quantity')
    await quantity.fill('9999999999')
    await add.click()
    await expectSoon(t, () => quantity.getAttribute('aria-invalid'), 'true')
    await quantity.fill('a few')
    await add.click()
    await dialog.getByText('Enter a whole number.').waitFor()
    t.match(await productsOf(id), [{ prices: [{ price: 10, validTo: null }] }])
    await tab.page.close()
  })

  await t.test('a price without days holds from today on, and the one before keeps its origin', async (t) => {
    const { id } = await send<{ id: number }>('POST', '/suppliers', { name: 'From a list', currency: 'USD' })
    await send('POST', '/supplier-prices/import', {
      csv: `SKU,Price\n${products[0]?.variants[0]?.sku},10`,
      dryRun: false,
      supplierId: id,
    })
    const [listed] = await productsOf(id)
    const tab = await open(`/suppliers/${id}/products`)
    await tab.app.getByRole('button', { name: `Prices of ${listed?.title}` }).click()
    const dialog = tab.app.getByRole('dialog')
    await dialog.getByLabel('New price', { exact: true }).fill('12')
    await dialog.getByText(/^US\$10.00 from 1 ends on \d+ \w+ \d+\.$/).waitFor()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByRole('cell', { name: 'Entered by hand' }).waitFor()
    await dialog.getByRole('cell', { name: 'From a price list' }).waitFor()
    t.match(await productsOf(id), [
      {
        price: 12,
        prices: [
          { price: 10, validFrom: null, validTo: /^\d/, source: 'import' },
          { price: 12, validFrom: /^\d/, validTo: null, source: 'typed' },
        ],
      },
    ])
    await tab.page.close()
  })

  await t.test('a product has details, can be paused, and a price is deleted after a question', async (t) => {
    const { id } = await send<{ id: number }>('POST', '/suppliers', { name: 'Pausing', email: 'p@p.example' })
    const [
      {
        productId,
        variants: [{ variantId } = { variantId: '' }],
      } = { productId: '', variants: [] },
    ] = products.slice(1)
    const { title } = await send<SupplierProduct>('POST', `/suppliers/${id}/products`, {
      ...{ variantId, supplierSku: 'P-1', rank: 1 },
      prices: [{ price: 4 }, { price: 3, minQuantity: 10 }],
    })
    const order = await send<{ id: number }>('POST', '/purchase-orders', {
      supplierId: id,
      lineItems: [{ productId, variantId, quantity: 1, costPrice: 10, discountPercent: 10 }],
    })
    await send('POST', `/purchase-orders/${order.id}/send`, {})
    const { app } = await open(`/suppliers/${id}/products`)
    await app.getByRole('button', { name: `Details of ${title}` }).click()
    // 10.00 less 10%
    await app.getByText(/^Last cost US\$9\.00 on /).waitFor()
    await app.getByLabel('Title at the supplier').fill('Becher')
    await app.getByLabel('Barcode of the pack').fill('4006381333931')
    await app.getByRole('switch', { name: 'Active' }).click()
    await app.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await app.getByRole('row').filter({ hasText: title }).getByText('Inactive').waitFor()
    t.match(await productsOf(id), [
      { supplierTitle: 'Becher', packBarcode: '4006381333931', isActive: false, supplierSku: 'P-1' },
    ])

    await app.getByRole('button', { name: `Prices of ${title}` }).click()
    const remove = app.getByRole('button', { name: 'Delete the price US$3.00 from 10' })
    await remove.click()
    await app.getByRole('dialog', { name: 'Delete the price US$3.00?' }).waitFor()
    await app.getByRole('button', { name: 'Cancel' }).click()
    await remove.click()
    await app.getByRole('button', { name: 'Delete', exact: true }).click()
    // the dialog opens again when the price is deleted
    await app.getByRole('dialog', { name: `Prices of ${title}` }).waitFor()
    await expectSoon(t, () => remove.count(), 0)
    t.strictSame(
      (await productsOf(id))[0]?.prices.map(({ price }) => price),
      [4],
    )

    const other = await open(`/variants/${variantId.replace(/.*\//, '')}`)
    const row = other.app
      .getByRole('table', { name: 'Prices of suppliers' })
      .getByRole('row')
      .filter({ hasText: 'Pausing' })
    await row.getByText('Inactive').waitFor()
    await expectSoon(t, () => row.getByRole('button').count(), 0, 'a paused product is not preferred')
  })

  await t.test(
    'a price list with three bad rows names them, and is imported when they are right',
    async (t) => {
      for (let from = 0; from < listed; from += 500) {
        const products = Array.from({ length: 500 }, (_, at) => {
          const number = 900_000 + from + at
          return product(number, [variant(number, { sku: `LIST-${from + at + 1}` })])
        })
        await db.transaction((tx) => upsertProducts(tx, shopId, products))
      }
      const [supplier] = await suppliers('?search=kiln')
      const rows = Array.from(
        { length: listed },
        (_, at) => `LIST-${at + 1}\tK-${at + 1}\t${(at + 1) / 100}\t6`,
      )
      const header = 'sku\tsupplier sku\tprice\tpack size'
      const bad = rows
        .with(9, 'LIST-9999\tK\t1\t6')
        .with(99, 'LIST-100\tK-100\tfree\t6')
        .with(1999, 'LIST-2000\tK\t1\t0')
      await app.getByRole('link', { name: 'Import a price list' }).first().waitFor()
      await goTo(app, 'Suppliers')
      await app.getByRole('link', { name: supplier?.name ?? '', exact: true }).click()
      await app.getByRole('link', { name: 'Products and prices' }).click()
      await app.getByRole('link', { name: 'Import a price list' }).first().click()
      const text = app.getByLabel('Rows of the price list')
      const hasLastCell = async () => (await text.getAttribute('placeholder'))?.endsWith('\t48\t')
      await expectSoon(t, hasLastCell, true, 'the sample has the empty cell at its end')
      await paste(text, [header, ...bad].join('\n'))
      await app.getByRole('button', { name: 'Check' }).click()
      const errors = app.getByRole('table', { name: 'Errors' })
      await errors.waitFor()
      await expectSoon(t, () => errors.getByRole('row').allTextContents(), [
        'RowColumnError',
        'Row 11skuUnknown SKU "LIST-9999".',
        'Row 101priceMust be a number from 0 to 1 000 000 000 with at most 4 decimals.',
        'Row 2001pack sizeMust be a whole number from 1 to 1 000 000.',
      ])
      const before = await productsOf(supplier?.id ?? 0)
      await paste(text, [header, ...rows].join('\n'))
      await app.getByRole('button', { name: 'Check' }).click()
      await app.getByText('2,000 rows: 2,000 products to be added').waitFor()
      t.strictSame(await productsOf(supplier?.id ?? 0), before)
      await app.getByRole('button', { name: 'Import', exact: true }).click()
      await app.getByText('2,000 products added, 0 changed.').waitFor()
      t.match(await productsOf(supplier?.id ?? 0), [
        { sku: 'LIST-2000', supplierSku: 'K-2000', price: 20, packSize: 6 },
      ])
    },
  )

  await t.test('a variant shows its suppliers, and one is made the preferred', async (t) => {
    const { id } = await send<{ id: number }>('POST', '/suppliers', { name: 'Second source' })
    const variantId = 'gid://platform/ProductVariant/900000'
    await send('POST', `/suppliers/${id}/products`, { variantId, prices: [{ price: 0.5 }] })
    const { app: other } = await open('/variants/900000')
    const rows = other.getByRole('table', { name: 'Prices of suppliers' }).getByRole('row')
    await rows.nth(1).getByText('Preferred').waitFor()
    const isSecond = async () => /Second source.*US\$0\.50/.test((await rows.nth(2).textContent()) ?? '')
    await expectSoon(t, isSecond, true)
    await other.getByRole('button', { name: 'Prefer Second source' }).click()
    await rows.nth(1).getByText('Second source').waitFor()
    t.match(await get('/variants/900000/suppliers'), [
      { supplierName: 'Second source', rank: 1 },
      { rank: 2 },
    ])
  })

  await t.test('an archived supplier is restored', async (t) => {
    const { id } = await send<{ id: number }>('POST', '/suppliers', { name: 'Old friend' })
    const { poNumber } = await send<{ poNumber: string }>('POST', '/purchase-orders', {
      supplierId: id,
      lineItems: [],
    })
    const tab = await open(`/suppliers/${id}`)
    await tab.app.getByRole('button', { name: 'Delete' }).click()
    await tab.app.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await tab.app.getByRole('link', { name: 'Archived' }).click()
    await tab.app.getByRole('button', { name: 'Restore Old friend' }).click()
    await tab.app.getByText('No archived suppliers').waitFor()
    await tab.app.getByRole('link', { name: 'Active' }).click()
    await tab.app.getByRole('link', { name: 'Old friend' }).waitFor()
    t.match(await suppliers('?search=friend'), [{ id, archivedAt: null }])

    await send('POST', '/suppliers/archive', { ids: [id] })
    const { app: detail } = await open(`/purchase-orders?supplierId=${id}`)
    await expectSoon(t, () => detail.getByRole('combobox', { name: 'Supplier' }).inputValue(), 'Old friend')
    await detail.getByRole('button', { name: 'Remove filter Supplier: Old friend' }).waitFor()
    await detail.getByRole('link', { name: poNumber }).click()
    await detail.getByRole('link', { name: 'Old friend' }).click()
    await detail.getByText('This supplier is archived').waitFor()
    await expectSoon(t, () => detail.getByRole('button', { name: 'Delete' }).count(), 0)
    await detail.getByRole('button', { name: 'Restore Old friend' }).click()
    await detail.getByRole('button', { name: 'Delete' }).waitFor()
    t.match(await suppliers('?search=friend'), [{ id, archivedAt: null }])
  })

  await t.test('selected suppliers are archived and restored together', async (t) => {
    for (const name of ['Bulk one', 'Bulk two']) await send('POST', '/suppliers', { name })
    const { app: list } = await open('/suppliers?search=bulk')
    const dialog = list.getByRole('dialog')
    const select = async () => {
      await list.getByRole('checkbox', { name: 'Select Bulk one' }).check()
      await list.getByRole('checkbox', { name: 'Select Bulk two' }).check()
      await list.getByText('2 selected').waitFor()
    }
    await select()
    await list.getByRole('button', { name: 'Archive', exact: true }).click()
    await dialog.getByText('Archive 2 suppliers?').waitFor()
    await dialog.getByRole('button', { name: 'Archive', exact: true }).click()
    await list.getByText('2 suppliers archived').waitFor()
    t.strictSame(await suppliers('?search=bulk'), [])
    await list.getByRole('link', { name: 'Archived' }).click()
    await select()
    await list.getByRole('button', { name: 'Restore', exact: true }).click()
    await list.getByText('2 suppliers restored').waitFor()
    t.match(await suppliers('?search=bulk'), [{ name: 'Bulk two' }, { name: 'Bulk one' }])
  })

  await t.test('a merchant is told when another user has saved the supplier', async (t) => {
    const { id } = await send<{ id: number }>('POST', '/suppliers', { name: 'Shared' })
    const { app: mine } = await open(`/suppliers/${id}`)
    await mine.getByLabel('Tax ID').fill('DE 1')
    await mine.getByLabel('City').fill('Paris')
    await send('PUT', `/suppliers/${id}`, { city: 'Lyon' })
    await mine.getByRole('button', { name: 'Save' }).first().click()
    await mine.getByText('City: Lyon').waitFor()
    await mine.getByRole('button', { name: 'Overwrite with mine' }).click()
    await mine.getByText('Supplier saved').waitFor()
    t.match(await get(`/suppliers/${id}`), { taxId: 'DE 1', city: 'Paris' })
  })
})
