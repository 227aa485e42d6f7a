import { readFile } from 'node:fs/promises'
import t from 'tap'
import type { Settings } from '../../shared/schemas/settings.ts'
import { readCodes } from '../shared/pdf/read-codes.ts'
import { readPdf } from '../shared/pdf/read-pdf.ts'
import { expectSoon, goTo, startAdmin, type Tab } from '../support/core/admin.ts'
import { findViolations } from '../support/core/axe.ts'
import { until } from '../support/core/until.ts'

type Product = {
  productId: string
  title: string
  variants: { variantId: string; sku: string; barcode: string }[]
}

/** Whether something makes the page wider than the window. */
const isTooWide = ({ page }: Tab) =>
  page.frames()[1]?.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')

const barcodesIn = async (file: Uint8Array) => (await readCodes(file)).map(({ text }) => text)

t.test('labels of goods are printed in the admin', async (t) => {
  const { install, get, send, open, getPdf } = await startAdmin(t)
  await install()
  /** Presses what opens a PDF in a new tab, again while the API is too busy for it, and returns the PDF. */
  const pdfOf = ({ page }: Tab, press: () => Promise<void>): Promise<Uint8Array> =>
    until(async () => {
      const answered = page.waitForResponse((response) => /\.pdf(\?|$)/.test(response.url()))
      const [popup, response] = await Promise.all([page.waitForEvent('popup'), answered, press()])
      await popup.close()
      if (response.status() === 503) return undefined
      if (!response.ok()) throw new Error(`${response.url()} answers ${response.status()}`)
      const { pathname, search } = new URL(response.url())
      return getPdf(pathname.replace('/api', '') + search)
    }, 'the PDF opens')
  const products = await get<Product[]>('/products')
  const [first, second] = products.flatMap(({ productId, title, variants }) =>
    variants.map((variant) => ({ ...variant, productId, title })),
  )
  const [source, destination] = await get<{ locationId: string; name: string }[]>('/locations')
  if (!first || !second || !source || !destination)
    throw new Error('The shop has too few products or locations')
  const bins = [
    { variantId: first.variantId, locationId: source.locationId, bin: 'A10' },
    { variantId: second.variantId, locationId: source.locationId, bin: 'A2' },
  ]
  await send('PUT', '/bins', { bins })
  const tab = await open('/stock')
  const { app } = tab
  const button = (name: string | RegExp) => app.getByRole('button', { name, exact: typeof name === 'string' })
  const dialog = app.getByRole('dialog')

  await t.test('labels of selected products open as a PDF that a scanner reads', async (t) => {
    await app.getByRole('checkbox', { name: `Select ${second.title} at ${source.name}` }).check()
    await app.getByRole('checkbox', { name: `Select ${first.title} at ${source.name}` }).check()
    await app.getByText('2 selected').waitFor()
    await button('Print labels').click()
    for (const name of ['Open PDF', 'ZPL file']) {
      const print = dialog.getByRole('button', { name })
      for (const text of ['0', '']) {
        await dialog.getByLabel('Labels for each product').fill(text)
        await expectSoon(t, () => print.isEnabled(), false, `${name} without a number`)
      }
    }
    await dialog.getByLabel('Labels for each product').fill('2')
    const file = await pdfOf(tab, () => dialog.getByRole('button', { name: 'Open PDF' }).click())
    t.strictSame(await barcodesIn(file), [first.barcode, first.barcode, second.barcode, second.barcode])
    await dialog.waitFor({ state: 'detached' })
    await button('Clear selection').click()
    await app.getByText('2 selected').waitFor({ state: 'detached' })
  })

  await t.test('products for labels stay listed through searches, with the number of each', async (t) => {
    const third = products.at(-1)?.variants[0]
    const thirdTitle = products.at(-1)?.title ?? ''
    const labels = await open('/stock')
    const search = labels.app.getByLabel('Search', { exact: true })
    for (const { title } of [second, first]) {
      await search.fill(title)
      await labels.app.getByRole('checkbox', { name: `Select ${title} at ${source.name}` }).check()
      await labels.app.getByRole('button', { name: 'Add to labels' }).click()
    }
    await labels.app.getByText('1 product added. 2 products listed in Labels').waitFor()
    await labels.app.getByRole('link', { name: 'Labels', exact: true }).click()
    const quantity = (title: string) => labels.app.getByLabel(`Labels of ${title}`)
    await expectSoon(t, () => quantity(second.title).inputValue(), '1')
    await labels.app.getByLabel('Add a product').fill(third?.sku ?? '')
    await labels.app.getByLabel('Add a product').press('Enter')
    await expectSoon(t, () => quantity(thirdTitle).inputValue(), '1')
    await quantity(second.title).fill('3')
    await quantity(thirdTitle).fill('2')
    await labels.app.getByText('3 products, 6 labels').waitFor()
    await expectSoon(t, () => findViolations(labels), [], 'axe finds nothing')
    const file = await pdfOf(labels, async () => {
      await labels.app.getByRole('button', { name: 'Print labels' }).click()
      await labels.app.getByRole('dialog').getByRole('button', { name: 'Open PDF' }).click()
    })
    const listed = [second, second, second, first, third, third]
    t.strictSame(
      await barcodesIn(file),
      listed.map((variant) => variant?.barcode),
    )
    await labels.page.reload()
    await labels.app.getByText('3 products, 6 labels').waitFor()
    await labels.app.getByRole('button', { name: `Remove ${first.title}` }).click()
    await labels.app.getByText('2 products, 5 labels').waitFor()
    await labels.page.setViewportSize({ width: 360, height: 740 })
    await expectSoon(t, async () => isTooWide(labels), false, 'the page fits a phone')
    await labels.app.getByRole('button', { name: 'Remove all' }).click()
    await labels.app.getByText('No products yet.').waitFor()
    await labels.app.getByRole('button', { name: 'Undo' }).click()
    await labels.app.getByText('2 products, 5 labels').waitFor()
    await labels.app.getByRole('button', { name: 'Print labels' }).click()
    await labels.app.getByRole('dialog').getByLabel('Label size').waitFor()
    await expectSoon(t, async () => isTooWide(labels), false, 'the dialog fits a phone')
    await labels.page.keyboard.press('Escape')
    await labels.app.getByRole('button', { name: 'Remove all' }).click()
    await labels.page.close()
  })

  await t.test('an order and its receipt have labels, and the label printer a file', async (t) => {
    const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', {
      name: 'Acme',
      email: 'a@example.com',
    })
    const { id } = await send<{ id: number }>('POST', '/purchase-orders', {
      supplierId,
      lineItems: [{ productId: first.productId, variantId: first.variantId, quantity: 3, costPrice: 1 }],
      destinationLocationId: source.locationId,
    })
    await send('POST', `/purchase-orders/${id}/send`)
    const { lineItems } = await get<{ lineItems: { id: number }[] }>(`/purchase-orders/${id}`)
    await send('POST', `/purchase-orders/${id}/receive`, {
      lineItems: [{ lineItemId: lineItems[0]?.id, quantityReceived: 2 }],
    })
    const orderTab = await open(`/purchase-orders/${id}`)
    const labels = orderTab.app.getByRole('button', { name: /^Print labels/ })
    const orderDialog = orderTab.app.getByRole('dialog')
    await orderTab.app.getByRole('button', { name: /^Print labels of the receipt of/ }).click()
    const ofReceipt = await pdfOf(orderTab, () =>
      orderDialog.getByRole('button', { name: 'Open PDF' }).click(),
    )
    t.equal((await barcodesIn(ofReceipt)).length, 2, 'received pieces')
    await labels.first().click()
    const [download] = await Promise.all([
      orderTab.page.waitForEvent('download'),
      orderDialog.getByRole('button', { name: 'ZPL file' }).click(),
    ])
    t.equal(download.suggestedFilename(), 'labels.zpl')
    t.match(await readFile(await download.path(), 'utf8'), /\^XA[\s\S]*\^PQ3,/, 'ordered pieces')

    // the download closes the dialog
    await orderDialog.waitFor({ state: 'hidden' })

    await labels.first().click()
    await orderDialog.getByRole('combobox', { name: 'Labels' }).click()
    await orderTab.app.getByRole('option', { name: 'A number for each product' }).click()
    await orderDialog.getByLabel('Labels for each product').fill('1500')
    await orderDialog.getByRole('button', { name: 'ZPL file' }).click()
    for (const [name, copies] of [
      ['Labels 1–1,000', 1000],
      ['Labels 1,001–1,500', 500],
    ] as const) {
      const [part] = await Promise.all([
        orderTab.page.waitForEvent('download'),
        orderDialog.getByRole('button', { name, exact: true }).click(),
      ])
      t.match(await readFile(await part.path(), 'utf8'), `^PQ${copies},`, name)
      await orderDialog.getByRole('button', { name: `Done ${name}` }).waitFor()
    }
    await orderTab.page.close()
  })

  await t.test('the settings keep the label format, in which the page of a product prints', async (t) => {
    await goTo(app, 'Settings')
    const choose = async (label: string, option: string) => {
      await app.getByRole('combobox', { name: label }).click()
      await app.getByRole('option', { name: option }).click()
    }
    await choose('Label size', 'Roll, 50 × 25 mm')
    await choose('Label printer', '300 dpi (12 dots per mm)')
    await app.getByRole('switch', { name: 'Print the price on labels' }).click()
    await button('Save').click()
    await app.getByText('Settings saved').waitFor()
    t.strictSame((await get<Settings>('/settings')).labelFormat, { format: '50x25', dpi: 300, price: false })
    const detail = await open(`/variants/${first.variantId.split('/').at(-1)}`)
    await detail.app.getByRole('button', { name: 'Print labels' }).click()
    const size = detail.app.getByRole('dialog').getByRole('combobox', { name: 'Label size' })
    await expectSoon(t, () => size.inputValue(), 'Roll, 50 × 25 mm', 'the format of the settings')
    const file = await pdfOf(detail, () => detail.app.getByRole('button', { name: 'Open PDF' }).click())
    t.strictSame(await barcodesIn(file), [first.barcode])
    await detail.app.getByText('A10').waitFor()
    await detail.page.close()
  })

  await t.test('a transfer shows bins, and has a pick list in their order', async (t) => {
    const items = [first, second].map(({ variantId }) => ({ variantId, quantity: 1 }))
    const { id } = await send<{ id: number }>('POST', '/stock-transfers', {
      sourceLocationId: source.locationId,
      destinationLocationId: destination.locationId,
      items,
    })
    const transfer = await open(`/transfers/${id}`)
    await transfer.app.getByText('Bin A10').waitFor()
    const file = await pdfOf(transfer, () => transfer.app.getByRole('button', { name: 'Pick list' }).click())
    const { text } = await readPdf(file)
    t.ok(text.indexOf('A2') < text.indexOf('A10') && text.includes('A2'))
    await transfer.page.close()
  })
})
