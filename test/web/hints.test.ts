import t from 'tap'
import type { ProductListItem } from '../../shared/schemas/products.ts'
import { clickLink, expectSoon, goTo, startAdmin } from '../support/core/admin.ts'

t.test('the admin says what happens', async (t) => {
  const { platform, install, open, get, send } = await startAdmin(t)
  await install()
  const [product] = await get<ProductListItem[]>('/products')
  const variant = product?.variants[0]
  if (!product || !variant) throw new Error('The shop has no product')
  const { variantId } = variant
  await send('POST', '/suppliers', { name: 'Qingci' })

  const { app, page } = await open('/suppliers/new')

  await t.test('a second supplier of the same name is noticed', async (t) => {
    await app.getByLabel('Name').fill(' qingci')
    await app.getByLabel('Name').press('Tab')
    await app.getByText('You already have Qingci.').waitFor()
    const link = app.getByRole('link', { name: 'Qingci', exact: true })
    await expectSoon(t, async () => /\/suppliers\/\d+/.test((await link.getAttribute('href')) ?? ''), true)
    await app.getByLabel('Name').fill('Qingci 2')
    await expectSoon(t, () => app.getByText('You already have').count(), 0)
  })

  await t.test('arrow keys and Escape leave the number that the merchant means', async (t) => {
    const field = app.getByLabel('Minimum order value')
    const shown = () => field.inputValue()
    await field.fill('2.30')
    await page.keyboard.press('ArrowDown')
    await expectSoon(t, shown, '1.30')
    await page.keyboard.press('Tab')
    await expectSoon(t, shown, '1.30')
    await field.fill('abc')
    await page.keyboard.press('Tab')
    await app.getByText('Enter a number.').waitFor()
    await field.focus()
    await page.keyboard.press('Escape')
    await expectSoon(t, shown, '1.30')
    await app.getByText('Enter a number.').waitFor({ state: 'detached' })
    await field.fill('12x')
    await page.keyboard.press('Escape')
    await expectSoon(t, shown, '1.30')
    await clickLink(app, 'Stock')
    await app.getByRole('button', { name: 'Leave', exact: true }).click()
  })

  await t.test('an open page of stock follows the stock', async (t) => {
    await app.getByRole('link', { name: product.title }).first().waitFor()
    const [location] = await get<{ locationId: string }[]>('/locations')
    const adjustments = [{ variantId, locationId: location?.locationId, quantity: 4321 }]
    await send('PUT', '/stock-levels/bulk', { adjustments })
    await app.getByText('4,321').first().waitFor()
    t.pass('the page shows the new stock without a reload')
  })

  await t.test('a page that waits for a server that hangs says so', async (t) => {
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
  })

  await t.test('a session that ended offers to reload, and says what else helps', async (t) => {
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
  })

  await t.test('a placeholder stands still for a merchant with reduced motion', async (t) => {
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
})
