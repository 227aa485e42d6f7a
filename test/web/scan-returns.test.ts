import t from 'tap'
import type { SupplierReturn } from '../../shared/schemas/supplier-returns.ts'
import { expectSoon, openCounting, scan, startAdmin } from '../support/core/admin.ts'
import { findViolations } from '../support/core/axe.ts'

t.test('goods that go back to a supplier are scanned', async (t) => {
  const admin = await startAdmin(t)
  await admin.install()
  const { get, send, open } = admin
  const { products, location } = await openCounting(admin)
  const [mug, bowl] = products
  if (!mug || !bowl) throw new Error('The shop has two products')
  const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', { name: 'Kiln' })
  const box = '5012345678900'
  const pack = { variantId: bowl.variantId, packSize: 12, packBarcode: box }
  await send('POST', `/suppliers/${supplierId}/products`, pack)

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
    await scan(tab, box)
    await expectSoon(t, () => tab.app.getByLabel(`Quantity of ${bowl.title}`).inputValue(), '12')
    await tab.page.reload()
    await expectSoon(t, lines, ['3'])
    await tab.page.close()
  })

  await t.test('a scan of a return of a receipt counts up to what can go back', async (t) => {
    const { id: receiptId } = await send<{ id: number }>('POST', '/receipts', {
      ...{ supplierId, locationId: location.locationId },
      lines: [
        { variantId: mug.variantId, quantity: 2 },
        { variantId: bowl.variantId, quantity: 20 },
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
    await tab.app.getByText(`${bowl.title}: 1 of 20`).waitFor()
    // 1 + 12 = 13 of 20: a second box does not fit
    await scan(tab, box, 2)
    await tab.app.getByText(`this pack has 12 pieces, but only 7 of ${bowl.title} can go back.`).waitFor()
    await expectSoon(t, () => of(bowl.title), '13')
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
    t.strictSame(
      lines.map((line) => line.quantity).sort((a, b) => a - b),
      [2, 13],
    )
    await tab.page.close()
  })
})
