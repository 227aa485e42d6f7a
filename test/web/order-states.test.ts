import t from 'tap'
import type { ProductListItem } from '../../shared/schemas/products.ts'
import type { PurchaseOrder } from '../../shared/schemas/purchase-orders.ts'
import { expectSoon, goTo, startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'
import { visit } from '../support/web/page-tour.ts'

t.test('an order says what became of it', async (t) => {
  const { install, open, get, send } = await startAdmin(t)
  await install()
  const products = (await get<ProductListItem[]>('/products')).flatMap(
    ({ productId, variants: [variant] }) => (variant ? [{ productId, variantId: variant.variantId }] : []),
  )
  const orderFor = async (email: string) => {
    const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', {
      name: `Of ${email}`,
      email,
    })
    const lineItems = [
      { ...products[0], quantity: 10, costPrice: 25 },
      { ...products[1], quantity: 5, costPrice: 0 },
    ]
    const { id } = await send<{ id: number }>('POST', '/purchase-orders', { supplierId, lineItems, tax: 50 })
    await send('POST', `/purchase-orders/${id}/send`)
    const order = () => get<PurchaseOrder>(`/purchase-orders/${id}`)
    await until(
      async () => !['none', 'queued'].includes((await order()).emailStatus),
      'the mail has an outcome',
    )
    return order()
  }
  const short = await orderFor('orders@northgate.example.com')
  const bounced = await orderFor('bounced@bros.example')
  const tab = await open(`/purchase-orders/${short.id}`)
  const { app, page } = tab
  const row = (number: string) => app.getByRole('row').filter({ hasText: number })

  await t.test('it is shown when its supplier and the locations cannot be read', async (t) => {
    let refused = 0
    const isOther = /\/api\/(suppliers\/\d+|locations)(\?|$)/
    await page.route(isOther, (route) => {
      refused += 1
      return route.fulfill({ status: 500, body: '{}' })
    })
    await page.reload()
    await app.getByRole('heading', { name: short.poNumber, level: 1 }).waitFor()
    await app.getByRole('button', { name: 'More', exact: true }).click()
    await until(async () => refused >= 4, 'the page repeats both requests')
    await app.getByRole('menuitem', { name: /^Close/ }).click()
    await app.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    t.pass('the menu has stayed open')
    await page.unrouteAll({ behavior: 'wait' })
  })

  await t.test('one that was closed short is not simply received', async (t) => {
    const [line] = short.lineItems
    await send('POST', `/purchase-orders/${short.id}/receive`, {
      lineItems: [{ lineItemId: line?.id, quantityReceived: 4 }],
    })
    await page.reload()
    await app.getByText('Partly received').first().waitFor()
    await app.getByRole('button', { name: 'More', exact: true }).click()
    await app.getByRole('menuitem', { name: /^Close/ }).click()
    const gate = Promise.withResolvers<void>()
    await page.route('**/api/purchase-orders/*/close', async (route) => {
      await gate.promise
      return route.continue()
    })
    await app.getByRole('dialog').getByRole('button', { name: 'Close order' }).click()
    await app.getByText('Closed, 4 of 15 received').waitFor()
    gate.resolve()
    await app.getByText(/^Created by user \S/).waitFor()
    await app.getByText(/^Sent to orders@northgate\.example\.com by user \S/).waitFor()
    await app.getByText(/^4 received at .+ by user \S/).waitFor()
    await app.getByText(/^Closed by user \S+: 11 pieces cancelled/).waitFor()
    await page.unroute('**/api/purchase-orders/*/close')
    await app.getByText('US$120.00', { exact: true }).waitFor()
    await goTo(app, 'Home')
    await row(short.poNumber).getByText('Closed, 4 of 15 received').waitFor()
    await goTo(app, 'Purchase orders')
    await row(short.poNumber).getByText('Closed, 4 of 15 received').waitFor()
    await row(short.poNumber).getByText('US$120.00 received').waitFor()
    t.match(await get(`/purchase-orders/${short.id}`), {
      status: 'received',
      isClosedShort: true,
      receivedValue: 120,
    })
  })

  await t.test('a cancelled order names the person that cancelled it', async () => {
    const { id } = await orderFor('orders@cancelled.example.com')
    await send('POST', `/purchase-orders/${id}/cancel`)
    await visit(tab, `/purchase-orders/${id}`, 'PO-00003')
    await app.getByText(/^Cancelled by user \S/).waitFor()
  })

  await t.test('one whose e-mail bounced does not look sent', async (t) => {
    t.equal(bounced.emailStatus, 'failed')
    await goTo(app, 'Purchase orders')
    await row(bounced.poNumber).getByText('Not delivered').waitFor()
    await app.getByRole('link', { name: bounced.poNumber, exact: true }).click()
    const missed = /^Sent by user \S+, but the e-mail to bounced@bros\.example was not delivered/
    await app.getByText(missed).waitFor()
    const head = app.getByRole('heading', { level: 1 }).locator('xpath=ancestor::header')
    await head.getByText('Not delivered').waitFor()
    await app.getByRole('link', { name: 'Edit', exact: true }).click()
    await app.getByRole('heading', { name: `Edit ${bounced.poNumber}` }).waitFor()
    await head.getByText('Not delivered').waitFor()
    await page.goBack()
    const [line] = bounced.lineItems
    await send('POST', `/purchase-orders/${bounced.id}/receive`, {
      lineItems: [{ lineItemId: line?.id, quantityReceived: 4 }],
    })
    await page.reload()
    await head.getByText('Partly received').waitFor()
    await head.getByText('Not delivered').waitFor()
    await send('POST', `/purchase-orders/${bounced.id}/send`, { resend: true, to: ['again@bros.example'] })
    await page.reload()
    await app.getByText(/^E-mailed again to again@bros\.example by user \S/).waitFor()
    await app.getByText(missed).waitFor()
  })

  await t.test('its invoice is entered with days of the time zone of the shop', async (t) => {
    await send('PUT', '/settings', { timeZone: 'Pacific/Kiritimati', locale: 'en-GB' })
    await page.reload()
    await app
      .getByText('No invoice yet. Enter its number, its dates and its payment when it arrives.')
      .waitFor()
    await app.getByRole('button', { name: 'Enter invoice' }).click()
    await app.getByLabel('Invoice number').fill('INV-7')
    await app.getByLabel('Invoice date').fill('2026-03-01')
    await app.getByLabel('Payment due').fill('2026-04-01')
    await app.getByLabel('Paid on').fill('2026-03-20')
    await app.getByRole('button', { name: 'Save invoice' }).click()
    await app.getByText('INV-7').waitFor()
    await app.getByText('20 Mar 2026').waitFor()
    const { invoiceDate, paymentDueOn, paidAt } = await get<PurchaseOrder>(`/purchase-orders/${bounced.id}`)
    t.strictSame([invoiceDate, paymentDueOn], ['2026-03-01', '2026-04-01'])
    t.match(paidAt, /^2026-03-20T09:59/)
    await page.setViewportSize({ width: 360, height: 800 })
    await app.getByRole('button', { name: 'Edit invoice' }).click()
    await expectSoon(t, () => app.getByLabel('Paid on').inputValue(), '2026-03-20')
  })
})
