import { readFile } from 'node:fs/promises'
import t from 'tap'
import { expectSoon, startAdmin } from '../support/core/admin.ts'
import { addFile, tooWideOnPhone } from '../support/web/import-files.ts'
import { visit } from '../support/web/page-tour.ts'

type Product = { variants: { sku: string }[] }
type Order = { id: number; poNumber: string; status: string; sourceNumber: string }

t.test('a merchant moves in with a file, mends a row, and reverts it', async (t) => {
  const { install, get, open } = await startAdmin(t)
  await install()
  const [first, second] = (await get<Product[]>('/products')).map(
    ({ variants: [variant] }) => variant?.sku ?? '',
  )
  const tab = await open('/imports')
  const { page, app } = tab
  const file = [
    'PO Number,Supplier,Order date,SKU,Quantity,Cost,Received',
    `S-77,Acme,2024-05-13,${first},10,2.50,10`,
    `S-78,Acme,2024-06-13,${second},5,4,1`,
    'S-78,Acme,2024-06-13,GONE-1,5,4,0',
  ].join('\n')
  const leave = () => app.getByRole('link', { name: 'Back to Move in' }).click()
  const press = (name: string) => app.getByRole('button', { name, exact: true }).click()

  await t.test('files that are added together are one import, and another file is named', async () => {
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
    await leave()
  })

  await t.test('a file that cannot be read says why, and another says what was understood', async (t) => {
    await addFile(app, 'broken.csv', 'a,b\n"1')
    await app.getByText('The file could not be read').waitFor()
    await app.getByText('Failed', { exact: true }).waitFor()
    await leave()
    await addFile(app, 'orders.csv', file)
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
    await expectSoon(t, () => tooWideOnPhone(app), [])
  })

  await t.test('the import makes the orders, which keep their old numbers', async (t) => {
    await press('Import')
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
    const meaning = 'Marks these items as outstanding again. Stock stays as it is'
    const dialog = app.getByRole('dialog')
    await visit(tab, `/purchase-orders/${received?.id}`, received?.poNumber ?? '')
    await app.getByRole('button', { name: /^Undo the receipt/ }).click()
    await dialog.getByText(meaning).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    const [receipt] = await get<{ id: number }[]>(`/receipts?purchaseOrderId=${received?.id}`)
    await visit(tab, `/receipts/${receipt?.id}`, `Receipt #${receipt?.id}`)
    await app.getByText(/^Arrived at /).waitFor()
    await press('Undo')
    await dialog.getByText(meaning).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  await t.test('an unused import can be reverted', async (t) => {
    await visit(tab, '/imports', 'Move in')
    await app.getByRole('link', { name: 'orders.csv', exact: true }).click()
    await app.getByRole('button', { name: 'Revert' }).click()
    await app.getByRole('dialog').getByRole('button', { name: 'Revert' }).click()
    await app.getByText('Reverted', { exact: true }).first().waitFor()
    t.strictSame(await get('/purchase-orders'), [])
  })

  await t.test('suppliers that may be the same are merged, and sample files can be downloaded', async (t) => {
    await leave()
    const sample = page.waitForEvent('download')
    await app.getByRole('button', { name: 'Reorder rules' }).click()
    t.match(await readFile(await (await sample).path(), 'utf8'), /SKU,Location,Supplier,Mode,Reorder point/)
    const suppliers = 'name,email\nAcme,a@acme.example\n"Acme, Ltd.",b@acme.example'
    await addFile(app, 'suppliers.csv', suppliers)
    await press('Import')
    await app.getByRole('heading', { name: 'Suppliers that may be the same' }).waitFor()
    await expectSoon(t, () => tooWideOnPhone(app), [])
    await app.getByRole('button', { name: 'Merge Acme, Ltd.' }).click()
    await app.getByRole('dialog').getByRole('button', { name: 'Merge' }).click()
    await app.getByText('Merged into Acme').waitFor()
    t.match(await get('/suppliers'), [{ name: 'Acme' }])
  })
})
