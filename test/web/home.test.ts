import t from 'tap'
import { sql } from '../../shared/db/db.ts'
import { expectSoon, goTo, startAdmin } from '../support/core/admin.ts'
import { daysAgo } from '../support/core/instants.ts'
import { until } from '../support/core/until.ts'

type Product = { productId: string; variants: { variantId: string }[] }

t.test('Home says what needs attention', async (t) => {
  const { db, install, get, send, open } = await startAdmin(t)
  await install()
  const products = await get<Product[]>('/products')
  await send('POST', '/suppliers', { name: 'Northgate', email: 'orders@northgate.example.com' })
  const low = products[0]?.variants[0]?.variantId
  const late = await send<{ id: number }>('POST', '/purchase-orders', {
    ...{ supplierId: 1, expectedAt: daysAgo(1).toISOString() },
    lineItems: [{ productId: products[0]?.productId, variantId: low, quantity: 10, costPrice: 2.5 }],
  })
  await send('POST', `/purchase-orders/${late.id}/send`)
  await send('POST', '/reorder/rules', { variantId: low, reorderPoint: 100_000, reorderQuantity: 5 })
  const { page, app } = await open('/suppliers')
  const card = app
    .locator('section')
    .filter({ has: app.getByRole('heading', { name: 'Needs attention today' }) })
  await app.getByRole('heading', { name: 'Suppliers', level: 1 }).waitFor()

  await t.test('drafts that are due come first, and each low product is in a row', async (t) => {
    const orderOf = async (product: Product | undefined) => {
      const variantId = product?.variants[0]?.variantId ?? ''
      await send('POST', '/reorder/rules', { variantId, reorderPoint: 90_000, reorderQuantity: 5 })
      const lineItems = [{ productId: product?.productId, variantId, quantity: 100_000, costPrice: 1 }]
      const order = await send<{ id: number; poNumber: string }>('POST', '/purchase-orders', {
        supplierId: 1,
        lineItems,
      })
      return { ...order, variantId }
    }
    const draft = await orderOf(products[1])
    const covering = await orderOf(products[2])
    await send('POST', `/purchase-orders/${covering.id}/send`)
    // the sync and the first reading of orders compute the sales again
    const areSalesComputed = async () =>
      !(await db.exists(sql.typeAlias('void')`
        select from graphile_worker.jobs
        where task_identifier in ('read-orders', 'recompute-sales-velocity') and run_at <= now()
      `))
    await until(areSalesComputed, 'the sales are computed')
    // so many are sold that the stock does not last until an order arrives
    await db.query(sql.typeAlias('void')`
      insert into variant_velocity (shop_id, variant_id, units_30d)
      select shop_id, id, 90000 from variant where gid = ${draft.variantId}
      on conflict (shop_id, variant_id) do update set units_30d = excluded.units_30d
    `)
    await goTo(app, 'Home')
    const rows = card.getByRole('listitem')
    await expectSoon(t, () => rows.allTextContents(), [
      `${draft.poNumber} must be sent today: 1 product to order`,
      '1 order is overdue',
      '1 product is at or below the reorder point, but not due today',
      '1 product is at or below the reorder point, in drafts or on order',
    ])
    await app.getByRole('link', { name: /^At or below reorder point\s*3$/ }).waitFor()
    await page.route('**/api/reorder/suggestions?*', async (route) => {
      const response = await route.fetch()
      const link = '</api/reorder/suggestions?cursor=1>; rel="next"'
      await route.fulfill({ response, headers: { ...response.headers(), link } })
    })
    await page.reload()
    await expectSoon(t, () => rows.allTextContents(), [
      `${draft.poNumber} must be sent today: at least 1 product to order`,
      '1 order is overdue',
      'At least 1 product is at or below the reorder point, but not due today',
      'At least 1 product is at or below the reorder point, in drafts or on order',
    ])
    await page.unrouteAll({ behavior: 'wait' })
    await rows.first().getByRole('link').click()
    await app.getByRole('heading', { name: draft.poNumber, level: 1 }).waitFor()
  })

  await t.test('suggestions that fail to load are an error, and not the all-clear', async (t) => {
    await page.route('**/api/dashboard', async (route) => {
      const response = await route.fetch()
      const body: { data: { attention: Record<string, number> } } = JSON.parse(await response.text())
      const attention = Object.fromEntries(Object.keys(body.data.attention).map((name) => [name, 0]))
      await route.fulfill({ response, json: { ...body, data: { ...body.data, attention } } })
    })
    let isFailing = true
    await page.route('**/api/reorder/suggestions?*', (route) =>
      isFailing
        ? route.fulfill({ status: 500, json: { success: false, error: { code: 'internal' } } })
        : route.fulfill({ json: { success: true, data: [] } }),
    )
    // without what it has read before
    await page.reload()
    await app.getByRole('heading', { level: 1 }).waitFor()
    await goTo(app, 'Home')
    await card.getByRole('alert').filter({ hasText: 'The reorder suggestions could not be loaded' }).waitFor()
    const isAllClear = () => card.getByText('You’re all caught up').count()
    t.equal(await isAllClear(), 0)
    isFailing = false
    await card.getByRole('button', { name: 'Try again' }).click()
    await expectSoon(t, isAllClear, 1)
    await expectSoon(t, () => card.getByRole('alert').count(), 0)
    // a request that a route answers must not outlive its page
    await page.unrouteAll({ behavior: 'wait' })
  })
})
