import t from 'tap'
import { expectSoon, returnToTab, startAdmin } from '../support/core/admin.ts'

type Product = {
  productId: string
  title: string
  variants: { variantId: string; sku: string; title: string }[]
}
type Order = {
  id: number
  invoiceNumber: string
  invoiceDate: string
  paymentDueOn: string
  paidAt: string
  status: string
}

t.test('a merchant enters the invoice of a received order', async (t) => {
  const { install, get, send, open } = await startAdmin(t)
  await install()
  const [first] = await get<Product[]>('/products')
  const [variant] = first?.variants ?? []
  const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', { name: 'Acme' })
  const lineItems = [
    { variantId: variant?.variantId, productId: first?.productId, quantity: 2, costPrice: 3 },
  ]
  const { id } = await send<{ id: number }>('POST', '/purchase-orders', { supplierId, lineItems })
  await send('POST', `/purchase-orders/${id}/send`)
  await send('PUT', '/settings', { timeZone: 'Pacific/Kiritimati', locale: 'en-GB' })
  const { page, app } = await open(`/purchase-orders/${id}`)
  await app
    .getByText('No invoice yet. Enter its number, its dates and its payment when it arrives.')
    .waitFor()
  await app.getByRole('button', { name: 'Enter invoice' }).click()
  await app.getByLabel('Invoice number').fill('INV-7')
  await app.getByLabel('Invoice date').fill('2026-03-01')
  await app.getByLabel('Payment due').fill('2026-04-01')
  await app.getByLabel('Paid on').fill('2026-03-20')
  await app.getByRole('button', { name: 'Save' }).click()
  await app.getByText('INV-7').waitFor()
  t.match(await get<Order>(`/purchase-orders/${id}`), {
    invoiceNumber: 'INV-7',
    invoiceDate: '2026-03-01',
    paymentDueOn: '2026-04-01',
    paidAt: /^2026-03-20T09:59/,
  })
  await app.getByText('20 Mar 2026').waitFor()
  // a colleague corrects it while the dialog is open
  await app.getByRole('button', { name: 'Edit invoice' }).click()
  await expectSoon(t, () => app.getByLabel('Paid on').inputValue(), '2026-03-20')
  const { version } = await get<{ version: number }>(`/purchase-orders/${id}`)
  await send('PUT', `/purchase-orders/${id}`, { invoiceNumber: 'INV-8', paidAt: null, version })
  await returnToTab({ page, app }, () => app.getByText('INV-8').isVisible())
  await app.getByLabel('Payment due').fill('2026-05-01')
  await app.getByRole('button', { name: 'Save' }).click()
  await app.getByText('This order was changed since you opened it').waitFor()
  await app.getByText('Invoice number: INV-7 → INV-8', { exact: true }).waitFor()
  await app.getByText('Paid: 20 Mar 2026 → empty', { exact: true }).waitFor()
  t.match(await get<Order>(`/purchase-orders/${id}`), { invoiceNumber: 'INV-8', paidAt: null })
  // what the form shows is stored, also the day that it had before
  await app.getByRole('button', { name: 'Overwrite with mine' }).click()
  await app.getByText('1 May 2026').waitFor()
  t.match(await get<Order>(`/purchase-orders/${id}`), { invoiceNumber: 'INV-7', paidAt: /^2026-03-20/ })
  await app.getByRole('button', { name: 'Edit invoice' }).click()
  await send('PUT', `/purchase-orders/${id}`, { invoiceNumber: 'INV-8', paidAt: null, paymentDueOn: null })
  await app.getByRole('button', { name: 'Save' }).click()
  await app.getByRole('button', { name: 'Use theirs' }).click()
  await expectSoon(t, () => app.getByLabel('Invoice number').inputValue(), 'INV-8')
  await app.getByLabel('Payment due').fill('2026-05-01')
  await app.getByRole('button', { name: 'Save invoice' }).click()
  await app.getByText('1 May 2026').waitFor()
  t.match(await get<Order>(`/purchase-orders/${id}`), {
    invoiceNumber: 'INV-8',
    paidAt: null,
    paymentDueOn: '2026-05-01',
  })
  await page.setViewportSize({ width: 360, height: 800 })
  await app.getByRole('button', { name: 'Edit invoice' }).waitFor()
})
