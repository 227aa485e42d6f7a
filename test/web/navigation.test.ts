import t from 'tap'
import { navigation } from '../../web/src/shell/navigation.ts'
import { clickLink, expectSoon, goTo, startAdmin } from '../support/core/admin.ts'

t.test('the merchant moves between the pages of the app', async (t) => {
  const { platform, install, open, adminUrl } = await startAdmin(t)
  await install()

  await t.test('the shop admin draws the pages, and the app brings no navigation of its own', async (t) => {
    const { page, app } = await open('/suppliers')
    const pages = page.getByRole('navigation', { name: 'Quartermaster' })
    await app.getByRole('heading', { name: 'Suppliers', level: 1 }).waitFor()
    const names = navigation.map(({ name }) => name).filter((name) => name !== 'Home')
    await expectSoon(t, () => pages.getByRole('link').allInnerTexts(), names)
    await expectSoon(t, () => app.getByRole('navigation', { name: 'Quartermaster' }).count(), 0)
    await expectSoon(t, () => app.getByText('Replenishment').filter({ visible: true }).count(), 0)
    const width = async () => page.frames()[1]?.evaluate('document.querySelector("main").clientWidth')
    await expectSoon(t, width, 1280 - 240, 'the page has the whole frame')
  })

  await t.test('a link of the shop admin changes the page without loading it anew', async (t) => {
    const { page, app } = await open('/suppliers/new')
    const current = page.locator('aside [aria-current="page"]')
    await app.getByRole('heading', { name: 'Create a supplier', level: 1 }).waitFor()
    await expectSoon(t, () => current.innerText(), 'Suppliers', 'a page below is marked')
    await page.frames()[1]?.evaluate('window.isSameDocument = true')
    await goTo(app, 'Counts')
    await app.getByRole('heading', { name: 'Counts', level: 1 }).waitFor()
    await expectSoon(t, () => current.allInnerTexts(), ['Counts'])
    await expectSoon(t, async () => page.url(), `${adminUrl}/counts`)
    await goTo(app, 'Home')
    await app.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    await expectSoon(t, () => current.allInnerTexts(), ['Quartermaster'])
    await expectSoon(t, async () => page.url(), adminUrl)
    await page.goBack()
    await app.getByRole('heading', { name: 'Counts', level: 1 }).waitFor()
    await expectSoon(t, () => current.allInnerTexts(), ['Counts'])
    await page.goForward()
    await app.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    t.equal(await page.frames()[1]?.evaluate('window.isSameDocument'), true)
    t.match(await page.frames()[1]?.evaluate('location.search'), 'shop=', 'the frame can be reloaded')
  })

  await t.test('unsaved input is kept until the merchant decides', async (t) => {
    const { page, app } = await open('/suppliers/new')
    await app.getByLabel('Name').fill('Northgate')
    await expectSoon(t, () => app.getByRole('button', { name: 'Discard' }).isEnabled(), true)
    await clickLink(app, 'Stock')
    await app.getByText('Leave without saving?').waitFor()
    t.equal(page.url(), `${adminUrl}/suppliers/new`)
    await app.getByRole('button', { name: 'Leave', exact: true }).click()
    await app.getByRole('heading', { name: 'Stock', level: 1 }).waitFor()
  })

  await t.test('on a phone the pages are in the menu of the shop admin', async (t) => {
    const { page, app } = await open('/stock')
    await page.setViewportSize({ width: 360, height: 780 })
    await app.getByRole('heading', { name: 'Stock', level: 1 }).waitFor()
    const link = page.getByRole('link', { name: 'Transfers' })
    await expectSoon(t, () => link.isVisible(), false)
    await goTo(app, 'Transfers')
    await app.getByRole('heading', { name: 'Transfers', level: 1 }).waitFor()
    await link.waitFor({ state: 'hidden' })
    await expectSoon(t, () => app.getByRole('button', { name: 'More', exact: true }).count(), 0)
  })

  await t.test('where the shop admin draws no pages, the app has its own navigation', async (t) => {
    platform.faults.set({ withoutAppNavigation: true })
    t.teardown(() => platform.faults.set({ withoutAppNavigation: false }))
    const { page, app } = await open('/returns')
    const own = app.getByRole('navigation', { name: 'Quartermaster' }).filter({ visible: true })
    await own.getByRole('link', { name: 'Suppliers' }).waitFor()
    await expectSoon(
      t,
      () => own.locator('[aria-current="page"]').innerText(),
      'Receipts',
      'which leads to returns',
    )
    await own.getByRole('link', { name: 'Suppliers' }).click()
    await app.getByRole('heading', { name: 'Suppliers', level: 1 }).waitFor()
    await page.setViewportSize({ width: 360, height: 780 })
    await own.getByRole('button', { name: 'More' }).click()
    await app.getByRole('navigation', { name: 'More pages' }).getByRole('link', { name: 'Alerts' }).click()
    await app.getByRole('heading', { name: 'Alerts', level: 1 }).waitFor()
  })
})
