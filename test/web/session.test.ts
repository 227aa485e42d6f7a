import t from 'tap'
import { addSupplier, domain, startAdmin } from '../support/core/admin.ts'

t.test('what happens between the page and the API', { timeout: 300_000 }, async (t) => {
  const { platform, install, open, get, webUrl } = await startAdmin(t)
  await install()

  await t.test('a token that has expired on its way is replaced, and nobody notices', async (t) => {
    const tab = await open('/suppliers')
    await tab.app.getByText('No suppliers yet').waitFor()
    let expired = 0
    await tab.page.route('**/session-token', async (route) => {
      if (expired >= 1) return route.continue()
      expired += 1
      await route.fulfill({ json: { token: await platform.mintSessionToken(domain, -120) } })
    })
    const answers: number[] = []
    tab.page.on('response', (response) => {
      if (response.url().startsWith(`${webUrl}/api/suppliers`)) answers.push(response.status())
    })
    await addSupplier(tab, 'Northgate', 'orders@northgate.example.com')
    t.equal(expired, 1)
    t.equal(answers.filter((status) => status === 401).length, 1)
    t.equal(answers.filter((status) => status === 201).length, 1)
    await tab.page.close()
  })

  await t.test(
    'an answer that is lost is asked for again, and what was done is not done twice',
    async (t) => {
      const { page, app } = await open('/suppliers/new')
      const keys: (string | undefined)[] = []
      await page.route('**/api/suppliers', async (route) => {
        if (route.request().method() !== 'POST') return route.continue()
        keys.push(route.request().headers()['idempotency-key'])
        if (keys.length > 1) return route.continue()
        await route.fetch() // it arrives, and its answer does not
        await route.abort()
      })
      await app.getByLabel('Name').fill('Once only')
      await app.getByRole('button', { name: 'Save' }).first().click()
      await app.getByRole('heading', { name: 'Once only', level: 1 }).waitFor()
      t.ok(keys.length >= 2)
      t.equal(new Set(keys).size, 1, 'it is the same thing')
      const names = (await get<{ name: string }[]>('/suppliers')).map(({ name }) => name)
      t.equal(names.filter((name) => name === 'Once only').length, 1)
      await page.close()
    },
  )

  await t.test('what looked done and is refused comes back, and is told', async (t) => {
    const tab = await open('/suppliers')
    await addSupplier(tab, 'Southgate', '')
    const { page, app } = tab
    await app.getByRole('button', { name: 'Add a contact' }).click()
    await app.getByRole('dialog').getByLabel('Name').fill('Bo Larsen')
    await app.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    const remove = app.getByRole('button', { name: 'Delete Bo Larsen' })
    await remove.waitFor()
    const answer = Promise.withResolvers<void>()
    await page.route('**/contacts/*', async (route) => {
      await answer.promise
      const error = { code: 'conflict', message: 'Bo stays.', requestId: 'abcdefgh' }
      await route.fulfill({ status: 409, json: { success: false, error } })
    })
    await remove.click()
    await app.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await app.getByText('Nobody yet.').waitFor()
    answer.resolve()
    await app.getByRole('alert').getByText('Bo stays.').waitFor()
    await remove.waitFor()
    t.pass('he is there again')
    await page.close()
  })

  await t.test('outside the shop admin the page says where to go', async () => {
    const { page } = await open(`${webUrl}/?shop=${domain}`)
    await page.getByText('Open Quartermaster in your shop admin').waitFor()
    await page.getByRole('link', { name: 'Open it in the shop admin' }).click()
    await page.frameLocator('iframe.app').getByRole('heading', { name: 'Home' }).waitFor()
  })

  await t.test('an address that leads nowhere says so', async () => {
    const { app } = await open('/purchase-orders/999999')
    await app.getByRole('heading', { name: 'Not found' }).waitFor()
  })

  await t.test('a list that cannot be loaded says so, and is there after another try', async (t) => {
    const { page, app } = await open('/suppliers/new')
    await app.getByRole('heading', { name: 'Add a supplier' }).waitFor()
    await page.route('**/api/suppliers?*', (route) => route.fulfill({ status: 500, json: {} }))
    await app.getByRole('link', { name: 'Suppliers', exact: true }).first().click()
    const retry = app.getByRole('button', { name: 'Try again' })
    await retry.waitFor()
    await page.unroute('**/api/suppliers?*')
    await retry.click()
    await app.getByRole('link', { name: 'Northgate' }).waitFor()
    t.pass('it is there')
  })
})
