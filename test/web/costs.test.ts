import t from 'tap'
import type { PurchaseOrder } from '../../shared/schemas/purchase-orders.ts'
import type { StockLevel } from '../../shared/schemas/stock-levels.ts'
import { startAdmin } from '../support/core/admin.ts'

t.test('charges of an order become the cost of its products', { timeout: 300_000 }, async (t) => {
  const { install, get, send, open } = await startAdmin(t)
  await install()
  const levels = await get<StockLevel[]>('/stock-levels')
  const variantIds = [...new Set(levels.map(({ variantId }) => variantId))].slice(0, 2)
  const lineItems = await Promise.all(
    variantIds.map(async (variantId, at) => {
      const { productId } = await get<{ productId: string }>(`/variants/${variantId.replace(/.*\//, '')}`)
      return { productId, variantId, quantity: at === 0 ? 100 : 50, costPrice: at === 0 ? 30 : 12 }
    }),
  )
  const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', { name: 'Kiln' })
  const { id } = await send<{ id: number }>('POST', '/purchase-orders', { supplierId, lineItems })
  await send('POST', `/purchase-orders/${id}/send`)
  const order = await get<PurchaseOrder>(`/purchase-orders/${id}`)
  const { app } = await open(`/purchase-orders/${id}`)
  const charges = app.getByRole('table', { name: 'Charges', exact: true })
  const landed = app.getByRole('table', { name: 'Landed cost by line', exact: true })

  await t.test('a charge is added, split by value, and corrected', async (t) => {
    await app.getByText('No charges yet.').waitFor()
    await app.getByRole('button', { name: 'Add a charge' }).click()
    const dialog = app.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Enter the amount.').waitFor()
    await dialog.getByLabel('Amount').fill('360')
    await dialog.getByLabel('This is an estimate').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await charges.getByText('Estimate').waitFor()
    // 3 000 and 600 of 3 600: 300 and 60; 30 + 300 / 100 and 12 + 60 / 50
    await landed.getByRole('row').nth(1).getByText('33.00').waitFor()
    await landed.getByRole('row').nth(2).getByText('13.20').waitFor()
    t.equal(await landed.getByRole('row').count(), 3)

    await app.getByRole('button', { name: 'Edit Freight' }).click()
    await dialog.getByLabel('Amount').fill('720')
    await dialog.getByLabel('This is an estimate').uncheck()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await landed.getByRole('row').nth(1).getByText('36.00').waitFor()
    t.equal(await charges.getByText('Estimate').count(), 0)
  })

  await t.test('shares by hand must add up', async () => {
    await app.getByRole('button', { name: 'Add a charge' }).click()
    const dialog = app.getByRole('dialog')
    await dialog.getByLabel('Amount').fill('10')
    await dialog.getByLabel('Split among the lines').click()
    await app.getByRole('option', { name: 'By hand' }).click()
    await dialog.getByLabel(order.lineItems[0]?.title ?? '').fill('4')
    await dialog.getByText('split').filter({ hasText: '4.00' }).waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Must add up to 10, and add up to 4.').first().waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  await t.test('the product page shows the average and what changed it', async (t) => {
    await send('POST', `/purchase-orders/${id}/receive`, {
      lineItems: [{ lineItemId: order.lineItems[0]?.id, quantityReceived: 100 }],
    })
    const number = variantIds[0]?.replace(/.*\//, '')
    const product = await open(`/variants/${number}`)
    const history = product.app.getByRole('table', { name: 'Changes of the cost', exact: true })
    await history.getByRole('link', { name: 'Received' }).waitFor()
    await history.getByText('First known cost').waitFor()
    const costs = await get<{ averageCost: number; movements: unknown[] }>(`/variants/${number}/costs`)
    t.equal(costs.movements.length, 2)
    for (const width of [1280, 360]) {
      await product.page.setViewportSize({ width, height: 900 })
      const scroll: unknown = await product.page.frames()[1]?.evaluate('document.documentElement.scrollWidth')
      t.ok(Number(scroll) <= width, `it does not scroll sideways at ${width} px`)
    }
  })

  await t.test('the value of a day is shown at either cost', async () => {
    const report = await open('/reports/inventory-value')
    const day = new Date().toISOString().slice(0, 10)
    await report.app.getByLabel('Value at the end of').fill(day)
    await report.app.getByText('All locations').waitFor()
    await report.app.getByRole('button', { name: 'Last cost' }).click()
    await report.app.getByRole('table', { name: 'Inventory value by day and location' }).waitFor()
  })
})
