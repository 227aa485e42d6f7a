import t from 'tap'
import type { PurchaseOrder } from '../../shared/schemas/purchase-orders.ts'
import type { OrderReceipt, Receipt, ReceiptListItem } from '../../shared/schemas/receipts.ts'
import { clickLink, expectSoon, goTo, startAdmin } from '../support/core/admin.ts'
import { png } from '../support/make/attachments.ts'

type Product = { productId: string; title: string; variants: { variantId: string; sku: string }[] }

t.test('receiving with rejects, costs and drafts, and without an order', async (t) => {
  const { install, get, send, open } = await startAdmin(t)
  await install()
  const [product] = await get<Product[]>('/products')
  const { productId = '', title = '', variants: [{ variantId = '', sku = '' } = {}] = [] } = product ?? {}
  const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', { name: 'Northgate' })
  const { id } = await send<{ id: number }>('POST', '/purchase-orders', {
    supplierId,
    lineItems: [{ productId, variantId, sku, title, quantity: 10, costPrice: 2 }],
  })
  await send('POST', `/purchase-orders/${id}/send`, {})
  const tab = await open(`/purchase-orders/${id}`)
  const { app } = tab
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  /** Another tab, on the page that receives a new order of ten pieces. */
  const openToReceive = async () => {
    const other = await send<{ id: number }>('POST', '/purchase-orders', {
      supplierId,
      lineItems: [{ productId, variantId, sku, title, quantity: 10, costPrice: 2 }],
    })
    await send('POST', `/purchase-orders/${other.id}/send`, {})
    return { id: other.id, ...(await open(`/purchase-orders/${other.id}/receive`)) }
  }

  await t.test(
    'a draft is saved, continued and posted with rejected pieces and the cost that was paid',
    async (t) => {
      await app.getByRole('link', { name: 'Receive', exact: true }).click()
      await app.getByLabel(`Quantity received of ${title}`).waitFor()
      const state = app.getByRole('region', { name: 'Unsaved changes' }).getByRole('status')
      await state.getByText('Not saved yet').waitFor()
      await expectSoon(t, () => button('Save as draft').first().isDisabled(), true, 'nothing is counted yet')
      await app.getByLabel(`Quantity received of ${title}`).fill('5')
      await app.getByLabel('Delivery note').fill('DN-17')
      await button('Save as draft').first().click()
      await app.getByText(/Draft of .*: 5 counted/).waitFor()
      t.match(await get<PurchaseOrder>(`/purchase-orders/${id}`), { status: 'sent' })
      await app.getByRole('link', { name: /^Continue the draft/ }).click()
      await expectSoon(t, () => app.getByLabel(`Quantity received of ${title}`).inputValue(), '5')
      await expectSoon(t, () => app.getByLabel('Delivery note').inputValue(), 'DN-17')
      await state.getByText('Draft saved').waitFor()
      await app.getByLabel(`Quantity rejected of ${title}`).fill('3')
      await state.getByText('Unsaved changes').waitFor()
      await app.getByLabel(`Why pieces of ${title} are rejected`).fill('crushed')
      await app.getByRole('combobox', { name: `What happens to rejected pieces of ${title}` }).click()
      await app.getByRole('option', { name: 'Supplier credits them' }).click()
      await app.getByLabel(`Unit cost paid for ${title}`).fill('2.75')
      await button('Save receipt').first().click()
      await app.getByText('3 rejected (crushed), credited').waitFor()
      // until the drafts are read again, it is among them, too
      await app.getByText('Delivery note DN-17').first().waitFor()
      const order = await get<PurchaseOrder>(`/purchase-orders/${id}`)
      t.match(order, {
        status: 'partial',
        lineItems: [
          { receivedQuantity: 5, rejectedQuantity: 3, creditedQuantity: 3, outstandingQuantity: 2 },
        ],
      })
      const [receipt] = await get<{ lineItems: OrderReceipt['lines'] }[]>(`/purchase-orders/${id}/receipts`)
      t.match(receipt, { lineItems: [{ accepted: 5, rejected: 3, rejectReason: 'crushed', unitCost: 2.75 }] })
    },
  )

  await t.test('two clicks at once save one draft', async (t) => {
    const page = await openToReceive()
    const sent: string[] = []
    page.page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/receipts')) sent.push(request.url())
    })
    await page.app.getByLabel(`Quantity received of ${title}`).fill('2')
    await page.app.getByRole('button', { name: 'Save as draft', disabled: false }).first().waitFor()
    await page.page.frames()[1]?.evaluate(`
      for (const button of document.querySelectorAll('button')) {
        if (button.textContent !== 'Save as draft') continue
        button.click()
        button.click()
        break
      }
    `)
    await page.app.getByText(/Draft of .*: 2 counted/).waitFor()
    t.equal(sent.length, 1)
    t.equal((await get<unknown[]>(`/purchase-orders/${page.id}/receipts?state=draft`)).length, 1)
    await page.page.close()
  })

  await t.test('all that is outstanding is received without the rejected pieces', async (t) => {
    const page = await openToReceive()
    const received = page.app.getByLabel(`Quantity received of ${title}`)
    const rejected = page.app.getByLabel(`Quantity rejected of ${title}`)
    await rejected.fill('4')
    await page.app.getByRole('button', { name: 'Receive all' }).click()
    await expectSoon(t, () => received.inputValue(), '6')
    await expectSoon(t, () => page.app.getByText('more than outstanding').count(), 0)
    await rejected.fill('5')
    await page.app.getByText('1 piece more than outstanding, with the rejected ones.').waitFor()
    await rejected.fill('12')
    await page.app.getByRole('button', { name: 'Receive all' }).click()
    await expectSoon(t, () => received.inputValue(), '')
    await page.page.close()
  })

  await t.test('credited pieces beyond the outstanding ones are not called stock', async (t) => {
    const page = await openToReceive()
    const dialog = page.app.getByRole('dialog')
    await page.app.getByLabel(`Quantity received of ${title}`).fill('10')
    await page.app.getByLabel(`Quantity rejected of ${title}`).fill('2')
    await page.app.getByLabel(`Why pieces of ${title} are rejected`).fill('crushed')
    await page.app.getByRole('combobox', { name: `What happens to rejected pieces of ${title}` }).click()
    await page.app.getByRole('option', { name: 'Supplier credits them' }).click()
    await page.app.getByRole('button', { name: 'Save receipt' }).first().click()
    await dialog.getByText('10 received, 2 credited, 10 outstanding').waitFor()
    await dialog.getByText('Credited pieces do not go into stock.').waitFor()
    await expectSoon(t, () => dialog.getByText('The extra').count(), 0)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.app.getByLabel(`Quantity received of ${title}`).fill('11')
    await page.app.getByRole('button', { name: 'Save receipt' }).first().click()
    await dialog
      .getByText('The extra 1 will be added to stock. Credited pieces do not go into stock.')
      .waitFor()
    await dialog.getByRole('button', { name: 'Receive 11' }).click()
    await page.app.getByText('2 rejected (crushed), credited').waitFor()
    await page.page.close()
  })

  await t.test('a receipt whose answers were lost is saved once, by another click', async (t) => {
    const page = await openToReceive()
    const posting = '**/api/purchase-orders/*/receipts/*/post'
    await page.page.route(posting, async (route) => {
      await route.fetch()
      await route.abort()
    })
    const locations = Promise.withResolvers<void>()
    await page.page.route('**/api/locations*', async (route) => {
      await locations.promise
      await route.continue()
    })
    await page.page.reload()
    await page.app.getByLabel(`Quantity received of ${title}`).fill('4')
    const save = page.app.getByRole('button', { name: 'Save receipt' }).first()
    // the second save must send the location of the first
    await expectSoon(t, () => save.isDisabled(), true, 'the locations are not loaded')
    locations.resolve()
    const lost = page.page.waitForEvent('requestfailed', (request) => request.method() === 'POST')
    await save.click()
    await lost
    await page.app.getByText('There is no connection to Quartermaster.').first().waitFor()
    await page.page.unroute(posting)
    await save.click()
    await page.app.getByText(/^4 received at/).waitFor()
    t.match(await get<unknown[]>(`/purchase-orders/${page.id}/receipts`), [{ lineItems: [{ accepted: 4 }] }])
    t.match(await get<PurchaseOrder>(`/purchase-orders/${page.id}`), { lineItems: [{ receivedQuantity: 4 }] })
    await page.page.close()
  })

  await t.test('a discarded form leaves no draft, and scanning asks before it continues one', async (t) => {
    const { id: orderId, page, app: own } = await openToReceive()
    const drafts = () => get<Receipt[]>(`/purchase-orders/${orderId}/receipts?state=draft`)
    const received = own.getByLabel(`Quantity received of ${title}`)
    const refused = async () => {
      await received.fill('12')
      await own.getByRole('button', { name: 'Save receipt' }).first().click()
      await own.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    }
    await refused()
    t.match(await drafts(), [{ lineItems: [{ accepted: 12 }] }])
    const discard = async () => {
      await own.getByRole('button', { name: 'Discard', exact: true }).click()
      await own.getByRole('button', { name: 'Discard changes' }).click()
    }
    const [draft] = await drafts()
    const [line] = (await get<PurchaseOrder>(`/purchase-orders/${orderId}`)).lineItems
    await send('PUT', `/purchase-orders/${orderId}/receipts/${draft?.id}`, {
      lines: [{ lineItemId: line?.id, accepted: 3 }],
    })
    await discard()
    const changed = own.getByRole('alert').filter({ hasText: 'This draft was changed since you opened it' })
    await changed.getByText(`${title}: 12 accepted → 3 accepted`).waitFor()
    await changed.getByText(/^It is not deleted\./).waitFor()
    t.match(await drafts(), [{ lineItems: [{ accepted: 3 }] }], 'what another device counted stays')
    await expectSoon(t, () => changed.getByRole('button').allTextContents(), [
      'Delete the draft anyway',
      'Keep the draft',
    ])
    await changed.getByRole('button', { name: 'Keep the draft' }).click()
    await expectSoon(t, () => received.inputValue(), '3')
    await expectSoon(
      t,
      () => own.getByRole('button', { name: 'Discard', exact: true }).isDisabled(),
      true,
      'nothing of this page is in the form',
    )
    await received.fill('4')
    await discard()
    await expectSoon(t, () => received.inputValue(), '3')
    t.match(
      await drafts(),
      [{ lineItems: [{ accepted: 3 }] }],
      'Discard does not delete the draft of another device',
    )
    await refused()
    t.match(await drafts(), [{ lineItems: [{ accepted: 12 }] }])
    await received.fill('4')
    await discard()
    await expectSoon(t, () => received.inputValue(), '12')
    t.match(await drafts(), [{ lineItems: [{ accepted: 12 }] }], 'a version saved over that one stays, too')

    await send('DELETE', `/purchase-orders/${orderId}/receipts/${draft?.id}`)
    await page.reload()
    await refused()
    const [another] = await drafts()
    await send('PUT', `/purchase-orders/${orderId}/receipts/${another?.id}`, {
      lines: [{ lineItemId: line?.id, accepted: 2 }],
    })
    await discard()
    await changed.getByText(`${title}: 12 accepted → 2 accepted`).waitFor()
    await changed.getByRole('button', { name: 'Delete the draft anyway' }).click()
    await expectSoon(t, () => received.inputValue(), '')
    t.strictSame(await drafts(), [])
    t.strictSame(await get(`/purchase-orders/${orderId}/receipts`), [], 'nothing was posted')

    await refused()
    const [posted] = await drafts()
    await send('PUT', `/purchase-orders/${orderId}/receipts/${posted?.id}`, {
      lines: [{ lineItemId: line?.id, accepted: 1 }],
    })
    await send('POST', `/purchase-orders/${orderId}/receipts/${posted?.id}/post`, {})
    await discard()
    await own.getByText('The draft was posted in the meantime').waitFor()
    await expectSoon(t, () => received.inputValue(), '')
    await refused()
    await own.getByRole('link', { name: 'Receive by scanning' }).click()
    await own.getByRole('button', { name: 'Leave' }).click()
    await own.getByText(/^Continue the draft of .* with 12 pieces\?$/).waitFor()
    await own.getByRole('button', { name: 'Start a new receipt' }).click()
    await own.getByText('0 of 9 pieces').waitFor()
    await page.reload()
    await own.getByRole('button', { name: /^Continue the draft of/ }).click()
    await own.getByText('12 of 9 pieces').waitFor()
    await page.reload()
    await own.getByText('12 of 9 pieces').waitFor()
    await page.close()
  })

  await t.test('a draft that another page has changed shows what is different', async (t) => {
    const { id: orderId, page, app: own } = await openToReceive()
    const received = own.getByLabel(`Quantity received of ${title}`)
    const conflict = own
      .getByRole('alert')
      .filter({ hasText: 'This receipt was changed since you opened it' })
    const [line] = (await get<PurchaseOrder>(`/purchase-orders/${orderId}`)).lineItems
    const { id: draftId } = await send<{ id: number }>('POST', `/purchase-orders/${orderId}/receipts`, {
      lines: [{ lineItemId: line?.id, accepted: 2 }],
    })
    const path = `/purchase-orders/${orderId}/receipts/${draftId}`
    const changeElsewhere = (accepted: number) =>
      send('PUT', path, { lines: [{ lineItemId: line?.id, accepted }], deliveryNote: `DN-${accepted}` })
    await page.goto(page.url().replace(/\/receive$/, `/receive?draft=${draftId}`))
    await expectSoon(t, () => received.inputValue(), '2')
    await received.fill('5')
    await changeElsewhere(3)
    await own.getByRole('button', { name: 'Save as draft' }).click()
    await conflict.getByText(`${title}: 2 accepted → 3 accepted`).waitFor()
    await conflict.getByText('Delivery note: empty → DN-3').waitFor()
    await conflict.getByRole('button', { name: 'Use theirs' }).click()
    await expectSoon(t, () => received.inputValue(), '3')
    await received.fill('6')
    await changeElsewhere(4)
    await own.getByRole('button', { name: 'Save receipt' }).click()
    await conflict.getByText(`${title}: 3 accepted → 4 accepted`).waitFor()
    await conflict.getByRole('button', { name: 'Overwrite with mine' }).click()
    await own.getByText(/^6 received at/).waitFor()
    t.match(await get(path), { state: 'posted', lines: [{ accepted: 6 }] })
    await page.close()
  })

  await t.test('another person posts first: the page names what is left, and keeps the draft', async (t) => {
    await app.getByRole('link', { name: 'Receive', exact: true }).click()
    await app.getByLabel(`Quantity received of ${title}`).fill('2')
    const [line] = (await get<PurchaseOrder>(`/purchase-orders/${id}`)).lineItems
    await send('POST', `/purchase-orders/${id}/receive`, {
      lineItems: [{ lineItemId: line?.id, quantityReceived: 1 }],
    })
    await button('Save receipt').first().click()
    await app.getByRole('dialog').getByText('2 received, 1 outstanding').waitFor()
    await app.getByRole('dialog').getByText('The extra 1 will be added to stock.').waitFor()
    await button('Cancel').click()
    await app.getByText('Is 1 more than the 1 still expected.').waitFor()
    t.match(await get<unknown[]>(`/purchase-orders/${id}/receipts?state=draft`), [
      { lineItems: [{ accepted: 2 }] },
    ])
    await app.getByRole('link', { name: /^Back to PO-/ }).click()
    await app.getByRole('button', { name: 'Leave' }).click()
    await app
      .getByRole('button', { name: /^Undo the receipt/ })
      .nth(1)
      .waitFor()
    const remove = app.getByRole('button', { name: /^Delete the draft/ })
    await remove.waitFor()
    const names = await app
      .locator('section', { hasText: 'Received' })
      .locator('[aria-label]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
    t.ok(names.length > 6)
    t.equal(new Set(names).size, names.length, 'receipts of one minute have buttons of different names')
    await app.getByText(/^Draft of .* by user \S+ at \S.*: 2 counted$/).waitFor()
    await remove.click()
    await app.getByText(/^What was counted in it by user \S+ at \S.* is lost, unless/).waitFor()
    const [draft] = await get<Receipt[]>(`/purchase-orders/${id}/receipts?state=draft`)
    await send('PUT', `/purchase-orders/${id}/receipts/${draft?.id}`, {
      lines: [{ lineItemId: line?.id, accepted: 1 }],
    })
    await button('Delete draft').click()
    await app.getByText('It has changed in the meantime: 2 pieces before, 1 piece now.').waitFor()
    await app.getByRole('dialog').getByText(`${title}: 2 accepted → 1 accepted`, { exact: true }).waitFor()
    await button('Delete draft').click()
    await expectSoon(t, () => app.getByText(/^Draft of/).count(), 0)
  })

  await t.test('of a draft that was changed, ten changes are named and the others counted', async (t) => {
    const { id: orderId } = await send<{ id: number }>('POST', '/purchase-orders', {
      supplierId,
      lineItems: Array.from({ length: 12 }, () => ({
        productId,
        variantId,
        sku,
        title,
        quantity: 20,
        costPrice: 2,
      })),
    })
    await send('POST', `/purchase-orders/${orderId}/send`, {})
    const { lineItems } = await get<PurchaseOrder>(`/purchase-orders/${orderId}`)
    const path = `/purchase-orders/${orderId}/receipts`
    const { id: draftId } = await send<{ id: number }>('POST', path, {
      lines: lineItems.map((line) => ({ lineItemId: line.id, accepted: 1 })),
    })
    const { page, app: own } = await open(`/purchase-orders/${orderId}`)
    await own.getByRole('button', { name: /^Delete the draft/ }).click()
    await send('PUT', `${path}/${draftId}`, {
      lines: lineItems.map((line, at) => ({ lineItemId: line.id, accepted: at + 2 })),
    })
    const dialog = own.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Delete draft' }).click()
    await dialog.getByText('and 2 more', { exact: true }).waitFor()
    const rows = await dialog.getByRole('listitem').allTextContents()
    t.equal(rows.length, 11)
    t.equal(rows[9], `${title}: 1 accepted → 11 accepted`)
    await page.close()
  })

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
    await tab.page.route('**/api/receipts', async (route) => {
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
    const saved = tab.page.waitForResponse((response) => response.request().method() === 'POST')
    gate.resolve()
    await saved
    await app.getByText('Items received').waitFor()
    await expectSoon(t, () => supplierName.inputValue(), 'Typed meanwhile')
    const [stored] = await get<ReceiptListItem[]>('/receipts?search=ls-99')
    t.match(stored, { state: 'posted', purchaseOrderId: null, accepted: 4 })
    await clickLink(app, 'Receipts')
    await button('Leave').click()
    await app.getByRole('link', { name: `#${stored?.id}`, exact: true }).click()
    const note = { name: 'note.png', mimeType: 'image/png', buffer: png }
    await app.getByLabel('Files', { exact: true }).setInputFiles(note)
    await app.getByRole('button', { name: 'note.png', exact: true }).waitFor()
    t.match(await get(`/attachments?subject=receipt&subjectId=${stored?.id}`), [{ name: 'note.png' }])
    await button('Print labels').click()
    await app.getByRole('dialog').getByRole('combobox', { name: 'Labels' }).click()
    await expectSoon(t, () => app.getByRole('option').allInnerTexts(), [
      'One for each received piece',
      'One for each piece in stock',
      'A number for each product',
    ])
    await tab.page.keyboard.press('Escape')
    await tab.page.keyboard.press('Escape')
    await app.getByRole('dialog').waitFor({ state: 'detached' })
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
    await app.getByRole('link', { name: 'Back to Receipts' }).click()
    await app.getByLabel('Search receipts').fill('ls-9')
    await app.getByRole('link', { name: `#${stored?.id}` }).waitFor()
    await app.getByLabel('Search receipts').fill('nothing')
    await app.getByText('No receipts match').waitFor()
  })

  await t.test('the tolerance is a setting', async (t) => {
    await goTo(app, 'Settings')
    await app.getByLabel('Over-receipt tolerance (%)').fill('10')
    await app.getByRole('button', { name: 'Save', exact: true }).click()
    await app.getByText('Settings saved').waitFor()
    t.match(await get('/settings'), { overReceiptPercent: 10 })
  })

  await t.test('the pages fit a phone', async (t) => {
    const { id: open_ } = await send<{ id: number }>('POST', '/purchase-orders', {
      supplierId,
      lineItems: [{ productId, variantId, sku, title, quantity: 10, costPrice: 2 }],
    })
    await send('POST', `/purchase-orders/${open_}/send`, {})
    await tab.page.setViewportSize({ width: 360, height: 740 })
    for (const path of ['/receipts', '/receipts/new', '/receipts/1', `/purchase-orders/${open_}/receive`]) {
      const { page, app } = await open(path)
      await page.setViewportSize({ width: 360, height: 740 })
      await app.getByRole('heading', { level: 1 }).waitFor()
      if (path.endsWith('/receive')) {
        await app.getByLabel(`Quantity rejected of ${title}`).fill('1')
        await app.getByLabel(`Why pieces of ${title} are rejected`).waitFor()
      }
      const hidden = () => app.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)
      await expectSoon(t, hidden, 0)
    }
  })
})
