import t from 'tap'
import type { ReceiptListItem } from '../../shared/schemas/receipts.ts'
import { expectSoon, listenToSounds, openCounting, scan, startAdmin } from '../support/core/admin.ts'
import { findViolations } from '../support/core/axe.ts'
import { daysAgo } from '../support/core/instants.ts'

t.test('forms take scans that are faster than the network', async (t) => {
  const admin = await startAdmin(t)
  await admin.install()
  const { get, send, open } = admin
  const { products } = await openCounting(admin)
  const [mug, bowl] = products
  if (!mug || !bowl) throw new Error('The shop has two products')
  const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', { name: 'Kiln' })
  const { id: other } = await send<{ id: number }>('POST', '/suppliers', { name: 'Wheel' })
  const [box, shared] = ['5012345678900', '5012345678917']
  for (const [id, { variantId }, packSize, packBarcode] of [
    [supplierId, bowl, 12, box],
    [supplierId, mug, 12, shared],
    [other, bowl, 6, shared],
  ] as const) {
    await send('POST', `/suppliers/${id}/products`, { variantId, packSize, packBarcode })
  }

  const receipts = await open('/receipts/new')
  const { app, page } = receipts
  page.on('dialog', (dialog) => void dialog.accept())
  const quantity = (title: string) => app.getByLabel(`Quantity of ${title}`).inputValue()
  const search = app.getByLabel('Add a product')

  await t.test('each code is looked up in its turn, and has its own answer', async (t) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await search.click()
    const sounds = await listenToSounds(receipts)
    const scanned = Promise.withResolvers<void>()
    await page.route('**/api/products?*', async (route) => {
      await scanned.promise
      await route.continue()
    })
    for (const code of [mug.barcode, mug.barcode, '4012345678901', bowl.sku, `0${mug.barcode}`]) {
      await scan(receipts, code)
    }
    await expectSoon(t, () => search.inputValue(), '', 'the field is free at once')
    scanned.resolve()
    await expectSoon(t, () => quantity(mug.title), '3')
    await expectSoon(t, () => quantity(bowl.title), '1')
    const missed = app.getByRole('listitem').filter({ hasText: '4012345678901' })
    await missed.getByText('no product has this code.').waitFor()
    await expectSoon(t, async () => (await sounds()).filter((sound) => sound === '165').length, 1)
    await expectSoon(t, async () => (await sounds()).filter((sound) => sound === '880 1320').length, 4)
    await expectSoon(t, () => findViolations(receipts), [], 'axe finds nothing')
    const scroll = async () => page.frames()[1]?.evaluate('document.documentElement.scrollWidth')
    await expectSoon(t, scroll, 360, 'nothing overflows at 360 px')
    await missed.getByRole('button', { name: 'Remove 4012345678901' }).click()
    await missed.waitFor({ state: 'detached' })
    const hasFocus = () => search.evaluate((field) => field === document.activeElement)
    await expectSoon(t, hasFocus, true, 'the next scan goes into the field')
  })

  await t.test('the barcode of a pack adds its pieces, unless it is of several products', async (t) => {
    // 1 + 12 = 13; a scanner may add a zero
    for (const code of [`0${box}`, shared]) await scan(receipts, code)
    await app.getByText('packs of several products have this code.').waitFor()
    await expectSoon(t, () => quantity(bowl.title), '13')
    await expectSoon(t, () => quantity(mug.title), '3')
    await app.getByRole('button', { name: `Remove ${shared}` }).click()
    await app.getByLabel(`Quantity of ${bowl.title}`).fill('1')
  })

  await t.test('a code is kept while the network is away', async (t) => {
    await search.click()
    await page.context().setOffline(true)
    await scan(receipts, bowl.barcode)
    await app.getByText(`No answer yet. Kept until there is one: ${bowl.barcode}`).waitFor()
    await page.context().setOffline(false)
    await expectSoon(t, () => quantity(bowl.title), '2')
  })

  await t.test('a save waits for the codes that were scanned before it', async (t) => {
    const answers = Promise.withResolvers<void>()
    await page.route('**/api/products?*', async (route) => {
      await answers.promise
      await route.continue()
    })
    await search.click()
    await scan(receipts, bowl.barcode, 2)
    const bar = app.getByRole('region', { name: 'Unsaved changes' })
    await bar.getByText('Looking up 2 codes …').waitFor()
    await page.keyboard.press('Control+s')
    await expectSoon(t, () => bar.getByRole('button', { name: 'Save receipt' }).isDisabled(), true)
    await app.getByRole('link', { name: 'Back to Receipts' }).click()
    await app.getByText('The lookup of 2 codes is not answered yet, and will be lost.').waitFor()
    await app.getByRole('button', { name: 'Keep editing' }).click()
    answers.resolve()
    await expectSoon(t, () => quantity(bowl.title), '4')
    await bar.getByText('Kept on this device until you save').waitFor()
    t.strictSame(await get('/receipts'), [])
  })

  await t.test('a barcode does not become a quantity', async (t) => {
    await app.getByLabel(`Quantity of ${mug.title}`).click()
    await scan(receipts, '97802013')
    await app.getByText('This looks like a barcode. The quantity is still 3.').waitFor()
    await expectSoon(t, () => quantity(mug.title), '3')
    await app.getByLabel(`Quantity of ${mug.title}`).fill('4')
    await app.getByText(/looks like a barcode/).waitFor({ state: 'detached' })
  })

  await t.test('the device keeps the receipt, and a lost answer saves it once', async (t) => {
    await app.getByLabel('Delivery note').fill('DN-1')
    await app.getByText('Kept on this device until you save').waitFor()
    await page.reload()
    await expectSoon(t, () => quantity(mug.title), '4')
    await expectSoon(t, () => app.getByLabel('Delivery note').inputValue(), 'DN-1')
    const isSave = /\/api\/receipts$/
    let posts = 0
    await page.route(isSave, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      posts += 1
      if (posts === 1) await route.fetch() // the request arrives, its answer does not
      await route.abort()
    })
    await app.getByRole('button', { name: 'Save receipt' }).click()
    await app.getByRole('alert').first().waitFor()
    await page.reload()
    await expectSoon(t, () => quantity(mug.title), '4')
    await page.unroute(isSave)
    await app.getByLabel('Delivery note').fill('DN-2')
    await app.getByRole('button', { name: 'Save receipt' }).click()
    await app.getByText('An earlier save succeeded, but this device did not get the answer').waitFor()
    await app.getByLabel('Delivery note').fill('DN-1')
    await app.getByRole('button', { name: 'Save receipt' }).click()
    await app.getByRole('heading', { name: /^Receipt #/ }).waitFor()
    const stored = await get<ReceiptListItem[]>('/receipts')
    t.match(stored, [{ deliveryNote: 'DN-1', accepted: 8 }])
    t.equal(stored.length, 1)
  })

  await t.test('a discarded receipt is gone from the device', async () => {
    await app.getByRole('link', { name: 'Back to Receipts' }).click()
    await app
      .getByRole('link', { name: /^Receive without an order/ })
      .first()
      .click()
    await app.getByText('No items yet.').waitFor()
    await search.click()
    await scan(receipts, mug.barcode)
    await app.getByLabel(`Quantity of ${mug.title}`).waitFor()
    await app.getByRole('button', { name: 'Discard' }).click()
    await app.getByRole('button', { name: 'Discard changes' }).click()
    await app.getByText('No items yet.').waitFor()
    await page.reload()
    await app.getByText('No items yet.').waitFor()
  })

  await t.test('a save without an answer is not repeated after its key has expired', async (t) => {
    await search.click()
    await scan(receipts, mug.barcode)
    await app.getByLabel(`Quantity of ${mug.title}`).waitFor()
    const hasDraft = () =>
      page.frames()[1]?.evaluate("Object.keys(localStorage).some((name) => name.endsWith(' draft'))")
    await expectSoon(t, async () => hasDraft(), true, 'the device has stored the draft')
    await page.frames()[1]?.evaluate(`
      for (const [name, text] of Object.entries(localStorage)) {
        if (!name.endsWith(' draft')) continue
        const sentAt = ${daysAgo(1).getTime()}
        localStorage.setItem(name, JSON.stringify({ ...JSON.parse(text), sentAt }))
      }
    `)
    await page.reload()
    await app.getByText(/^This form may have been saved on .*\. Look in Receipts first\.$/).waitFor()
    await expectSoon(t, () => findViolations(receipts), [], 'axe finds nothing')
    await expectSoon(t, () => app.getByRole('button', { name: 'Save receipt' }).isDisabled(), true)
    await app.getByRole('button', { name: 'Save as new' }).click()
    await app.getByRole('heading', { name: /^Receipt #/ }).waitFor()
    await page.close()
  })

  await t.test('a browser that blocks storage asks before the receipt is left', async (t) => {
    const tab = await open('/receipts/new')
    await tab.app.getByText('No items yet.').waitFor()
    await tab.page.frames()[1]?.evaluate('Storage.prototype.setItem = () => { throw new Error("blocked") }')
    await tab.app.getByLabel('Add a product').click()
    await scan(tab, mug.barcode)
    const bar = tab.app.getByRole('region', { name: 'Unsaved changes' })
    await bar.getByText('Unsaved changes').waitFor()
    await expectSoon(t, () => tab.app.getByText('Kept on this device').count(), 0)
    await tab.app.getByRole('link', { name: 'Back to Receipts' }).click()
    await tab.app.getByText('Leave without saving?').waitFor()
    await tab.page.close()
  })
})
