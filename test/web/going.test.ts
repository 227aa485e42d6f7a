import t from 'tap'
import { expectSoon, startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'

t.test('navigation between pages', async (t) => {
  const { platform, install, open } = await startAdmin(t)
  // with our own navigation the test can click links at once
  platform.faults.set({ withoutAppNavigation: true })
  await install()
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
        for (const run of waiting) run(performance.now())
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
