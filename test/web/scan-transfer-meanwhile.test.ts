import t from 'tap'
import type { StockTransfer } from '../../shared/schemas/stock-transfers.ts'
import { expectSoon, openCounting, scan, startAdmin, untilScannable } from '../support/core/admin.ts'
import { findViolations } from '../support/core/axe.ts'

t.test('a transfer changes while it is scanned', async (t) => {
  const admin = await startAdmin(t)
  await admin.install()
  const { products } = await openCounting(admin)
  const [mug, bowl] = products
  if (!mug || !bowl) throw new Error('The shop has two products')
  const [source, destination] = await admin.get<{ locationId: string }[]>('/locations')
  const { id: supplierId } = await admin.send<{ id: number }>('POST', '/suppliers', { name: 'Kiln' })
  await admin.send('POST', `/suppliers/${supplierId}/products`, {
    ...{ variantId: bowl.variantId, supplierSku: 'K-BOWL', packSize: 5, packBarcode: '5012345678900' },
  })
  const makeTransfer = async () => {
    const { id } = await admin.send<{ id: number }>('POST', '/stock-transfers', {
      ...{ sourceLocationId: source?.locationId, destinationLocationId: destination?.locationId },
      items: [
        { variantId: mug.variantId, quantity: 2 },
        { variantId: bowl.variantId, quantity: 12 },
      ],
    })
    return id
  }
  const ship = (id: number) => admin.send('POST', `/stock-transfers/${id}/ship`, { allowNegative: true })
  const receive = (id: number, mugs: number, bowls: number) =>
    admin.send('POST', `/stock-transfers/${id}/receive`, {
      items: [
        { variantId: mug.variantId, received: mugs },
        { variantId: bowl.variantId, received: bowls },
      ],
    })
  const read = (id: number) => admin.get<StockTransfer>(`/stock-transfers/${id}`)
  const openPhone = async (path: string) => {
    const tab = await admin.open('/suppliers')
    await tab.page.setViewportSize({ width: 360, height: 740 })
    await tab.page.goto(tab.page.url().replace(/(\/apps\/[^/]+).*/, `$1${path}`))
    await untilScannable(tab)
    return { ...tab, bar: tab.app.getByRole('region', { name: 'Scanning' }) }
  }

  await t.test('the barcode of a pack counts its pieces, as long as they are left', async (t) => {
    const id = await makeTransfer()
    await ship(id)
    const tab = await openPhone(`/transfers/${id}/scan`)
    const { app, bar, page } = tab
    await scan(tab, '05012345678900', 2)
    await expectSoon(t, () => bar.getByRole('status').innerText(), `${bowl.title}: 10: 2 left`)
    await scan(tab, '5012345678900')
    await bar.getByText('More than is left: not counted', { exact: true }).waitFor()
    await app.getByText(`This pack has 5 pieces, but only 2 of ${bowl.title} are left.`).first().waitFor()
    await page.close()
  })

  await t.test(
    'what a colleague has received is shown and corrected, and the rest is received',
    async (t) => {
      const id = await makeTransfer()
      await ship(id)
      const tab = await openPhone(`/transfers/${id}/scan`)
      const { app, page } = tab
      await scan(tab, mug.barcode, 2)
      await scan(tab, '5012345678900', 2)
      await receive(id, 2, 4)
      const send = async (pieces: number) => {
        await app
          .getByRole('button', { name: `Receive ${pieces} pieces` })
          .first()
          .click()
        await app
          .getByRole('dialog')
          .getByRole('button', { name: `Receive ${pieces} pieces` })
          .click()
      }
      await send(12)
      await app.getByText('Your numbers are not saved').waitFor()
      const over = app.getByRole('list', { name: 'More than is left' })
      await over.getByText(`${mug.title}: 2 scanned, 0 in transit`).waitFor()
      await over.getByText(`${bowl.title}: 10 scanned, 8 in transit`).waitFor()
      await app.getByRole('row', { name: mug.title }).getByText('No longer in transit').waitFor()
      await expectSoon(t, () => findViolations(tab), [], 'axe finds nothing')
      const scroll = async () => page.frames()[1]?.evaluate('document.documentElement.scrollWidth')
      await expectSoon(t, scroll, 360, 'nothing overflows at 360 px')
      await page.reload()
      await untilScannable(tab)
      await app.getByRole('row', { name: mug.title }).getByText('No longer in transit').waitFor()
      await scan(tab, mug.barcode)
      await app.getByText(`${mug.title} is not in transit on this transfer.`).first().waitFor()
      await scan(tab, bowl.barcode)
      await app.getByText(`All pieces of ${bowl.title} are scanned.`).first().waitFor()
      await send(12)
      await over.getByRole('button', { name: `Remove ${mug.title}` }).click()
      await over.getByRole('button', { name: `Lower to 8 ${bowl.title}` }).click()
      await over.waitFor({ state: 'detached' })
      await app.getByRole('button', { name: 'Try again' }).click()
      await app.getByRole('heading', { name: `Transfer #${id}`, exact: true }).waitFor()
      t.match(await read(id), { status: 'completed', items: [{ received: 2 }, { received: 12 }] })
      await page.close()
    },
  )

  await t.test('when nothing is left, the scans are shown until the merchant discards them', async (t) => {
    const id = await makeTransfer()
    const tab = await openPhone(`/transfers/${id}/ship/scan`)
    const { app, page } = tab
    await scan(tab, mug.barcode)
    await ship(id)
    await page.reload()
    await app.getByRole('row', { name: mug.title }).getByText('No longer to ship').waitFor()
    await app.getByRole('button', { name: 'Ship 1 piece' }).first().click()
    await app.getByRole('dialog').getByRole('button', { name: 'Ship 1 piece' }).click()
    await app.getByText('All goods of this transfer were shipped.').waitFor()
    await app.getByRole('button', { name: 'Discard' }).click()
    await app.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await app.getByText('Nothing is left to ship').waitFor()
    t.match(await read(id), { status: 'in_transit', items: [{ shipped: 2 }, { shipped: 12 }] })
    await page.close()
  })

  await t.test('a transfer that was opened before opens without a network', async (t) => {
    const id = await makeTransfer()
    await ship(id)
    const tab = await openPhone(`/transfers/${id}/scan`)
    const { app, bar, page } = tab
    await app.getByRole('link', { name: `Back to transfer #${id}` }).click()
    await app.getByRole('heading', { name: `Transfer #${id}`, exact: true }).waitFor()
    await app.getByRole('link', { name: 'Receive', exact: true }).click()
    const start = app.getByRole('link', { name: 'Receive by scanning' })
    await start.waitFor()
    await page.context().setOffline(true)
    await start.click()
    await untilScannable(tab)
    await scan(tab, mug.barcode)
    await expectSoon(t, () => bar.getByRole('status').innerText(), `${mug.title}: 1: 1 left`)
    await page.context().setOffline(false)
    const others = [await makeTransfer(), await makeTransfer()]
    for (const other of others) {
      await ship(other)
      await page.goto(page.url().replace(/(\/apps\/[^/]+).*/, `$1/transfers/${other}/scan`))
      await app.getByText('0 of 14 pieces').waitFor()
    }
    const names = (await page.frames()[1]?.evaluate('Object.keys(localStorage)')) as string[]
    const kept = [id, ...others].map((one) => names.some((name) => name.includes(` ${one} snapshot `)))
    t.strictSame(kept, [true, false, true], 'kept are those with scans, and the last one')
    await page.close()
  })
})
