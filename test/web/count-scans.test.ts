import t from 'tap'
import { sql } from '../../shared/db/db.ts'
import {
  expectSoon,
  goTo,
  listenToSounds,
  openCounting,
  scan,
  startAdmin,
  untilScannable,
} from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'

t.test('no scan is lost', async (t) => {
  const admin = await startAdmin(t)
  await admin.install()
  const { products, untilStock, newestCount, startCount } = await openCounting(admin)
  const [mug, bowl, plate] = products
  if (!mug || !bowl || !plate) throw new Error('The shop has three products')
  const tab = await admin.open('/counts')
  const { page, app } = tab
  let leaveWarnings = 0
  page.on('dialog', (dialog) => {
    leaveWarnings += 1
    void dialog.accept()
  })
  const number = (title: string) => app.getByLabel(`Counted quantity of ${title}`, { exact: true })
  const isSaved = (counted: Record<string, number>) =>
    until(
      async () => {
        const { items } = await newestCount()
        return Object.entries(counted).every(
          ([id, quantity]) => items.find(({ variantId }) => variantId === id)?.countedQuantity === quantity,
        )
      },
      `${JSON.stringify(counted)} are saved`,
    )
  const isCount = /\/api\/stock-counts\/\d+$/
  const writes: string[] = []
  const keys = new Set<string>()
  page.on('request', (request) => {
    if (request.method() !== 'PUT' || !isCount.test(request.url())) return
    // a repetition after a refusal of a busy API has the same key
    const key = request.headers()['idempotency-key'] ?? ''
    if (!keys.has(key)) writes.push(request.postData() ?? '')
    keys.add(key)
  })
  await startCount(tab)

  await t.test(
    'a product that is not in the count is added once, with all scans during the lookup',
    async (t) => {
      const response = Promise.withResolvers<void>()
      await page.route('**/api/products?*', async (route) => {
        await response.promise
        await route.continue()
      })
      await scan(tab, mug.barcode, 3)
      await scan(tab, bowl.barcode, 2)
      await app.getByText('Looking up').waitFor()
      response.resolve()
      await isSaved({ [mug.variantId]: 3, [bowl.variantId]: 2 })
      await page.unroute('**/api/products?*')
      await expectSoon(t, () => number(mug.title).inputValue(), '3')
      await app.getByText('Saved', { exact: true }).waitFor()
    },
  )

  await t.test('scans during a request are saved by the next one, which has only the changes', async (t) => {
    const response = Promise.withResolvers<void>()
    t.teardown(() => response.resolve())
    writes.length = 0
    await page.route(isCount, async (route) => {
      // a read between two saves would hold back the second one
      if (route.request().method() === 'PUT') await response.promise
      await route.continue()
    })
    await scan(tab, mug.barcode)
    await until(() => writes.length > 0, 'the first request is sent')
    await scan(tab, mug.barcode, 4)
    await app.getByText('Saving …').waitFor()
    response.resolve()
    await isSaved({ [mug.variantId]: 8 })
    await page.unroute(isCount)
    t.equal(writes.length, 2, `one request at a time, with all changes in the next one: ${writes.join(' ')}`)
    const { items } = JSON.parse(writes[1] ?? '')
    t.match(items, [{ variantId: mug.variantId, countedQuantity: 8 }])
    t.equal(items.length, 1)
  })

  await t.test('counting goes on without a network, and leaving the page needs a confirmation', async (t) => {
    await page.route('**/api/**', (route) =>
      route.request().method() === 'GET' ? route.continue() : route.abort(),
    )
    await scan(tab, mug.barcode, 2)
    await number(bowl.title).fill('12')
    await app.getByText('Not saved, retrying').waitFor()
    await expectSoon(t, () => number(mug.title).inputValue(), '10')
    await app.getByRole('link', { name: 'Back to Counts' }).click()
    await app.getByRole('dialog').getByText('They stay on this device').waitFor()
    await app.getByRole('button', { name: 'Keep editing' }).click()
    await app.getByRole('button', { name: 'Review' }).first().click()
    await app.getByText('Not everything is saved yet').waitFor()
    t.match(await newestCount(), { items: [{ countedQuantity: 8 }, { countedQuantity: 2 }] })
  })

  await t.test('unsaved scans are restored after a reload', async (t) => {
    await page.reload()
    await number(mug.title).waitFor()
    t.equal(leaveWarnings, 1, 'the browser warns, too')
    await expectSoon(t, () => number(mug.title).inputValue(), '10')
    await expectSoon(t, () => number(bowl.title).inputValue(), '12')
    await app.getByText('Not saved, retrying').waitFor()
    admin.shop.placeOrder([{ variantId: bowl.variantId, quantity: 2 }])
    await untilStock(bowl.variantId, bowl.stock - 2)
    await scan(tab, plate.barcode)
    await page.unroute('**/api/**')
    await isSaved({ [mug.variantId]: 10, [bowl.variantId]: 12, [plate.variantId]: 1 })
    // the ordered pieces are on the shelf: the worker reads that after the entry is saved
    await expectSoon(
      t,
      async () =>
        (await newestCount()).items.find(({ variantId }) => variantId === bowl.variantId)?.expectedQuantity,
      bowl.stock,
      'the ordered pieces are expected',
    )
    await app.getByText('Saved', { exact: true }).waitFor()
    await page.reload()
    await number(mug.title).waitFor()
    t.equal(leaveWarnings, 1, 'no warning: everything is saved')
    await untilScannable({ app })
  })

  await t.test('an unknown code is listed with its actions, and counts once a product has it', async (t) => {
    await scan(tab, '4012345678901', 2)
    const row = app.getByRole('row', { name: '4012345678901' })
    await row.getByText('No product has this barcode or SKU.').waitFor()
    await row.getByText('2', { exact: true }).waitFor()
    await app.getByRole('button', { name: 'Retry' }).click()
    await row.getByText('No product has this barcode or SKU.').waitFor()
    // a product has the code now, as after an edit in the shop admin
    await page.route('**/api/products?*', async (route) => {
      const response = await route.fetch({
        url: route.request().url().replace('4012345678901', plate.barcode),
      })
      await route.fulfill({
        response,
        body: (await response.text()).replaceAll(plate.barcode, '4012345678901'),
      })
    })
    await app.getByRole('button', { name: 'Retry' }).click()
    await row.waitFor({ state: 'detached' })
    await isSaved({ [plate.variantId]: 3 })
    await expectSoon(t, () => number(plate.title).inputValue(), '3')
    await page.unroute('**/api/products?*')
  })

  await t.test('a scan while a quantity field has the focus counts as a scan', async (t) => {
    await number(bowl.title).click()
    await scan(tab, plate.barcode)
    await isSaved({ [plate.variantId]: 4, [bowl.variantId]: 12 })
    await expectSoon(t, () => number(bowl.title).inputValue(), '12')
  })

  await t.test('a scan without focus, or with a button focused, counts', async (t) => {
    await app.getByRole('heading', { level: 1 }).click()
    await scan(tab, plate.barcode)
    await app.getByRole('button', { name: 'Undo scan' }).focus()
    await scan(tab, plate.barcode)
    await isSaved({ [plate.variantId]: 6 })
    await app.getByRole('button', { name: 'Undo scan' }).click()
    await isSaved({ [plate.variantId]: 5 })
    await expectSoon(t, () => number(plate.title).inputValue(), '5')
  })

  await t.test('right, more than expected and wrong differ by colour, icon, text and sound', async (t) => {
    const bar = app.getByRole('region', { name: 'Scanning' })
    const sounds = await listenToSounds(tab)
    await scan(tab, plate.barcode)
    await expectSoon(t, () => bar.getAttribute('data-tone'), 'right')
    await isSaved({ [plate.variantId]: 6 })
    await number(plate.title).fill(String(plate.stock))
    await number(plate.title).press('Enter')
    await scan(tab, plate.barcode)
    await bar.getByText('More than expected', { exact: true }).waitFor()
    await expectSoon(t, () => bar.getAttribute('data-tone'), 'over')
    await scan(tab, 'no such code')
    await bar.getByText('no such code is not counted', { exact: true }).last().waitFor()
    await expectSoon(t, () => bar.getAttribute('data-tone'), 'wrong')
    await expectSoon(t, sounds, ['880 1320', '660 660', '165'])
    await app.getByRole('button', { name: 'Sound of scans' }).click()
    await page.reload()
    await app.getByRole('button', { name: 'Sound of scans', pressed: false }).waitFor()
    t.pass('the device remembers that the sound is off')
    await untilScannable({ app })
    const silence = await listenToSounds(tab)
    await scan(tab, plate.barcode)
    await bar.getByText('More than expected', { exact: true }).waitFor()
    await expectSoon(t, silence, [])
    await app.getByRole('button', { name: 'Sound of scans' }).click()
    await app.getByRole('button', { name: 'Remove no such code' }).click()
    await number(plate.title).fill('5')
    await number(plate.title).press('Enter')
    await isSaved({ [plate.variantId]: 5 })
  })

  await t.test('the scanned row is highlighted and scrolled into view', async (t) => {
    await page.setViewportSize({ width: 700, height: 560 })
    await scan(tab, mug.barcode)
    const marked = app.locator('tr[data-marked]')
    await marked.getByText(mug.title).waitFor()
    await scan(tab, plate.barcode)
    await marked.getByText(plate.title).waitFor()
    const isInView = async () => {
      const box = await number(plate.title).boundingBox()
      const bar = await app.getByRole('region', { name: 'Scanning' }).boundingBox()
      return box && bar && box.y >= bar.y + bar.height && box.y + box.height <= 560
    }
    await expectSoon(t, isInView, true, 'the row is visible')
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  await t.test('a count cancelled in another tab lists the numbers that were not saved', async (t) => {
    await isSaved({ [plate.variantId]: 6 })
    await page.route('**/api/**', (route) =>
      route.request().method() === 'GET' ? route.continue() : route.abort(),
    )
    await scan(tab, plate.barcode)
    await app.getByText('Not saved, retrying').waitFor()
    const { id } = await newestCount()
    const other = await admin.open(`/counts/${id}`)
    await other.app.getByRole('button', { name: 'More' }).first().click()
    await other.app.getByRole('menuitem', { name: 'Cancel the count' }).click()
    await other.app.getByRole('button', { name: 'Cancel the count', exact: true }).click()
    await until(async () => (await newestCount()).status === 'cancelled', 'the count is cancelled')
    await page.unroute('**/api/**')
    await app.getByText('Some numbers were not saved in time').waitFor()
    await app.getByText(`${plate.title} (7)`).waitFor()
    await app.getByRole('button', { name: 'Dismiss' }).click()
    await app.getByText('Some numbers were not saved in time').waitFor({ state: 'detached' })
    t.match(await newestCount(), { items: [{}, {}, { countedQuantity: 6 }] })
  })

  const track = (ids: readonly string[], isTracked: boolean) =>
    admin.db.query(sql.typeAlias('void')`
      update variant set is_tracked = ${isTracked} where gid = any(${sql.array([...ids], 'text')})
    `)
  const listed = app.getByRole('table', { name: 'Scanned but not counted' })

  await t.test('a product that is not tracked is added again once it is, as not counted', async (t) => {
    await goTo(app, 'Counts')
    await startCount(tab)
    const picker = app.getByLabel('Add a product')
    await track([bowl.variantId], false)
    await picker.fill(bowl.sku)
    await app.getByRole('option', { name: bowl.title }).click()
    await listed.getByText(/Turn on tracking in your shop admin, then add it again\.$/).waitFor()
    await expectSoon(t, () => listed.getByRole('button').allInnerTexts(), ['Remove'])
    // the previous release listed it by its SKU
    await page.frames()[1]?.evaluate(
      ([code = '', sku = '']) => {
        const name = Object.keys(localStorage).find((key) => key.endsWith(`scan ${code}`)) ?? ''
        const scan = { ...JSON.parse(localStorage.getItem(name) ?? '{}'), code: sku }
        localStorage.removeItem(name)
        localStorage.setItem(name.replace(code, sku), JSON.stringify(scan))
      },
      [`untracked ${bowl.variantId}`, bowl.sku],
    )
    await page.reload()
    await listed.getByText(/then add it again\.$/).waitFor()
    await track([bowl.variantId], true)
    await picker.fill(bowl.barcode)
    await picker.press('Enter')
    await listed.waitFor({ state: 'detached' })
    await expectSoon(t, () => number(bowl.title).inputValue(), '')
    await app.getByText('Saved', { exact: true }).waitFor()
    t.match(await newestCount(), { items: [{ variantId: bowl.variantId, countedQuantity: null }] })
  })

  await t.test('of several added products those that are not tracked are listed', async (t) => {
    await track([plate.variantId], false)
    const addBoth = async () => {
      await app.getByRole('button', { name: 'Browse products' }).click()
      const dialog = app.getByRole('dialog', { name: 'Browse products' })
      for (const { title } of [mug, plate]) await dialog.getByRole('checkbox', { name: title }).check()
      await dialog.getByRole('button', { name: 'Add 2 products' }).click()
    }
    await addBoth()
    await app.getByText('1 product added').waitFor()
    await listed.getByText(plate.title, { exact: true }).waitFor()
    await number(mug.title).waitFor()
    await expectSoon(t, async () => (await newestCount()).itemCount, 2)
    await track([plate.variantId], true)
    // the dialog shows for a while what it has read
    await page.reload()
    await listed.waitFor()
    await page.route(isCount, (route) =>
      route.fulfill({ status: 422, json: { error: { code: 'refused', message: 'Refused.' } } }),
    )
    await addBoth()
    await app.getByText('Refused.').waitFor()
    await listed.getByText(plate.title, { exact: true }).waitFor()
    await page.unroute(isCount)
    await addBoth()
    await number(plate.title).waitFor()
    await listed.waitFor({ state: 'detached' })
    await expectSoon(t, async () => (await newestCount()).itemCount, 3)
  })
})
