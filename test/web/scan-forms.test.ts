import t from 'tap'
import type { ReceiptListItem } from '../../shared/schemas/receipts.ts'
import type { SupplierReturn } from '../../shared/schemas/supplier-returns.ts'
import {
  expectSoon,
  listenToSounds,
  openCounting,
  scan,
  startAdmin,
  type Tab,
} from '../support/core/admin.ts'
import { findViolations } from '../support/core/axe.ts'

t.test('forms take scans that are faster than the network', async (t) => {
  const admin = await startAdmin(t)
  await admin.install()
  const { get, send, open } = admin
  const { products, location } = await openCounting(admin)
  const [mug, bowl] = products
  if (!mug || !bowl) throw new Error('The shop has two products')
  const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', { name: 'Kiln' })

  const receipts = await open('/receipts/new')
  const { app, page } = receipts
  page.on('dialog', (dialog) => void dialog.accept())
  const quantity = (title: string) => app.getByLabel(`Quantity of ${title}`).inputValue()
  const search = app.getByLabel('Add a product')

  await t.test('each code is looked up in its turn, and has its own answer', async (t) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await search.click()
    const sounds = await listenToSounds(receipts)
    await page.route('**/api/products?*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 150))
      await route.continue()
    })
    for (const code of [mug.barcode, mug.barcode, '4012345678901', bowl.sku, `0${mug.barcode}`]) {
      await scan(receipts, code)
    }
    await expectSoon(t, () => search.inputValue(), '', 'the field is free at once')
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
    await app.getByText(/looks like a barcode/).waitFor()
    await expectSoon(t, () => quantity(mug.title), '3')
    await app.getByLabel(`Quantity of ${mug.title}`).fill('4')
    await app.getByText(/looks like a barcode/).waitFor({ state: 'detached' })
    await app.getByLabel(`Quantity of ${mug.title}`).fill('12')
    // a scanner comes after a pause, and makes none: the clock stands still, since a busy machine would make one
    await page.waitForTimeout(500)
    await page.frames()[1]?.evaluate(`
      const now = performance.now()
      performance.now = () => now
      for (const digit of '97802013') document.execCommand('insertText', false, digit)
      delete performance.now
    `)
    await page.keyboard.press('Enter')
    await app.getByText('This looks like a barcode. The quantity is still 12.').waitFor()
    await search.click()
    await app.getByLabel(`Quantity of ${mug.title}`).click()
    await app.getByText(/looks like a barcode/).waitFor({ state: 'detached' })
    await app.getByLabel(`Quantity of ${mug.title}`).fill('4')
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
    await page.goto(page.url().replace(/(\/apps\/[^/]+).*/, '$1/receipts/new'))
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
        const sentAt = Date.now() - 24 * 3_600_000
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

  await t.test('a scan of a return adds to the line of its product and reason', async (t) => {
    const tab = await open('/returns/new')
    const add = tab.app.getByLabel('Add a product')
    const lines = async () => {
      const quantities = await tab.app.getByLabel(`Quantity of ${mug.title}`).all()
      return Promise.all(quantities.map((field) => field.inputValue()))
    }
    await add.click()
    await scan(tab, mug.barcode, 2)
    await expectSoon(t, lines, ['2'])
    await tab.app.getByRole('combobox', { name: `Reason for ${mug.title}` }).fill('Damaged')
    await add.click()
    await scan(tab, mug.barcode)
    await expectSoon(t, lines, ['3'])
    await tab.page.reload()
    await expectSoon(t, lines, ['3'])
    await tab.page.close()
  })

  await t.test('a scan of a return of a receipt counts up to what can go back', async (t) => {
    const { id: receiptId } = await send<{ id: number }>('POST', '/receipts', {
      ...{ supplierId, locationId: location.locationId },
      lines: [
        { variantId: mug.variantId, quantity: 2 },
        { variantId: bowl.variantId, quantity: 5 },
      ],
    })
    const tab = await open(`/returns/new?receiptId=${receiptId}`)
    await tab.page.setViewportSize({ width: 360, height: 740 })
    const of = (title: string) => tab.app.getByLabel(`Quantity of ${title}`).inputValue()
    await tab.app.getByLabel('Scan or type a barcode or SKU').click()
    for (const code of [mug.barcode, mug.sku, mug.barcode, '4012345678901', bowl.barcode]) {
      await scan(tab, code)
    }
    await expectSoon(t, () => of(bowl.title), '1')
    await expectSoon(t, () => of(mug.title), '2')
    await tab.app.getByText(`all 2 of ${mug.title} that can go back are scanned.`).waitFor()
    await tab.app.getByText('no product of this receipt that you can still return has this code.').waitFor()
    await tab.app.getByText(`${bowl.title}: 1 of 5`).waitFor()
    await expectSoon(t, () => findViolations(tab), [], 'axe finds nothing')
    const scroll = async () => tab.page.frames()[1]?.evaluate('document.documentElement.scrollWidth')
    await expectSoon(t, scroll, 360, 'nothing overflows at 360 px')
    for (const { title } of [mug, bowl]) {
      await tab.app.getByRole('combobox', { name: `Reason for ${title}` }).fill('Damaged')
    }
    await tab.page.reload()
    await expectSoon(t, () => of(mug.title), '2')
    await tab.app.getByRole('button', { name: 'Save return' }).click()
    await tab.app.getByRole('heading', { name: 'RET-00001', exact: true }).waitFor()
    const [stored] = await get<SupplierReturn[]>('/supplier-returns')
    const { lines } = await get<SupplierReturn>(`/supplier-returns/${stored?.id}`)
    t.strictSame(lines.map((line) => line.quantity).sort(), [1, 2])
    await tab.page.close()
  })

  await t.test('the barcode of a pack counts its pieces', async (t) => {
    const box = '5012345678900'
    const shared = '5012345678917'
    for (const [{ variantId }, packBarcode] of [
      [bowl, box],
      [mug, shared],
    ] as const) {
      await send('POST', `/suppliers/${supplierId}/products`, { variantId, packSize: 12, packBarcode })
    }
    const { id: other } = await send<{ id: number }>('POST', '/suppliers', { name: 'Wheel' })
    await send('POST', `/suppliers/${other}/products`, {
      ...{ variantId: bowl.variantId, packSize: 6, packBarcode: shared },
    })
    const quantityIn = (tab: Tab, title: string) => tab.app.getByLabel(`Quantity of ${title}`).inputValue()

    const receipt = await open('/receipts/new')
    await receipt.page.setViewportSize({ width: 360, height: 740 })
    await receipt.app.getByText('No items yet.').waitFor()
    await receipt.app.getByLabel('Add a product').click()
    // 12 + 1 + 12 = 25; a scanner may add a zero
    for (const code of [box, bowl.barcode, `0${box}`, shared]) await scan(receipt, code)
    await receipt.app.getByText('packs of several products have this code.').waitFor()
    await expectSoon(t, () => quantityIn(receipt, bowl.title), '25')
    await expectSoon(t, () => receipt.app.getByLabel(`Quantity of ${mug.title}`).count(), 0)
    const scroll = async () => receipt.page.frames()[1]?.evaluate('document.documentElement.scrollWidth')
    await expectSoon(t, scroll, 360, 'nothing overflows at 360 px')
    await receipt.app.getByRole('button', { name: 'Save receipt' }).click()
    await receipt.app.getByRole('heading', { name: /^Receipt #/ }).waitFor()
    t.match(await get<ReceiptListItem[]>('/receipts'), [{ accepted: 25 }])
    await receipt.page.close()

    const free = await open('/returns/new')
    await free.app.getByLabel('Add a product').click()
    await scan(free, box, 2)
    await expectSoon(t, () => quantityIn(free, bowl.title), '24')
    await free.page.close()

    const { id: receiptId } = await send<{ id: number }>('POST', '/receipts', {
      ...{ supplierId, locationId: location.locationId },
      lines: [{ variantId: bowl.variantId, quantity: 30 }],
    })
    const ofReceipt = await open(`/returns/new?receiptId=${receiptId}`)
    await ofReceipt.app.getByLabel('Scan or type a barcode or SKU').click()
    // 12 + 12 = 24 of 30: a third box does not fit
    await scan(ofReceipt, box, 3)
    await ofReceipt.app
      .getByText(`this pack has 12 pieces, but only 6 of ${bowl.title} can go back.`)
      .waitFor()
    await expectSoon(t, () => quantityIn(ofReceipt, bowl.title), '24')
    await ofReceipt.page.close()
  })
})
