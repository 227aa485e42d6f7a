import t from 'tap'
import { expectSoon, startAdmin } from '../support/core/admin.ts'
import { png } from '../support/make/attachments.ts'

type Product = { productId: string; title: string; variants: { variantId: string; sku: string }[] }
type Order = { notes: string; supplierNotes: string; lineItems: { quantity: number }[] }

t.test('concurrent edits of one order in two tabs lose nothing', async (t) => {
  const { install, open, get, send } = await startAdmin(t)
  await install()
  const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', { name: 'Northgate' })
  const [product] = await get<Product[]>('/products')
  const { productId, title, variants: [variant] = [] } = product ?? {}
  const line = { productId, variantId: variant?.variantId, title, sku: variant?.sku }
  await send('POST', '/purchase-orders', {
    supplierId,
    lineItems: [{ ...line, quantity: 10, costPrice: 2.5 }],
  })
  const first = await open('/purchase-orders/1/edit')
  const second = await open('/purchase-orders/1/edit')
  await second.app.getByLabel('Internal note').fill('Second thoughts')
  await second.app.getByLabel(/^Quantity of/).fill('20')

  await first.app.getByLabel('Note to the supplier').fill('First words')
  await first.app.getByRole('button', { name: 'Save' }).click()
  await first.app.getByRole('heading', { name: 'PO-00001', exact: true }).waitFor()

  await second.app.getByRole('button', { name: 'Save', exact: true }).click()
  await second.app.getByText('This order was changed since you opened it').waitFor()
  await second.app.getByText('Note to the supplier: empty → First words').waitFor()
  const note = second.app.getByLabel('Internal note')
  await expectSoon(t, () => note.inputValue(), 'Second thoughts', 'the note is unchanged')
  t.match(await get<Order>('/purchase-orders/1'), { notes: '', supplierNotes: 'First words' })

  await t.test('the second tab can load the changes of the first', async (t) => {
    const third = await open('/purchase-orders/1/edit')
    await third.app.getByLabel('Internal note').fill('Third')
    await second.app.getByRole('button', { name: 'Overwrite with mine' }).click()
    await second.app.getByRole('heading', { name: 'PO-00001', exact: true }).waitFor()
    t.match(await get<Order>('/purchase-orders/1'), {
      notes: 'Second thoughts',
      lineItems: [{ quantity: 20 }],
    })

    await third.app.getByRole('button', { name: 'Save', exact: true }).click()
    await third.app.getByRole('button', { name: 'Use theirs' }).click()
    await expectSoon(t, () => third.app.getByLabel('Internal note').inputValue(), 'Second thoughts')
    await expectSoon(t, () => third.app.getByLabel(/^Quantity of/).inputValue(), '20')
  })

  await t.test('changes of the first tab that cannot be read are shown after another try', async (t) => {
    const { page, app } = await open('/purchase-orders/1/edit')
    await app.getByLabel('Internal note').fill('Fourth')
    await send('PUT', '/purchase-orders/1', { supplierNotes: 'Words of a colleague' })
    await page.route('**/api/purchase-orders/1', (route) =>
      route.request().method() === 'GET' ? route.fulfill({ status: 404, json: {} }) : route.continue(),
    )
    await app.getByRole('button', { name: 'Save', exact: true }).click()
    await app.getByText('their changes could not be read. Your changes are not lost. Try again').waitFor()
    await expectSoon(t, () => app.getByLabel('Internal note').inputValue(), 'Fourth')
    await page.unroute('**/api/purchase-orders/1')
    await app.getByRole('button', { name: 'Save', exact: true }).click()
    await app.getByText('→ Words of a colleague').waitFor()
    await app.getByRole('button', { name: 'Use theirs' }).click()
  })

  await t.test('a form that opens with an older order shows the newer one when it arrives', async (t) => {
    const { page, app } = await open('/purchase-orders/1')
    await app.getByRole('heading', { name: 'PO-00001', exact: true }).waitFor()
    const mayAnswer = Promise.withResolvers<void>()
    await page.route('**/api/purchase-orders/1', async (route) => {
      await mayAnswer.promise
      await route.continue()
    })
    await send('PUT', '/purchase-orders/1', { notes: 'By a colleague' })
    // a change of the page, after which it reads the order again
    await app
      .getByLabel('Files', { exact: true })
      .setInputFiles({ name: 'list.png', mimeType: 'image/png', buffer: png })
    await app.getByText('list.png').first().waitFor()
    await app.getByRole('link', { name: 'Edit', exact: true }).click()
    await expectSoon(t, () => app.getByLabel('Internal note').inputValue(), 'Second thoughts')
    mayAnswer.resolve()
    await expectSoon(t, () => app.getByLabel('Internal note').inputValue(), 'By a colleague')
    await app.getByLabel('Note to the supplier').fill('Last words')
    await app.getByRole('button', { name: 'Save', exact: true }).click()
    await app.getByRole('heading', { name: 'PO-00001', exact: true }).waitFor()
    t.match(await get<Order>('/purchase-orders/1'), { notes: 'By a colleague', supplierNotes: 'Last words' })
  })
})
