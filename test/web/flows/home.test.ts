import t from 'tap'
import { domain, expectSoon, goTo, startAdmin, type Tab, writeOrder } from '../../support/core/admin.ts'
import { daysAgo } from '../../support/core/instants.ts'
import { until } from '../../support/core/until.ts'

type Product = { title: string; variants: { variantId: string; sku: string; currentStock: number }[] }

/** A request that a route answers must not outlive its page. */
async function closeRouted({ page }: Tab): Promise<void> {
  await page.unrouteAll({ behavior: 'wait' })
  await page.close()
}

t.test('a new shop sees its first steps, then the daily overview', async (t) => {
  const { platform, get, send, untilSynced, open, simulatorUrl } = await startAdmin(t)
  // the catalogue sync waits here until the first steps have been seen
  platform.faults.set({ graphql: [{ fault: 'hang', operation: 'query Variants', times: 100 }] })
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
    for (const name of ['Add your company details', 'Create your first supplier', 'Send your first order']) {
      await step(name, 'To do').waitFor()
    }
    await app.getByText('0 of 5 done').waitFor()
    await app.getByText('You’re all caught up').waitFor()
    platform.faults.set({ graphql: [] })
    await untilSynced()
    await step('Products imported', 'Done').waitFor()
    const products = app.getByRole('link', { name: /^Products/ }).filter({ hasText: '6' })
    await products.waitFor()
    t.pass('the step is checked automatically')
  })

  await t.test('each step is checked automatically when it is done', async (t) => {
    await app.getByText('1 of 5 done').waitFor()
    const addSupplier = app.getByRole('link', { name: 'create a supplier' })
    await addSupplier.waitFor()
    await app.getByRole('button', { name: 'Add your company details' }).click()
    await app.getByText('Shown on every purchase order.').waitFor()
    await addSupplier.waitFor({ state: 'detached' })
    await app.getByRole('button', { name: 'Create your first supplier' }).click()
    await addSupplier.click()
    await send('PUT', '/settings', { companyName: 'Kestrel & Vine', address: '1 High Street' })
    await app.getByLabel('Name').fill('Northgate')
    await app.getByLabel('E-mail').fill('orders@northgate.example.com')
    await app.getByRole('button', { name: 'Save' }).first().click()
    await app.getByRole('heading', { name: 'Northgate', level: 1 }).waitFor()
    const [product] = await get<Product[]>('/products')
    await writeOrder(tab, product?.title ?? '', 10, '2.50')
    const home = () => goTo(app, 'Home')
    await home()
    await step('Create your first supplier', 'Done').waitFor()
    await step('Send your first order', 'To do').waitFor()
    await app.getByRole('link', { name: 'PO-00001', exact: true }).click()
    // Home has a step named "Send your first order"
    await app.getByRole('heading', { name: 'PO-00001', level: 1 }).waitFor()
    await app.getByRole('button', { name: 'Send', exact: true }).click()
    await app.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
    await app.getByText('E-mailed', { exact: true }).waitFor()
    await home()
    await step('Send your first order', 'Done').waitFor()

    await page.reload()
    await step('Add your company details', 'Done').waitFor()
    const variantId = product?.variants[0]?.variantId ?? ''
    await send('POST', '/reorder/rules', { variantId, reorderPoint: 100_000, reorderQuantity: 5 })
    await app.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' })
    t.strictSame(await get<{ setup: object }>('/dashboard').then(({ setup }) => setup), {
      hasSupplier: true,
      hasSentOrder: true,
      hasReorderRule: true,
      vendorCount: 0,
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
    const late = daysAgo(1).toISOString()
    await send('PUT', '/purchase-orders/1', { expectedAt: late })
    await page.reload()
    await app.getByRole('link', { name: '1 order is overdue' }).click()
    await app.getByRole('link', { name: 'PO-00001', exact: true }).waitFor()
    await expectSoon(t, () => app.locator('[aria-label="Status"] [aria-current]').textContent(), 'Overdue')
    await goTo(app, 'Home')
    await app.getByText('was expected on').first().waitFor()
  })

  await t.test('hidden first steps stay hidden in each browser, and come back', async (t) => {
    const isHidden = async () => (await get<{ isSetupHidden: boolean }>('/settings')).isSetupHidden
    await until(isHidden, 'the completion is stored for the shop')
    // an open home page hides the steps again as soon as it reads that all of them are done
    await page.close()
    await send('PUT', '/settings', { isSetupHidden: false })
    const openUnfinished = async () => {
      const tab = await open('/suppliers')
      await tab.page.route('**/api/dashboard', async (route) => {
        const response = await route.fetch()
        const body: { data: { setup: object } } = JSON.parse(await response.text())
        const setup = { ...body.data.setup, hasReorderRule: false }
        await route.fulfill({ response, json: { ...body, data: { ...body.data, setup } } })
      })
      await goTo(tab.app, 'Home')
      return tab
    }
    const first = await openUnfinished()
    await first.app.getByRole('button', { name: 'Hide' }).click()
    await first.app.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' })
    await until(isHidden, 'the choice is stored for the shop')
    await closeRouted(first)
    const second = await openUnfinished()
    await second.app.getByRole('button', { name: 'Show first steps' }).waitFor()
    await expectSoon(t, () => second.app.getByRole('heading', { name: 'First steps' }).count(), 0)
    await second.page.route('**/api/sync', (route) => route.fulfill({ status: 404, json: {} }))
    await second.app.getByRole('button', { name: 'Show first steps' }).click()
    await second.app.getByRole('heading', { name: 'First steps' }).waitFor()
    await until(async () => !(await isHidden()), 'they are shown again')
    const retry = second.app.getByRole('button', { name: 'Try again' })
    await retry.waitFor()
    await second.page.unroute('**/api/sync')
    await retry.click()
    await second.app.getByText('Products imported').waitFor()
    await closeRouted(second)
  })
})
