import { readFile } from 'node:fs/promises'
import t from 'tap'
import { sql } from '../../shared/db/db.ts'
import type { Settings } from '../../shared/schemas/settings.ts'
import type { StockLevel } from '../../shared/schemas/stock-levels.ts'
import { readCodes } from '../shared/pdf/read-codes.ts'
import { readPdf } from '../shared/pdf/read-pdf.ts'
import { expectSoon, startAdmin, type Tab } from '../support/core/admin.ts'
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

/** Whether all of an element is in the window. */
const isInWindow = (element: Element) => {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= (element.ownerDocument.defaultView?.innerHeight ?? 0)
}

t.test('goods get bins and labels in the admin', async (t) => {
  const { install, get, send, open, getPdf, db } = await startAdmin(t)
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
  const binOf = async (variantId: string) => {
    const query = new URLSearchParams({ variantId, locationId: source.locationId })
    return (await get<StockLevel[]>(`/stock-levels?${query}`))[0]?.bin
  }
  const tab = await open('/stock')
  const { app, page } = tab
  const button = (name: string | RegExp) => app.getByRole('button', { name, exact: typeof name === 'string' })
  const dialog = app.getByRole('dialog')

  await t.test('a bin is edited in place: Enter saves it, Escape does not', async (t) => {
    const place = `${first.title} at ${source.name}`
    const field = app.getByRole('textbox', { name: `Bin of ${place}` })
    await button(`Add a bin of ${place}`).click()
    await field.fill('A10')
    await field.press('Enter')
    await button(`Change bin A10 of ${place}`).click()
    t.equal(await binOf(first.variantId), 'A10')
    await field.fill('Z99')
    await field.press('Escape')
    await button(`Change bin A10 of ${place}`).waitFor()
    t.equal(await binOf(first.variantId), 'A10')
  })

  await t.test('a bin that is typed while the one before is saved is saved next', async (t) => {
    const place = `${first.title} at ${source.name}`
    const field = app.getByRole('textbox', { name: `Bin of ${place}` })
    const answer = Promise.withResolvers<void>()
    t.teardown(() => answer.resolve())
    await page.route('**/api/bins', async (route) => {
      await answer.promise
      await route.continue()
    })
    await button(`Change bin A10 of ${place}`).click()
    await field.fill('A11')
    const sent = page.waitForRequest('**/api/bins')
    await field.press('Enter')
    await sent
    await field.fill('A10')
    await field.press('Tab')
    const late = page.waitForResponse('**/api/bins')
    answer.resolve()
    await (await late).finished()
    await button(`Change bin A10 of ${place}`).waitFor()
    await page.unroute('**/api/bins')
    const stored = () => binOf(first.variantId)
    await expectSoon(t, stored, 'A10')
  })

  await t.test('pasted rows are checked, then saved, and the list is in the order of bins', async (t) => {
    await app.getByRole('link', { name: 'Set bins' }).click()
    await app.getByLabel('Rows', { exact: true }).fill(`sku\tbin\n${second.sku}\tA2\nNO-SUCH-SKU\tA3`)
    await button('Check').click()
    await app.getByText('Is required, unless one location is chosen for all rows').waitFor()
    await app.getByRole('combobox', { name: 'Location of rows without one' }).click()
    await app.getByRole('option', { name: source.name }).click()
    await button('Check').click()
    await app.getByRole('cell', { name: 'Row 3' }).waitFor()
    const result = app.getByText('1 row: 1 bin to be saved, 0 to be removed.')
    const firstFile = Promise.withResolvers<void>()
    t.teardown(() => firstFile.resolve())
    await page.route('**/api/bins/import', async (route) => {
      if (route.request().postDataJSON().csv.includes('\0')) await firstFile.promise
      await route.continue()
    })
    const choose = async (text: string) => {
      const checked = page.waitForRequest('**/api/bins/import')
      const file = { name: 'bins.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
      await app.locator('input[type=file]').setInputFiles(file)
      await checked
    }
    await page.setViewportSize({ width: 1280, height: 600 })
    await choose(`sku\tbin\n${second.sku}\tA\0`)
    await choose(`sku\tbin\n${second.sku}\tA2`)
    await result.waitFor()
    const refused = page.waitForResponse((response) => response.status() === 400)
    const readAgain = page.waitForResponse('**/api/locations')
    firstFile.resolve()
    await Promise.all([refused, readAgain])
    const rows = app.getByLabel('Rows', { exact: true })
    const isInvalid = () => rows.getAttribute('aria-invalid')
    await expectSoon(t, isInvalid, null, 'the refusal of the first file is not shown below the second')
    await page.unroute('**/api/bins/import')
    await expectSoon(t, () => result.evaluate(isInWindow), true, 'the result scrolls into view')
    await page.setViewportSize({ width: 1280, height: 900 })

    const renameTo = (sku: string) =>
      db.query(sql.typeAlias('void')`
        update variant set sku = ${sku}
        where shop_id = (select id from shop) and gid = ${second.variantId}
      `)
    // the import meets another SKU, and the check that follows it the first one again
    await page.route('**/api/bins/import', async (route) => {
      await renameTo(route.request().postDataJSON().dryRun ? second.sku : 'RENAMED')
      await route.continue()
    })
    await button('Save bins').click()
    await app.getByText('The data changed after the check, so nothing was imported.').waitFor()
    await result.waitFor()
    t.not(await binOf(second.variantId), 'A2')
    await page.unroute('**/api/bins/import')
    const answer = Promise.withResolvers<void>()
    t.teardown(() => answer.resolve())
    await page.route('**/api/bins/import', async (route) => {
      await answer.promise
      await route.continue()
    })
    await button('Save bins').click()
    await expectSoon(t, () => rows.isDisabled(), true, 'nothing is pasted during the import')
    answer.resolve()
    await app.getByText('1 bin saved, 0 removed.').waitFor()
    await page.unroute('**/api/bins/import')
    t.equal(await binOf(second.variantId), 'A2')
    const firstRows = async () => {
      const rows = await app.getByRole('row').allInnerTexts()
      return rows.slice(1, 3).map((row) => [second, first].findIndex(({ title }) => row.includes(title)))
    }
    await expectSoon(t, firstRows, [0, 1], 'A2 before A10')
    await app.getByRole('button', { name: 'Sort: Bin', exact: true }).waitFor()
  })

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
    t.strictSame(
      (await readCodes(file)).map(({ text }) => text),
      [second.barcode, second.barcode, first.barcode, first.barcode],
    )
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
    t.strictSame(
      (await readCodes(file)).map(({ text }) => text),
      [second, second, second, first, third, third].map((variant) => variant?.barcode),
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
    t.equal((await readCodes(ofReceipt)).length, 2, 'received pieces')
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
    await orderTab.page.keyboard.press('Escape')
    await orderDialog.waitFor({ state: 'hidden' })
    await orderTab.page.setViewportSize({ width: 360, height: 740 })
    // the narrow layout mounts the button again, and a click before that is lost
    const size = orderDialog.getByLabel('Label size')
    const isOpen = () =>
      size.waitFor({ timeout: 1_000 }).then(
        () => true,
        () => false,
      )
    await until(async () => {
      // an open dialog covers the button
      await labels
        .first()
        .click({ timeout: 2_000 })
        .catch(() => {})
      return isOpen()
    }, 'the dialog is open')
    await expectSoon(t, async () => isTooWide(orderTab), false, 'the dialog fits a phone')
    await orderTab.page.close()
  })

  await t.test('the page of a product prints its label in the format of the settings', async (t) => {
    await send('PUT', '/settings', { labelFormat: { format: '50x25' } })
    const detail = await open(`/variants/${first.variantId.split('/').at(-1)}`)
    await detail.app.getByRole('button', { name: 'Print labels' }).click()
    const size = detail.app.getByRole('dialog').getByRole('combobox', { name: 'Label size' })
    await expectSoon(t, () => size.inputValue(), 'Roll, 50 × 25 mm', 'the format of the settings')
    const file = await pdfOf(detail, () => detail.app.getByRole('button', { name: 'Open PDF' }).click())
    t.strictSame(
      (await readCodes(file)).map(({ text }) => text),
      [first.barcode],
    )
    await detail.app.getByText('A10').waitFor()
    await detail.page.close()
  })

  await t.test('the settings keep the label format', async (t) => {
    const settings = await open('/settings')
    const choose = async (label: string, option: string) => {
      await settings.app.getByRole('combobox', { name: label }).click()
      await settings.app.getByRole('option', { name: option }).click()
    }
    await choose('Label size', 'A4 sheet, 3 × 8 labels')
    await choose('Label printer', '300 dpi (12 dots per mm)')
    await settings.app.getByRole('switch', { name: 'Print the price on labels' }).click()
    await settings.app.getByRole('button', { name: 'Save', exact: true }).click()
    await settings.app.getByText('Settings saved').waitFor()
    t.strictSame((await get<Settings>('/settings')).labelFormat, { format: 'a4-3x8', dpi: 300, price: false })
    await settings.page.close()
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

  await t.test('the rows of a count are in the order of bins', async (t) => {
    const items = [first, second].map(({ variantId }) => ({ variantId, countedQuantity: null }))
    const { id } = await send<{ id: number }>('POST', '/stock-counts', {
      locationId: source.locationId,
      items,
    })
    const count = await open(`/counts/${id}`)
    await count.app.getByText('Bin A10').waitFor()
    const bins = async () =>
      (await count.app.getByRole('row').allInnerTexts()).flatMap(
        (row) => /\bA(?:2|10)\b/.exec(row)?.[0] ?? [],
      )
    await expectSoon(t, bins, ['A2', 'A10'])
    await count.page.close()
  })

  await t.test('stock and bins fit a phone', async (t) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await until(async () => !(await isTooWide(tab)), 'the stock list fits')
    await app.getByRole('link', { name: 'Set bins' }).click()
    await app.getByRole('heading', { name: 'Set bins' }).waitFor()
    await expectSoon(t, async () => isTooWide(tab), false, 'the page fits')
  })
})
