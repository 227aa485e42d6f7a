import t from 'tap'
import type { PurchaseOrder } from '../../shared/schemas/purchase-orders.ts'
import type { StockLevel } from '../../shared/schemas/stock-levels.ts'
import { expectSoon, startAdmin } from '../support/core/admin.ts'
import { epochSeconds } from '../support/core/instants.ts'
import { until } from '../support/core/until.ts'
import { visit } from '../support/web/page-tour.ts'

type Product = { productId: string; title: string; variants: { variantId: string; currentStock: number }[] }
type Alert = { message: string; read: boolean }

t.test('low stock raises an alert that is shown and marked as read', async (t) => {
  const { shop, install, get, send, open } = await startAdmin(t)
  await install()
  const [location] = await get<{ locationId: string }[]>('/locations')
  const products = await get<Product[]>('/products')
  const [first, second] = products.map(({ variants }) => variants[0]?.variantId ?? '')
  const title = products[0]?.title ?? ''
  const locationId = location?.locationId ?? ''
  const sell = (variantId: string) => shop.setStock(variantId, locationId, 2)
  const tab = await open('/alerts')
  const { page, app } = tab
  const list = app.getByRole('table', { name: 'Alerts' })

  await t.test('an alert appears when the shop sells below the reorder point', async (t) => {
    await app.getByText('No open alerts').waitFor()
    for (const variantId of [first, second]) {
      shop.setStock(variantId ?? '', locationId, 500)
      await send('POST', '/reorder/rules', { variantId, reorderPoint: 10, reorderQuantity: 5, locationId })
    }
    // an update of the same second as the sale may be applied after it, which resolves the alert and raises another
    const isFull = (levels: StockLevel[], variantId: string | undefined) =>
      levels.some((level) => level.variantId === variantId && level.currentStock === 500)
    await until(async () => {
      const levels = await get<StockLevel[]>('/stock-levels')
      return isFull(levels, first) && isFull(levels, second)
    }, 'the stock is above the reorder point')
    // the worker reads each changed level again: a reading of this second could be applied after the sale, too
    const secondNow = () => epochSeconds()
    const filledAt = secondNow()
    await until(() => secondNow() > filledAt, 'the next second begins')
    sell(first ?? '')
    await until(async () => (await get<Alert[]>('/alerts')).length === 1, 'the alert is raised')
    await page.reload()
    await list.getByText(`${title} is low`).waitFor()
    await app.getByRole('link', { name: 'Alerts 1 unread' }).waitFor()
    t.match(await get('/alerts'), [{ type: 'low_stock', read: false }])
  })

  await t.test('an alert is marked as read immediately, and unread again when the API refuses', async (t) => {
    const response = Promise.withResolvers<void>()
    await page.route('**/api/alerts/*/read', async (route) => {
      await response.promise
      await route.fulfill({
        status: 409,
        json: {
          success: false,
          error: { code: 'conflict', message: 'Not now, please.', requestId: 'test-request' },
        },
      })
    })
    const read = app.getByRole('button', { name: /^Mark as read/ })
    await read.click()
    await read.waitFor({ state: 'detached' })
    response.resolve()
    await app.getByText('Not now, please.').waitFor()
    await page.unroute('**/api/alerts/*/read')
    await read.click()
    await app.getByRole('link', { name: 'Alerts', exact: true }).waitFor()
    t.match(await get('/alerts'), [{ read: true }])
    await list.getByText(`${title} is low`).waitFor()
  })

  await t.test('all alerts of the shown type are marked as read together', async (t) => {
    sell(second ?? '')
    await until(async () => (await get<Alert[]>('/alerts')).length === 2, 'the alert is raised')
    await page.reload()
    await app.getByRole('link', { name: 'Alerts 1 unread' }).waitFor()
    await app.getByRole('combobox', { name: 'Type' }).click()
    await app.getByRole('option', { name: 'Low stock' }).click()
    await app.getByRole('button', { name: 'Mark all as read' }).click()
    await app.getByRole('link', { name: 'Alerts', exact: true }).waitFor()
    t.match(await get('/alerts'), [{ read: true }, { read: true }])
  })

  await t.test('the filters are in the address, so that the back button restores them', async (t) => {
    await app.getByRole('combobox', { name: 'Type' }).click()
    await app.getByRole('option', { name: 'Overdue order' }).click()
    await app.getByText('No matching alerts').waitFor()
    await page.goBack()
    await list.getByText(`${title} is low`).waitFor()
    await expectSoon(t, () => app.getByRole('combobox', { name: 'Type' }).inputValue(), 'Low stock')
  })

  await t.test('an alert links to its product, and is resolved when the stock recovers', async (t) => {
    shop.setStock(first ?? '', locationId, 500)
    await until(async () => (await get<Alert[]>('/alerts?state=open')).length === 1, 'the alert is resolved')
    await app.getByRole('link', { name: 'Resolved' }).click()
    const link = list.getByRole('link', { name: `${title} is low` })
    await link.waitFor()
    await expectSoon(t, () => app.getByRole('button', { name: /^Mark/ }).count(), 0)
    await link.click()
    await app.getByRole('heading', { name: title, level: 1 }).waitFor()
    const address = async () => page.frames()[1]?.evaluate('location.pathname')
    await expectSoon(t, address, `/variants/${first?.replace(/.*\//, '')}`)
  })

  await t.test('an order that did not reach its supplier says so in the list and on Home', async (t) => {
    const supplier = { name: 'Ash & Co', email: 'bounced@bros.example' }
    const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', supplier)
    const lineItems = [{ productId: products[0]?.productId, variantId: first, quantity: 9, costPrice: 2 }]
    const late = { supplierId, lineItems, expectedAt: '2026-01-05T12:00:00Z' }
    const { id, poNumber } = await send<{ id: number; poNumber: string }>('POST', '/purchase-orders', late)
    await send('POST', `/purchase-orders/${id}/send`)
    const emailStatus = async () => (await get<PurchaseOrder>(`/purchase-orders/${id}`)).emailStatus
    await expectSoon(t, emailStatus, 'failed')
    await visit(tab, '/purchase-orders')
    await app.getByRole('link', { name: 'E-mail not delivered' }).click()
    const row = app
      .getByRole('table', { name: 'Purchase orders' })
      .getByRole('row')
      .filter({ hasText: poNumber })
    await row.getByText('Not delivered').waitFor()
    await row.getByText('Overdue').waitFor()
    await visit(tab, '/')
    const recent = app
      .getByRole('table', { name: 'Recent orders' })
      .getByRole('row')
      .filter({ hasText: poNumber })
    await recent.getByText('Not delivered').waitFor()
  })
})
