import t from 'tap'
import { mintSessionToken } from '../../dev/simulator/session-token.ts'
import { sql } from '../../shared/db/db.ts'
import {
  domain,
  expectSoon,
  goTo,
  openCounting,
  scan,
  startAdmin,
  untilScannable,
} from '../support/core/admin.ts'
import { testKeys } from '../support/core/database.ts'
import { until } from '../support/core/until.ts'

// the scanner itself: scan-receipt.test.ts; what is saved, also without a network: count-draft.test.ts
t.test('the page of a count answers scans', async (t) => {
  const admin = await startAdmin(t)
  await admin.install()
  const { location, products, newestCount, startCount } = await openCounting(admin)
  const [mug, bowl, plate, jug] = products
  if (!mug || !bowl || !plate || !jug) throw new Error('The shop has four products')
  const { id: supplierId } = await admin.send<{ id: number }>('POST', '/suppliers', { name: 'Kiln' })
  await admin.send('POST', `/suppliers/${supplierId}/products`, {
    ...{ variantId: mug.variantId, supplierSku: 'K-MUG', packSize: 6, packBarcode: '5012345678900' },
  })
  const tab = await admin.open('/counts')
  const { page, app } = tab
  page.on('dialog', (dialog) => void dialog.accept())
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  const number = (title: string) => app.getByLabel(`Counted quantity of ${title}`, { exact: true })
  const bar = app.getByRole('region', { name: 'Scanning' })
  const listed = app.getByRole('table', { name: 'Scanned but not counted' })
  const isSaved = (variantId: string, quantity: number) =>
    until(async () => {
      const { items } = await newestCount()
      return items.find((item) => item.variantId === variantId)?.countedQuantity === quantity
    }, `${quantity} are saved`)
  const stopNetwork = () =>
    page.route('**/api/**', (route) =>
      route.request().method() === 'GET' ? route.continue() : route.abort(),
    )
  const late = app.getByText('Some numbers were not saved in time')

  await t.test('a piece, a pack, and a code of no product', async () => {
    await startCount(tab)
    await scan(tab, mug.barcode, 2)
    await expectSoon(t, () => number(mug.title).inputValue(), '2')
    await scan(tab, '5012345678900')
    await app.getByText('Pack of 6 pieces', { exact: true }).waitFor()
    await expectSoon(t, () => number(mug.title).inputValue(), '8')
    await button('Undo 6 pieces').click()
    await isSaved(mug.variantId, 2)
    await scan(tab, '4012345678901', 2)
    const row = app.getByRole('row', { name: '4012345678901' })
    await row.getByText('No product has this barcode or SKU.').waitFor()
    await row.getByText('2', { exact: true }).waitFor()
    await button('Retry').click()
    await row.getByText('No product has this barcode or SKU.').waitFor()
    await app.getByRole('button', { name: 'Remove 4012345678901' }).click()
  })

  await t.test('a scan into a number counts as a scan, and more than expected shows', async (t) => {
    await number(mug.title).click()
    await scan(tab, bowl.barcode)
    await isSaved(bowl.variantId, 1)
    await expectSoon(t, () => number(mug.title).inputValue(), '2')
    await number(bowl.title).fill(String(bowl.stock))
    await number(bowl.title).press('Enter')
    await isSaved(bowl.variantId, bowl.stock)
    // the row shows what is expected once the worker has compared the number
    const ofBowl = app.getByRole('row', { name: bowl.title })
    await ofBowl.getByText('—', { exact: true }).first().waitFor({ state: 'detached' })
    await scan(tab, bowl.barcode)
    await bar.getByText('More than expected', { exact: true }).waitFor()
    await expectSoon(t, () => bar.getAttribute('data-tone'), 'over')
    await isSaved(bowl.variantId, bowl.stock + 1)
  })

  await t.test('the scanned row is highlighted and scrolled into view', async (t) => {
    await page.setViewportSize({ width: 700, height: 560 })
    const marked = app.locator('tr[data-marked]')
    for (const product of [mug, bowl]) {
      await scan(tab, product.barcode)
      await marked.getByText(product.title).waitFor()
    }
    const isInView = async () => {
      const row = await number(bowl.title).boundingBox()
      const above = await bar.boundingBox()
      return row && above && row.y >= above.y + above.height && row.y + row.height <= 560
    }
    await expectSoon(t, isInView, true, 'the row is visible')
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  await t.test('the count opens without a network, and leaving it needs a confirmation', async (t) => {
    await app.getByText('Saved', { exact: true }).waitFor()
    await page.route(/\/api\/stock-counts\/\d+$/, (route) => route.abort())
    await page.reload()
    await untilScannable(tab)
    await scan(tab, mug.barcode, 2)
    await expectSoon(t, () => number(mug.title).inputValue(), '5')
    await app.getByText('Not saved, retrying').waitFor()
    await app.getByRole('link', { name: 'Back to Counts' }).click()
    await app.getByRole('dialog').getByText('They stay on this device').waitFor()
    await button('Keep editing').click()
    await button('Review').first().click()
    await app.getByText('Not everything is saved yet').waitFor()
    const token = await mintSessionToken({
      ...{ shop: domain, userId: '2' },
      ...{ apiKey: testKeys.PLATFORM_API_KEY, apiSecret: testKeys.PLATFORM_API_SECRET },
    })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const items = [{ variantId: mug.variantId, countedQuantity: 4 }]
    const body = JSON.stringify({ items, device: 'phone' })
    const { ok } = await fetch(`${admin.webUrl}/api/stock-counts/1`, { method: 'PUT', headers, body })
    t.ok(ok)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await isSaved(mug.variantId, 5 + 4)
    await app.getByText('+ 4 by others').waitFor()
  })

  await t.test('a product that is not tracked is listed until it is added again', async (t) => {
    const track = (isTracked: boolean) =>
      admin.db.query(sql.typeAlias('void')`
        update variant set is_tracked = ${isTracked} where gid = ${plate.variantId}
      `)
    await track(false)
    const picker = app.getByLabel('Add a product')
    await picker.fill(plate.sku)
    await app.getByRole('option', { name: plate.title }).click()
    await listed.getByText(/Turn on tracking in your shop admin, then add it again\.$/).waitFor()
    await expectSoon(t, () => listed.getByRole('button').allInnerTexts(), ['Remove'])
    await track(true)
    await picker.fill(plate.barcode)
    await picker.press('Enter')
    await listed.waitFor({ state: 'detached' })
    await expectSoon(t, () => number(plate.title).inputValue(), '')
  })

  await t.test('a second tab of the browser waits', async () => {
    const opened = page.waitForEvent('popup')
    await page.evaluate('window.open(location.href)')
    const other = await opened
    await other.frameLocator('iframe.app').getByText('This page is open in another tab').waitFor()
    await other.close()
  })

  await t.test('a count cancelled elsewhere lists the numbers that were not saved', async (t) => {
    await stopNetwork()
    await scan(tab, bowl.barcode)
    await app.getByText('Not saved, retrying').waitFor()
    await admin.send('PUT', '/stock-counts/1', { status: 'cancelled' })
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await late.waitFor()
    await app.getByText(`${bowl.title} (${bowl.stock + 3})`).waitFor()
    await button('Dismiss').click()
    await late.waitFor({ state: 'detached' })
    t.match(await newestCount(), { status: 'cancelled' })
    await goTo(app, 'Counts')
    await app.getByRole('row', { name: '#1' }).getByText(location.name).waitFor()
  })
})
