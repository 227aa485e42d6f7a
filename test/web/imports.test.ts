import { readFile } from 'node:fs/promises'
import { zipSync } from 'fflate'
import t from 'tap'
import { expectSoon, goTo, startAdmin } from '../support/core/admin.ts'

type Product = { variants: { sku: string }[] }
type Order = { id: number; poNumber: string; status: string; sourceNumber: string }

t.test('a merchant moves in with a file, mends a row, and reverts it', async (t) => {
  const { install, get, open } = await startAdmin(t)
  await install()
  const [first, second] = (await get<Product[]>('/products')).map(
    ({ variants: [variant] }) => variant?.sku ?? '',
  )
  const { page, app } = await open('/imports')
  const file = [
    'PO Number,Supplier,Order date,SKU,Quantity,Cost,Received',
    `S-77,Acme,2024-05-13,${first},10,2.50,10`,
    `S-78,Acme,2024-06-13,${second},5,4,1`,
    'S-78,Acme,2024-06-13,GONE-1,5,4,0',
  ].join('\n')
  /** The elements that make the page scroll sideways. */
  const tooWide = async () =>
    page.frames()[1]?.evaluate(`
      document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('body *')]
        .filter((each) => each.getBoundingClientRect().right > innerWidth)
        .map((each) => each.tagName + ' ' + each.className + ' ' + each.textContent.slice(0, 40))
    `)

  await t.test('files that are added together are one import, and another file is named', async (t) => {
    const orders = 'id,number,ordered_at,supplier_name\n7,A-7,2024-01-10,Acme'
    const items = `id,purchase_order_id,sku,quantity,cost_price,status\n1,7,${first},10,2.50,not received`
    await app.getByText('No files yet').waitFor()
    await app.locator('input[type=file]').setInputFiles([
      { name: 'purchase_orders.csv', mimeType: 'text/csv', buffer: Buffer.from(orders) },
      { name: 'purchase_order_items.csv', mimeType: 'text/csv', buffer: Buffer.from(items) },
      { name: 'order.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') },
    ])
    await app.getByText('Not sent. The app reads CSV, Excel (XLSX), JSON and ZIP.').waitFor()
    await app.getByRole('link', { name: '2 files: purchase_orders.csv, purchase_order_items.csv' }).click()
    await app.getByText('1 order (1 open), 1 new supplier, 2 rows valid.').waitFor()
    await expectSoon(t, tooWide, [], 'no sideways scrolling')
    await app.getByRole('link', { name: 'Back to Move in' }).click()
  })

  await t.test('a file that cannot be read says why, and another says what was understood', async (t) => {
    await app
      .locator('input[type=file]')
      .setInputFiles([{ name: 'broken.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n"1') }])
    await app.getByText('The file could not be read').waitFor()
    await app.getByText('Failed', { exact: true }).waitFor()
    await app.getByRole('link', { name: 'Back to Move in' }).click()
    await app
      .locator('input[type=file]')
      .setInputFiles([{ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(file) }])
    await app.getByRole('heading', { name: 'orders.csv', level: 1 }).waitFor()
    await app.getByText('3 rows · UTF-8 · separated by commas').waitFor()
    const field = app.getByRole('combobox', { name: 'What Order date becomes' })
    await expectSoon(t, () => field.inputValue(), 'Ordered on')
    for (const name of ['Numbers', 'Dates'])
      await expectSoon(t, () => app.getByRole('combobox', { name }).count(), 0, `no doubt about ${name}`)
  })

  await t.test('the preview says what the import would do, and nothing is stored', async (t) => {
    await app.getByText('2 orders (1 open), 1 new supplier, 2 rows valid, 1 invalid.').waitFor()
    await app.getByRole('button', { name: 'Check again' }).waitFor()
    await app.getByText('No product has the SKU GONE-1.').waitFor()
    t.strictSame(await get('/purchase-orders'), [])
    const downloads = page.waitForEvent('download')
    await app.getByRole('button', { name: 'Download invalid rows' }).click()
    const text = await readFile(await (await downloads).path(), 'utf8')
    t.match(text, 'S-78,Acme,2024-06-13,GONE-1,5,4,0,No product has the SKU GONE-1.')
    for (const size of [360, 1280]) {
      await page.setViewportSize({ width: size, height: 900 })
      await app.getByText('No product has the SKU GONE-1.').waitFor()
      await expectSoon(t, tooWide, [], `no sideways scrolling at ${size} px`)
    }
  })

  await t.test('the import makes the orders, which keep their old numbers', async (t) => {
    await app.getByRole('button', { name: 'Import', exact: true }).click()
    await app.getByText('Imported', { exact: true }).waitFor()
    t.match(
      (await get<Order[]>('/purchase-orders')).map(({ status, sourceNumber }) => [sourceNumber, status]),
      [
        ['S-78', 'partial'],
        ['S-77', 'received'],
      ],
    )
  })

  await t.test('undoing an imported receipt says that stock stays', async () => {
    const received = (await get<Order[]>('/purchase-orders')).find(
      ({ sourceNumber }) => sourceNumber === 'S-77',
    )
    const order = await open(`/purchase-orders/${received?.id}`)
    await order.app.getByRole('button', { name: /^Undo the receipt/ }).click()
    const meaning = 'Marks these items as outstanding again. Stock stays as it is'
    await order.app.getByRole('dialog').getByText(meaning).waitFor()
    await order.page.close()
    const [receipt] = await get<{ id: number }[]>(`/receipts?purchaseOrderId=${received?.id}`)
    const detail = await open(`/receipts/${receipt?.id}`)
    await detail.app.getByText(/^Arrived at /).waitFor()
    await detail.app.getByRole('button', { name: 'Undo', exact: true }).click()
    await detail.app.getByRole('dialog').getByText(meaning).waitFor()
    await detail.page.close()
  })

  await t.test('an unused import can be reverted', async (t) => {
    await app.getByRole('button', { name: 'Revert' }).click()
    await app.getByRole('dialog').getByRole('button', { name: 'Revert' }).click()
    await app.getByText('Reverted', { exact: true }).first().waitFor()
    t.strictSame(await get('/purchase-orders'), [])
  })

  await t.test('suppliers that may be the same are merged, and sample files can be downloaded', async (t) => {
    await app.getByRole('link', { name: 'Back to Move in' }).click()
    const sample = page.waitForEvent('download')
    await app.getByRole('button', { name: 'Reorder rules' }).click()
    t.match(await readFile(await (await sample).path(), 'utf8'), /SKU,Location,Supplier,Mode,Reorder point/)
    const suppliers = 'name,email\nAcme,a@acme.example\n"Acme, Ltd.",b@acme.example'
    await app
      .locator('input[type=file]')
      .setInputFiles([{ name: 'suppliers.csv', mimeType: 'text/csv', buffer: Buffer.from(suppliers) }])
    await app.getByRole('heading', { name: 'suppliers.csv', level: 1 }).waitFor()
    await app.getByRole('button', { name: 'Import', exact: true }).click()
    await app.getByRole('heading', { name: 'Suppliers that may be the same' }).waitFor()
    for (const size of [360, 1280]) {
      await page.setViewportSize({ width: size, height: 900 })
      await expectSoon(t, tooWide, [], `no sideways scrolling at ${size} px`)
    }
    await app.getByRole('button', { name: 'Merge Acme, Ltd.' }).click()
    await app.getByRole('dialog').getByRole('button', { name: 'Merge' }).click()
    await app.getByText('Merged into Acme').waitFor()
    t.match(await get('/suppliers'), [{ name: 'Acme' }])
  })

  await t.test('adjustments of the earlier app have a page of their own', async (t) => {
    await app.getByRole('link', { name: 'Back to Move in' }).click()
    const adjustments = `Adjusted at,SKU,Quantity,Quantity before,Quantity after,Reason\n2025-11-03,${first},-1,10,9,Damaged`
    await app
      .locator('input[type=file]')
      .setInputFiles([{ name: 'adjustments.csv', mimeType: 'text/csv', buffer: Buffer.from(adjustments) }])
    await app.getByRole('heading', { name: 'adjustments.csv', level: 1 }).waitFor()
    await app.getByRole('button', { name: 'Import', exact: true }).click()
    await app.getByRole('link', { name: 'View past adjustments' }).click()
    await app.getByRole('heading', { name: 'Past adjustments', level: 1 }).waitFor()
    await app.getByText('Damaged').waitFor()
    for (const size of [360, 1280]) {
      await page.setViewportSize({ width: size, height: 900 })
      await app.getByText('Damaged').waitFor()
      await expectSoon(t, tooWide, [], `no sideways scrolling at ${size} px`)
    }
    await goTo(app, 'Settings')
    await app.getByRole('link', { name: 'Move in' }).click()
    await app.getByRole('link', { name: 'adjustments.csv' }).click()
  })

  const withCost = /^1 order \(1 open\), 1 (new average cost|average cost changes), 2 rows valid\.$/

  await t.test('the preview of costs says what changes, and has no options of orders', async (t) => {
    for (const [cost, line] of [
      ['4', /^(1 new average cost|1 average cost changes), 1 row valid\.$/],
      ['5', '1 average cost changes, 1 row valid.'],
    ] as const) {
      await app.getByRole('link', { name: 'Back to Move in' }).click()
      const costs = `SKU,Average cost\n${first},${cost}`
      await app
        .locator('input[type=file]')
        .setInputFiles([{ name: `costs ${cost}.csv`, mimeType: 'text/csv', buffer: Buffer.from(costs) }])
      await app.getByRole('heading', { name: `costs ${cost}.csv`, level: 1 }).waitFor()
      await app.getByText(line).waitFor()
      await expectSoon(t, () => app.getByRole('heading', { name: 'Import options' }).count(), 0)
      if (cost === '5')
        await app.getByText(/^The average cost is 5\.00 \w+ instead of 4\.00 \w+\.$/).waitFor()
      await app.getByRole('button', { name: 'Import', exact: true }).click()
      await app.getByText('Imported', { exact: true }).waitFor()
    }
  })

  await t.test('a list of stock levels is sent to the import of stock', async () => {
    await app.getByRole('link', { name: 'Back to Move in' }).click()
    const levels = `SKU,Location,Quantity\n${first},Main,4`
    await app
      .locator('input[type=file]')
      .setInputFiles([{ name: 'levels.csv', mimeType: 'text/csv', buffer: Buffer.from(levels) }])
    await app.getByRole('heading', { name: 'levels.csv', level: 1 }).waitFor()
    await app.getByText('What does this list contain?').waitFor()
    await app.getByRole('link', { name: 'Import them in Stock' }).click()
    await app.getByRole('heading', { name: 'Import stock', level: 1 }).waitFor()
    const platform = `Handle,Title,SKU,Location,On hand (current),On hand (new)\nmug,Mug,${first},Main,1,2`
    await app.getByRole('textbox', { name: 'Rows' }).fill(platform)
    await app.getByRole('radio', { name: 'Set on hand', checked: true }).waitFor({ state: 'attached' })
    await app.getByRole('textbox', { name: 'Rows' }).fill('')
    await goTo(app, 'Settings')
    await app.getByRole('link', { name: 'Move in' }).click()
    await app.getByRole('link', { name: 'levels.csv' }).click()
  })

  await t.test('what the file leaves open is asked for, and an unread file of a ZIP is listed', async (t) => {
    await app.getByRole('link', { name: 'Back to Move in' }).click()
    const content = `PO Number,Supplier,Order date,SKU,Quantity,Cost\nO-1,Acme,03/04/2024,${first},3,"2,345"`
    const costs = JSON.stringify([{ sku: second, average_cost: '12.345' }])
    const bytes = zipSync({
      'open.csv': Buffer.from(content),
      'costs.json': Buffer.from(costs),
      'old.xls': Buffer.from('x'),
    })
    await app
      .locator('input[type=file]')
      .setInputFiles([{ name: 'open.zip', mimeType: 'application/zip', buffer: Buffer.from(bytes) }])
    await app.getByRole('heading', { name: 'open.zip', level: 1 }).waitFor()
    await app.getByText('The app does not read this format of Excel. Save it as .xlsx or CSV.').waitFor()
    await app.getByText('Decimal point or comma?').waitFor()
    await app
      .getByText('Your choice does not change lists that can be read in only one way.')
      .first()
      .waitFor()
    await app.getByText('Not checked', { exact: true }).waitFor()
    await expectSoon(t, () => app.getByRole('button', { name: 'Import', exact: true }).count(), 0, 'it asks')
    for (const [name, choice, question] of [
      ['Numbers', '1,234.50', 'Decimal point or comma?'],
      ['Dates', 'Month first: 12/31/2024', 'Day or month first?'],
    ] as const) {
      const field = app.getByRole('combobox', { name })
      await expectSoon(t, () => field.inputValue(), '', `${name} has no preset answer`)
      await field.click()
      await app.getByRole('option', { name: choice }).click()
      await app.getByText(question).waitFor({ state: 'detached' })
      await expectSoon(t, () => field.inputValue(), choice)
    }
    await app.getByText(withCost).waitFor()
    const currency = app.getByRole('textbox', { name: 'Currency' })
    await currency.fill('eur')
    await currency.blur()
    for (const size of [360, 1280]) {
      await page.setViewportSize({ width: size, height: 900 })
      await expectSoon(t, tooWide, [], `no sideways scrolling at ${size} px`)
    }
    const [newest] = await get<{ id: number }[]>('/imports')
    const defaults = async () => (await get<{ defaults: object }>(`/imports/${newest?.id}`)).defaults
    await expectSoon(t, defaults, { currency: 'EUR', dayOrder: 'mdy', decimalSign: '.' })
    await app.getByText(withCost).waitFor()
    await app.getByRole('combobox', { name: 'What SKU becomes', exact: true }).click()
    await app.getByRole('option', { name: 'Barcode', exact: true }).click()
    await app.getByText('2 rows valid').waitFor({ state: 'detached' })
    await app.getByText(`No product has the barcode ${first}.`).waitFor()
  })

  await t.test('a file without a valid row cannot be imported until it is mended', async (t) => {
    await app.getByRole('link', { name: 'Back to Move in' }).click()
    const bytes = Buffer.from(`SKU,Average cost,Worth\n${first},unknown,2.50\n${second},unknown,3`)
    await app
      .locator('input[type=file]')
      .setInputFiles([{ name: 'costs.csv', mimeType: 'text/csv', buffer: bytes }])
    await app.getByRole('heading', { name: 'costs.csv', level: 1 }).waitFor()
    await app.getByText('Nothing to import: fix the rows or the columns.').waitFor()
    const button = app.getByRole('button', { name: 'Import', exact: true })
    const lookOf = (name: string) =>
      app.getByRole('button', { name, exact: true }).getAttribute('data-variant')
    await expectSoon(t, () => button.isDisabled(), true)
    await expectSoon(t, () => lookOf('Check again'), 'filled')
    await app.getByRole('combobox', { name: 'What Worth becomes' }).click()
    await app.getByRole('option', { name: 'Unit cost', exact: true }).click()
    await app.getByText('2 rows valid.').waitFor()
    await expectSoon(t, () => lookOf('Import'), 'filled')
    await expectSoon(t, () => button.isEnabled(), true)
    await expectSoon(t, () => app.getByText('Nothing to import').count(), 0)
  })

  await t.test('a page says where merchants find what they used in Stocky', async (t) => {
    await app.getByRole('link', { name: 'Back to Move in' }).click()
    await app.getByRole('link', { name: 'Where is X from Stocky?' }).click()
    await app.getByRole('heading', { name: 'Where is X from Stocky?', level: 1 }).waitFor()
    await expectSoon(t, () => app.getByRole('row').count(), 21, 'twenty rows and the header')
    const lowStock = app.getByRole('row', { name: 'Low stock report' })
    await lowStock.getByRole('link', { name: 'Alerts', exact: true }).click()
    await app.getByRole('heading', { name: 'Alerts', level: 1 }).waitFor()
  })
})
