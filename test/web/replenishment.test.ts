import t from 'tap'
import { sql } from '../../shared/db/db.ts'
import type { PurchaseOrder } from '../../shared/schemas/purchase-orders.ts'
import { domain, expectSoon, startAdmin } from '../support/core/admin.ts'
import { setForecast } from '../support/make/replenishment.ts'
import { visit } from '../support/web/page-tour.ts'

type Product = { title: string; variants: { variantId: string }[] }

t.test('a buyer fills a supplier and makes a draft', async (t) => {
  const { db, install, get, send, open } = await startAdmin(t)
  await install()
  const [product, second] = await get<Product[]>('/products')
  const title = product?.title ?? ''
  const variantId = product?.variants[0]?.variantId ?? ''
  const shopId = await db.oneFirst(sql.typeAlias('id')`select id from shop where domain = ${domain}`)
  const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', {
    name: 'Northgate',
    minimumOrderValue: 150,
  })
  const tab = await open('/replenishment')
  const { page, app } = tab
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  const goTo = (path: string) => page.goto(page.url().replace(/(\/apps\/[^/]+).*/, `$1${path}`))

  await t.test('the empty page says what is missing, and the address keeps the days', async (t) => {
    await app.getByText('A product needs sales').waitFor()
    await app.getByLabel('Order for days').fill('60')
    await app.getByLabel('Order for days').press('Tab')
    await expectSoon(t, async () => /days=60/.test(page.url()), true, 'the address has the days')
  })

  await t.test('an edited quantity becomes a draft, with the gap to the minimum', async (t) => {
    await send('POST', `/suppliers/${supplierId}/products`, {
      ...{ variantId, supplierSku: 'N-1', packSize: 10 },
      prices: [{ price: 2 }, { minQuantity: 1000, price: 1.5 }],
    })
    await setForecast(db, { shopId }, BigInt(variantId.split('/').at(-1) ?? ''), {
      units: new Array(26).fill(700),
    })
    await goTo('/replenishment?days=60')
    const table = app.getByRole('table', { name: 'Northgate' })
    await table.getByText('Sells 700 a week (seasonal, off by 18 % lately)').waitFor()
    await app.getByLabel(`Order of ${title}`).fill('5o')
    await page.keyboard.press('Tab')
    await button('Create draft orders').click()
    await app.getByText('Fix 1 field to save.').waitFor()
    await app.getByLabel(`Order of ${title}`).fill('50')
    await app.getByText('Fix 1 field to save.').waitFor({ state: 'detached' })
    // 50 at 2.00, not at 1.50 as the suggested quantity, and 150 are the minimum
    const total = app.getByRole('region', { name: 'Total of Northgate' })
    await total.getByText(/50 pieces, .*100\.00/).waitFor()
    await total.getByText(/50\.00 short of the supplier’s minimum/).waitFor()
    await page.setViewportSize({ width: 360, height: 740 })
    await total.getByText(/50 pieces/).waitFor()
    await button('Create a draft for Northgate').click()
    await app.getByRole('region', { name: '1 draft order created' }).waitFor()
    await page.setViewportSize({ width: 1280, height: 800 })
    await app.getByText('50 in a draft').waitFor()
    await app.getByText('0 products chosen').waitFor()
    const [{ id = 0 } = {}] = await get<{ id: number }[]>('/purchase-orders')
    t.match(await get<PurchaseOrder>(`/purchase-orders/${id}`), {
      ...{ status: 'draft', supplierName: 'Northgate' },
      lineItems: [{ variantId, quantity: 50, packs: 5, costPrice: 2 }],
    })
  })

  await t.test('the total of a supplier waits until all its products are loaded', async (t) => {
    const other = second?.variants[0]?.variantId ?? ''
    await send('POST', `/suppliers/${supplierId}/products`, {
      ...{ variantId: other, supplierSku: 'N-2', packSize: 1000, prices: [{ price: 1 }] },
    })
    await setForecast(db, { shopId }, BigInt(other.split('/').at(-1) ?? ''), {
      units: new Array(26).fill(70),
    })
    await page.route(/\/api\/replenishment\?/, (route) =>
      route.continue({ url: route.request().url().replace('limit=250', 'limit=1') }),
    )
    await goTo('/replenishment?days=60')
    const total = app.getByRole('region', { name: 'Total of Northgate' })
    await total.getByText('So far: load all products for the total of this supplier').waitFor()
    const create = button('Create a draft for Northgate')
    await expectSoon(t, () => create.isDisabled(), true, 'an order would lack products')
    await button('Load more').click()
    await total.getByText(/^So far/).waitFor({ state: 'detached' })
    await expectSoon(t, () => create.isEnabled(), true, 'all products are loaded')
    await page.unroute(/\/api\/replenishment\?/)
  })

  await t.test('a draft is filled with suggestions', async (t) => {
    const [{ id = 0 } = {}] = await get<{ id: number }[]>('/purchase-orders')
    await visit(tab, `/purchase-orders/${id}`)
    await button('Suggest into this order').click()
    await app.getByRole('dialog').getByRole('button', { name: 'Suggest', exact: true }).click()
    await app.getByText('1 line added, 1 raised').waitFor()
    const { lineItems } = await get<PurchaseOrder>(`/purchase-orders/${id}`)
    const [line, rounded] = lineItems
    // 700 a week for 14 + 30 days = 4 400, less the stock of the simulator, in packs of 10
    t.ok(line && line.quantity > 3_000 && line.quantity % 10 === 0, `${line?.quantity} pieces`)
    // 70 a week: 440, less the stock, in packs of 1 000
    t.equal(rounded?.quantity, 1000)
    t.ok(rounded && rounded.roundedUpBy >= 560 && rounded.roundedUpBy < 1000, `${rounded?.roundedUpBy}`)
    await app.getByText(`rounded up by ${rounded?.roundedUpBy}`, { exact: true }).waitFor()
  })
})
