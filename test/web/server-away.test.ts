import t from 'tap'
import { addSupplier, clickLink, expectSoon, goTo, startAdmin } from '../support/core/admin.ts'

t.test('the service stops and returns while a merchant works', async (t) => {
  const { install, open, get, web, startWeb } = await startAdmin(t, { isShared: false })
  await install()
  const tab = await open('/suppliers')
  await addSupplier(tab, 'Northgate', 'orders@northgate.example.com')
  const { app } = tab
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  // a list that has no data yet offers a retry of its own
  for (const text of ['No orders sent to this supplier yet', 'No orders yet', 'No returns yet'])
    await app.getByText(text).waitFor()
  await app.getByLabel('Phone').fill('+1 555 0100')

  await t.test(
    'without a network an unsaved form shows an error, and is saved when the network is back',
    async (t) => {
      await tab.page.context().setOffline(true)
      await button('Save').first().click()
      await app.getByText('There is no connection to Quartermaster.').first().waitFor()
      await expectSoon(t, () => app.getByLabel('Phone').inputValue(), '+1 555 0100')
      await tab.page.context().setOffline(false)
      // the form that opens after the restart sends the version that the page reads after this save
      const isRead = tab.page.waitForResponse(
        async (response) =>
          response.request().method() === 'GET' &&
          /\/api\/suppliers\/\d+$/.test(response.url()) &&
          (await response.text().catch(() => '')).includes('+1 555 0100'),
      )
      await button('Save').first().click()
      // the bar says "Unsaved changes"
      await app.getByText('Supplier saved').waitFor()
      await (await isRead).finished()
    },
  )

  await app.getByLabel('Phone').fill('+1 555 0101')
  web.kill('SIGKILL')
  await web.ended

  await t.test('a failed save shows an error and keeps the form', async (t) => {
    await button('Save').first().click()
    await app.getByText('There is no connection to Quartermaster.').first().waitFor()
    await expectSoon(t, () => app.getByLabel('Phone').inputValue(), '+1 555 0101')
  })

  await t.test('a page that cannot be loaded offers a retry', async (t) => {
    // as the host's router answers for a service that is down
    await tab.page.route('**/healthz', (route) => route.fulfill({ status: 503 }))
    await clickLink(app, 'Transfers')
    await button('Leave').click()
    await button('Try again').waitFor()
    await tab.page.unroute('**/healthz')
    const isAsked = tab.page.waitForRequest('**/healthz')
    await clickLink(app, 'Purchase orders')
    await isAsked
    await button('Try again').waitFor()
    t.pass('the retry is offered')
  })

  await t.test('after the restart the work continues', async (t) => {
    await startWeb()
    await button('Try again').click()
    await app.getByText('No purchase orders yet').waitFor()
    await goTo(app, 'Suppliers')
    await app.getByRole('link', { name: 'Northgate' }).click()
    await app.getByLabel('Phone').fill('+1 555 0199')
    await button('Save').first().click()
    await app.getByText('Supplier saved').first().waitFor()
    // an older message may still say that the supplier is saved
    await expectSoon(t, async () => (await get<{ phone: string }[]>('/suppliers'))[0]?.phone, '+1 555 0199')
  })
})
