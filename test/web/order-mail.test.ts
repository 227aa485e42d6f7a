import type { Route } from 'playwright-core'
import t from 'tap'
import type { PurchaseOrder } from '../../shared/schemas/purchase-orders.ts'
import { expectSoon, goTo, startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'
import { visit } from '../support/web/page-tour.ts'

type Product = { productId: string; variants: { variantId: string }[] }

t.test('the merchant writes the mail of an order', async (t) => {
  const { platform, get, send, install, open } = await startAdmin(t)
  await install()
  const [{ productId, variants: [{ variantId } = {}] = [] } = {}] = await get<Product[]>('/products')
  const createOrder = async (name: string, email: string) => {
    const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', { name, email })
    const lineItems = [{ productId, variantId, quantity: 10, costPrice: 2 }]
    return (await send<{ id: number }>('POST', '/purchase-orders', { supplierId, lineItems })).id
  }
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
    await createOrder('Northgate', 'orders@northgate.example.com')
    await visit(tab, '/purchase-orders/1', 'PO-00001')
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
    const id = await createOrder('Southgate', 'orders@southgate.example.com')
    await visit(tab, `/purchase-orders/${id}`, 'PO-00002')
    await app.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog.getByRole('region', { name: 'Preview' }).getByText('$20.00').waitFor()
    await dialog.getByLabel('Subject').fill('Please hurry')
    const [line] = (await get<PurchaseOrder>(`/purchase-orders/${id}`)).lineItems
    await send('PUT', `/purchase-orders/${id}`, { lineItems: [{ id: line?.id, quantity: 15 }] })
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog.getByText('This order has changed since you opened this e-mail').waitFor()
    await dialog.getByRole('region', { name: 'Preview' }).getByText('$30.00').waitFor()
    await expectSoon(t, () => dialog.getByLabel('Subject').inputValue(), 'Please hurry')
    t.match(await get(`/purchase-orders/${id}`), { status: 'draft', mails: [] })
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await until(() => platform.mails().length === 3, 'the mail arrives')
    t.match(platform.mails()[2], { Subject: 'Please hurry', TextBody: /\$30\.00/ })
  })

  await t.test('the mail to a supplier without an address begins at its recipients', async () => {
    const id = await createOrder('Westgate', '')
    await visit(tab, `/purchase-orders/${id}`, 'PO-00003')
    await app.getByRole('button', { name: 'Send', exact: true }).press('Enter')
    await dialog.getByLabel('To', { exact: true }).and(app.locator(':focus')).waitFor()
    await tab.page.keyboard.type('west@westgate.example.com')
    await tab.page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await until(() => platform.mails().length === 4, 'the mail arrives')
  })
})
