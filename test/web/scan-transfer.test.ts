import t from 'tap'
import type { StockTransfer } from '../../shared/schemas/stock-transfers.ts'
import { expectSoon, openCounting, scan, startAdmin } from '../support/core/admin.ts'
import { findViolations } from '../support/core/axe.ts'

t.test('a transfer is received by scanning, once', { timeout: 300_000 }, async (t) => {
  const admin = await startAdmin(t)
  await admin.install()
  const { products } = await openCounting(admin)
  const [mug, bowl, plate] = products
  if (!mug || !bowl || !plate) throw new Error('The shop has three products')
  const [source, destination] = await admin.get<{ locationId: string }[]>('/locations')
  const { id } = await admin.send<{ id: number }>('POST', '/stock-transfers', {
    ...{ sourceLocationId: source?.locationId, destinationLocationId: destination?.locationId },
    items: [
      { variantId: mug.variantId, quantity: 4 },
      { variantId: bowl.variantId, quantity: 3 },
    ],
  })
  await admin.send('POST', `/stock-transfers/${id}/ship`, {})
  const transfer = () => admin.get<StockTransfer>(`/stock-transfers/${id}`)
  const tab = await admin.open('/suppliers')
  const { page, app } = tab
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(page.url().replace(/(\/apps\/[^/]+).*/, `$1/transfers/${id}/receive`))
  await app.getByRole('link', { name: 'Receive by scanning' }).click()
  const bar = app.getByRole('region', { name: 'Scanning' })
  const status = bar.getByRole('status')
  const tone = (expected: string) => expectSoon(t, () => bar.getAttribute('data-tone'), expected)
  await app.getByLabel('Scan or type').waitFor()

  await t.test('each scan has its answer, also without a network', async (t) => {
    await page.context().setOffline(true)
    await scan(tab, mug.barcode, 3)
    await expectSoon(t, () => status.innerText(), `${mug.title}: 3: 1 left`)
    await tone('right')
    await scan(tab, bowl.sku, 3)
    await expectSoon(t, () => status.innerText(), `${bowl.title}: 3: Complete`)
    await scan(tab, bowl.barcode)
    await bar.getByText('Complete: not counted', { exact: true }).waitFor()
    await tone('over')
    await app.getByText(`All pieces of ${bowl.title} are scanned.`).first().waitFor()
    await page.context().setOffline(false)
    await scan(tab, plate.barcode)
    await app.getByText(`${plate.title} is not in transit on this transfer.`).first().waitFor()
    await tone('wrong')
    t.strictSame(await findViolations(tab), [])
    const scroll: unknown = await page.frames()[1]?.evaluate('document.documentElement.scrollWidth')
    t.equal(scroll, 360, 'nothing overflows at 360 px')
    const outer = await bar.boundingBox()
    const inner = await bar.getByRole('button', { name: 'Sound of scans' }).boundingBox()
    t.ok(outer && inner && inner.x + inner.width <= outer.x + outer.width - 12, 'the bar holds its buttons')
  })

  await t.test('the scans survive a reload, and a lost answer repeats nothing', async (t) => {
    await page.reload()
    await bar.getByText('6 of 7 pieces').waitFor()
    await app.getByRole('button', { name: `Edit ${bowl.title}` }).click()
    await app.getByRole('dialog').getByLabel('Received').fill('2')
    await app.getByRole('dialog').getByLabel('Damaged').fill('1')
    await app.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    t.match(await transfer(), { status: 'in_transit', items: [{ received: 0 }, { received: 0 }] })
    const keys: (string | undefined)[] = []
    const isReceive = /\/api\/stock-transfers\/\d+\/receive$/
    const isLost = Promise.withResolvers<void>()
    await page.route(isReceive, async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length === 1) await route.fetch() // the request arrives, its answer does not
      await route.abort()
      isLost.resolve()
    })
    await app.getByRole('button', { name: 'Receive 5 pieces' }).first().click()
    await app.getByRole('dialog').getByText('1 piece stays in transit.').waitFor()
    t.strictSame(await findViolations(tab), [])
    await app.getByRole('dialog').getByRole('button', { name: 'Receive 5 pieces' }).click()
    await isLost.promise
    await page.reload()
    await app.getByLabel('Scan or type').waitFor()
    await app.getByText('Not saved, retrying').waitFor()
    await page.unroute(isReceive)
    page.on('request', (request) => {
      if (isReceive.test(request.url())) keys.push(request.headers()['idempotency-key'])
    })
    await app.getByRole('heading', { name: `Transfer #${id}`, exact: true }).waitFor()
    t.equal(new Set(keys).size, 1, 'every request has the same key')
    t.match(await transfer(), {
      status: 'partial',
      items: [
        { received: 3, damaged: 0, inTransit: 1 },
        { received: 2, damaged: 1, inTransit: 0 },
      ],
    })
  })
})
