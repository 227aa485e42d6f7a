import { readFile } from 'node:fs/promises'
import t from 'tap'
import type { PurchaseOrder } from '../../shared/schemas/purchase-orders.ts'
import type { SupplierReturn } from '../../shared/schemas/supplier-returns.ts'
import { readPdf } from '../shared/pdf/read-pdf.ts'
import { expectSoon, goTo, startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'
import { visit } from '../support/web/page-tour.ts'

type Product = { productId: string; title: string; variants: { variantId: string; sku: string }[] }
type Level = { currentStock: number }

t.test('goods go back to a supplier, with their papers', async (t) => {
  const { shop, install, get, send, getPdf, open } = await startAdmin(t)
  await install()
  const [{ productId = '', title = '', variants: [{ variantId = '', sku = '' } = {}] = [] } = {}] =
    await get<Product[]>('/products')
  const [place] = await get<{ locationId: string; name: string }[]>('/locations')
  if (!place) throw new Error('The shop has no location')
  const at = `variantId=${encodeURIComponent(variantId)}&locationId=${encodeURIComponent(place.locationId)}`
  const stock = async () => (await get<Level[]>(`/stock-levels?${at}`))[0]?.currentStock ?? 0
  const untilStock = (expected: number) =>
    until(
      async () => (await stock()) === expected && shop.stockOf(variantId, place.locationId) === expected,
      `stock is ${expected} here and on the platform`,
    )

  const tab = await open('/returns')
  const { app, page } = tab
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  const confirm = (name: string) => app.getByRole('dialog').getByRole('button', { name, exact: true }).click()
  const newest = async () => (await get<SupplierReturn[]>('/supplier-returns?limit=1'))[0]

  await t.test('an empty list says what to do', async () => {
    await app.getByText('No returns yet').waitFor()
  })

  const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', { name: 'Northgate' })
  const { id: orderId } = await send<{ id: number }>('POST', '/purchase-orders', {
    supplierId,
    lineItems: [{ productId, variantId, quantity: 10, costPrice: 2.5 }],
  })
  await send('POST', `/purchase-orders/${orderId}/send`)
  const { lineItems } = await get<PurchaseOrder>(`/purchase-orders/${orderId}`)
  await send('POST', `/purchase-orders/${orderId}/receive`, {
    lineItems: [{ lineItemId: lineItems[0]?.id, quantityReceived: 10 }],
    locationId: place.locationId,
  })
  await send('PUT', '/bins', { bins: [{ variantId, locationId: place.locationId, bin: 'C-7' }] })
  const before = await stock()

  await t.test('a return begins with the goods of a receipt, and names what is missing', async (t) => {
    await visit(tab, `/purchase-orders/${orderId}`, 'PO-00001')
    await app.getByRole('link', { name: /^Return goods of the receipt/ }).click()
    await app.getByRole('row', { name: title }).getByText('Bin C-7').waitFor()
    await expectSoon(t, () => app.getByLabel('Supplier', { exact: true }).inputValue(), 'Northgate')
    await button('Save return').click()
    await app.getByText('Enter the quantity of at least one product.').waitFor()
    await app.getByLabel(`Quantity of ${title}`).fill('11')
    await button('Save return').click()
    await app.getByText('Say why it goes back.').waitFor()
    await app.getByRole('combobox', { name: `Reason for ${title}` }).fill('Chipped rims')
    await button('Save return').click()
    await app.getByText('Only 10 can still be returned.').waitFor()
    await app.getByLabel(`Quantity of ${title}`).fill('3')
    await app.getByLabel('Supplier’s return number').fill('RMA-7')
    await button('Save return').click()
    await app.getByRole('heading', { name: 'RET-00001', exact: true }).waitFor()
    await app.getByRole('row', { name: title }).getByText('Bin C-7').waitFor()
    t.match(await newest(), { state: 'draft', pieces: 3, purchaseOrderId: orderId })
    t.equal(await stock(), before)
  })

  await t.test('a draft is edited, and its note is a PDF', async (t) => {
    await app.getByRole('link', { name: 'Edit' }).click()
    await app.getByLabel(`Quantity of ${title}`).fill('4')
    await button('Save').click()
    await app.getByRole('heading', { name: 'RET-00001', exact: true }).waitFor()
    await app.getByText('Chipped rims').waitFor()
    t.match(await newest(), { pieces: 4 })
    const { text } = await readPdf(await getPdf('/supplier-returns/1/pdf'))
    t.match(text, /Return note RET-00001[\s\S]*Chipped rims/)
    const [popup] = await Promise.all([page.waitForEvent('popup'), button('PDF').click()])
    t.ok(popup, 'a tab opens')
    await popup.close()
  })

  await t.test('shipping takes the goods off the stock, in the app and on the platform', async (t) => {
    await button('Ship').click()
    await app.getByRole('dialog').getByText(`Their stock leaves ${place.name} now`).waitFor()
    await confirm('Ship')
    await app.getByText(`Shipped: stock left ${place.name}`).first().waitFor()
    await untilStock(before - 4)
    t.match(await newest(), { state: 'shipped' })
  })

  await t.test('the receipt of a return cannot be undone, and the order shows the return', async () => {
    await app.getByRole('link', { name: 'PO-00001' }).click()
    await app.getByRole('table', { name: 'Returns of this order' }).getByText('RET-00001').waitFor()
    await app.getByRole('button', { name: /^Undo the receipt/ }).click()
    await confirm('Undo receipt')
    await app.getByText('went back to the supplier with the return RET-00001').waitFor()
    await confirm('Cancel')
    await app.getByRole('link', { name: 'RET-00001' }).click()
    await app.getByRole('heading', { name: 'RET-00001', exact: true }).waitFor()
  })

  await t.test('a shipment is undone, and more than the stock needs a confirmation', async (t) => {
    await app.getByRole('button', { name: 'More' }).first().click()
    await app.getByRole('menuitem', { name: 'Undo the shipment' }).click()
    await confirm('Undo the shipment')
    await app.getByText('Cancelled').first().waitFor()
    await app.getByText(/^Created by user \S/).waitFor()
    await app.getByText(/^Shipped by user \S+: stock left /).waitFor()
    await app.getByText(/^Undone by user \S+: stock is at /).waitFor()
    await untilStock(before)
    await app.getByRole('link', { name: 'Back to Returns to suppliers' }).click()
    await app.getByRole('link', { name: 'Create a return' }).first().click()
    // the list has a field of this name, too
    await app.getByRole('heading', { name: 'Create a return', level: 1 }).waitFor()
    await app.getByRole('combobox', { name: 'Supplier', exact: true }).click()
    await app.getByRole('option', { name: 'Northgate' }).click()
    await app.getByRole('combobox', { name: 'Taken from' }).click()
    await app.getByRole('option', { name: place.name, exact: true }).click()
    await app.getByLabel('Add a product').fill(sku)
    await app.getByRole('option').first().click()
    await app.getByLabel(`Quantity of ${title}`).fill(String(before + 5))
    await app.getByRole('combobox', { name: `Reason for ${title}` }).fill('Recalled')
    await button('Save return').click()
    await app.getByRole('heading', { name: 'RET-00002', exact: true }).waitFor()
    await button('Ship').click()
    await confirm('Ship')
    await app.getByText(`Not enough stock at ${place.name}`).waitFor()
    await confirm('Ship anyway')
    await untilStock(-5)
    t.match(await newest(), { number: 'RET-00002', state: 'shipped' })
  })

  await t.test('the credit is entered, corrected, and lowers the spend', async (t) => {
    await button('Enter credit').click()
    await app.getByLabel('Amount in').fill('12.50')
    await app.getByLabel('Number of the credit note').fill('CN-77')
    await button('Save credit').click()
    await app.getByText('Credited by the supplier').waitFor()
    await button('Correct credit').click()
    await app.getByLabel('Amount in').fill('10')
    await button('Save credit').click()
    await expectSoon(t, async () => (await newest())?.creditAmount, 10)
    t.match(await get('/reports/procurement-spend'), { totalSpend: 15, credits: 10 })
  })

  await t.test('the supplier shows its returns, and the list is filtered and exported', async (t) => {
    await app.getByRole('link', { name: 'Northgate' }).click()
    await app.getByRole('table', { name: 'Returns to this supplier' }).getByText('RET-00002').waitFor()
    await goTo(app, 'Receipts')
    await app.getByRole('link', { name: 'Returns', exact: true }).click()
    await app.getByRole('navigation', { name: 'Status' }).getByRole('link', { name: 'Credited' }).click()
    await app.getByRole('link', { name: 'RET-00001' }).waitFor({ state: 'detached' })
    await app.getByRole('link', { name: 'RET-00002' }).waitFor()
    const [file] = await Promise.all([page.waitForEvent('download'), button('CSV').click()])
    const csv = await readFile(await file.path(), 'utf8')
    t.match(file.suggestedFilename(), /^returns-\d{4}-\d{2}-\d{2}\.csv$/)
    t.match(csv, /RET-00002/)
    t.notMatch(csv, /RET-00001/)
  })

  await t.test('the credit in another currency names the rate that an empty field takes', async () => {
    const kiln = await send<{ id: number }>('POST', '/suppliers', { name: 'Kiln', currency: 'EUR' })
    const { id } = await send<{ id: number }>('POST', '/supplier-returns', {
      ...{ supplierId: kiln.id, locationId: place.locationId },
      lines: [{ variantId, quantity: 1, reason: 'Recalled' }],
    })
    await send('POST', `/supplier-returns/${id}/ship`, { allowNegative: true })
    await visit(tab, `/returns/${id}`, 'RET-00003')
    const dialog = app.getByRole('dialog')
    await button('Enter credit').click()
    await dialog.getByText('No rate of EUR is known').waitFor()
    await dialog.getByLabel('Amount in').fill('12.50')
    await dialog.getByLabel('1 EUR in').fill('0.92')
    await dialog.getByRole('button', { name: 'Save credit' }).click()
    await button('Correct credit').click()
    await dialog.getByText('Leave empty to keep 0.92').waitFor()
  })
})
