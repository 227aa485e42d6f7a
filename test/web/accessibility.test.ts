import t from 'tap'
import { adminPages } from '../../dev/demo/admin-pages.ts'
import { addImport } from '../../dev/demo/demo-work.ts'
import { sql } from '../../shared/db/db.ts'
import type { StockCount } from '../../shared/schemas/stock-counts.ts'
import {
  type Admin,
  addSupplier,
  expectSoon,
  startAdmin,
  type Tab,
  writeOrder,
} from '../support/core/admin.ts'
import { findViolations } from '../support/core/axe.ts'
import { createTurns } from '../support/core/turns.ts'
import { until } from '../support/core/until.ts'
import { attachment } from '../support/make/attachments.ts'
import { makeReportHistory } from '../support/make/sales.ts'
import { makeDelivery } from '../support/platform/webhooks.ts'
import { startTour } from '../support/web/page-tour.ts'

/** Makes a planned transfer, one of which a part has arrived, an open count and a submitted one. */
async function makeMovements({ get, send }: Admin): Promise<void> {
  const [source, destination] = await get<{ locationId: string }[]>('/locations')
  const [product] = await get<{ variants: { variantId: string }[] }[]>('/products')
  const variantId = product?.variants[0]?.variantId
  const items = [{ variantId, quantity: 1 }]
  const locations = { sourceLocationId: source?.locationId, destinationLocationId: destination?.locationId }
  await send('POST', '/stock-transfers', { ...locations, items, notes: 'Two boxes' })
  const moved = { ...locations, items: [{ variantId, quantity: 10 }] }
  const { id: transferId } = await send<{ id: number }>('POST', '/stock-transfers', moved)
  await send('POST', `/stock-transfers/${transferId}/ship`, { allowNegative: true })
  const arrived = { items: [{ variantId, received: 5, lost: 2, damaged: 1 }] }
  await send('POST', `/stock-transfers/${transferId}/receive`, arrived)
  for (const status of ['draft', 'submitted']) {
    const counted = [{ variantId, countedQuantity: 3 }]
    const count = { locationId: source?.locationId, items: counted, notes: 'Top shelf' }
    const { id } = await send<{ id: number }>('POST', '/stock-counts', count)
    await until(async () => {
      const { items } = await get<StockCount>(`/stock-counts/${id}`)
      return items.every(({ readAt }) => readAt !== null)
    }, 'the worker has read what is on hand')
    await send('PUT', `/stock-counts/${id}`, { status })
  }
}

/** Makes a return with a file. */
async function makeReturn({ get, send }: Admin): Promise<void> {
  const [location] = await get<{ locationId: string }[]>('/locations')
  const [product] = await get<{ variants: { variantId: string }[] }[]>('/products')
  const lines = [{ variantId: product?.variants[0]?.variantId, quantity: 2, reason: 'Damaged' }]
  const input = { supplierId: 1, locationId: location?.locationId, lines, notes: 'In one box' }
  const { id } = await send<{ id: number }>('POST', '/supplier-returns', input)
  await send('POST', '/attachments', attachment({ subject: 'supplier_return', subjectId: id }))
}

/** Makes suggestions: from an automatic rule, a rule without a supplier, one with a supplier, and one of a location. */
async function makeSuggestions({ get, send }: Admin): Promise<void> {
  const products = await get<{ variants: { variantId: string }[] }[]>('/products')
  const [first, second, third] = products.map(({ variants: [variant] }) => variant?.variantId)
  const high = { reorderPoint: 1_000_000, reorderQuantity: 1 }
  await send('POST', '/reorder/rules', { variantId: first, mode: 'auto' })
  await send('POST', '/reorder/rules', { variantId: second, ...high })
  await send('POST', '/reorder/rules', { variantId: third, ...high, supplierId: 1 })
  const locations = await get<{ locationId: string }[]>('/locations')
  const ofLocation = { reorderPoint: 1000, reorderQuantity: 1, locationId: locations[1]?.locationId }
  await send('POST', '/reorder/rules', { variantId: third, ...ofLocation })
  const adjustments = [{ variantId: third, locationId: locations[0]?.locationId, quantity: 90 }]
  await send('PUT', '/stock-levels/bulk', { adjustments })
}

t.test('every page is accessible, on a desktop and on a phone', async (t) => {
  const admin = await startAdmin(t)
  const { platform, install, get, send, open, db, adminUrl } = admin
  await install()
  const first = await open('/suppliers')
  await first.app.getByText('No suppliers yet').waitFor()
  await expectSoon(t, () => findViolations(first), [], 'an empty list')
  await addSupplier(first, 'Northgate', 'orders@northgate.example.com')
  const [product] = await get<{ title: string }[]>('/products')
  await writeOrder(first, product?.title ?? '', 10, '2.50')
  await first.app.getByRole('button', { name: 'Send' }).click()
  await first.app.getByRole('dialog').getByText('orders@northgate.example.com').first().waitFor()
  await expectSoon(t, () => findViolations(first), [], 'a dialog')
  await first.app.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
  await first.app.getByText('E-mailed', { exact: true }).waitFor()
  await makeMovements(admin)

  await t.test('a menu works by keyboard, and the focus returns after a dialog', async (t) => {
    const { page, app } = first
    const more = app.getByRole('button', { name: 'More' })
    await more.press('Enter')
    await app.getByRole('menuitem', { name: 'Cancel order' }).press('Enter')
    await app.getByRole('dialog').getByText('can’t be recalled').waitFor()
    await page.keyboard.press('Escape')
    await more.and(app.locator(':focus')).waitFor()
    t.pass('the focus has returned')
  })

  await t.test('an adjustment fails on the platform', async (t) => {
    const pushes = () => get<unknown[]>('/stock-pushes')
    await until(async () => (await pushes()).length === 0, 'the platform has what was moved before')
    platform.faults.set({
      graphql: [{ fault: 'previous-failed', operation: 'AdjustQuantities', times: 6 }],
    })
    const stock = await open('/stock')
    const adjust = stock.app.getByRole('button', { name: /^Adjust/ })
    await adjust.first().click()
    await stock.app.getByLabel('Quantity to add').fill('1')
    await expectSoon(t, () => findViolations(stock), [], 'the dialog of an adjustment')
    await stock.app.getByRole('button', { name: 'Save' }).click()
    await stock.app.getByText('didn’t sync').waitFor()
    await stock.page.close()
  })

  await makeReturn(admin)
  await addImport(admin)
  await makeReportHistory(db)
  await makeSuggestions(admin)
  // an alert and a failed update
  await send('PUT', '/purchase-orders/1', { expectedAt: '2026-03-01T12:00:00Z' })
  const shopId = await db.oneFirst(sql.typeAlias('id')`select id from shop`)
  await makeDelivery(db, shopId, { state: 'failed', reason: 'It could not be applied.' })

  await t.test('everything that opens is accessible', async (t) => {
    const check = async (tab: Tab, message: string) => {
      for (const width of [360, 1280]) {
        await tab.page.setViewportSize({ width, height: 800 })
        await expectSoon(t, async () => (await findViolations(tab)).join('\n'), '', `${message} at ${width}`)
      }
    }
    const form = await open('/purchase-orders/new')
    const { app, page } = form
    await app.getByRole('button', { name: 'Save draft' }).click()
    await app.locator('[aria-invalid="true"]').first().waitFor()
    await check(form, 'errors of a form')
    await app.getByRole('combobox', { name: 'Supplier' }).click()
    await app.getByRole('option', { name: 'Northgate', exact: true }).waitFor()
    await check(form, 'a select')
    await page.keyboard.press('Escape')
    await app.getByLabel('Add a product').fill(product?.title ?? '')
    await app.getByRole('option').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await check(form, 'the picker of products')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await app.getByRole('option').first().waitFor()
    await check(form, 'the palette')
    await page.close()

    await first.app.getByRole('button', { name: 'More' }).click()
    await first.app.getByRole('menuitem').first().waitFor()
    await check(first, 'a menu')
    await first.page.close()

    const supplier = await open('/suppliers/new')
    await supplier.app.getByLabel('Name').fill('Southgate')
    await supplier.app.getByRole('button', { name: 'Save' }).first().click()
    await supplier.app.getByText('Southgate created').waitFor()
    await expectSoon(t, () => findViolations(supplier), [], 'a toast')

    platform.faults.set({ withoutAppNavigation: true })
    await supplier.page.setViewportSize({ width: 360, height: 800 })
    await supplier.page.reload()
    await supplier.app.getByRole('button', { name: /^More/ }).last().click()
    await supplier.app.getByRole('navigation', { name: 'More pages' }).waitFor()
    await expectSoon(t, () => findViolations(supplier), [], 'the drawer of our own navigation')
    await supplier.page.keyboard.press('Escape')
    await supplier.page.setViewportSize({ width: 1280, height: 800 })
    await supplier.app.getByRole('link', { name: 'Suppliers' }).first().waitFor()
    await expectSoon(t, () => findViolations(supplier), [], 'our own navigation')
    platform.faults.set({ withoutAppNavigation: false })
    await supplier.page.close()
  })

  const tab = await open('/')
  const tour = await startTour(tab.page, adminUrl)
  const isWide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth
  const turns = createTurns()
  const widths = [1280, 360]
  for (const [at, path] of adminPages.entries()) {
    await tour.show(path)
    // the colours of a page are the same at each width
    const contrastWidths = turns(widths)
    // each page begins with the last width of the one before
    for (const width of at % 2 === 0 ? widths : widths.toReversed()) {
      await tour.resize({ width, height: 800 })
      // rows that expand are part of the page, too
      const closed = tab.app.locator('td button[aria-expanded="false"]')
      while ((await closed.count()) > 0) await closed.first().click()
      // while rows are rendered, a table may be wider than its place for a moment
      const read = async () => {
        const violations = await findViolations(tab, { hasContrast: contrastWidths.includes(width) })
        return [...violations, ...((await tour.frame().evaluate(isWide)) ? ['it scrolls sideways'] : [])]
      }
      await expectSoon(t, read, [], `${path} at ${width}`)
    }
  }
})
