import t from 'tap'
import { sql } from '../../shared/db/db.ts'
import type { ProductListItem } from '../../shared/schemas/products.ts'
import type { OrderReceipt, Receipt } from '../../shared/schemas/receipts.ts'
import { expectSoon, openCounting, scan, startAdmin, untilScannable } from '../support/core/admin.ts'
import { findViolations } from '../support/core/axe.ts'
import { until } from '../support/core/until.ts'

t.test('the costs, bins and location of an order are seen while scanning', async (t) => {
  const admin = await startAdmin(t)
  await admin.install()
  const { get, send } = admin
  const { products } = await openCounting(admin)
  const [mug, bowl] = products
  if (!mug || !bowl) throw new Error('The shop has two products')
  const locations = await get<{ locationId: string; name: string; isPrimary: boolean }[]>('/locations')
  const primary = locations.find(({ isPrimary }) => isPrimary)
  const other = locations.find(({ isPrimary }) => !isPrimary)
  if (!primary || !other) throw new Error('The shop has two locations')
  await send('PUT', '/bins', {
    bins: [{ variantId: bowl.variantId, locationId: primary.locationId, bin: 'A7' }],
  })
  const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', { name: 'Kiln' })
  const catalogue = await get<ProductListItem[]>('/products')
  const makeOrder = async (destinationLocationId: string) => {
    const lineItems = [mug, bowl].map(({ variantId, title, sku }) => {
      const product = catalogue.find(({ variants }) => variants[0]?.variantId === variantId)
      const { productId } = product ?? {}
      return { productId, variantId, title, sku, quantity: 10, costPrice: 2, discountPercent: 10 }
    })
    const body = { supplierId, lineItems, destinationLocationId }
    const { id } = await send<{ id: number }>('POST', '/purchase-orders', body)
    await send('POST', `/purchase-orders/${id}/send`)
    return id
  }
  const draftOf = async (id: number) => {
    const [newest] = await get<Receipt[]>(`/purchase-orders/${id}/receipts?state=draft`)
    return newest && get<OrderReceipt>(`/purchase-orders/${id}/receipts/${newest.id}`)
  }
  const openScanning = async (id: number) => {
    const tab = await admin.open(`/purchase-orders/${id}/scan`)
    await tab.page.setViewportSize({ width: 360, height: 740 })
    await untilScannable(tab)
    return tab
  }

  await t.test('the cost that was paid is corrected where the goods are', async (t) => {
    const id = await makeOrder(primary.locationId)
    const tab = await openScanning(id)
    const { app, page } = tab
    await app.getByRole('row', { name: bowl.title }).getByText('Bin A7').waitFor()
    await scan(tab, bowl.barcode, 2)
    await app.getByRole('button', { name: `Edit ${bowl.title}` }).click()
    const dialog = app.getByRole('dialog')
    const paid = dialog.getByLabel('Unit cost paid')
    await dialog.getByPlaceholder(/1\.80$/).waitFor()
    await paid.fill('12000000')
    await dialog.getByRole('button', { name: 'Cancel' }).focus()
    await expectSoon(t, () => dialog.getByText(/barcode/).count(), 0, 'a cost may be large')
    await paid.fill(mug.barcode)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('This looks like a barcode. Enter what one piece costs.').waitFor()
    await paid.fill('1.95')
    await dialog.getByLabel('Rejected').fill('1')
    await dialog.getByLabel('Reason').fill('Chipped')
    await expectSoon(t, () => findViolations(tab), [], 'axe finds nothing')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await app
      .getByRole('row', { name: bowl.title })
      .getByText(/1\.95 paid/)
      .waitFor()
    await scan(tab, bowl.barcode)
    await scan(tab, mug.barcode)
    await until(async () => (await draftOf(id))?.lines[0]?.accepted === 1, 'the draft is stored')
    t.match(await draftOf(id), {
      lines: [
        { accepted: 1, unitCost: null },
        { accepted: 3, rejected: 1, unitCost: 1.95 },
      ],
    })
    await page.reload()
    await app
      .getByRole('row', { name: bowl.title })
      .getByText(/1\.95 paid/)
      .waitFor()
    await app.getByRole('button', { name: 'Review' }).first().click()
    const reviewed = app.getByRole('row', { name: bowl.title })
    await reviewed.getByText(/1\.95 instead of .*1\.80/).waitFor()
    await reviewed.getByText('1 to be replaced: Chipped').waitFor()
    await expectSoon(t, () => findViolations(tab), [], 'axe finds nothing')
    const scroll = async () => page.frames()[1]?.evaluate('document.documentElement.scrollWidth')
    await expectSoon(t, scroll, 360, 'nothing overflows at 360 px')
    await app.getByRole('button', { name: 'Receive 4 pieces' }).first().click()
    await app.getByRole('heading', { name: /^PO-/, level: 1 }).waitFor()
    const [receipt] = await get<Receipt[]>(`/purchase-orders/${id}/receipts`)
    t.match(await get(`/purchase-orders/${id}/receipts/${receipt?.id}`), {
      lines: [{ unitCost: null }, { unitCost: 1.95, rejectOutcome: 'replace' }],
    })
    await page.close()
  })

  await t.test('a draft that another page deletes is not lost, and the page says so', async (t) => {
    const id = await makeOrder(primary.locationId)
    const tab = await openScanning(id)
    const { app, page } = tab
    await scan(tab, mug.barcode, 3)
    await until(async () => (await draftOf(id))?.lines[0]?.accepted === 3, 'the draft is stored')
    await send('DELETE', `/purchase-orders/${id}/receipts/${(await draftOf(id))?.id}`)
    await scan(tab, mug.barcode)
    await app.getByText('Your draft was deleted').waitFor()
    await expectSoon(t, () => findViolations(tab), [], 'axe finds nothing')
    await until(async () => (await draftOf(id))?.lines[0]?.accepted === 4, 'the new draft is stored')
    await app.getByRole('button', { name: 'OK' }).click()
    await app.getByText('Your draft was deleted').waitFor({ state: 'detached' })
    // an order that receives nothing has no scan field
    await send('POST', `/purchase-orders/${id}/cancel`)
    await page.reload()
    await app.getByText('This order is cancelled').waitFor()
    await app.getByRole('link', { name: 'Receive without an order' }).waitFor()
    await expectSoon(t, () => app.getByLabel('Scan or type').count(), 0)
    await expectSoon(t, () => findViolations(tab), [], 'axe finds nothing')
    await page.close()
  })

  await t.test('an order whose location is out of use asks where its goods arrive', async (t) => {
    const id = await makeOrder(other.locationId)
    await admin.db.query(sql.typeAlias('void')`
      update location set is_active = false where gid = ${other.locationId}
    `)
    const tab = await openScanning(id)
    const { app, page } = tab
    await scan(tab, mug.barcode, 2)
    const notice = app.getByRole('alert').filter({ hasText: 'Where do the goods arrive?' })
    await notice.waitFor()
    await expectSoon(t, () => findViolations(tab), [], 'axe finds nothing')
    await notice.getByRole('combobox', { name: 'Received at' }).click()
    await app.getByRole('option', { name: primary.name }).click()
    await notice.getByRole('button', { name: 'Receive here' }).click()
    await notice.waitFor({ state: 'detached' })
    const field = app.getByLabel('Scan or type')
    const hasFocus = () => field.evaluate((element) => element === document.activeElement)
    await expectSoon(t, hasFocus, true, 'the next scan goes into the field')
    await app.getByText('Saved', { exact: true }).waitFor()
    t.match(await draftOf(id), {
      locationId: primary.locationId,
      lines: [{ accepted: 2 }, { accepted: 0 }],
    })
    await page.close()
  })
})
