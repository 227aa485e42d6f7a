import t from 'tap'
import { domain, expectSoon, startAdmin, writeOrder } from '../support/core/admin.ts'
import { until } from '../support/core/processes.ts'

type Product = { title: string; variants: { variantId: string; sku: string; currentStock: number }[] }

t.test('a new shop sees its first steps, then the daily overview', { timeout: 300_000 }, async (t) => {
  const { platform, get, send, untilSynced, open, simulatorUrl } = await startAdmin(t)
  // the catalogue sync waits here for twenty seconds
  platform.faults.set({ graphql: [{ fault: 'hang', operation: 'query Variants', times: 2 }] })
  const tab = await open(`${simulatorUrl}/shops/${domain}`)
  const { page, app } = tab
  const step = (name: string, state: 'Done' | 'To do' | 'In progress') =>
    app
      .getByRole('listitem')
      .filter({ hasText: name })
      .getByRole('img', { name: `${state}:` })

  await t.test('the app opens with the first steps while the catalogue is being imported', async (t) => {
    await page.getByRole('link', { name: 'Install Quartermaster' }).click()
    await page.getByRole('button', { name: 'Install' }).click()
    await app.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    await step('Importing your products', 'In progress').waitFor()
    for (const name of ['Add your company details', 'Add your first supplier', 'Send your first order']) {
      await step(name, 'To do').waitFor()
    }
    await app.getByText('You’re all caught up').waitFor()
    await untilSynced()
    await step('Products imported', 'Done').waitFor()
    const products = app.getByRole('link', { name: /^Products/ }).filter({ hasText: '6' })
    await products.waitFor()
    t.pass('the step is checked automatically')
  })

  await t.test('each step is checked automatically when it is done', async (t) => {
    await send('PUT', '/settings', { companyName: 'Kestrel & Vine', address: '1 High Street' })
    await app.getByRole('link', { name: 'Add a supplier' }).click()
    await app.getByLabel('Name').fill('Northgate')
    await app.getByLabel('E-mail').fill('orders@northgate.example.com')
    await app.getByRole('button', { name: 'Save' }).first().click()
    await app.getByRole('heading', { name: 'Northgate', level: 1 }).waitFor()
    const [product] = await get<Product[]>('/products')
    await writeOrder(tab, product?.title ?? '', 10, '2.50')
    const home = () => app.getByRole('link', { name: 'Home', exact: true }).first().click()
    await home()
    await step('Add your first supplier', 'Done').waitFor()
    await step('Send your first order', 'To do').waitFor()
    await app.getByRole('link', { name: 'PO-00001', exact: true }).click()
    await app.getByRole('button', { name: 'Send' }).click()
    await app.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
    await app.getByText('E-mailed').waitFor()
    await home()
    await step('Send your first order', 'Done').waitFor()

    await page.frames()[1]?.evaluate('location.reload()')
    await step('Add your company details', 'Done').waitFor()
    const variantId = product?.variants[0]?.variantId ?? ''
    await send('POST', '/reorder/rules', { variantId, reorderPoint: 100_000, reorderQuantity: 5 })
    await app.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' })
    t.strictSame(await get<{ setup: object }>('/dashboard').then(({ setup }) => setup), {
      hasSupplier: true,
      hasSentOrder: true,
      hasReorderRule: true,
    })
  })

  await t.test('the figures link to what they count', async (t) => {
    await app.getByRole('link', { name: /^Orders to receive\s*1$/ }).click()
    await app.getByRole('heading', { name: 'Purchase orders', level: 1 }).waitFor()
    await app.getByRole('link', { name: 'PO-00001', exact: true }).waitFor()
    await expectSoon(t, () => app.locator('[aria-label="Status"] [aria-current]').textContent(), 'To receive')
    await page.goBack()
    await app.getByRole('link', { name: /^At or below reorder point\s*1$/ }).waitFor()
  })

  await t.test('overdue orders are shown with a link to them', async (t) => {
    const late = new Date(Date.now() - 86_400_000).toISOString()
    await send('PUT', '/purchase-orders/1', { expectedAt: late })
    await page.frames()[1]?.evaluate('location.reload()')
    await app.getByRole('link', { name: '1 order is overdue' }).click()
    await app.getByRole('link', { name: 'PO-00001', exact: true }).waitFor()
    await expectSoon(t, () => app.locator('[aria-label="Status"] [aria-current]').textContent(), 'Overdue')
    await app.getByRole('link', { name: 'Home', exact: true }).first().click()
    await app.getByText('was expected on').first().waitFor()
  })

  await t.test('hidden first steps stay hidden', async (t) => {
    const { app, page } = await open('/')
    await app.getByRole('heading', { name: 'Recent orders' }).waitFor()
    const isStored = async () => (await page.frames()[1]?.evaluate('localStorage.length')) === 1
    await until(isStored, 'the completion is stored')
    await page.frames()[1]?.evaluate('localStorage.clear()')
    await page.route('**/api/dashboard', async (route) => {
      const response = await route.fetch()
      const body: { data: { setup: object } } = JSON.parse(await response.text())
      const setup = { ...body.data.setup, hasReorderRule: false }
      await route.fulfill({ response, json: { ...body, data: { ...body.data, setup } } })
    })
    const reload = () => page.frames()[1]?.evaluate('location.reload()')
    await reload()
    await app.getByRole('button', { name: 'Hide' }).click()
    await app.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' })
    await reload()
    await app.getByRole('heading', { name: 'Recent orders' }).waitFor()
    await expectSoon(t, () => app.getByRole('heading', { name: 'First steps' }).count(), 0)
    t.equal(await isStored(), true)
    await page.close()
  })
})
