import t from 'tap'
import type { ReorderRule } from '../../shared/schemas/reorder-rules.ts'
import type { StockTransfer } from '../../shared/schemas/stock-transfers.ts'
import { expectSoon, openCounting, scan, startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'
import { merchantAt } from '../support/web/merchant.ts'
import { visit } from '../support/web/page-tour.ts'

/** The limits are what each flow took before, of a tester with the same task. */
t.test('no task of the stock room takes more clicks and keys than before', async (t) => {
  const admin = await startAdmin(t)
  const { shop, install, get, send, open } = admin
  for (let number = 7; number <= 10; number += 1)
    shop.addProduct({ title: `Jug ${number}`, variants: [{ sku: `JUG-${number}`, tracked: true }] })
  await install()
  await send('POST', '/suppliers', { name: 'Northgate Ceramics' })
  const tab = await open('/')
  const { app } = tab
  const merchant = merchantAt(tab)
  const { link, hostLink, button, field, option, combobox, click, type, press, spentAtMost } = merchant
  const heading = (name: string) => app.getByRole('heading', { name, level: 1, exact: true }).waitFor()
  const dialog = app.getByRole('dialog')
  const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true })
  const { products, location } = await openCounting(admin)
  const tracked = products.filter(({ stock }) => stock > 0)
  const jugs = [7, 8, 9, 10].map((number) => `JUG-${number}`)
  const [first, second] = tracked
  if (!first || !second) throw new Error('The shop has too few products')

  await t.test('the merchant adjusts the stock of a product, then sets it', async (t) => {
    const stock = (variantId: string) => shop.stockOf(variantId, location.locationId)
    const { title, variantId, sku } = tracked[3] ?? first
    const before = stock(variantId) ?? 0
    await click(hostLink('Stock'))
    await heading('Stock')
    await click(field(/^Search/))
    await type(sku)
    const adjust = button(`Adjust ${title} at ${location.name}`)
    await click(adjust)
    await dialog.getByLabel('Quantity to add').and(app.locator(':focus')).waitFor()
    await type('5')
    await click(inDialog('Found'))
    await click(inDialog('Save'))
    await until(async () => stock(variantId) === before + 5, 'the platform has it')
    spentAtMost(t, 7, 12)
    await click(adjust, dialog.getByText('Set to', { exact: true }), dialog.getByLabel(/quantity/i))
    await type('9')
    await press('Enter')
    await until(async () => stock(variantId) === 9, 'the platform has it')
    await dialog.waitFor({ state: 'detached' })
    spentAtMost(t, 3, 2)
  })

  await t.test('a transfer is created, corrected, shipped and completed', async (t) => {
    const [from, to] = await get<{ name: string }[]>('/locations')
    await visit(tab, '/transfers')
    await heading('Transfers')
    await click(link('Create a transfer'))
    await heading('Create a transfer')
    await click(combobox('From'), option(from?.name ?? ''))
    await click(combobox('To'), option(to?.name ?? ''), field('Add a product'))
    for (const { sku, title } of [first, second]) {
      await type(sku)
      await press('Enter')
      await field(`Quantity of ${title}`).waitFor()
    }
    await press('Control+s')
    await heading('Transfer #1')
    await click(link('Edit'), field(`Quantity of ${first.title}`))
    await press('Control+a')
    await type('3')
    await press('Control+s')
    await heading('Transfer #1')
    await click(button('Ship'), inDialog('Ship'))
    await click(button('More'), app.getByRole('menuitem', { name: 'Complete: all has arrived' }))
    await click(inDialog('Complete'))
    await app.getByText(/^Completed .* by user/).waitFor()
    t.match(await get<StockTransfer>('/stock-transfers/1'), {
      status: 'completed',
      items: [{ quantity: 3 }, { quantity: 1 }],
    })
    spentAtMost(t, 16, 29)
  })

  await t.test('a count of sixty scans', async (t) => {
    await visit(tab, '/counts')
    await heading('Counts')
    await click(link('Start a count'))
    await heading('Start a count')
    await click(combobox('Location'), option(location.name), button('Start counting'))
    await field(/^Scan or type/)
      .and(app.locator(':focus'))
      .waitFor()
    const counted = tracked.slice(0, 4)
    for (const { barcode } of counted) await scan(tab, barcode, 15)
    for (const { title } of counted)
      await expectSoon(t, () => field(`Counted quantity of ${title}`).inputValue(), '15', title)
    await app.getByText('Saved', { exact: true }).waitFor()
    await click(button('Review'), button('Submit'), inDialog('Submit'))
    await until(async () => shop.stockOf(first.variantId, location.locationId) === 15, 'the platform has it')
    await dialog.waitFor({ state: 'detached' })
    spentAtMost(t, 8, 0)
  })

  await t.test(
    'the merchant creates a rule, imports seven rules, and creates drafts of low products',
    async (t) => {
      const rules = () => get<ReorderRule[]>('/reorder/rules')
      await visit(tab, '/reorder/rules')
      await heading('Reorder rules')
      await click(link('Create a rule'))
      await heading('Create a rule')
      await click(field('Product'))
      await type(first.sku)
      await press('Enter')
      await app.getByRole('status').getByText(first.title).waitFor()
      await click(field(/^Reorder point/))
      await type('50', '24')
      await press('Control+s')
      await until(async () => (await rules()).length === 1, 'the rule is created')
      spentAtMost(t, 7, 18)
      const skus = [...tracked.slice(1, 4).map(({ sku }) => sku), ...jugs]
      const lines = skus.map((sku) => `${sku},9000,20,Northgate Ceramics`)
      await click(link('Import'))
      await heading('Import rules')
      await merchant.chooseFile(['sku,reorderPoint,reorderQuantity,supplier', ...lines].join('\n'))
      await click(button('Import'))
      await until(async () => (await rules()).length === 8, 'the rules are imported')
      await heading('Reorder rules')
      spentAtMost(t, 4, 0)
      await visit(tab, '/reorder')
      await heading('Reorder')
      await click(field('All from Northgate Ceramics'), button('Create draft orders'))
      await app.getByRole('region', { name: '1 draft order created' }).waitFor()
      spentAtMost(t, 2, 0)
    },
  )
})
