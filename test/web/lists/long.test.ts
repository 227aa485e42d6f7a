import t from 'tap'
import type { ProductListItem } from '../../../shared/schemas/products.ts'
import { expectSoon, startAdmin } from '../../support/core/admin.ts'
import { findViolations } from '../../support/core/axe.ts'
import { visit } from '../../support/web/page-tour.ts'

const orderCount = 70

t.test('a merchant keeps the place in a long list', async (t) => {
  const { install, open, get, send } = await startAdmin(t)
  await install()
  const [product] = await get<ProductListItem[]>('/products')
  const variantId = product?.variants[0]?.variantId
  const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', { name: 'Northgate' })
  const lineItems = [{ productId: product?.productId, variantId, quantity: 1, costPrice: 2 }]
  for (let at = 0; at < orderCount; at++) await send('POST', '/purchase-orders', { supplierId, lineItems })
  await send('PUT', '/purchase-orders/7', { expectedAt: '2026-01-05T12:00:00Z' })
  await send('POST', '/reorder/rules', { variantId, reorderPoint: 100_000, reorderQuantity: 5 })
  const tab = await open(`/purchase-orders?supplierId=${supplierId}`)
  const { app, page } = tab
  const table = app.getByRole('table', { name: 'Purchase orders' })
  const rows = table.locator('tbody tr')
  const numbers = () => table.locator('tbody tr[data-row] td:first-child a').allTextContents()
  const inFrame = async <T>(script: string) => page.frames()[1]?.evaluate<T>(script)
  const scrollTop = () => inFrame<number>('Math.round(window.scrollY)')

  await t.test('the rows do not move while the list is painted', async (t) => {
    await expectSoon(t, () => rows.count(), 50)
    const shift = await inFrame<number>(`new Promise((resolve) => {
      let sum = 0
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) sum += entry.hadRecentInput ? 0 : entry.value
      }).observe({ type: 'layout-shift', buffered: true })
      setTimeout(() => resolve(sum), 500)
    })`)
    t.ok(Number(shift) <= 0.1, `the layout shifted by ${shift}`)
  })

  await t.test('the head stays in sight, and more rows take the focus', async (t) => {
    await inFrame('window.scrollTo(0, 900)')
    const head = table.getByRole('columnheader', { name: 'Supplier' })
    const top = () => head.evaluate((th) => Math.round(th.getBoundingClientRect().top))
    await expectSoon(t, top, 52, 'the head is below the bar')
    await app.getByRole('button', { name: 'Load more' }).click()
    await expectSoon(t, () => rows.count(), orderCount)
    await expectSoon(t, () => inFrame('document.activeElement?.textContent'), 'PO-00020')
  })

  await t.test('the way back from an order leads to the place and the filter', async (t) => {
    for (const goBack of [
      () => page.goBack(),
      () => app.getByRole('link', { name: 'Back to Purchase orders' }).click(),
    ]) {
      const order = app.getByRole('link', { name: 'PO-00010', exact: true })
      await order.scrollIntoViewIfNeeded()
      const before = Number(await scrollTop())
      t.ok(before > 1_000, `scrolled to ${before}`)
      await order.click()
      await app.getByRole('heading', { name: 'PO-00010', level: 1 }).waitFor()
      await goBack()
      await expectSoon(t, () => rows.count(), orderCount)
      await expectSoon(t, scrollTop, before, 'the list is scrolled as before')
      const address = async () => page.url() + (await inFrame<string>('location.href'))
      await expectSoon(t, async () => (await address()).includes(`supplierId=${supplierId}`), true)
    }
  })

  await t.test('at 360 px every part is reachable', async (t) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await inFrame('window.scrollTo(0, 0)')
    const width = () => inFrame('document.documentElement.scrollWidth - window.innerWidth')
    await expectSoon(t, width, 0, 'nothing is cut off')
    await app.getByRole('button', { name: /^Sort/ }).click()
    await app.getByRole('menuitem', { name: 'Number, lowest first' }).click()
    await expectSoon(t, async () => (await numbers())[0], 'PO-00001')
    await app.getByRole('button', { name: 'Columns' }).click()
    await app.getByRole('checkbox', { name: 'Deliver to' }).check()
    await page.keyboard.press('Escape')
    await app.getByRole('button', { name: 'Views' }).click()
    await app.getByRole('menuitem', { name: 'Save this view' }).waitFor()
    await page.keyboard.press('Escape')
    await app.getByRole('button', { name: 'More filters' }).click()
    await app.getByRole('textbox', { name: 'Expected until' }).fill('2026-06-01')
    await page.keyboard.press('Escape')
    await expectSoon(t, numbers, ['PO-00007'])
    await app.getByRole('checkbox', { name: 'Select PO-00007' }).check()
    await app.getByRole('button', { name: 'Cancel orders' }).waitFor()
    await expectSoon(t, width, 0, 'the actions fit')
    await expectSoon(t, () => findViolations(tab), [])
  })

  await t.test('a table answers to its own width, not to the window', async (t) => {
    for (const [path, name] of [
      ['/reorder/rules', 'Rules'],
      ['/reorder', /./],
    ] as const) {
      await visit(tab, path)
      await app
        .getByRole('heading', {
          name: path === '/reorder' ? 'Reorder' : 'Reorder rules',
          level: 1,
          exact: true,
        })
        .waitFor()
      const cells = app.getByRole('table', { name }).first().locator('tbody tr:not([aria-hidden]) td')
      await cells.first().waitFor()
      for (const [width, isCards] of [
        [780, true],
        [1024, true],
        [1280, false],
      ] as const) {
        await page.setViewportSize({ width, height: 800 })
        const layout = () =>
          cells.first().evaluate((td) => {
            const card = td.closest('section')
            return {
              isCards: getComputedStyle(td).display !== 'table-cell',
              hasWidth: td.getBoundingClientRect().width >= 200,
              isCutOff: card !== null && card.scrollWidth - card.clientWidth > 1,
            }
          })
        await expectSoon(t, layout, { isCards, hasWidth: true, isCutOff: false }, `${path} at ${width}`)
      }
    }
  })
})
