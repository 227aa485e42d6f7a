import { readFile } from 'node:fs/promises'
import t from 'tap'
import type { Attachment } from '../../shared/schemas/attachments.ts'
import type { PurchaseOrder } from '../../shared/schemas/purchase-orders.ts'
import type { SupplierReturn } from '../../shared/schemas/supplier-returns.ts'
import { readPdf } from '../shared/pdf/read-pdf.ts'
import { addSupplier, expectSoon, goTo, startAdmin, writeOrder } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'
import { png } from '../support/make/attachments.ts'

type Product = { title: string; variants: { variantId: string; sku: string }[] }
type Level = { currentStock: number }

t.test('goods go back to a supplier, with their papers', async (t) => {
  const { shop, install, get, send, getPdf, open } = await startAdmin(t)
  await install()
  const [{ title = '', variants: [{ variantId = '', sku = '' } = {}] = [] } = {}] =
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

  await addSupplier(tab, 'Northgate', 'orders@northgate.example.com')
  await writeOrder(tab, sku, 10, '2.50')
  const orderId = 1
  await send('POST', `/purchase-orders/${orderId}/send`)
  const { lineItems } = await get<PurchaseOrder>(`/purchase-orders/${orderId}`)
  await send('POST', `/purchase-orders/${orderId}/receive`, {
    lineItems: [{ lineItemId: lineItems[0]?.id, quantityReceived: 10 }],
    locationId: place.locationId,
  })
  await send('PUT', '/bins', { bins: [{ variantId, locationId: place.locationId, bin: 'C-7' }] })
  const before = await stock()

  await t.test('a return begins with the goods of a receipt, and names what is missing', async (t) => {
    await page.reload()
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

  await t.test('photos and PDFs are attached, opened and deleted; other files are refused', async (t) => {
    await app.getByText('No files yet').waitFor()
    const files = app.getByLabel('Files', { exact: true })
    await files.setInputFiles({ name: 'box.png', mimeType: 'image/png', buffer: png })
    await app.getByRole('button', { name: 'box.png', exact: true }).waitFor()
    await files.setInputFiles({
      name: 'page.png',
      mimeType: 'image/png',
      buffer: Buffer.from('<script>alert(1)</script>'),
    })
    await app.getByText('Only images (PNG, JPEG, WebP, GIF) and PDF files can be attached').waitFor()
    await files.setInputFiles({
      name: 'scan.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.alloc(3_000_000, '%PDF-1.7\n'),
    })
    await app.getByText('A file can have at most 2 MB.').waitFor()
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      app.getByRole('button', { name: 'box.png', exact: true }).click(),
    ])
    await expectSoon(t, async () => popup.url().slice(0, 5), 'blob:', 'the picture opens in a tab')
    await popup.close()
    t.match(await get<Attachment[]>('/attachments?subject=supplier_return&subjectId=1'), [
      { name: 'box.png', mediaType: 'image/png', size: png.length },
    ])
    await app.getByRole('button', { name: 'Delete box.png' }).click()
    await confirm('Delete file')
    await app.getByText('No files yet').waitFor()
  })

  await t.test('a photo that is too large is sent smaller', async (t) => {
    // noise, which PNG cannot compress: 1 000 × 1 000 pixels of 4 bytes
    const noise = await page.evaluate(async () => {
      const canvas = document.createElement('canvas')
      canvas.width = canvas.height = 1_000
      const context = canvas.getContext('2d')
      const image = context?.createImageData(1_000, 1_000)
      if (!context || !image) return ''
      for (let i = 0; i < image.data.length; i += 65_536)
        crypto.getRandomValues(image.data.subarray(i, Math.min(i + 65_536, image.data.length)))
      context.putImageData(image, 0, 0)
      return canvas.toDataURL('image/png').split(',')[1] ?? ''
    })
    const buffer = Buffer.from(noise, 'base64')
    t.ok(buffer.length > 2 * 1024 * 1024, `${buffer.length} bytes`)
    await app
      .getByLabel('Photo', { exact: true })
      .setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer })
    await app.getByRole('button', { name: 'large.jpg', exact: true }).waitFor()
    const [file] = await get<Attachment[]>('/attachments?subject=supplier_return&subjectId=1')
    t.match(file, { mediaType: 'image/jpeg' })
    t.ok((file?.size ?? 0) < 2 * 1024 * 1024)
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
    await app.getByRole('link', { name: 'Create a return' }).click()
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

  await t.test('the credit that another user corrected is shown, and overwritten or taken', async (t) => {
    const { id = 0 } = (await newest()) ?? {}
    await button('Correct credit').click()
    await app.getByLabel('Amount in').fill('9')
    await send('POST', `/supplier-returns/${id}/credit`, { creditAmount: 11, creditReference: 'CN-78' })
    await button('Save credit').click()
    await app.getByText('This credit was changed since you opened it').waitFor()
    await app.getByText(/^Amount: .*11\.00/).waitFor()
    await app.getByText('Number of the credit note: CN-78').waitFor()
    await button('Use theirs').click()
    await expectSoon(t, () => app.getByLabel('Number of the credit note').inputValue(), 'CN-78')
    await app.getByLabel('Amount in').fill('9')
    await send('POST', `/supplier-returns/${id}/credit`, { creditAmount: 12, creditReference: 'CN-79' })
    await button('Save credit').click()
    await button('Overwrite with mine').click()
    await app.getByRole('dialog').waitFor({ state: 'detached' })
    t.match(await newest(), { creditAmount: 9, creditReference: 'CN-78' })
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
    const { app: detail } = await open(`/returns/${id}`)
    const dialog = detail.getByRole('dialog')
    await detail.getByRole('button', { name: 'Enter credit' }).click()
    await dialog.getByText('No rate of EUR is known').waitFor()
    await dialog.getByLabel('Amount in').fill('12.50')
    await dialog.getByLabel('1 EUR in').fill('0.92')
    await dialog.getByRole('button', { name: 'Save credit' }).click()
    await detail.getByRole('button', { name: 'Correct credit' }).click()
    await dialog.getByText('Leave empty to keep 0.92').waitFor()
  })
})
