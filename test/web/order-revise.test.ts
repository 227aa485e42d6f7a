import t from 'tap'
import type { ProductListItem } from '../../shared/schemas/products.ts'
import type { PurchaseOrder } from '../../shared/schemas/purchase-orders.ts'
import { expectSoon, goTo, startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'
import { visit } from '../support/web/page-tour.ts'

t.test('a merchant revises a sent order, and enters a rate that comes late', async (t) => {
  const { platform, install, open, get, send } = await startAdmin(t)
  await install()
  const [{ title = '', productId = '', variants: [{ variantId = '' } = {}] = [] } = {}] =
    await get<ProductListItem[]>('/products')
  const createOrder = async (supplier: object, line: object, order: object = {}) => {
    const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', supplier)
    const lineItems = [{ productId, variantId, ...line }]
    return (await send<{ id: number }>('POST', '/purchase-orders', { supplierId, lineItems, ...order })).id
  }
  const terms = { quantity: 24, costPrice: 2, packSize: 6, discountPercent: 5, taxRate: 10 }
  const email = 'orders@northgate.example.com'
  const id = await createOrder({ name: 'Northgate', email }, terms, { cc: ['boss@myshop.example.com'] })
  await send('POST', `/purchase-orders/${id}/send`)
  const orderOf = (of: number) => get<PurchaseOrder>(`/purchase-orders/${of}`)
  const mailed = (count: number) =>
    until(
      async () => (await orderOf(id)).emailStatus === 'sent' && platform.mails().length === count,
      `${count} mails`,
    )
  await mailed(1)
  const tab = await open(`/purchase-orders/${id}/revise`)
  const { page, app } = tab
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  const shown = (number: string) =>
    app.getByRole('heading', { name: number, level: 1, exact: true }).waitFor()
  const quantity = app.getByLabel(`Quantity of ${title}`)
  const rate = app.getByLabel('1 CNY in USD')
  const kiln = { name: 'Kiln', currency: 'CNY' }

  await t.test('the difference is mailed, and stays on the page of the order', async (t) => {
    const recipients = `${email}, with a copy to boss@myshop.example.com`
    await app.getByText(`The difference is e-mailed to ${recipients}.`).waitFor()
    await app.getByLabel('Reason').fill('More guests')
    await app.getByText('Change a line to save the reason').waitFor()
    await expectSoon(t, () => button('Save and e-mail').isDisabled(), true)
    await quantity.fill('30')
    await app.getByText('Subtotal US$57.00, before US$45.60').waitFor()
    await page.setViewportSize({ width: 360, height: 900 })
    const overflow = () => app.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)
    await expectSoon(t, overflow, 0, 'it does not scroll sideways on a phone')
    await page.setViewportSize({ width: 1280, height: 900 })
    await button('Save and e-mail').click()
    await shown('PO-00001')
    const before = '24 at US$2.00, packs of 6, less 5%, plus 10% tax'
    const after = '30 at US$2.00, packs of 6, less 5%, plus 10% tax'
    await app.getByText(`${title}: ${before} → ${after}`).waitFor()
    await mailed(2)
    t.match(
      platform
        .mails()
        .map(({ TextBody }) => String(TextBody))
        .join(),
      /Product .* Quantity: 24 → 30/,
    )
  })

  await t.test('parts of the page that cannot be read are read again on demand', async () => {
    const parts = (url: URL) => /\/purchase-orders\/1\/(revisions|receipts)$/.test(url.pathname)
    await page.route(parts, (route) => route.fulfill({ status: 404, json: {} }))
    await page.reload()
    await app.getByText('The drafts could not be loaded').waitFor()
    const revisions = app.locator('section').filter({ has: app.getByRole('heading', { name: 'Revisions' }) })
    await revisions.getByRole('button', { name: 'Try again' }).waitFor()
    await page.unroute(parts)
    await revisions.getByRole('button', { name: 'Try again' }).click()
    await app.getByText(`${title}: 24 at`).waitFor()
  })

  await t.test(
    'the second of two buyers sees what the first has revised, and keeps the own changes',
    async (t) => {
      await visit(tab, `/purchase-orders/${id}/revise`, 'Revise PO-00001')
      const discount = app.getByLabel(`Discount of ${title} in percent`)
      await app.getByText('Supplier SKU, pack size, discount and tax').click()
      await discount.fill('7.5')
      await app.getByLabel('Reason').fill('Better terms')
      const { version, lineItems } = await orderOf(id)
      const revised = [{ id: lineItems[0]?.id, quantity: 36 }]
      await send('POST', `/purchase-orders/${id}/revise`, {
        lineItems: revised,
        version,
        reason: 'Even more',
      })
      // a revision is refused while the mail of the one before is under way
      await mailed(3)
      await button('Save and e-mail').click()
      await app.getByText('This order was changed since you opened it').waitFor()
      await app.getByText(/^.*: 30 at .* → 36 at /).waitFor()
      t.equal((await orderOf(id)).revision, 2, 'nothing is overwritten')
      await button('Reload and keep my changes').click()
      await expectSoon(t, () => quantity.inputValue(), '36')
      await expectSoon(t, () => discount.inputValue(), '7.5%')
      await expectSoon(t, () => app.getByLabel('Reason').inputValue(), 'Better terms')
      await button('Save and e-mail').click()
      await shown('PO-00001')
      t.match(await orderOf(id), { revision: 3, lineItems: [{ quantity: 36, discountPercent: 7.5 }] })
    },
  )

  await t.test('without an address, a revision is not mailed', async (t) => {
    const unmailed = await createOrder({ name: 'Southgate' }, { quantity: 1, costPrice: 2 })
    await send('POST', `/purchase-orders/${unmailed}/send`)
    await visit(tab, `/purchase-orders/${unmailed}/revise`, 'Revise PO-00002')
    await app.getByText(/^No e-mail is sent: neither Southgate nor its contacts/).waitFor()
    await quantity.fill('2')
    await button('Save').click()
    await shown('PO-00002')
    t.match(await orderOf(unmailed), { revision: 1, emailStatus: 'no_recipient' })
  })

  await t.test('an order in a foreign currency has a rate, and never the shop’s symbol', async (t) => {
    const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', kiln)
    await send('POST', `/suppliers/${supplierId}/products`, { variantId, prices: [{ price: 30 }] })
    await visit(tab, `/purchase-orders/new?supplierId=${supplierId}`, 'Create an order')
    await app.getByLabel('Add a product').fill(title)
    await app.getByRole('option', { name: title }).first().click()
    await expectSoon(t, () => app.getByLabel(`Unit cost of ${title}`).inputValue(), '30.00')
    await quantity.fill('100')
    await rate.fill('0.139')
    await app.locator('dl[aria-label="Totals"]').getByText('CN¥3,000.00').first().waitFor()
    await button('Save draft').click()
    await shown('PO-00003')
    await app.getByText('0.139', { exact: true }).waitFor()
    await app.getByText('US$417.00', { exact: true }).waitFor()
    t.match(await orderOf(3), { currency: 'CNY', rate: 0.139, total: 3000, lineItems: [{ costPrice: 30 }] })
    for (const name of ['Home', 'Purchase orders']) {
      await goTo(app, name)
      await app.getByRole('row').filter({ hasText: 'PO-00003' }).getByText('CN¥3,000.00').waitFor()
    }
  })

  await t.test('a duplicate has the prices and terms of the original', async (t) => {
    await app.getByRole('link', { name: 'PO-00003', exact: true }).click()
    await button('More').click()
    await app.getByRole('menuitem', { name: 'Duplicate' }).click()
    await shown('PO-00004')
    const terms = {
      status: 'draft',
      currency: 'CNY',
      rate: 0.139,
      lineItems: [{ quantity: 100, costPrice: 30 }],
    }
    t.match(await orderOf(4), terms)
  })

  await t.test(
    'goods of an order without a rate can be received, but the page asks for the rate',
    async (t) => {
      const late = await createOrder({ ...kiln, name: 'Pottery' }, { quantity: 100, costPrice: 30 })
      await send('PUT', `/purchase-orders/${late}`, { rate: null })
      await send('POST', `/purchase-orders/${late}/send`, {})
      await visit(tab, `/purchase-orders/${late}/receive`, 'Receive PO-00005')
      await app.getByText('The rate of CNY is missing').waitFor()
      await app.getByRole('link', { name: 'Enter the rate' }).click()
      await rate.fill('0.14')
      await button('Save').click()
      await shown('PO-00005')
      t.equal((await orderOf(late)).rate, 0.14)
      await app.getByRole('link', { name: 'Receive', exact: true }).click()
      await app.getByLabel(`Quantity received of ${title}`).fill('100')
      await expectSoon(t, () => app.getByText('The rate of CNY is missing').count(), 0)
      await button('Save receipt').first().click()
      await app.getByText('100 received at').waitFor()
      // the receipts may be read before the order, whose new status decides what its form offers
      await app.locator('header').getByText('Received', { exact: true }).waitFor()
      await app.getByRole('link', { name: 'Edit', exact: true }).click()
      await rate.fill('0.15')
      const reference = app.getByLabel('Reference', { exact: true })
      await expectSoon(t, () => reference.count(), 0, 'only the rate may change')
      await button('Save').click()
      await app.getByText('0.15', { exact: true }).waitFor()
    },
  )
})
