import t from 'tap'
import type { PurchaseOrder } from '../../../shared/schemas/purchase-orders.ts'
import type { OrderReceipt, Receipt } from '../../../shared/schemas/receipts.ts'
import { expectSoon, openCounting, scan, startAdmin, untilScannable } from '../../support/core/admin.ts'
import { findViolations } from '../../support/core/axe.ts'
import { until } from '../../support/core/until.ts'

t.test('an order is received by scanning, with a reject, and posted', async (t) => {
  const admin = await startAdmin(t)
  await admin.install()
  const { products } = await openCounting(admin)
  const [mug, bowl, jug] = products
  if (!mug || !bowl || !jug) throw new Error('The shop has three products')
  const { id: supplierId } = await admin.send<{ id: number }>('POST', '/suppliers', { name: 'Kiln' })
  await admin.send('POST', `/suppliers/${supplierId}/products`, {
    ...{ variantId: mug.variantId, supplierSku: 'K-MUG', packSize: 6, packBarcode: '5012345678900' },
  })
  const catalogue = await admin.get<{ productId: string; variants: { variantId: string }[] }[]>('/products')
  const makeOrder = async (lines: { variantId: string; title: string; sku: string; quantity: number }[]) => {
    const lineItems = lines.map(({ variantId, title, sku, quantity }) => {
      const product = catalogue.find(({ variants }) => variants[0]?.variantId === variantId)
      return { productId: product?.productId, variantId, title, sku, quantity, costPrice: 2 }
    })
    const { id } = await admin.send<{ id: number }>('POST', '/purchase-orders', { supplierId, lineItems })
    await admin.send('POST', `/purchase-orders/${id}/send`)
    return admin.get<PurchaseOrder>(`/purchase-orders/${id}`)
  }
  const other = await makeOrder([{ ...jug, quantity: 5 }])
  const order = await makeOrder([
    { ...mug, quantity: 14 },
    { ...bowl, quantity: 20 },
  ])
  await admin.send('PUT', '/settings', { overReceiptPercent: 10 })
  const [first, second] = order.lineItems
  const receipts = `/purchase-orders/${order.id}/receipts`
  const draftOf = async () => {
    const [newest] = await admin.get<Receipt[]>(`${receipts}?state=draft`)
    return newest && admin.get<OrderReceipt>(`${receipts}/${newest.id}`)
  }
  const tab = await admin.open(`/purchase-orders/${order.id}/scan`)
  const { page, app } = tab
  await page.setViewportSize({ width: 360, height: 740 })
  await untilScannable(tab)
  const bar = app.getByRole('region', { name: 'Scanning' })
  const isStatus = (text: string) => expectSoon(t, () => bar.getByRole('status').innerText(), text)
  const button = (name: string) => app.getByRole('button', { name }).first()

  await t.test('pieces and packs count; more than the tolerance is asked', async () => {
    await scan(tab, '5012345678900', 2)
    await isStatus(`${mug.title}: 12: 2 left`)
    await bar.getByRole('button', { name: 'Undo 6 pieces' }).click()
    await scan(tab, mug.barcode, 9)
    await isStatus(`${mug.title}: 15: 1 more than expected`)
    await scan(tab, '5012345678900')
    await app.getByText('7 more than expected, with 6 pieces').first().waitFor()
    await button('Count 6 pieces').click()
    await isStatus(`${mug.title}: 21: 7 more than expected`)
    await bar.getByRole('button', { name: 'Undo 6 pieces' }).click()
    await scan(tab, bowl.barcode, 3)
    await bar.getByText('18 of 34 pieces').waitFor()
  })

  await t.test('a code of another open order, and one of none, are listed', async () => {
    await scan(tab, jug.barcode)
    await bar.getByText(`On ${other.poNumber} instead`, { exact: true }).last().waitFor()
    await app.getByRole('row', { name: jug.barcode }).getByText(`is on ${other.poNumber} instead`).waitFor()
    const plate = products.at(-1)?.barcode ?? ''
    await scan(tab, plate)
    await app.getByRole('row', { name: plate }).getByText('No open order expects').waitFor()
    await button(`Remove ${plate}`).click()
  })

  await t.test('broken pieces are rejected with a reason', async (t) => {
    await button(`Edit ${bowl.title}`).click()
    const dialog = app.getByRole('dialog')
    const save = dialog.getByRole('button', { name: 'Save' })
    await dialog.getByLabel('Accepted').fill('2')
    await dialog.getByLabel('Rejected').fill('97802013')
    await save.click()
    await dialog.getByText('This looks like a barcode').waitFor()
    await dialog.getByLabel('Rejected').fill('1')
    await save.click()
    await dialog.getByText('Enter a reason.').first().waitFor()
    await expectSoon(t, () => findViolations(tab), [], 'axe finds nothing')
    await dialog.getByLabel('Reason').fill('Chipped')
    await save.click()
    await dialog.waitFor({ state: 'detached' })
    await app.getByText('1 rejected: Chipped').waitFor()
    await until(async () => (await draftOf())?.lines[1]?.rejected === 1, 'the draft is stored')
    const rejected = { accepted: 2, rejected: 1, rejectReason: 'Chipped', rejectOutcome: 'replace' }
    t.match(await draftOf(), { lines: [{ accepted: 15, rejected: 0 }, rejected] })
  })

  await t.test('the review shows what was counted, and posts it', async (t) => {
    // a colleague posts goods of the same order meanwhile
    await admin.send('POST', `/purchase-orders/${order.id}/receive`, {
      lineItems: [{ lineItemId: first?.id, quantityReceived: 10 }],
    })
    await button('Review').click()
    await app.getByRole('heading', { name: `Review receipt of ${order.poNumber}` }).waitFor()
    await app.getByText('1 code is not in this receipt.').waitFor()
    await app.getByRole('link', { name: 'Back to scanning' }).click()
    await app.getByRole('heading', { name: `Scan ${order.poNumber}` }).waitFor()
    await button('Review').click()
    await app.getByText('1 code is not in this receipt.').waitFor()
    await expectSoon(t, () => findViolations(tab), [], 'axe finds nothing')
    await app.getByLabel('Delivery note').fill('DN-7')
    // another device of this person has scanned a bowl since
    const now = await draftOf()
    const saveBowls = (accepted: number) => {
      const rejected = { rejected: 1, rejectReason: 'Chipped', rejectOutcome: 'replace' }
      const lines = [
        { lineItemId: first?.id, accepted: 15 },
        { lineItemId: second?.id, accepted, ...rejected },
      ]
      return admin.send('PUT', `${receipts}/${now?.id}`, { lines })
    }
    await saveBowls(3)
    await button('Receive 17 pieces').click()
    await app.getByText('Check the numbers again').waitFor()
    await button('Receive 18 pieces').waitFor()
    await saveBowls(2)
    await button('Receive 18 pieces').click()
    await button('Receive 17 pieces').waitFor()
    await app.getByRole('button', { name: 'Show them' }).click()
    await button('Review').click()
    await expectSoon(t, () => app.getByLabel('Delivery note').inputValue(), 'DN-7', 'it stays while scanning')
    await button('Receive 17 pieces').click()
    await app.getByRole('dialog').getByText(`${mug.title}: 15 accepted, 4 outstanding`).waitFor()
    await expectSoon(t, () => findViolations(tab), [], 'axe finds nothing')
    await app.getByRole('dialog').getByRole('button', { name: 'Receive 17' }).click()
    await app.getByRole('heading', { name: order.poNumber, level: 1, exact: true }).waitFor()
    t.match(await admin.get(`/purchase-orders/${order.id}`), {
      status: 'partial',
      lineItems: [{ receivedQuantity: 25 }, { receivedQuantity: 2, rejectedQuantity: 1 }],
    })
    const notes = (await admin.get<Receipt[]>(receipts)).map(({ deliveryNote }) => deliveryNote)
    t.strictSame(notes.sort(), ['', 'DN-7'])
    const kept = async () =>
      page.frames()[1]?.evaluate(`Object.keys(localStorage).filter((key) => key.includes('receipt'))`)
    await expectSoon(t, kept, [], 'the device keeps nothing of a posted receipt')
  })
})
