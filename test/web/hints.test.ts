import t from 'tap'
import type { ProductListItem } from '../../shared/schemas/products.ts'
import { expectSoon, goTo, startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'

t.test('the admin says what happens', async (t) => {
  const { platform, install, open, get, send } = await startAdmin(t)
  await install()
  const [product] = await get<ProductListItem[]>('/products')
  const variant = product?.variants[0]
  if (!product || !variant) throw new Error('The shop has no product')
  const { variantId } = variant
  await send('POST', '/suppliers', { name: 'Qingci' })
  await send('POST', '/reorder/rules', { variantId, reorderPoint: 4, reorderQuantity: 5 })

  await t.test('a number of a rule says that it is saved, and can be undone', async (t) => {
    const { app, page } = await open('/reorder/rules')
    const point = app.getByLabel(`Reorder point of ${product.title}`)
    const stored = async () => (await get<{ reorderPoint: number }[]>('/reorder/rules'))[0]?.reorderPoint
    await point.fill('9')
    await point.press('Enter')
    await app.getByText(`Reorder point of ${product.title} saved`).waitFor()
    t.equal(await stored(), 9)
    await app.getByRole('button', { name: 'Undo' }).click()
    await until(async () => (await stored()) === 4, 'the rule is as before')
    await point.fill('4.5')
    await point.press('Tab')
    await app.getByText('Enter a whole number.').waitFor()
    t.equal(await stored(), 4, 'a fraction is not saved')
    await expectSoon(
      t,
      () => app.getByRole('columnheader', { name: /^$/ }).count(),
      0,
      'each column has a name',
    )
    await page.close()
  })

  await t.test('a second supplier of the same name is noticed', async (t) => {
    const { app, page } = await open('/suppliers/new')
    await app.getByLabel('Name').fill(' qingci')
    await app.getByLabel('Name').press('Tab')
    await app.getByText('You already have Qingci.').waitFor()
    const link = app.getByRole('link', { name: 'Qingci', exact: true })
    await expectSoon(t, async () => /\/suppliers\/\d+/.test((await link.getAttribute('href')) ?? ''), true)
    await app.getByLabel('Name').fill('Qingci 2')
    await expectSoon(t, () => app.getByText('You already have').count(), 0)
    await page.close()
  })

  await t.test('an open page of stock follows the stock', async (t) => {
    const { app, page } = await open('/stock')
    await app.getByRole('link', { name: product.title }).first().waitFor()
    const [location] = await get<{ locationId: string }[]>('/locations')
    const adjustments = [{ variantId, locationId: location?.locationId, quantity: 4321 }]
    await send('PUT', '/stock-levels/bulk', { adjustments })
    await app.getByText('4,321').first().waitFor()
    t.pass('the page shows the new stock without a reload')
    await page.close()
  })

  await t.test('a page that waits for a server that hangs says so', async (t) => {
    const { app, page } = await open('/')
    await app.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    const answer = Promise.withResolvers<void>()
    await page.route('**/api/stock-transfers?**', async (route) => {
      await answer.promise
      await route.continue()
    })
    await goTo(app, 'Transfers')
    await app.getByText('Quartermaster is responding slowly.').waitFor()
    answer.resolve()
    await app.getByText('Quartermaster is responding slowly.').waitFor({ state: 'detached' })
    t.pass('the hint goes with the answer')
    await page.unrouteAll({ behavior: 'wait' })
    await page.close()
  })

  await t.test('a placeholder stands still for a merchant with reduced motion', async (t) => {
    const { app, page } = await open('/suppliers')
    const answer = Promise.withResolvers<void>()
    await page.route('**/api/suppliers/*', async (route) => {
      await answer.promise
      await route.continue()
    })
    await app.getByRole('link', { name: 'Qingci' }).click()
    await app.getByRole('status', { name: 'Loading' }).waitFor()
    const animations = async () => page.frames()[1]?.evaluate(() => document.getAnimations().length)
    await expectSoon(t, animations, 0)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await expectSoon(t, async () => Number(await animations()) > 0, true, 'it moves for the others')
    answer.resolve()
    await page.unrouteAll({ behavior: 'wait' })
    await page.close()
  })

  await t.test('the current page is visible in forced colours', async (t) => {
    platform.faults.set({ withoutAppNavigation: true })
    const { app, page } = await open('/stock')
    await page.emulateMedia({ forcedColors: 'active' })
    const current = app.locator('nav [aria-current="page"]').first()
    await current.waitFor()
    await expectSoon(t, () => current.evaluate((link) => getComputedStyle(link).outlineStyle), 'solid')
    await page.close()
    platform.faults.set({ withoutAppNavigation: false })
  })

  await t.test('a session that ended offers to reload, and says what else helps', async (t) => {
    const { app, page } = await open('/')
    await app.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    const json = {
      success: false,
      error: { code: 'unauthorized', message: 'Your session has ended. Reload this page.' },
    }
    await page.route('**/api/suppliers?**', (route) => route.fulfill({ status: 401, json }))
    await goTo(app, 'Suppliers')
    await app.getByRole('button', { name: 'Reload this page' }).waitFor()
    await app.getByText('open Quartermaster from the apps of your shop admin').waitFor()
    await expectSoon(t, () => app.getByRole('button', { name: 'Try again' }).count(), 0)
    await page.unroute('**/api/suppliers?**')
    await app.getByRole('button', { name: 'Reload this page' }).click()
    await app.getByRole('link', { name: 'Qingci' }).waitFor()
    await page.close()
  })
})
