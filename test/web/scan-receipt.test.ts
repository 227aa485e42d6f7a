import t, { type Test } from 'tap'
import type { ProductListItem } from '../../shared/schemas/products.ts'
import type { PurchaseOrder } from '../../shared/schemas/purchase-orders.ts'
import type { OrderReceipt, Receipt } from '../../shared/schemas/receipts.ts'
import {
  type Admin,
  domain,
  enterText,
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

type Line = { variantId: string; quantity: number }

async function makeShop(t: Test) {
  const admin = await startAdmin(t)
  await admin.install()
  const { products } = await openCounting(admin)
  const [mug, bowl, plate, jug] = products
  if (!mug || !bowl || !plate || !jug) throw new Error('The shop has four products')
  const { id: supplierId } = await admin.send<{ id: number }>('POST', '/suppliers', { name: 'Kiln' })
  await admin.send('POST', `/suppliers/${supplierId}/products`, {
    ...{ variantId: mug.variantId, supplierSku: 'K-MUG', packSize: 6, packBarcode: '5012345678900' },
  })
  const catalogue = await admin.get<ProductListItem[]>('/products')
  const makeOrder = async (lines: Line[]) => {
    const lineItems = lines.map(({ variantId, quantity }) => {
      const product = catalogue.find(({ variants }) => variants[0]?.variantId === variantId)
      const { title, productId, variants: [variant] = [] } = product ?? {}
      return { productId, variantId, title, sku: variant?.sku, quantity, costPrice: 2 }
    })
    const { id } = await admin.send<{ id: number }>('POST', '/purchase-orders', { supplierId, lineItems })
    await admin.send('POST', `/purchase-orders/${id}/send`)
    return admin.get<PurchaseOrder>(`/purchase-orders/${id}`)
  }
  return { ...admin, products: { mug, bowl, plate, jug }, makeOrder }
}

/** The newest draft of an order. */
async function draftOf({ get }: Pick<Admin, 'get'>, id: number): Promise<OrderReceipt | undefined> {
  const [newest] = await get<Receipt[]>(`/purchase-orders/${id}/receipts?state=draft`)
  return newest && get<OrderReceipt>(`/purchase-orders/${id}/receipts/${newest.id}`)
}

const acceptedOf = (draft: OrderReceipt | undefined) => draft?.lines.map(({ accepted }) => accepted)

async function openScanning({ open }: Pick<Admin, 'open'>, id: number) {
  const tab = await open('/suppliers')
  await tab.page.setViewportSize({ width: 360, height: 740 })
  await tab.page.goto(tab.page.url().replace(/(\/apps\/[^/]+).*/, `$1/purchase-orders/${id}/scan`))
  await untilScannable(tab)
  return tab
}

t.test('300 scans on a phone count once each, in their order', async (t) => {
  const shop = await makeShop(t)
  const { mug, bowl, plate } = shop.products
  const order = await shop.makeOrder([
    { variantId: mug.variantId, quantity: 200 },
    { variantId: bowl.variantId, quantity: 200 },
    { variantId: plate.variantId, quantity: 200 },
  ])
  // an irregular sequence: the sums of its beginnings differ from those of any other order of the scans
  const sequence = Array.from({ length: 300 }, (_, at) => (at * at + Math.floor(at / 7)) % 3)
  const sumsOf = (length: number) =>
    [0, 1, 2].map((line) => sequence.slice(0, length).filter((scanned) => scanned === line).length)
  const codes = [mug.barcode, bowl.barcode, plate.barcode]
  const tab = await openScanning(shop, order.id)
  const { page, app } = tab
  page.on('dialog', (dialog) => void dialog.accept())
  const requests: { key: string | undefined; sums: number[] }[] = []
  page.on('request', (request) => {
    if (request.method() !== 'PUT' || !isDraft.test(request.url())) return
    const { lines }: { lines: { lineItemId: number; accepted: number }[] } = JSON.parse(
      request.postData() ?? '',
    )
    const sums = order.lineItems.map(
      ({ id }) => lines.find(({ lineItemId }) => lineItemId === id)?.accepted ?? 0,
    )
    requests.push({ key: request.headers()['idempotency-key'], sums })
  })
  let next = 0
  const scanNext = async (times: number) => {
    for (const line of sequence.slice(next, next + times)) {
      await enterText(page, codes[line] ?? '')
      await page.keyboard.press('Enter')
    }
    next += times
  }
  const isStored = (scans: number) =>
    until(
      async () => String(acceptedOf(await draftOf(shop, order.id))) === String(sumsOf(scans)),
      `${scans} scans are stored`,
    )
  const isShown = (scans: number) => app.getByText(`${scans} of 600 pieces`).waitFor()

  await t.test('without a network', async (t) => {
    await scanNext(60)
    await isStored(60)
    const failed: string[] = []
    page.on('requestfailed', (request) => failed.push(request.url()))
    // two minutes of the page's clock, with the timers of the queue
    await page.clock.install()
    const now = async () => Number(await page.frames()[1]?.evaluate('Date.now()'))
    await page.context().setOffline(true)
    const offlineAt = await now()
    for (let scanned = 0; scanned < 60; scanned += 1) {
      await scanNext(1)
      await page.clock.fastForward(2_000)
    }
    t.ok((await now()) - offlineAt >= 120_000, 'two minutes have passed for the page')
    await isShown(120)
    await app.getByText('Not saved, retrying').waitFor()
    await expectSoon(t, async () => failed.length > 5, true, 'the page has retried')
    await expectSoon(t, () => findViolations(tab), [], 'axe finds nothing')
    await page.context().setOffline(false)
    await isStored(120)
    await app.getByText('Saved', { exact: true }).waitFor()
  })

  await t.test('a reload before the scans are sent', async (t) => {
    await page.route('**/api/**', (route) =>
      route.request().method() === 'GET' ? route.continue() : route.abort(),
    )
    await scanNext(30)
    await isShown(150)
    await page.reload()
    await untilScannable(tab)
    await isShown(150)
    await scanNext(30)
    await isShown(180)
    t.strictSame(acceptedOf(await draftOf(shop, order.id)), sumsOf(120), 'nothing was sent')
    await page.unroute('**/api/**')
    await isStored(180)
  })

  await t.test('a reload while the answer of a request is lost', async (t) => {
    const isLost = Promise.withResolvers<void>()
    await page.route(isDraft, async (route) => {
      if (route.request().method() !== 'PUT') return route.continue()
      if (requests.at(-1)?.sums.reduce((sum, pieces) => sum + pieces) === 180) return route.continue()
      await route.fetch() // the request arrives, its answer does not
      await route.abort()
      isLost.resolve()
    })
    await scanNext(30)
    await isLost.promise
    const sent = requests.length
    await page.reload()
    await untilScannable(tab)
    await isShown(210)
    await scanNext(10)
    await isShown(220)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await isStored(220)
    t.strictSame(requests[sent], requests[sent - 1], 'the same request is sent again, with its key')
  })

  await t.test('an expired session', async (t) => {
    let expired = 0
    await page.route('**/session-token', async (route) => {
      expired += 1
      await route.fulfill({ json: { token: await shop.platform.mintSessionToken(domain, -120) } })
    })
    await scanNext(40)
    await app.getByText('Your session has expired').waitFor()
    await isShown(260)
    await expectSoon(t, () => findViolations(tab), [], 'axe finds nothing')
    // the page also tries by itself, and the button is gone when that succeeds
    const before = expired
    await app.getByRole('button', { name: 'Try again' }).click()
    await until(() => expired > before, 'the button tries again')
    // a request that is being answered now may fail: the page repeats it
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await isStored(260)
    await app.getByText('Your session has expired').waitFor({ state: 'detached' })
  })

  await scanNext(40)
  await isStored(300)
  await isShown(300)
  for (const { sums } of requests) {
    const length = sums.reduce((sum, pieces) => sum + pieces)
    t.strictSame(sums, sumsOf(length), `a request has the first ${length} scans, each once`)
  }
  const drafts = await shop.get<Receipt[]>(`/purchase-orders/${order.id}/receipts?state=draft`)
  t.equal(drafts.length, 1, 'one draft')

  await t.test('a second tab waits, so that no scan is sent twice', async () => {
    const opened = page.waitForEvent('popup')
    await page.evaluate('window.open(location.href)')
    const other = await opened
    const otherApp = other.frameLocator('iframe.app')
    await otherApp.getByText('This page is open in another tab').waitFor()
    await page.goto('about:blank')
    await otherApp.getByText('300 of 600 pieces').waitFor()
    await other.close()
  })
})

t.test('each scan has its own answer, and the receipt is posted', async (t) => {
  const shop = await makeShop(t)
  const { mug, bowl, plate, jug } = shop.products
  const other = await shop.makeOrder([{ variantId: jug.variantId, quantity: 5 }])
  const order = await shop.makeOrder([
    { variantId: mug.variantId, quantity: 14 },
    { variantId: bowl.variantId, quantity: 20 },
  ])
  await shop.send('PUT', '/settings', { overReceiptPercent: 10 })
  const tab = await openScanning(shop, order.id)
  const { page, app } = tab
  const bar = app.getByRole('region', { name: 'Scanning' })
  const status = bar.getByRole('status')
  const tone = (expected: string) => expectSoon(t, () => bar.getAttribute('data-tone'), expected)
  const sounds = await listenToSounds(tab)

  await page
    .frames()[1]
    ?.evaluate('navigator.vibrate = (pattern) => vibrations.push(pattern), vibrations = []')

  await t.test('a piece, and a pack', async (t) => {
    await scan(tab, mug.barcode)
    await expectSoon(t, () => status.innerText(), `${mug.title}: 1: 13 left`)
    await tone('right')
    await scan(tab, '5012345678900')
    await expectSoon(t, () => status.innerText(), `${mug.title}: 7: 7 left`)
    await scan(tab, '05012345678900')
    await expectSoon(t, () => status.innerText(), `${mug.title}: 13: 1 left`)
    await bar.getByRole('button', { name: 'Undo 6 pieces' }).click()
    await bar.getByText('7 of 34 pieces').waitFor()
    await scan(tab, 'k-mug')
    await expectSoon(t, () => status.innerText(), `${mug.title}: 8: 6 left`)
    await expectSoon(t, sounds, ['880 1320', '880 1320', '880 1320', '880 1320'])
  })

  await t.test('a complete line: the tolerance counts, more is asked', async (t) => {
    await scan(tab, '5012345678900')
    await expectSoon(t, () => status.innerText(), `${mug.title}: 14: Complete`)
    await tone('right')
    await scan(tab, mug.barcode)
    await expectSoon(t, () => status.innerText(), `${mug.title}: 15: 1 more than expected`)
    await tone('over')
    await scan(tab, '5012345678900')
    await bar.getByText('Complete: not counted', { exact: true }).waitFor()
    await tone('over')
    await expectSoon(t, () => findViolations(tab), [], 'axe finds nothing')
    await app.getByText('7 more than expected, with 6 pieces').first().waitFor()
    await app.getByRole('button', { name: 'Count 6 pieces' }).click()
    await expectSoon(t, () => status.innerText(), `${mug.title}: 21: 7 more than expected`)
    await bar.getByRole('button', { name: 'Undo 6 pieces' }).click()
    await bar.getByText('15 of 34 pieces').waitFor()
  })

  await t.test('a wrong code, and one of another open order', async (t) => {
    await scan(tab, '4012345678901')
    await bar.getByText('4012345678901 is not counted', { exact: true }).last().waitFor()
    await tone('wrong')
    await scan(tab, plate.barcode)
    await app.getByRole('row', { name: plate.barcode }).getByText('No open order expects').waitFor()
    await scan(tab, jug.barcode, 2)
    await bar.getByText(`On ${other.poNumber} instead`, { exact: true }).last().waitFor()
    await tone('wrong')
    await app.getByRole('row', { name: jug.barcode }).getByText(`is on ${other.poNumber} instead`).waitFor()
    t.match(
      await page.frames()[1]?.evaluate('vibrations'),
      [[40], [40], [40], [40], [40], [60, 60, 60], [60, 60, 60], [60, 60, 60], [350]],
      'right, more than expected and wrong differ on the skin, too',
    )
    await expectSoon(t, () => findViolations(tab), [], 'axe finds nothing')
    const scroll = async () => page.frames()[1]?.evaluate('document.documentElement.scrollWidth')
    await expectSoon(t, scroll, 360, 'nothing overflows at 360 px')
    for (const code of ['4012345678901', plate.barcode]) {
      await app.getByRole('button', { name: `Remove ${code}` }).click()
    }
  })

  await t.test('a code that the device does not know is kept without a network', async () => {
    await page.context().setOffline(true)
    await scan(tab, '4012345678902')
    await bar.getByText('4012345678902 is kept for later', { exact: true }).last().waitFor()
    await scan(tab, bowl.barcode, 3)
    await page.context().setOffline(false)
    await app.getByRole('row', { name: '4012345678902' }).getByText('No product has this code').waitFor()
    await app.getByRole('button', { name: 'Remove 4012345678902' }).click()
    await bar.getByText('18 of 34 pieces').waitFor()
  })

  await t.test('broken pieces are rejected with a reason', async (t) => {
    await app.getByRole('button', { name: `Edit ${bowl.title}` }).click()
    const dialog = app.getByRole('dialog')
    await dialog.getByLabel('Accepted').fill('2')
    await dialog.getByLabel('Rejected').fill('97802013')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('This looks like a barcode').waitFor()
    await dialog.getByLabel('Rejected').fill('1')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Enter a reason.').first().waitFor()
    await expectSoon(t, () => findViolations(tab), [], 'axe finds nothing')
    await dialog.getByLabel('Reason').fill('Chipped')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await app.getByText('1 rejected: Chipped').waitFor()
    await app.getByText('Saved', { exact: true }).waitFor()
    await until(async () => (await draftOf(shop, order.id))?.lines[1]?.rejected === 1, 'the draft is stored')
    t.match(await draftOf(shop, order.id), {
      lines: [
        { accepted: 15, rejected: 0 },
        { accepted: 2, rejected: 1, rejectReason: 'Chipped', rejectOutcome: 'replace' },
      ],
    })
  })

  await t.test('the review shows what was counted, and posts it', async (t) => {
    // a colleague posts goods of the same order meanwhile
    await shop.send('POST', `/purchase-orders/${order.id}/receive`, {
      lineItems: [{ lineItemId: order.lineItems[0]?.id, quantityReceived: 10 }],
    })
    await app.getByRole('button', { name: 'Review' }).first().click()
    await app.getByRole('heading', { name: `Review receipt of ${order.poNumber}` }).waitFor()
    await app.getByText('1 code is not in this receipt.').waitFor()
    await app.getByRole('link', { name: 'Back to scanning' }).click()
    await app.getByRole('heading', { name: `Scan ${order.poNumber}` }).waitFor()
    await app.getByRole('button', { name: 'Review' }).first().click()
    await app.getByText('1 code is not in this receipt.').waitFor()
    await expectSoon(t, () => findViolations(tab), [], 'axe finds nothing')
    await app.getByLabel('Delivery note').fill('DN-7')
    // another device of this person has scanned a bowl since
    const now = await draftOf(shop, order.id)
    const lines = (accepted: number) => [
      { lineItemId: order.lineItems[0]?.id, accepted: 15 },
      {
        ...{ lineItemId: order.lineItems[1]?.id, accepted, rejected: 1 },
        ...{ rejectReason: 'Chipped', rejectOutcome: 'replace' },
      },
    ]
    await shop.send('PUT', `/purchase-orders/${order.id}/receipts/${now?.id}`, { lines: lines(3) })
    await app.getByRole('button', { name: 'Receive 17 pieces' }).first().click()
    await app.getByText('Check the numbers again').waitFor()
    await app.getByRole('button', { name: 'Receive 18 pieces' }).first().waitFor()
    await expectSoon(t, () => app.getByLabel('Delivery note').inputValue(), 'DN-7')
    await shop.send('PUT', `/purchase-orders/${order.id}/receipts/${now?.id}`, { lines: lines(2) })
    await app.getByRole('button', { name: 'Receive 18 pieces' }).first().click()
    await app.getByRole('button', { name: 'Receive 17 pieces' }).first().waitFor()
    await app.getByRole('button', { name: 'Show them' }).click()
    await app.getByRole('button', { name: 'Review' }).first().click()
    await expectSoon(t, () => app.getByLabel('Delivery note').inputValue(), 'DN-7', 'it stays while scanning')
    await app.getByRole('button', { name: 'Receive 17 pieces' }).first().click()
    await app.getByRole('dialog').getByText(`${mug.title}: 15 accepted, 4 outstanding`).waitFor()
    await expectSoon(t, () => findViolations(tab), [], 'axe finds nothing')
    await app.getByRole('dialog').getByRole('button', { name: 'Receive 17' }).click()
    await app.getByRole('heading', { name: order.poNumber, level: 1, exact: true }).waitFor()
    t.match(await shop.get(`/purchase-orders/${order.id}`), {
      status: 'partial',
      lineItems: [{ receivedQuantity: 25 }, { receivedQuantity: 2, rejectedQuantity: 1 }],
    })
    const receipts = await shop.get<Receipt[]>(`/purchase-orders/${order.id}/receipts`)
    t.strictSame(receipts.map(({ deliveryNote }) => deliveryNote).sort(), ['', 'DN-7'])
    const kept = async () =>
      page.frames()[1]?.evaluate(`Object.keys(localStorage).filter((key) => key.includes('receipt'))`)
    await expectSoon(t, kept, [], 'the device keeps nothing of a posted receipt')
  })
})
