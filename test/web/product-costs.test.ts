import t from 'tap'
import type { PurchaseOrder } from '../../shared/schemas/purchase-orders.ts'
import type { StockLevel } from '../../shared/schemas/stock-levels.ts'
import { expectSoon, goTo, startAdmin } from '../support/core/admin.ts'
import { visit } from '../support/web/page-tour.ts'

t.test('the costs of a product are shown where they are asked for', async (t) => {
  const { install, get, send, open } = await startAdmin(t)
  await install()
  const levels = await get<StockLevel[]>('/stock-levels')
  const variants = await Promise.all(
    [...new Set(levels.map(({ variantId }) => variantId))].map(async (variantId) => {
      const number = variantId.replace(/.*\//, '')
      return {
        number,
        variantId,
        ...(await get<{ productId: string; title: string }>(`/variants/${number}`)),
      }
    }),
  )
  const [first, second, third, fourth] = variants
  if (!first || !second || !third || !fourth) throw new Error('The shop has too few products')
  const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', { name: 'Kiln' })
  const lineOf = ({ productId, variantId }: typeof first, quantity: number, costPrice: number) => ({
    ...{ productId, variantId, quantity, costPrice },
  })
  const sendOrder = async (lineItems: object[]) => {
    const { id } = await send<{ id: number }>('POST', '/purchase-orders', { supplierId, lineItems })
    await send('POST', `/purchase-orders/${id}/send`)
    return get<PurchaseOrder>(`/purchase-orders/${id}`)
  }
  const addFreight = ({ id }: PurchaseOrder, amount: number) =>
    send('POST', `/purchase-orders/${id}/charges`, { kind: 'freight', amount, basis: 'value' })
  const receive = ({ id, lineItems }: PurchaseOrder, quantityReceived: number) =>
    send('POST', `/purchase-orders/${id}/receive`, {
      lineItems: [{ lineItemId: lineItems[0]?.id, quantityReceived }],
    })
  const tab = await open('/suppliers')
  const { page, app } = tab
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  const changes = app.getByRole('table', { name: 'Changes of the cost', exact: true })

  await t.test(
    'what became known after the pieces had left is shown at the order and the product',
    async () => {
      const setStock = (sum: number) =>
        send('PUT', '/stock-levels/bulk', {
          adjustments: levels
            .filter(({ variantId }) => variantId === third.variantId)
            .map(({ variantId, locationId }, at) => ({
              variantId,
              locationId,
              quantity: at === 0 ? sum : 0,
            })),
        })
      await setStock(0)
      const late = await sendOrder([lineOf(third, 10, 3)])
      await receive(late, 10)
      await setStock(4)
      // 4 of 10 pieces are left: (4 x 3.00 + 10 x 4 / 10) / 4 = 4.00, and 6.00 are a variance
      await addFreight(late, 10)
      await visit(tab, `/purchase-orders/${late.id}`, late.poNumber)
      await app.getByText(/6\.00 became known after the pieces had left/).waitFor()
      await visit(tab, `/variants/${third.number}`, third.title)
      await changes.getByRole('cell', { name: /US\$6\.00$/ }).waitFor()
      await changes.getByText('US$4.00').first().waitFor()
    },
  )

  await t.test('the product page shows the average and what changed it', async (t) => {
    const order = await sendOrder([lineOf(first, 100, 30), lineOf(second, 50, 12)])
    await addFreight(order, 720)
    await receive(order, 100)
    await visit(tab, `/variants/${first.number}`, first.title)
    await changes.getByRole('link', { name: 'Received' }).waitFor()
    await changes.getByText('First known cost').waitFor()
    await page.setViewportSize({ width: 360, height: 900 })
    const overflow = () => app.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)
    await expectSoon(t, overflow, 0, 'it does not scroll sideways')
    await page.setViewportSize({ width: 1280, height: 900 })
    await app.getByRole('link', { name: 'Price history' }).click()
    await app.getByRole('heading', { name: 'Price history', level: 1 }).waitFor()
    await button(`Remove filter Product: ${first.title}`).click()
    const paid = app.getByRole('table', { name: 'Price history', exact: true })
    // 30 + 720 × 3 000 / 3 600 / 100
    await paid.getByText('36.00').first().waitFor()
    await expectSoon(t, () => app.getByRole('button', { name: /^Remove filter/ }).count(), 0)
  })

  await t.test('ten changes of a cost are shown at first, and the rest on demand', async (t) => {
    for (let cost = 1; cost <= 11; cost++) await send('PUT', `/variants/${second.number}`, { unitCost: cost })
    await visit(tab, `/variants/${second.number}`, second.title)
    const rows = changes.getByRole('row')
    await expectSoon(t, () => rows.count(), 11, 'the heads and ten changes')
    await button('Load more').first().click()
    // the first known cost of the shop comes before those that were typed
    await rows.getByText('First known cost').waitFor()
    await expectSoon(t, () => rows.count(), 13)
  })

  await t.test('parts of the product page that cannot be read are read again on demand', async (t) => {
    const parts = (url: URL) => /\/variants\/\d+\/(costs|suppliers|forecast)$/.test(url.pathname)
    await page.route(parts, (route) => route.fulfill({ status: 404, json: {} }))
    await visit(tab, `/variants/${fourth.number}`, fourth.title)
    for (const name of ['Costs', 'Prices of suppliers', 'Forecast'])
      await app.getByRole('heading', { name, exact: true }).waitFor()
    await page.unroute(parts)
    const retry = button('Try again')
    for (const left of [2, 1, 0]) {
      await retry.first().click()
      await expectSoon(t, () => retry.count(), left)
    }
    await app.getByText('Average cost', { exact: true }).waitFor()
    await app.getByText(/^No forecast yet/).waitFor()
  })

  await t.test('reports show the value of a day, what will be paid, and what sales earned', async () => {
    await visit(tab, '/reports/commitments', 'Open commitments')
    await app.getByRole('table', { name: 'By supplier' }).getByText('600.00').waitFor()
    await visit(tab, '/reports/margin', 'Margin')
    await visit(tab, '/reports/inventory-value', 'Inventory value')
    await app.getByLabel('Value at the end of').fill(new Date().toISOString().slice(0, 10))
    await app.getByText('All locations').waitFor()
    await button('Last cost').click()
    await app.getByRole('table', { name: 'Inventory value by day and location' }).waitFor()
  })

  await t.test('the merchant lets costs be written to the shop', async (t) => {
    await goTo(app, 'Settings')
    await app.getByRole('combobox', { name: 'Costs in your shop' }).click()
    await app.getByRole('option', { name: 'Write the average cost' }).click()
    await button('Save').click()
    await app.getByText('Settings saved').waitFor()
    t.match(await get('/settings'), { costWriteBack: 'average' })
  })
})
