import t from 'tap'
import type { PurchaseOrder } from '../../shared/schemas/purchase-orders.ts'
import { expectSoon, openCounting, startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'
import { merchantAt } from '../support/web/merchant.ts'
import { visit } from '../support/web/page-tour.ts'

type Supplier = { name: string; contacts: { name: string }[] }

/** The limits are what each flow took before, of a tester with the same task; the order of ten lines took 13 clicks. */
t.test('no task of buying takes more clicks and keys than before', async (t) => {
  const admin = await startAdmin(t)
  const { shop, install, get, open } = admin
  for (let number = 7; number <= 12; number += 1)
    shop.addProduct({ title: `Jug ${number}`, variants: [{ sku: `JUG-${number}`, tracked: true }] })
  await install()
  const tab = await open('/')
  const { app } = tab
  const { link, button, field, option, combobox, click, type, press, paste, spentAtMost } = merchantAt(tab)
  const heading = (name: string) => app.getByRole('heading', { name, level: 1, exact: true }).waitFor()
  const dialog = app.getByRole('dialog')
  const inDialog = (name: string | RegExp) =>
    dialog.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
  const order = () => get<PurchaseOrder>('/purchase-orders/1')
  const { products } = await openCounting(admin)
  const tracked = products.filter(({ stock }) => stock > 0)
  const [first, second] = tracked
  if (!first || !second) throw new Error('The shop has too few products')

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
    await visit(tab, '/suppliers')
    await heading('Suppliers')
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
    await visit(tab, '/purchase-orders')
    await heading('Purchase orders')
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
    const jugs = [7, 8, 9, 10].map((number) => `JUG-${number}`)
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
})
