import t from 'tap'
import type { PurchaseOrder } from '../../shared/schemas/purchase-orders.ts'
import { expectSoon, startAdmin } from '../support/core/admin.ts'
import { type Form, proveConflict } from '../support/web/conflicts.ts'
import { visit } from '../support/web/page-tour.ts'

type Product = { productId: string; title: string; variants: { variantId: string }[] }

t.test('a form shows what another user changed, and overwrites it or takes it', async (t) => {
  const { install, open, get, send } = await startAdmin(t)
  await install()
  const [{ productId = '', title = '', variants: [{ variantId = '' } = {}] = [] } = {}] =
    await get<Product[]>('/products')
  const [place] = await get<{ locationId: string }[]>('/locations')
  const create = (path: string, body: object) => send<{ id: number }>('POST', path, body)
  const { id: supplierId } = await create('/suppliers', { name: 'Northgate' })
  const contact = await create(`/suppliers/${supplierId}/contacts`, { name: 'Ada', phone: '1' })
  const sendOrder = async () => {
    const lineItems = [{ productId, variantId, quantity: 10, costPrice: 3 }]
    const { id } = await create('/purchase-orders', { supplierId, lineItems })
    await send('POST', `/purchase-orders/${id}/send`)
    return get<PurchaseOrder>(`/purchase-orders/${id}`)
  }
  const [invoiced, charged, received] = [await sendOrder(), await sendOrder(), await sendOrder()]
  await send('PUT', `/purchase-orders/${invoiced.id}`, {
    invoiceNumber: 'INV-7',
    paidAt: '2026-03-20T12:00:00Z',
  })
  const addCharge = (kind: string) =>
    create(`/purchase-orders/${charged.id}/charges`, { kind, amount: 100, basis: 'value' })
  const [freight, insurance] = [await addCharge('freight'), await addCharge('insurance')]
  const receipts = `/purchase-orders/${received.id}/receipts`
  const count = (accepted: number) => ({ lines: [{ lineItemId: received.lineItems[0]?.id, accepted }] })
  const receipt = await create(receipts, count(2))
  const createReturn = () =>
    create('/supplier-returns', {
      ...{ supplierId, locationId: place?.locationId },
      lines: [{ variantId, quantity: 1, reason: 'Recalled' }],
    })
  const [draft, credited] = [await createReturn(), await createReturn()]
  await send('POST', `/supplier-returns/${credited.id}/ship`, { allowNegative: true })
  const credit = (creditAmount: number, creditReference: string) =>
    send('POST', `/supplier-returns/${credited.id}/credit`, { creditAmount, creditReference })
  await credit(10, 'CN-77')
  const writeTemplate = (body: string) =>
    send('PUT', '/mail-templates/purchase_order', { subject: 'Order {{poNumber}}', body })
  await writeTemplate('At first')

  const forms: Form[] = [
    {
      noun: 'supplier',
      at: [`/suppliers/${supplierId}`, 'Northgate'],
      mine: ['City', 'Paris'],
      change: (time) => send('PUT', `/suppliers/${supplierId}`, { city: `Lyon ${time}` }),
      save: ['Save'],
      differences: ['City: Lyon 1'],
      theirs: ['City', 'Lyon 1'],
      stored: () => get(`/suppliers/${supplierId}`),
      kept: { city: 'Paris' },
    },
    {
      noun: 'contact',
      at: [`/suppliers/${supplierId}`, 'Northgate'],
      opener: 'Edit Ada',
      mine: ['Role', 'Sales'],
      change: (time) =>
        send('PUT', `/suppliers/${supplierId}/contacts/${contact.id}`, { phone: `11${time}` }),
      save: ['Save contact'],
      differences: ['Phone: 111'],
      theirs: ['Phone', '111'],
      stored: async () => (await get<{ contacts: object[] }>(`/suppliers/${supplierId}`)).contacts[0] ?? {},
      kept: { role: 'Sales', phone: '111' },
    },
    {
      noun: 'order',
      at: [`/purchase-orders/${invoiced.id}`, invoiced.poNumber],
      opener: 'Edit invoice',
      mine: ['Payment due', '2026-05-01'],
      change: (time) =>
        send('PUT', `/purchase-orders/${invoiced.id}`, { invoiceNumber: `INV-8${time}`, paidAt: null }),
      reads: /\/purchase-orders\/\d+$/,
      save: ['Save invoice'],
      differences: ['Invoice number: INV-7 → INV-81', /^Paid: \D*20\D.* → empty$/],
      theirs: ['Invoice number', 'INV-81'],
      stored: () => get(`/purchase-orders/${invoiced.id}`),
      kept: { invoiceNumber: 'INV-81', paymentDueOn: '2026-05-01', paidAt: null },
    },
    {
      noun: 'order',
      at: [`/purchase-orders/${charged.id}`, charged.poNumber],
      opener: 'Edit Freight',
      mine: [/^Amount/, '110'],
      change: (time) =>
        send('PUT', `/purchase-orders/${charged.id}/charges/${freight.id}`, { amount: 90 - time }),
      save: ['Save charge'],
      differences: [/^Charge for freight: freight, .*100\.00.* → freight, .*89\.00/],
      theirs: [/^Amount/, '89.00'],
      stored: async () => (await get<PurchaseOrder>(`/purchase-orders/${charged.id}`)).charges[0] ?? {},
      kept: { amount: 110 },
    },
    {
      noun: 'receipt',
      at: [`/purchase-orders/${received.id}/receive?draft=${receipt.id}`, `Receive ${received.poNumber}`],
      mine: [`Quantity received of ${title}`, '6'],
      change: (time) =>
        send('PUT', `${receipts}/${receipt.id}`, { ...count(2 + time), deliveryNote: `DN-${time}` }),
      save: ['Save as draft', 'Save receipt'],
      differences: [`${title}: 2 accepted → 3 accepted`, 'Delivery note: empty → DN-1'],
      theirs: [`Quantity received of ${title}`, '3'],
      stored: async () => {
        const { lines, ...stored } = await get<{ lines: { accepted: number }[] }>(`${receipts}/${receipt.id}`)
        return { ...stored, accepted: lines[0]?.accepted }
      },
      kept: { state: 'posted', accepted: 6, deliveryNote: 'DN-1' },
    },
    {
      noun: 'return',
      at: [`/returns/${draft.id}/edit`, 'Edit RET-00001'],
      mine: ['Internal notes', 'In one box'],
      change: (time) => send('PUT', `/supplier-returns/${draft.id}`, { supplierReference: `RMA-${time}` }),
      save: ['Save'],
      differences: ['Supplier’s return number: nothing → RMA-1'],
      theirs: ['Supplier’s return number', 'RMA-1'],
      stored: () => get(`/supplier-returns/${draft.id}`),
      kept: { notes: 'In one box', supplierReference: 'RMA-1' },
    },
    {
      noun: 'credit',
      at: [`/returns/${credited.id}`, 'RET-00002'],
      opener: 'Correct credit',
      mine: [/^Amount in/, '9'],
      change: (time) => credit(10 + time, `CN-78${time}`),
      save: ['Save credit'],
      differences: [/^Amount: .*11\.00/, 'Number of the credit note: CN-781'],
      theirs: ['Number of the credit note', 'CN-781'],
      stored: () => get(`/supplier-returns/${credited.id}`),
      kept: { creditAmount: 9, creditReference: 'CN-781' },
    },
    {
      noun: 'template',
      at: ['/settings', 'Settings'],
      mine: ['Subject', 'Typed meanwhile'],
      change: (time) => writeTemplate(`Of a colleague ${time}`),
      reads: /\/mail-templates$/,
      save: ['Save'],
      differences: ['Text: Of a colleague 1'],
      theirs: ['Text', 'Of a colleague 1'],
      stored: async () => (await get<object[]>('/mail-templates'))[0] ?? {},
      kept: { subject: 'Typed meanwhile', body: 'Of a colleague 1' },
    },
  ]

  const tab = await open('/suppliers')
  const { app } = tab
  const button = (name: string) => app.getByRole('button', { name, exact: true }).first()
  for (const form of forms) {
    const name = [form.noun, 'at', form.at[0], form.opener].filter(Boolean).join(' ')
    await t.test(`the ${name}`, (t) => proveConflict(t, tab, form))
  }

  await t.test('a charge that another user has deleted can only be taken', async (t) => {
    await visit(tab, `/purchase-orders/${charged.id}`, charged.poNumber)
    await button('Edit Insurance').click()
    const dialog = app.getByRole('dialog')
    await dialog.getByLabel('Amount').fill('8')
    await send('DELETE', `/purchase-orders/${charged.id}/charges/${insurance.id}`)
    await button('Save charge').click()
    await dialog.getByText('Charge for insurance: deleted').waitFor()
    await expectSoon(t, () => button('Overwrite with mine').count(), 0)
    await button('Use theirs').click()
    await dialog.waitFor({ state: 'detached' })
    await button('Edit Insurance').waitFor({ state: 'detached' })
    t.match((await get<PurchaseOrder>(`/purchase-orders/${charged.id}`)).charges, [{ kind: 'freight' }])
  })
})
