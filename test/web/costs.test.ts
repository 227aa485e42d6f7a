import t from 'tap'
import type { ProductListItem } from '../../shared/schemas/products.ts'
import type { PurchaseOrder } from '../../shared/schemas/purchase-orders.ts'
import { expectSoon, returnToTab, startAdmin } from '../support/core/admin.ts'
import { visit } from '../support/web/page-tour.ts'

t.test('charges of an order become the cost of its products', async (t) => {
  const { install, get, send, open } = await startAdmin(t)
  await install()
  const variants = (await get<ProductListItem[]>('/products')).flatMap(
    ({ productId, title, variants: [variant] }) =>
      variant ? [{ productId, title, variantId: variant.variantId }] : [],
  )
  const [first, second, third] = variants
  if (!first || !second || !third) throw new Error('The shop has too few products')
  const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', { name: 'Kiln' })
  const orderOf = (id: number) => get<PurchaseOrder>(`/purchase-orders/${id}`)
  const lineOf = ({ productId, variantId }: typeof first, quantity: number, costPrice: number | null) => ({
    ...{ productId, variantId, quantity, costPrice },
  })
  const createOrder = async (lineItems: object[], terms: object = {}) => {
    const { id } = await send<{ id: number }>('POST', '/purchase-orders', { supplierId, lineItems, ...terms })
    return orderOf(id)
  }
  const order = await createOrder([lineOf(first, 100, 30), lineOf(second, 50, 12)])
  await send('POST', `/purchase-orders/${order.id}/send`)
  const tab = await open(`/purchase-orders/${order.id}`)
  const { page, app } = tab
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  const dialog = app.getByRole('dialog')
  const charges = app.getByRole('table', { name: 'Charges', exact: true })
  const save = async () => {
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
  }
  const choose = async (field: string, option: string) => {
    await dialog.getByRole('combobox', { name: field, exact: true }).click()
    await app.getByRole('option', { name: option }).first().click()
  }

  const overflowAt = async (width: number) => {
    await page.setViewportSize({ width, height: 900 })
    return app.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)
  }

  await t.test('a charge is added, split by value, and corrected', async (t) => {
    const landed = app.getByRole('table', { name: 'Landed cost by line', exact: true }).getByRole('row')
    await app.getByText('No charges yet.').waitFor()
    await button('Add a charge').click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Enter the amount.').waitFor()
    await dialog.getByLabel('Amount').fill('360')
    await dialog.getByLabel('This is an estimate').check()
    await save()
    await charges.getByText('Estimate').waitFor()
    await button('Add a charge').and(app.locator(':focus')).waitFor()
    // 3 000 and 600 of 3 600: 300 and 60; 30 + 300 / 100 and 12 + 60 / 50
    await landed.nth(1).getByText('33.00').waitFor()
    await landed.nth(2).getByText('13.20').waitFor()
    await expectSoon(t, () => landed.count(), 3)
    await button('Edit Freight').click()
    await dialog.getByLabel('Amount').fill('720')
    await dialog.getByLabel('This is an estimate').uncheck()
    await save()
    // a message that the pointer rests on does not close by itself
    await app.getByText('Charge saved').hover()
    await landed.nth(1).getByText('36.00').waitFor()
    await charges.getByText('Estimate').waitFor({ state: 'hidden' })
  })

  await t.test('shares by hand must add up', async (t) => {
    await button('Add a charge').press('Enter')
    const isCovered = () => app.getByText('Charge saved').count()
    await expectSoon(t, isCovered, 0, 'the message does not cover the dialog')
    await dialog.getByLabel('Amount').fill('10')
    await choose('Split among the lines', 'By hand')
    await dialog.getByLabel(first.title).fill('4')
    await dialog.getByText('split').filter({ hasText: '4.00' }).waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Must add up to 10, and add up to 4.').first().waitFor()
    await dialog.getByLabel('Amount').fill('0.3')
    await dialog.getByLabel(first.title).fill('0.1')
    await dialog.getByLabel(second.title).fill('0.2')
    const split = dialog.getByText('split').filter({ hasText: '0.30' })
    await expectSoon(t, async () => (await split.getAttribute('style'))?.includes('dimmed'), true)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  await t.test('a duty of one line in another currency is added, and deleted', async (t) => {
    await button('Add a charge').click()
    await choose('Kind', 'Duty')
    await dialog.getByLabel('Amount').fill('100')
    await dialog.getByLabel('Currency').fill('eur')
    await dialog.getByText('No rate of EUR is known').waitFor()
    await dialog.getByLabel('1 EUR in USD').fill('1.1')
    await choose('Split among the lines', 'By pieces')
    await dialog.getByRole('combobox', { name: 'Lines', exact: true }).fill(second.title)
    await app.getByRole('option', { name: second.title }).first().click()
    await page.keyboard.press('Tab')
    await dialog.getByLabel('Tax rate').fill('190')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Enter at most 100.').waitFor()
    await dialog.getByLabel('Tax rate').fill('19')
    await save()
    t.match((await orderOf(order.id)).charges.at(-1), {
      ...{ kind: 'duty', currency: 'EUR', rate: 1.1, taxRate: 19, amount: 100, basis: 'quantity' },
      lineItemIds: [order.lineItems[1]?.id],
    })
    await button('Edit Duty').click()
    await dialog.getByText('Leave empty to keep 1.1').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await button('Delete Duty').click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expectSoon(t, async () => (await orderOf(order.id)).charges.length, 1)
  })

  await t.test('a charge in the currency of its order shows and follows the rate of the order', async (t) => {
    const yuan = await createOrder([lineOf(first, 10, 100)], { currency: 'CNY', rate: 0.139 })
    const row = charges.getByRole('row').nth(1)
    await visit(tab, `/purchase-orders/${yuan.id}`, yuan.poNumber)
    await button('Add a charge').click()
    await dialog.getByLabel('Amount').fill('400')
    await dialog.getByLabel('Currency').fill('eur')
    await dialog.getByText('Leave empty for the last rate, 1.1').waitFor()
    await dialog.getByLabel('Currency').fill('cny')
    await dialog.getByText('Leave empty for the rate of the order, 0.139').waitFor()
    await save()
    await row.getByText('0.139').waitFor()
    await row.getByText('of the order').waitFor()
    // 10 x 100 x 0.145 and 400 x 0.145
    await send('PUT', `/purchase-orders/${yuan.id}`, { rate: 0.145 })
    await returnToTab(tab, () => row.getByText('0.145').isVisible())
    await app.getByText(/All goods and charges: \D*203\.00/).waitFor()
    await expectSoon(t, () => overflowAt(360), 0, 'it does not scroll sideways')
    await page.setViewportSize({ width: 1280, height: 900 })
    for (const rate of ['0.2', '']) {
      await button('Edit Freight').click()
      await dialog.getByLabel('1 CNY in USD').fill(rate)
      await save()
      await row.getByText('of the order').waitFor({ state: rate === '' ? 'visible' : 'hidden' })
    }
    t.match((await orderOf(yuan.id)).charges, [{ rate: 0.145, isRateTyped: false }])
  })
  await t.test('a price that was to be agreed is entered after the receipt', async () => {
    const agreed = await createOrder([lineOf(third, 4, null)])
    await send('POST', `/purchase-orders/${agreed.id}/send`, { allowUnknownCosts: true })
    await send('POST', `/purchase-orders/${agreed.id}/charges`, {
      kind: 'duty',
      amount: 2,
      basis: 'quantity',
    })
    await send('POST', `/purchase-orders/${agreed.id}/receive`, {
      lineItems: [{ lineItemId: agreed.lineItems[0]?.id, quantityReceived: 4 }],
    })
    await visit(tab, `/purchase-orders/${agreed.id}`, agreed.poNumber)
    await app.getByText('Enter the missing prices to see what the order costs.').waitFor()
    await button('Enter prices').click()
    await dialog.getByLabel(third.title).fill('7.25')
    await save()
    await app.getByText(/All goods and charges: \D*31\.00/).waitFor()
  })
})
