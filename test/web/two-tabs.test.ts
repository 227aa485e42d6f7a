import t from 'tap'
import { addSupplier, startAdmin, writeOrder } from '../support/core/admin.ts'

type Order = { notes: string; supplierNotes: string; lineItems: { quantity: number }[] }

t.test('two tabs edit one order, and nobody loses what they wrote', { timeout: 300_000 }, async (t) => {
  const { install, open, get } = await startAdmin(t)
  await install()
  const first = await open('/suppliers')
  await addSupplier(first, 'Northgate', 'orders@northgate.example.com')
  const [product] = await get<{ title: string }[]>('/products')
  await writeOrder(first, product?.title ?? '', 10, '2.50')
  await first.app.getByRole('link', { name: 'Edit' }).click()
  const second = await open('/purchase-orders/1/edit')
  await second.app.getByLabel('For yourselves').fill('Second thoughts')
  await second.app.getByLabel(/^Quantity of/).fill('20')

  await first.app.getByLabel('For the supplier').fill('First words')
  await first.app.getByRole('button', { name: 'Save' }).click()
  await first.app.getByRole('heading', { name: 'PO-00001', exact: true }).waitFor()

  await second.app.getByRole('button', { name: 'Save', exact: true }).click()
  await second.app.getByText('Somebody else changed this order').waitFor()
  await second.app.getByText('Notes for the supplier: nothing → First words').waitFor()
  t.equal(await second.app.getByLabel('For yourselves').inputValue(), 'Second thoughts', 'it is still there')
  t.match(await get<Order>('/purchase-orders/1'), { notes: '', supplierNotes: 'First words' })

  await t.test('the second one may look at the other’s first', async (t) => {
    const third = await open('/purchase-orders/1/edit')
    await third.app.getByLabel('For yourselves').fill('Third')
    await second.app.getByRole('button', { name: 'Save mine in its place' }).click()
    await second.app.getByRole('heading', { name: 'PO-00001', exact: true }).waitFor()
    t.match(await get<Order>('/purchase-orders/1'), {
      notes: 'Second thoughts',
      lineItems: [{ quantity: 20 }],
    })

    await third.app.getByRole('button', { name: 'Save', exact: true }).click()
    await third.app.getByRole('button', { name: 'Discard mine, show theirs' }).click()
    t.equal(await third.app.getByLabel('For yourselves').inputValue(), 'Second thoughts')
    t.equal(await third.app.getByLabel(/^Quantity of/).inputValue(), '20')
  })
})
