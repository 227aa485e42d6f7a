import t from 'tap'
import { addSupplier, domain, goTo, startAdmin } from '../support/core/admin.ts'

t.test('requests between the page and the API', async (t) => {
  const { platform, install, open, get, webUrl } = await startAdmin(t)
  await install()

  await t.test('an expired token is replaced without an error', async (t) => {
    const tab = await open('/suppliers')
    await tab.app.getByText('No suppliers yet').waitFor()
    let expired = 0
    await tab.page.route('**/session-token', async (route) => {
      if (expired >= 1) return route.continue()
      expired += 1
      await route.fulfill({ json: { token: await platform.mintSessionToken(domain, -120) } })
    })
    const statuses: number[] = []
    tab.page.on('response', (response) => {
      // the page may read something else first, such as the unread alerts
      if (response.url().startsWith(`${webUrl}/api/`)) statuses.push(response.status())
    })
    await addSupplier(tab, 'Northgate', 'orders@northgate.example.com')
    t.equal(expired, 1)
    t.equal(statuses.filter((status) => status === 401).length, 1)
    t.equal(statuses.filter((status) => status === 201).length, 1)
    await tab.page.close()
  })

  await t.test('without a session token the page says so, and not that the network is away', async (t) => {
    const { page, app } = await open('/suppliers/new')
    await app.getByLabel('Name').fill('Not saved')
    await page.route('**/session-token', (route) => route.fulfill({ status: 401 }))
    await app.getByRole('button', { name: 'Save' }).first().click()
    await app.getByText('Your shop admin did not confirm your session. Reload this page.').first().waitFor()
    await app.getByRole('button', { name: 'Reload this page' }).waitFor()
    t.pass('a button reloads the page')
    await page.close()
  })

  await t.test('a request with a lost response is repeated and runs once', async (t) => {
    const { page, app } = await open('/suppliers/new')
    const keys: (string | undefined)[] = []
    await page.route('**/api/suppliers', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length > 1) return route.continue()
      await route.fetch() // the request arrives, its response does not
      await route.abort()
    })
    await app.getByLabel('Name').fill('Once only')
    await app.getByRole('button', { name: 'Save' }).first().click()
    await app.getByRole('heading', { name: 'Once only', level: 1 }).waitFor()
    t.ok(keys.length >= 2)
    t.equal(new Set(keys).size, 1, 'both requests have the same key')
    const names = (await get<{ name: string }[]>('/suppliers')).map(({ name }) => name)
    t.equal(names.filter((name) => name === 'Once only').length, 1)
    await page.close()
  })

  await t.test('a refused change is reverted with a message', async (t) => {
    const tab = await open('/suppliers')
    await addSupplier(tab, 'Southgate', '')
    const { page, app } = tab
    await app.getByRole('button', { name: 'Add a contact' }).click()
    await app.getByRole('dialog').getByLabel('Name').fill('Bo Larsen')
    await app.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    const remove = app.getByRole('button', { name: 'Delete Bo Larsen' })
    await remove.waitFor()
    const response = Promise.withResolvers<void>()
    await page.route('**/contacts/*', async (route) => {
      await response.promise
      const error = { code: 'conflict', message: 'Bo stays.', requestId: 'abcdefgh' }
      await route.fulfill({ status: 409, json: { success: false, error } })
    })
    await remove.click()
    await app.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await app.getByText('No contacts yet.').waitFor()
    response.resolve()
    await app.getByRole('alert').getByText('Bo stays.').waitFor()
    await remove.waitFor()
    t.pass('the contact is listed again')
    await page.close()
  })

  await t.test('outside the shop admin the page links to it', async () => {
    const { page } = await open(`${webUrl}/?shop=${domain}`)
    await page.getByText('Open Quartermaster in your shop admin').waitFor()
    await page.getByRole('link', { name: 'Open in the shop admin' }).click()
    await page.frameLocator('iframe.app').getByRole('heading', { name: 'Home' }).waitFor()
  })

  await t.test('an unknown address shows a not-found page', async () => {
    const { app } = await open('/purchase-orders/999999')
    await app.getByRole('heading', { name: 'Page not found' }).waitFor()
  })

  await t.test('a list that cannot be loaded shows an error, and is loaded by a retry', async (t) => {
    const { page, app } = await open('/suppliers/new')
    await app.getByRole('heading', { name: 'Create a supplier' }).waitFor()
    await page.route('**/api/suppliers?*', (route) => route.fulfill({ status: 500, json: {} }))
    await goTo(app, 'Suppliers')
    const retry = app.getByRole('button', { name: 'Try again' })
    await retry.waitFor()
    await page.unroute('**/api/suppliers?*')
    await retry.click()
    await app.getByRole('link', { name: 'Northgate' }).waitFor()
    t.pass('the list is loaded')
  })
})
