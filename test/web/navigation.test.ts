import t from 'tap'
import { navigation } from '../../web/src/shell/navigation.ts'
import { clickLink, expectSoon, goTo, startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'

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

  // with our own navigation the test can click links at once
  platform.faults.set({ withoutAppNavigation: true })
  await t.test('where the shop admin draws no pages, the app has its own navigation', async (t) => {
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

  const { page, app } = await open('/stock')
  const frame = () => page.frames()[1]
  const address = () => new URL(frame()?.url() ?? '')
  const go = (name: string) => app.getByRole('link', { name, exact: true }).first().click()
  const isAt = (name: string) => app.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  await isAt('Stock')

  await t.test('a search field keeps its input while the address is updated', async (t) => {
    await frame()?.evaluate(`{
      globalThis.seen = []
      const note = () => {
        const field = document.querySelector('[type=search]')
        if (field && seen.at(-1) !== field.value) seen.push(field.value)
        return field
      }
      const look = () => note() && requestAnimationFrame(look)
      look()
      // a busy machine draws no frame between two keys
      addEventListener('input', note, true)
    }`)
    const search = app.getByRole('searchbox', { name: 'Search' })
    await search.pressSequentially('mu', { delay: 50 })
    await until(() => address().searchParams.get('search') === 'mu', 'the first letters are in the address')
    await search.pressSequentially('g', { delay: 50 })
    await until(() => address().searchParams.get('search') === 'mug', 'all letters are in the address')
    await expectSoon(t, async () => frame()?.evaluate('seen'), ['', 'm', 'mu', 'mug'])
  })

  await t.test('a double click navigates once, and a later click during loading wins', async (t) => {
    await frame()?.evaluate(`{
      const link = (name) => [...document.querySelectorAll('nav a')].find(({ textContent }) => textContent === name)
      link('Suppliers').click()
      link('Suppliers').click()
      link('Transfers').click()
    }`)
    await isAt('Transfers')
    await page.goBack()
    await isAt('Stock')
    await expectSoon(t, async () => address().searchParams.get('search'), 'mug')
  })

  await t.test('pending search input does not delay navigation', async (t) => {
    await app.getByRole('searchbox', { name: 'Search' }).pressSequentially('s')
    await go('Counts')
    await isAt('Counts')
    await new Promise((later) => setTimeout(later, 500))
    await expectSoon(t, async () => address().pathname, '/counts')
  })

  await t.test(
    'search input that is reported between a click and its navigation does not undo it',
    async () => {
      await page.goBack()
      await isAt('Stock')
      // no frame is drawn, and the time after which the page navigates without one does not pass
      await frame()?.evaluate(`{
      const { requestAnimationFrame, setTimeout } = window
      const waiting = []
      window.requestAnimationFrame = (run) => waiting.push(run)
      window.setTimeout = (run, ms, ...rest) => (ms === 100 ? waiting.push(run) : setTimeout(run, ms, ...rest))
      globalThis.draw = () => {
        Object.assign(window, { requestAnimationFrame, setTimeout })
        for (const run of waiting) run(0)
      }
    }`)
      await app.getByRole('searchbox', { name: 'Search' }).pressSequentially('x')
      await go('Counts')
      await new Promise((later) => setTimeout(later, 500))
      await frame()?.evaluate('draw()')
      await isAt('Counts')
    },
  )
})
