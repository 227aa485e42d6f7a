import type { Route } from 'playwright-core'
import t from 'tap'
import type { PurchaseOrder } from '../../shared/schemas/purchase-orders.ts'
import { addSupplier, expectSoon, goTo, returnToTab, startAdmin, writeOrder } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'

type Product = { variants: { sku: string }[] }

t.test('the merchant writes the mail of an order', async (t) => {
  const { platform, get, send, install, untilSynced, open } = await startAdmin(t)
  await install()
  await untilSynced()
  const sku = (await get<Product[]>('/products'))[0]?.variants[0]?.sku ?? ''
  const tab = await open('/suppliers')
  const { app } = tab
  const dialog = app.getByRole('dialog')
  const preview = dialog.getByRole('region', { name: 'Preview' })

  await t.test(
    'a template is edited with a preview, and an unknown placeholder shows at its field',
    async (t) => {
      await goTo(app, 'Settings')
      const form = app.getByRole('form', { name: 'Template' }).first()
      await form.getByLabel('Subject').fill('Order {{poNumbr}} for you')
      await app.getByRole('button', { name: 'Save', exact: true }).click()
      await form.getByText(/^Has an unknown placeholder: {{poNumbr}}/).waitFor()
      await form.getByLabel('Subject').fill('Order {{poNumber}} for you')
      await form.getByText('Order PO-00042 for you').waitFor()
      await app.getByRole('button', { name: 'Save', exact: true }).click()
      await app.getByText('Template saved').waitFor()
      await app.getByRole('button', { name: 'Use the standard text' }).waitFor()
      const [stored] = await get<{ subject: string }[]>('/mail-templates')
      t.equal(stored?.subject, 'Order {{poNumber}} for you')
    },
  )

  await t.test('what is typed in a template stays when another user saves it', async (t) => {
    const form = app.getByRole('form', { name: 'Template' }).first()
    const body = form.getByLabel('Text', { exact: true })
    await form.getByLabel('Subject').fill('Typed meanwhile')
    await send('PUT', '/mail-templates/purchase_order', {
      subject: 'Order {{poNumber}} for you',
      body: 'Of a colleague',
    })
    let isRead = false
    tab.page.on('response', (response) => {
      if (/mail-templates$/.test(response.url())) isRead = true
    })
    await returnToTab(tab, async () => isRead)
    await expectSoon(t, () => form.getByLabel('Subject').inputValue(), 'Typed meanwhile')
    await app.getByRole('button', { name: 'Save', exact: true }).click()
    await form.getByText('This template was changed since you opened it').waitFor()
    await form.getByText('Text: Of a colleague', { exact: true }).waitFor()
    await form.getByRole('button', { name: 'Overwrite with mine' }).click()
    await form.getByText('This template was changed since you opened it').waitFor({ state: 'hidden' })
    await app.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'hidden' })
    t.match(await get('/mail-templates'), [{ subject: 'Typed meanwhile' }])
    await form.getByLabel('Subject').fill('Typed again')
    await send('PUT', '/mail-templates/purchase_order', {
      subject: 'Order {{poNumber}} for you',
      body: 'Of a colleague',
    })
    await app.getByRole('button', { name: 'Save', exact: true }).click()
    await form.getByRole('button', { name: 'Use theirs' }).click()
    await form.getByText(/Reload|This template was changed/).waitFor({ state: 'hidden' })
    await expectSoon(t, () => body.inputValue(), 'Of a colleague')
  })

  await t.test('a template is locked until the standard text is back', async (t) => {
    const form = app.getByRole('form', { name: 'Template' }).first()
    const subject = form.getByLabel('Subject')
    const gate = Promise.withResolvers<void>()
    await tab.page.route('**/api/mail-templates/*', async (route) => {
      if (route.request().method() === 'DELETE') await gate.promise
      return route.continue()
    })
    await app.getByRole('button', { name: 'Use the standard text' }).click()
    await dialog.getByRole('button', { name: 'Delete the template' }).click()
    await expectSoon(t, () => subject.isDisabled(), true)
    gate.resolve()
    await app.getByText('Template removed').waitFor()
    await expectSoon(t, () => subject.isEnabled(), true)
    await expectSoon(t, async () => (await subject.inputValue()).includes('for you'), false)
    await subject.fill('Order {{poNumber}} for you')
    await app.getByRole('button', { name: 'Save', exact: true }).click()
    // an older message may still say that a template is saved
    await app.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
  })

  await t.test('recipients, subject and text are changed, and the preview follows', async (t) => {
    await goTo(app, 'Suppliers')
    await addSupplier(tab, 'Northgate', 'orders@northgate.example.com')
    await writeOrder(tab, sku, 10, '2.50')
    await app.getByRole('button', { name: 'Send', exact: true }).click()
    await preview.getByText('Order PO-00001 for you').waitFor()
    const focused = app.locator(':focus')
    await dialog.getByRole('button', { name: 'Send' }).and(focused).waitFor()
    await preview.getByText('orders@northgate.example.com').waitFor()
    await dialog.getByLabel('Cc').fill('not-an-address')
    await dialog.getByLabel('Cc').press('Enter')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByText('not-an-address: Must be an e-mail address on one line.').waitFor()
    t.equal(platform.mails().length, 0)
    await dialog.getByLabel('Cc').press('Backspace')
    await dialog.getByLabel('Cc').fill('boss@myshop.example.com')
    await dialog.getByLabel('Cc').press('Enter')
    await dialog.getByLabel('Text', { exact: true }).fill('Dear friends,\n\nplease <hurry>.')
    await preview.getByText('please <hurry>.').waitFor()
    await preview.getByText('boss@myshop.example.com').waitFor()
    await dialog.getByLabel('Attach the lines as CSV').check()
    await preview.getByText(/PO-00001\.csv \(1 kB\)/).waitFor()
    await tab.page.setViewportSize({ width: 360, height: 780 })
    const isWide = () => dialog.evaluate((element) => element.scrollWidth > element.clientWidth)
    await expectSoon(t, isWide, false, 'nothing leaves a narrow screen')
    await tab.page.setViewportSize({ width: 1280, height: 900 })
    const gate = Promise.withResolvers<void>()
    const wait = async (route: Route) => {
      await gate.promise
      return route.continue()
    }
    // while the order shows as queued, the page reads it every 1.5 s
    const ofOrder = /\/api\/purchase-orders\/\d+(\/send)?$/
    await tab.page.route(ofOrder, wait)
    await dialog.getByRole('button', { name: 'Send' }).click()
    await app.getByText('Sent', { exact: true }).first().waitFor()
    await expectSoon(t, () => dialog.getByLabel('Text', { exact: true }).isDisabled(), true)
    await expectSoon(t, () => dialog.getByRole('button', { name: 'Send' }).isDisabled(), true)
    await expectSoon(
      t,
      () => dialog.getByText('again').count(),
      0,
      'the order looks sent, the dialog does not',
    )
    gate.resolve()
    await dialog.waitFor({ state: 'detached' })
    await tab.page.unroute(ofOrder)
    await until(() => platform.mails().length === 1, 'the mail arrives')
    t.match(platform.mails()[0], {
      ...{ Subject: 'Order PO-00001 for you', TextBody: 'Dear friends,\n\nplease <hurry>.' },
      Cc: [{ Email: 'boss@myshop.example.com' }],
      Attachments: [{ Name: 'PO-00001.pdf' }, { Name: 'PO-00001.csv' }],
    })
  })

  await t.test(
    'the order shows the mail with its words, and is mailed again to another address',
    async (t) => {
      await app.getByText('E-mailed').waitFor()
      await app.getByRole('button', { name: /^Text to orders@northgate/ }).click()
      await app.getByText('please <hurry>.').waitFor()
      await app.getByRole('button', { name: 'More' }).click()
      await app.getByRole('menuitem', { name: 'E-mail again' }).click()
      await preview.waitFor()
      await dialog.getByLabel('To', { exact: true }).press('Backspace')
      await dialog.getByText('Add at least one recipient.').waitFor()
      await dialog.getByLabel('To', { exact: true }).fill('new@northgate.example.com')
      await dialog.getByLabel('To', { exact: true }).press('Enter')
      await dialog.getByRole('button', { name: 'E-mail again' }).click()
      await until(() => platform.mails().length === 2, 'the second mail arrives')
      t.match(platform.mails()[1]?.To, [{ Email: 'new@northgate.example.com' }])
      const recipients = async () =>
        (await get<PurchaseOrder>('/purchase-orders/1')).mails.map((mail) => mail.recipients)
      await expectSoon(t, async () => (await recipients()).length, 2)
      t.strictSame(await recipients(), [['new@northgate.example.com'], ['orders@northgate.example.com']])
    },
  )

  await t.test('an order that was changed meanwhile is sent after another look', async (t) => {
    const { supplierId, lineItems } = await get<PurchaseOrder>('/purchase-orders/1')
    const { productId, variantId } = lineItems[0] ?? {}
    const { id } = await send<{ id: number }>('POST', '/purchase-orders', {
      supplierId,
      lineItems: [{ productId, variantId, quantity: 10, costPrice: 2 }],
    })
    const { app: writing } = await open(`/purchase-orders/${id}`)
    const mail = writing.getByRole('dialog')
    await writing.getByRole('button', { name: 'Send', exact: true }).click()
    await mail.getByRole('region', { name: 'Preview' }).getByText('$20.00').waitFor()
    await mail.getByLabel('Subject').fill('Please hurry')
    const [line] = (await get<PurchaseOrder>(`/purchase-orders/${id}`)).lineItems
    await send('PUT', `/purchase-orders/${id}`, { lineItems: [{ id: line?.id, quantity: 15 }] })
    await mail.getByRole('button', { name: 'Send', exact: true }).click()
    await mail.getByText('This order has changed since you opened this e-mail').waitFor()
    await mail.getByRole('region', { name: 'Preview' }).getByText('$30.00').waitFor()
    await expectSoon(t, () => mail.getByLabel('Subject').inputValue(), 'Please hurry')
    t.match(await get(`/purchase-orders/${id}`), { status: 'draft', mails: [] })
    await mail.getByRole('button', { name: 'Send', exact: true }).click()
    await mail.waitFor({ state: 'detached' })
    await until(() => platform.mails().length === 3, 'the mail arrives')
    t.match(platform.mails()[2], { Subject: 'Please hurry', TextBody: /\$30\.00/ })
  })

  await t.test('the page that revises an order names the recipients', async (t) => {
    const { app: revising } = await open('/purchase-orders/1/revise')
    const recipients = 'new@northgate.example.com, with a copy to boss@myshop.example.com'
    await revising.getByText(`The difference is e-mailed to ${recipients}.`).waitFor()
    const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', { name: 'Southgate' })
    const { productId, variantId } = (await get<PurchaseOrder>('/purchase-orders/1')).lineItems[0] ?? {}
    const { id } = await send<{ id: number }>('POST', '/purchase-orders', {
      supplierId,
      lineItems: [{ productId, variantId, quantity: 1, costPrice: 2 }],
    })
    await send('POST', `/purchase-orders/${id}/send`)
    const { app: unmailed } = await open(`/purchase-orders/${id}/revise`)
    await unmailed.getByText(/^No e-mail is sent: neither Southgate nor its contacts/).waitFor()
    await unmailed.getByLabel(/^Quantity of /).fill('2')
    await unmailed.getByRole('button', { name: 'Save', exact: true }).click()
    await unmailed.getByRole('heading', { name: /^PO-\d+$/ }).waitFor()
    t.match(await get(`/purchase-orders/${id}`), { revision: 1, emailStatus: 'no_recipient' })
  })

  await t.test('the mail to a supplier without an address begins at its recipients', async () => {
    await addSupplier(tab, 'Westgate', '')
    await writeOrder(tab, sku, 10, '2.50')
    await app.getByRole('button', { name: 'Send', exact: true }).press('Enter')
    await dialog.getByLabel('To', { exact: true }).and(app.locator(':focus')).waitFor()
    await tab.page.keyboard.type('west@westgate.example.com')
    await tab.page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await until(() => platform.mails().length === 4, 'the mail arrives')
  })
})
