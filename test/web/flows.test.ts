import type { Locator } from 'playwright-core'
import t, { type Test } from 'tap'
import type { PurchaseOrder } from '../../shared/schemas/purchase-orders.ts'
import type { ReorderRule } from '../../shared/schemas/reorder-rules.ts'
import type { StockTransfer } from '../../shared/schemas/stock-transfers.ts'
import { enterText, expectSoon, openCounting, scan, startAdmin, type Tab } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'

type Supplier = { name: string; contacts: { name: string }[] }

/** Clicks and types as a merchant, and counts both; a paste is one key, a choice of a file is one click. */
function merchantAt({ page, app }: Tab) {
  const spent = { clicks: 0, keys: 0 }
  const of = (role: Parameters<typeof app.getByRole>[0]) => (name: string | RegExp) =>
    app.getByRole(role, typeof name === 'string' ? { name, exact: true } : { name }).first()
  return {
    link: of('link'),
    /** A page in the navigation of the shop admin. */
    hostLink: (name: string) =>
      page.getByRole('navigation', { name: 'Quartermaster' }).getByRole('link', { name, exact: true }),
    button: of('button'),
    field: (label: string | RegExp) =>
      app.getByLabel(label, typeof label === 'string' ? { exact: true } : {}).first(),
    option: of('option'),
    combobox: of('combobox'),
    click: async (...targets: Locator[]) => {
      for (const target of targets) {
        spent.clicks += 1
        await target.click()
      }
    },
    chooseFile: async (content: string) => {
      spent.clicks += 1
      const file = { name: 'rules.csv', mimeType: 'text/csv', buffer: Buffer.from(content) }
      await app.locator('input[type=file]').setInputFiles(file)
    },
    type: async (...texts: string[]) => {
      for (const [at, text] of texts.entries()) {
        if (at > 0) await page.keyboard.press('Tab')
        await enterText(page, text)
        spent.keys += text.length + (at > 0 ? 1 : 0)
      }
    },
    press: async (...keys: string[]) => {
      for (const key of keys) {
        spent.keys += 1
        await page.keyboard.press(key)
      }
    },
    paste: async (text: string) => {
      spent.keys += 1
      await page.keyboard.insertText(text)
    },
    /** Asserts what was spent since the last time. */
    spentAtMost: (t: Test, clicks: number, keys: number) => {
      t.ok(spent.clicks <= clicks, `${spent.clicks} clicks, at most ${clicks}`)
      t.ok(spent.keys <= keys, `${spent.keys} keys, at most ${keys}`)
      Object.assign(spent, { clicks: 0, keys: 0 })
    },
  }
}

/** The limits are what each flow took before, of a tester with the same task; the order of ten lines took 13 clicks. */
t.test('no task takes more clicks and keys than before', async (t) => {
  const admin = await startAdmin(t)
  const { shop, install, get, open } = admin
  for (let number = 7; number <= 12; number += 1)
    shop.addProduct({ title: `Jug ${number}`, variants: [{ sku: `JUG-${number}`, tracked: true }] })
  await install()
  const tab = await open('/')
  const { app, page } = tab
  const merchant = merchantAt(tab)
  const { link, hostLink, button, field, option, combobox, click, type, press, paste, spentAtMost } = merchant
  const heading = (name: string | RegExp) => app.getByRole('heading', { name, level: 1 }).waitFor()
  const dialog = app.getByRole('dialog')
  const inDialog = (name: string | RegExp) =>
    dialog.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
  const order = () => get<PurchaseOrder>('/purchase-orders/1')
  const { products, location } = await openCounting(admin)
  const tracked = products.filter(({ stock }) => stock > 0)
  const jugs = Array.from({ length: 4 }, (_, at) => `JUG-${at + 7}`)

  await t.test('company settings', async (t) => {
    await click(button('Add your company details'), link('Go to settings'))
    await heading('Settings')
    await click(field('Address'))
    await type(
      '1 High Street\nYork YO1 7HH\nUnited Kingdom',
      '+44 1904 555000',
      'buying@kestrel-and-vine.example.com',
    )
    await press('Control+s')
    await app.getByText('Settings saved').waitFor()
    t.match(await get('/settings'), { address: '1 High Street\nYork YO1 7HH\nUnited Kingdom' })
    spentAtMost(t, 3, 113)
  })

  await t.test('the merchant adds a supplier and its contact', async (t) => {
    await page.goto(`${admin.adminUrl}/suppliers`)
    await click(link('Create a supplier'))
    await heading('Create a supplier')
    await click(field(/^Name/))
    await type('Northgate Ceramics', '', 'orders@northgate-ceramics.example.com', '+44 117 496 0142')
    await press('Control+s')
    await heading('Northgate Ceramics')
    spentAtMost(t, 2, 136)
    await click(button('Add a contact'))
    await dialog.getByLabel('Name').and(app.locator(':focus')).waitFor()
    await type('Ada Potter', 'Sales', 'ada@northgate-ceramics.example.com')
    await press('Enter')
    await app.getByText('Ada Potter').waitFor()
    spentAtMost(t, 1, 65)
    t.match(await get<Supplier>('/suppliers/1'), {
      name: 'Northgate Ceramics',
      contacts: [{ name: 'Ada Potter' }],
    })
  })

  await t.test('an order of ten lines: three by SKU, seven pasted with three mistakes', async (t) => {
    await page.goto(`${admin.adminUrl}/purchase-orders`)
    await click(link('Create an order'))
    // the list has a field of this name, too
    await heading('Create an order')
    await click(combobox('Supplier'))
    await type('north')
    await option('Northgate Ceramics').waitFor()
    await press('ArrowDown', 'Enter')
    await click(field('Add a product'))
    for (const [at, { sku, title }] of tracked.slice(0, 3).entries()) {
      await type(sku)
      await press('Enter')
      await field(`Quantity of ${title}`).waitFor()
      await expectSoon(t, () => app.getByLabel(/^Quantity of/).count(), at + 1)
    }
    const rows = [...jugs, ...tracked.slice(3).map(({ sku }) => sku)]
      .slice(0, 7)
      .map((sku) => `${sku}\t12\t3.5`)
    const wrong = rows
      .with(1, 'JGU-8\t12\t3.5')
      .with(3, 'JUG-10\tmany\t3.5')
      .with(5, rows[5]?.replace('12', '1.5') ?? '')
    await click(button('Paste lines'))
    await dialog.getByLabel('Rows').and(app.locator(':focus')).waitFor()
    await paste(wrong.join('\n'))
    await click(inDialog('Add lines'))
    await dialog.getByText('4 lines added.').waitFor()
    await dialog.getByLabel('Rows').and(app.locator(':focus')).waitFor()
    await press('Control+a')
    await paste([1, 3, 5].map((at) => rows[at]).join('\n'))
    await click(inDialog('Add lines'))
    await dialog.waitFor({ state: 'detached' })
    for (const { title } of tracked.slice(0, 3)) {
      // Tab leads on from the first of them: quantity, cost, remove, the next product
      if (title === tracked[0]?.title) await click(field(`Quantity of ${title}`))
      else await press('Tab', 'Tab', 'Tab', 'Tab')
      await field(`Quantity of ${title}`).and(app.locator(':focus')).waitFor()
      await press('Control+a')
      await type('8', '2.25')
      await press('Shift+Tab')
      await field(`Quantity of ${title}`).and(app.locator(':focus')).waitFor()
      await expectSoon(t, () => field(`Unit cost of ${title}`).inputValue(), '2.25')
    }
    await press('Control+s')
    await heading('PO-00001')
    const { lineItems, unknownCosts } = await order()
    t.equal(unknownCosts, 0)
    t.strictSame(
      lineItems.map(({ quantity }) => quantity),
      [8, 8, 8, 12, 12, 12, 12, 12, 12, 12],
    )
    spentAtMost(t, 8, 98)
  })

  await t.test('sending it', async (t) => {
    await click(button('Send'), inDialog('Send'))
    await app.getByText('E-mailed', { exact: true }).waitFor()
    spentAtMost(t, 2, 0)
  })

  const [first, second] = tracked
  if (!first || !second) throw new Error('The shop has too few products')
  await t.test('receiving a part', async (t) => {
    await click(link('Receive'), field(`Quantity received of ${first.title}`))
    await type('5')
    await click(button('Save receipt'))
    await app.getByText('Partly received').waitFor()
    t.match((await order()).lineItems, [{ receivedQuantity: 5 }])
    spentAtMost(t, 4, 27)
  })

  await t.test('receiving more than ordered', async (t) => {
    await click(link('Receive'), field(`Quantity received of ${second.title}`))
    await type('30')
    await click(button('Save receipt'), inDialog('Receive 30'))
    await until(async () => (await order()).lineItems[1]?.receivedQuantity === 30, 'it is received')
    spentAtMost(t, 4, 3)
  })

  await t.test('undoing a receipt', async (t) => {
    // the newest receipt moves the first one down as soon as the page has read it
    const undo = app.getByRole('button', { name: /^Undo the receipt/ })
    await expectSoon(t, () => undo.count(), 2)
    await click(button(/^Undo the receipt .* number 1$/), inDialog('Undo receipt'))
    await until(async () => (await order()).lineItems[0]?.receivedQuantity === 0, 'it is undone')
    spentAtMost(t, 2, 0)
  })

  await t.test('closing it short', async (t) => {
    await click(button('More'), app.getByRole('menuitem', { name: 'Close order' }), inDialog('Close order'))
    await until(async () => (await order()).isClosedShort, 'it is closed')
    spentAtMost(t, 3, 0)
  })

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
    spentAtMost(t, 3, 2)
  })

  await t.test('a transfer is created, corrected, shipped and completed', async (t) => {
    const [from, to] = await get<{ name: string }[]>('/locations')
    await page.goto(`${admin.adminUrl}/transfers`)
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
    await page.goto(`${admin.adminUrl}/counts`)
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
    spentAtMost(t, 8, 0)
  })

  await t.test(
    'the merchant creates a rule, imports seven rules, and creates drafts of low products',
    async (t) => {
      const rules = () => get<ReorderRule[]>('/reorder/rules')
      await page.goto(`${admin.adminUrl}/reorder/rules`)
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
      spentAtMost(t, 4, 0)
      await page.goto(`${admin.adminUrl}/reorder`)
      await click(field('All from Northgate Ceramics'), button('Create draft orders'))
      await app.getByRole('region', { name: '1 draft order created' }).waitFor()
      spentAtMost(t, 2, 0)
    },
  )
})
