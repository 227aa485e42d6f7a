import t from 'tap'
import type { StockTransfer } from '../../shared/schemas/stock-transfers.ts'
import {
  expectSoon,
  openCounting,
  scan,
  startAdmin,
  type Tab,
  untilScannable,
} from '../support/core/admin.ts'
import { findViolations } from '../support/core/axe.ts'
import { until } from '../support/core/until.ts'

// what each scan does, lost answers and what a colleague does meanwhile: transfer-draft.test.ts
t.test('a transfer is shipped and received by scanning', async (t) => {
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
  // the source has 3 of the 4 mugs
  await admin.send('PUT', '/stock-levels/bulk', {
    adjustments: [
      { variantId: mug.variantId, locationId: source?.locationId, quantity: 3 },
      { variantId: bowl.variantId, locationId: source?.locationId, quantity: 10 },
    ],
  })
  await admin.send('PUT', '/bins', {
    bins: [source, destination].flatMap((place) => [
      { variantId: mug.variantId, locationId: place?.locationId, bin: 'A10' },
      { variantId: bowl.variantId, locationId: place?.locationId, bin: 'A2' },
    ]),
  })
  const transfer = () => admin.get<StockTransfer>(`/stock-transfers/${id}`)
  /** The products of a page are in the order of their bins. */
  const inBins = async (t: Tap, { app }: Tab) => {
    await app.getByText('Bin A2').waitFor()
    const titles = async () => {
      const rows = await app.getByRole('row').allInnerTexts()
      const at = ({ title }: { title: string }) => rows.findIndex((row) => row.includes(title))
      return [mug, bowl].toSorted((a, b) => at(a) - at(b)).map(({ title }) => title)
    }
    await expectSoon(t, titles, [bowl.title, mug.title])
  }
  const tab = await admin.open(`/transfers/${id}/ship`)
  const { page, app } = tab
  const bar = app.getByRole('region', { name: 'Scanning' })
  const button = (name: string) => app.getByRole('button', { name }).first()
  const confirm = (name: string) => app.getByRole('dialog').getByRole('button', { name }).click()
  const fitsPhone = async (t: Tap) => {
    await expectSoon(t, () => findViolations(tab), [], 'axe finds nothing')
    const scroll = async () => page.frames()[1]?.evaluate('document.documentElement.scrollWidth')
    await expectSoon(t, scroll, 360, 'nothing overflows at 360 px')
  }

  await t.test('what is picked is scanned and shipped, in the order of the bins', async (t) => {
    await inBins(t, tab)
    await page.setViewportSize({ width: 360, height: 740 })
    await app.getByRole('link', { name: 'Ship by scanning' }).click()
    await untilScannable(tab)
    await inBins(t, tab)
    await scan(tab, mug.barcode, 4)
    await expectSoon(t, () => bar.getByRole('status').innerText(), `${mug.title}: 4: Complete`)
    await scan(tab, plate.barcode)
    await app.getByText(`${plate.title} is not left to ship on this transfer.`).first().waitFor()
    await fitsPhone(t)
    await button(`Edit ${mug.title}`).click()
    const fields = app.getByRole('dialog').getByRole('textbox')
    await expectSoon(t, () => fields.count(), 1, 'nothing is damaged before it leaves')
    await confirm('Cancel')
    await button('Ship 4 pieces').click()
    await app.getByRole('dialog').getByText('3 pieces stay to be shipped.').waitFor()
    await confirm('Ship 4 pieces')
    await app.getByText(/^Not enough stock at /).waitFor()
    t.match(await transfer(), { status: 'pending' })
    await button('Ship anyway').click()
    await app.getByRole('heading', { name: `Transfer #${id}`, exact: true }).waitFor()
    t.match(await transfer(), { status: 'in_transit', items: [{ shipped: 4 }, { shipped: 0 }] })
  })

  await t.test('a transfer that was opened before is received without a network', async (t) => {
    await admin.send('POST', `/stock-transfers/${id}/ship`)
    await page.reload()
    await app.getByRole('link', { name: 'Receive', exact: true }).click()
    await inBins(t, tab)
    const start = app.getByRole('link', { name: 'Receive by scanning' })
    await start.click()
    await untilScannable(tab)
    await inBins(t, tab)
    await app.getByRole('link', { name: `Back to transfer #${id}` }).click()
    await app.getByRole('link', { name: 'Receive', exact: true }).click()
    await start.waitFor()
    await page.context().setOffline(true)
    await start.click()
    await untilScannable(tab)
    await scan(tab, mug.barcode, 3)
    await scan(tab, bowl.sku, 4)
    await bar.getByText('Complete: not counted', { exact: true }).waitFor()
    await app.getByText(`All pieces of ${bowl.title} are scanned.`).first().waitFor()
    await page.context().setOffline(false)
    await fitsPhone(t)
    const holds = async () => {
      const outer = await bar.boundingBox()
      const inner = await bar.getByRole('button', { name: 'Sound of scans' }).boundingBox()
      return outer && inner && inner.x + inner.width <= outer.x + outer.width - 12
    }
    await expectSoon(t, holds, true, 'the bar holds its buttons')
    await button(`Edit ${bowl.title}`).click()
    await app.getByRole('dialog').getByLabel('Received').fill('2')
    await app.getByRole('dialog').getByLabel('Damaged').fill('1')
    await confirm('Save')
    t.match(await transfer(), { status: 'in_transit', items: [{ received: 0 }, { received: 0 }] })
  })

  await t.test('what a colleague has received is lowered, and a lost answer repeats nothing', async (t) => {
    await admin.send('POST', `/stock-transfers/${id}/receive`, {
      items: [{ variantId: mug.variantId, received: 2 }],
    })
    await button('Receive 5 pieces').click()
    await app.getByRole('dialog').getByText('1 piece stays in transit.').waitFor()
    await expectSoon(t, () => findViolations(tab), [], 'axe finds nothing')
    await confirm('Receive 5 pieces')
    await app.getByText('Your numbers are not saved').waitFor()
    const over = app.getByRole('list', { name: 'More than is left' })
    await over.getByText(`${mug.title}: 3 scanned, 2 in transit`).waitFor()
    await fitsPhone(t)
    await over.getByRole('button', { name: `Lower to 2 ${mug.title}` }).click()
    await over.waitFor({ state: 'detached' })
    const isReceive = /\/api\/stock-transfers\/\d+\/receive$/
    let requests = 0
    await page.route(isReceive, async (route) => {
      requests += 1
      if (requests === 1) await route.fetch() // the request arrives, its answer does not
      await route.abort()
    })
    await button('Try again').click()
    await until(() => requests > 0, 'the request is sent')
    await page.reload()
    await app.getByText('Not saved, retrying').waitFor()
    await page.unroute(isReceive)
    await app.getByRole('heading', { name: `Transfer #${id}`, exact: true }).waitFor()
    t.match(await transfer(), {
      status: 'completed',
      items: [
        { received: 4, damaged: 0 },
        { received: 2, damaged: 1 },
      ],
    })
    const done = await admin.open(`/transfers/${id}/ship/scan`)
    await done.app.getByText('Nothing is left to ship').waitFor()
  })
})

type Tap = Parameters<typeof expectSoon>[0]
