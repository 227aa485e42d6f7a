import t from 'tap'
import type { PurchaseOrder } from '../../shared/schemas/purchase-orders.ts'
import type { OrderReceipt, Receipt } from '../../shared/schemas/receipts.ts'
import {
  domain,
  expectSoon,
  listenToSounds,
  openCounting,
  scan,
  startAdmin,
  untilScannable,
} from '../support/core/admin.ts'
import { findViolations } from '../support/core/axe.ts'
import { until } from '../support/core/until.ts'

const isDraft = /\/api\/purchase-orders\/\d+\/receipts\/\d+$/

// what each scan does is in the tests of the queue: receipt-draft, transfer-draft, count-draft, scan-queue, scan-words
t.test('a phone with a scanner', async (t) => {
  const admin = await startAdmin(t)
  await admin.install()
  const { products } = await openCounting(admin)
  const [mug, bowl, plate] = products
  if (!mug || !bowl || !plate) throw new Error('The shop has three products')
  const { id: supplierId } = await admin.send<{ id: number }>('POST', '/suppliers', { name: 'Kiln' })
  const productIds = new Map(
    (await admin.get<{ productId: string; variants: { variantId: string }[] }[]>('/products')).map(
      ({ productId, variants: [variant] }) => [variant?.variantId, productId],
    ),
  )
  const lineItems = [mug, bowl, plate].map(({ variantId, title, sku }) => ({
    ...{ productId: productIds.get(variantId), variantId, title, sku },
    ...{ quantity: 20, costPrice: 2 },
  }))
  const { id } = await admin.send<PurchaseOrder>('POST', '/purchase-orders', { supplierId, lineItems })
  await admin.send('POST', `/purchase-orders/${id}/send`)
  const receipts = `/purchase-orders/${id}/receipts`
  const drafts = () => admin.get<Receipt[]>(`${receipts}?state=draft`)
  const isStored = (...pieces: number[]) =>
    until(async () => {
      const [newest] = await drafts()
      const draft = newest && (await admin.get<OrderReceipt>(`${receipts}/${newest.id}`))
      return String(draft?.lines.map(({ accepted }) => accepted)) === String(pieces)
    }, `${pieces} are stored`)

  const tab = await admin.open(`/purchase-orders/${id}/scan`)
  const { page, app } = tab
  await page.setViewportSize({ width: 360, height: 740 })
  let leaveWarnings = 0
  page.on('dialog', (dialog) => {
    leaveWarnings += 1
    void dialog.accept()
  })
  await untilScannable(tab)
  const bar = app.getByRole('region', { name: 'Scanning' })
  const isShown = (pieces: number) => bar.getByText(`${pieces} of 60 pieces`).waitFor()
  const tone = (expected: string) => expectSoon(t, () => bar.getAttribute('data-tone'), expected)

  await t.test(
    'right, more than expected and wrong differ by colour, text, sound and vibration',
    async (t) => {
      const sounds = await listenToSounds(tab)
      await page
        .frames()[1]
        ?.evaluate('navigator.vibrate = (pattern) => vibrations.push(pattern), vibrations = []')
      await scan(tab, mug.barcode)
      await expectSoon(t, () => bar.getByRole('status').innerText(), `${mug.title}: 1: 19 left`)
      await tone('right')
      await app.getByRole('button', { name: `Edit ${mug.title}` }).click()
      const dialog = app.getByRole('dialog')
      await dialog.getByLabel('Accepted').fill('20')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      await scan(tab, mug.barcode)
      await bar.getByText('Complete: not counted', { exact: true }).waitFor()
      await tone('over')
      await scan(tab, '4012345678901')
      await bar.getByText('4012345678901 is not counted', { exact: true }).last().waitFor()
      await tone('wrong')
      await expectSoon(t, sounds, ['880 1320', '660 660', '165'])
      const vibrations = async () => page.frames()[1]?.evaluate('vibrations')
      await expectSoon(t, vibrations, [[40], [60, 60, 60], [350]])
      await expectSoon(t, () => findViolations(tab), [], 'axe finds nothing')
      const scroll = async () => page.frames()[1]?.evaluate('document.documentElement.scrollWidth')
      await expectSoon(t, scroll, 360, 'nothing overflows at 360 px')
      for (const name of [`Remove ${mug.barcode}`, 'Remove 4012345678901']) {
        await app.getByRole('button', { name }).click()
      }
    },
  )

  await t.test('a scan without focus, or with a button focused, counts', async () => {
    await app.getByRole('heading', { level: 1 }).click()
    await scan(tab, bowl.barcode)
    await bar.getByRole('button', { name: 'Undo scan' }).focus()
    await scan(tab, plate.barcode)
    await isShown(22)
    await bar.getByRole('button', { name: 'Undo scan' }).click()
    await isShown(21)
    await isStored(20, 1, 0)
  })

  await t.test('scanning goes on without a network, and a code that is not known waits for it', async (t) => {
    await page.context().setOffline(true)
    await scan(tab, '4012345678902')
    await bar.getByText('4012345678902 is kept for later', { exact: true }).last().waitFor()
    await scan(tab, bowl.barcode, 5)
    await isShown(26)
    await app.getByText('Not saved, retrying').waitFor()
    await expectSoon(t, () => findViolations(tab), [], 'axe finds nothing')
    await page.context().setOffline(false)
    await app.getByRole('row', { name: '4012345678902' }).getByText('No product has this code').waitFor()
    await app.getByRole('button', { name: 'Remove 4012345678902' }).click()
    await isStored(20, 6, 0)
    await app.getByText('Saved', { exact: true }).waitFor()
  })

  await t.test('the scans survive a reload and a lost answer, and the sound stays off', async (t) => {
    await app.getByRole('button', { name: 'Sound of scans' }).click()
    const keys: (string | undefined)[] = []
    await page.route(isDraft, async (route) => {
      if (route.request().method() !== 'PUT') return route.continue()
      keys.push(route.request().headers()['idempotency-key'])
      await route.fetch() // the request arrives, its answer does not
      await route.abort()
    })
    await scan(tab, plate.barcode, 4)
    await until(() => keys.length > 0, 'the request is sent')
    await page.reload()
    t.equal(leaveWarnings, 1, 'the browser warns, too')
    await untilScannable(tab)
    await isShown(30)
    await app.getByRole('button', { name: 'Sound of scans', pressed: false }).waitFor()
    const silence = await listenToSounds(tab)
    await scan(tab, plate.barcode)
    await isShown(31)
    await page.unroute(isDraft)
    await isStored(20, 6, 5)
    await expectSoon(t, silence, [])
    await app.getByText('Saved', { exact: true }).waitFor()
    t.equal((await drafts()).length, 1, 'one draft')
  })

  await t.test('scans wait while the session is expired', async (t) => {
    let expired = 0
    await page.route('**/session-token', async (route) => {
      expired += 1
      await route.fulfill({ json: { token: await admin.platform.mintSessionToken(domain, -120) } })
    })
    await scan(tab, bowl.barcode, 4)
    await app.getByText('Your session has expired').waitFor()
    await isShown(35)
    await expectSoon(t, () => findViolations(tab), [], 'axe finds nothing')
    // the page also tries by itself, and the button is gone when that succeeds
    const before = expired
    await app.getByRole('button', { name: 'Try again' }).click()
    await until(() => expired > before, 'the button tries again')
    // a request that is being answered now may fail: the page repeats it
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await isStored(20, 10, 5)
    await app.getByText('Your session has expired').waitFor({ state: 'detached' })
  })

  await t.test('a second tab waits, so that no scan is sent twice', async () => {
    const opened = page.waitForEvent('popup')
    await page.evaluate('window.open(location.href)')
    const other = await opened
    const otherApp = other.frameLocator('iframe.app')
    await otherApp.getByText('This page is open in another tab').waitFor()
    await page.close()
    await otherApp.getByText('35 of 60 pieces').waitFor()
    await other.close()
  })
})
