import t from 'tap'
import type { PurchaseOrder } from '../../shared/schemas/purchase-orders.ts'
import type { OrderReceipt, Receipt, ReceiptListItem } from '../../shared/schemas/receipts.ts'
import { clickLink, expectSoon, goTo, startAdmin } from '../support/core/admin.ts'
import { png } from '../support/make/attachments.ts'
import { visit } from '../support/web/page-tour.ts'

type Product = { productId: string; title: string; variants: { variantId: string; sku: string }[] }

t.test('receiving with rejects, costs and drafts, and without an order', async (t) => {
  const { install, get, send, open } = await startAdmin(t)
  await install()
  const [product] = await get<Product[]>('/products')
  const { productId = '', title = '', variants: [{ variantId = '', sku = '' } = {}] = [] } = product ?? {}
  const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', { name: 'Northgate' })
  const createOrder = async () => {
    const lineItems = [{ productId, variantId, quantity: 10, costPrice: 2 }]
    const { id } = await send<{ id: number }>('POST', '/purchase-orders', { supplierId, lineItems })
    await send('POST', `/purchase-orders/${id}/send`, {})
    return get<PurchaseOrder>(`/purchase-orders/${id}`)
  }
  const order = await createOrder()
  const path = `/purchase-orders/${order.id}`
  const tab = await open(path)
  const { app, page } = tab
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  const dialog = app.getByRole('dialog')
  const received = app.getByLabel(`Quantity received of ${title}`)
  const rejected = app.getByLabel(`Quantity rejected of ${title}`)
  /** Says why pieces are rejected, and that the supplier credits them. */
  const creditRejected = async () => {
    await app.getByLabel(`Why pieces of ${title} are rejected`).fill('crushed')
    await app.getByRole('combobox', { name: `What happens to rejected pieces of ${title}` }).click()
    await app.getByRole('option', { name: 'Supplier credits them' }).click()
  }

  await t.test('a draft is saved, continued and posted with rejected pieces and the cost paid', async (t) => {
    await app.getByRole('link', { name: 'Receive', exact: true }).click()
    await received.waitFor()
    const state = app.getByRole('region', { name: 'Unsaved changes' }).getByRole('status')
    await state.getByText('Not saved yet').waitFor()
    await expectSoon(t, () => button('Save as draft').isDisabled(), true, 'nothing is counted yet')
    await received.fill('5')
    await app.getByLabel('Delivery note').fill('DN-17')
    await button('Save as draft').click()
    await app.getByText(/Draft of .*: 5 counted/).waitFor()
    t.match(await get<PurchaseOrder>(path), { status: 'sent' })
    await app.getByRole('link', { name: /^Continue the draft/ }).click()
    await expectSoon(t, () => received.inputValue(), '5')
    await expectSoon(t, () => app.getByLabel('Delivery note').inputValue(), 'DN-17')
    await state.getByText('Draft saved').waitFor()
    await rejected.fill('3')
    await state.getByText('Unsaved changes').waitFor()
    await creditRejected()
    await app.getByLabel(`Unit cost paid for ${title}`).fill('2.75')
    await page.setViewportSize({ width: 360, height: 740 })
    const overflow = () => app.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)
    await expectSoon(t, overflow, 0, 'it fits a phone')
    await page.setViewportSize({ width: 1280, height: 900 })
    await button('Save receipt').click()
    await app.getByText('3 rejected (crushed), credited').waitFor()
    // until the drafts are read again, it is among them, too
    await app.getByText('Delivery note DN-17').first().waitFor()
    t.match(await get<PurchaseOrder>(path), {
      status: 'partial',
      lineItems: [{ receivedQuantity: 5, rejectedQuantity: 3, creditedQuantity: 3, outstandingQuantity: 2 }],
    })
    const [receipt] = await get<{ lineItems: OrderReceipt['lines'] }[]>(`${path}/receipts`)
    t.match(receipt, { lineItems: [{ accepted: 5, rejected: 3, rejectReason: 'crushed', unitCost: 2.75 }] })
  })

  await t.test('another person posts first: the page names what is left, and keeps the draft', async (t) => {
    await app.getByRole('link', { name: 'Receive', exact: true }).click()
    await received.fill('2')
    const [line] = order.lineItems
    await send('POST', `${path}/receive`, { lineItems: [{ lineItemId: line?.id, quantityReceived: 1 }] })
    await button('Save receipt').click()
    await dialog.getByText('2 received, 1 outstanding').waitFor()
    await dialog.getByText('The extra 1 will be added to stock.').waitFor()
    await button('Cancel').click()
    await app.getByText('Is 1 more than the 1 still expected.').waitFor()
    t.match(await get<Receipt[]>(`${path}/receipts?state=draft`), [{ lineItems: [{ accepted: 2 }] }])
    await app.getByRole('link', { name: /^Back to PO-/ }).click()
    await button('Leave').click()
    await app
      .getByRole('button', { name: /^Undo the receipt/ })
      .nth(1)
      .waitFor()
    await app.getByText(/^Draft of .* by user \S+ at \S.*: 2 counted$/).waitFor()
    const names = await app
      .locator('section', { hasText: 'Received' })
      .locator('[aria-label]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
    t.ok(names.length > 6)
    t.equal(new Set(names).size, names.length, 'receipts of one minute have buttons of different names')
  })

  await t.test(
    'all that is outstanding is received without the rejected pieces, and an excess is named',
    async (t) => {
      const { id, poNumber } = await createOrder()
      await visit(tab, `/purchase-orders/${id}/receive`, `Receive ${poNumber}`)
      await rejected.fill('4')
      await button('Receive all').click()
      await expectSoon(t, () => received.inputValue(), '6')
      await expectSoon(t, () => app.getByText('more than outstanding').count(), 0)
      await rejected.fill('5')
      await app.getByText('1 piece more than outstanding, with the rejected ones.').waitFor()
      await received.fill('10')
      await rejected.fill('2')
      await creditRejected()
      await button('Save receipt').click()
      await dialog.getByText('10 received, 2 credited, 10 outstanding').waitFor()
      await dialog.getByText('Credited pieces do not go into stock.').waitFor()
      await expectSoon(t, () => dialog.getByText('The extra').count(), 0)
      await button('Cancel').click()
      await received.fill('11')
      await button('Save receipt').click()
      await dialog
        .getByText('The extra 1 will be added to stock. Credited pieces do not go into stock.')
        .waitFor()
      await button('Receive 11').click()
      await app.getByText('2 rejected (crushed), credited').waitFor()
    },
  )

  await t.test('goods without an order are received, found by delivery note, and undone', async (t) => {
    await goTo(app, 'Receipts')
    await app.getByRole('link', { name: 'Receive without an order' }).first().click()
    await button('Save receipt').click()
    await app.getByText('Add at least one product.').waitFor()
    await app.getByLabel('Add a product').fill(sku)
    await app.getByRole('option').first().click()
    await app.getByLabel(`Quantity of ${title}`).fill('4')
    await app.getByLabel(`Unit cost of ${title}`).fill('1.5')
    await app.getByLabel('Delivery note').fill('LS-99')
    const gate = Promise.withResolvers<void>()
    await page.route('**/api/receipts', async (route) => {
      if (route.request().method() === 'POST') await gate.promise
      return route.continue()
    })
    await button('Save receipt').click()
    await expectSoon(t, () => app.getByLabel('Delivery note').isDisabled(), true, 'while it is saved')
    // the answer does not take the merchant from a page that was opened meanwhile
    await goTo(app, 'Suppliers')
    await app.getByRole('link', { name: 'Create a supplier' }).first().click()
    const supplierName = app.getByRole('textbox', { name: 'Name', exact: true })
    await supplierName.fill('Typed meanwhile')
    gate.resolve()
    await app.getByText('Items received').first().waitFor()
    await expectSoon(t, () => supplierName.inputValue(), 'Typed meanwhile')
    const [stored] = await get<ReceiptListItem[]>('/receipts?search=ls-99')
    t.match(stored, { state: 'posted', purchaseOrderId: null, accepted: 4 })
    await clickLink(app, 'Receipts')
    await button('Leave').click()
    await app.getByLabel('Search receipts').fill('ls-9')
    await app.getByRole('link', { name: `#${stored?.id}`, exact: true }).click()
    const note = { name: 'note.png', mimeType: 'image/png', buffer: png }
    await app.getByLabel('Files', { exact: true }).setInputFiles(note)
    await button('note.png').waitFor()
    t.match(await get(`/attachments?subject=receipt&subjectId=${stored?.id}`), [{ name: 'note.png' }])
    await button('Print labels').click()
    await dialog.getByRole('combobox', { name: 'Labels' }).click()
    await expectSoon(t, () => app.getByRole('option').allInnerTexts(), [
      'One for each received piece',
      'One for each piece in stock',
      'A number for each product',
    ])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await app.getByRole('link', { name: 'Return goods' }).click()
    await app.getByRole('heading', { name: 'Create a return' }).waitFor()
    await app.getByLabel(`Quantity of ${title}`).waitFor()
    await app.getByRole('link', { name: `Back to Receipt #${stored?.id}` }).click()
    await button('Undo').click()
    await button('Undo receipt').click()
    await app.getByText('Reversed').first().waitFor()
    await app.getByText(/^Created by user \S/).waitFor()
    await app.getByText(/^Added to stock at .+ by user \S/).waitFor()
    await app.getByText(/^Reversed by user \S/).waitFor()
  })

  await t.test('the tolerance is a setting', async (t) => {
    await goTo(app, 'Settings')
    await app.getByLabel('Over-receipt tolerance (%)').fill('10')
    await button('Save').click()
    await app.getByText('Settings saved').waitFor()
    t.match(await get('/settings'), { overReceiptPercent: 10 })
  })
})
