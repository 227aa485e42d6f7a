import { readFile } from 'node:fs/promises'
import t from 'tap'
import type { ProductListItem } from '../../../shared/schemas/products.ts'
import { expectSoon, startAdmin, type Tab } from '../../support/core/admin.ts'
import { findViolations } from '../../support/core/axe.ts'
import { visit } from '../../support/web/page-tour.ts'

const listed = (...numbers: number[]) => numbers.map((number) => `PO-0000${number}`)
const selectAll = 'Select all loaded rows of Purchase orders'

const numbersIn = ({ app }: Pick<Tab, 'app'>) =>
  app.locator('tbody tr[data-row] td:first-child a').allTextContents()

// All lists are one component; `test/web/node/list-data.test.ts` and `pages.test.ts` prove what each list gives to it.
t.test('a merchant finds, arranges and changes orders in the list', async (t) => {
  const { install, open, get, send } = await startAdmin(t)
  await install()
  const [product] = await get<ProductListItem[]>('/products')
  const supplier = async (name: string, email: string) =>
    (await send<{ id: number }>('POST', '/suppliers', { name, email })).id
  const order = (supplierId: number, quantity: number, fields: object = {}) => {
    const variantId = product?.variants[0]?.variantId
    const lineItems = [{ productId: product?.productId, variantId, quantity, costPrice: 2 }]
    const input = { supplierId, lineItems: quantity > 0 ? lineItems : [], ...fields }
    return send<{ id: number; poNumber: string }>('POST', '/purchase-orders', input)
  }
  const north = await supplier('Northgate', 'a@b.example')
  const ash = await supplier('Ash & Co', 'orders@ash.example')
  const first = await order(north, 5)
  const late = await order(ash, 9, { expectedAt: '2026-01-05T12:00:00Z' })
  await order(north, 1, { expectedAt: '2027-01-05T12:00:00Z' })
  await order(ash, 7)
  const empty = await order(north, 0)
  await send('POST', `/purchase-orders/${late.id}/send`)
  await send('PUT', `/purchase-orders/${first.id}`, { invoiceNumber: 'INV-7', paymentDueOn: '2026-01-31' })
  const tab = await open('/purchase-orders')
  const { app, page } = tab
  const table = app.getByRole('table', { name: 'Purchase orders' })
  const numbers = () => numbersIn(tab)
  const inFrame = async <T>(script: string) => page.frames()[1]?.evaluate<T>(script)
  const param = async (name: string) =>
    new URL((await inFrame<string>('location.href')) ?? 'http://x').searchParams.get(name)
  const focused = () => inFrame('document.activeElement?.textContent')
  const focusedLabel = () => inFrame('document.activeElement?.getAttribute("aria-label")')
  const head = (name: string) => table.getByRole('columnheader', { name })
  const menuItem = (name: string) => app.getByRole('menuitem', { name })
  const button = (name: string | RegExp) =>
    app.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
  const link = (name: string) => app.getByRole('link', { name, exact: true })
  const box = (name: string) => app.getByRole('checkbox', { name, exact: true })

  await t.test('the head of a column sorts, and says how', async (t) => {
    await expectSoon(t, numbers, listed(5, 4, 3, 2, 1))
    await app.getByText('5 of 5').waitFor()
    await table.getByRole('row', { name: 'PO-00001' }).getByText('0 of 5', { exact: true }).waitFor()
    for (const [name, direction, sort, expected] of [
      ['Supplier', 'ascending', 'supplier', listed(4, 2, 5, 3, 1)],
      ['Supplier', 'descending', '-supplier', listed(5, 3, 1, 4, 2)],
      ['Total', 'descending', '-total', listed(2, 4, 1, 3, 5)],
    ] as const) {
      await head(name).getByRole('button').click()
      await expectSoon(t, numbers, expected)
      await expectSoon(t, () => head(name).getAttribute('aria-sort'), direction)
      await expectSoon(t, () => param('sort'), sort)
    }
    await page.goBack()
    await expectSoon(t, numbers, listed(5, 3, 1, 4, 2), 'Back leads to the sort before')
    await button('Sort: Supplier, Z to A').click()
    await menuItem('Expected, earliest first').click()
    await expectSoon(t, numbers, listed(2, 3, 1, 4, 5), 'without a date last')
  })

  await t.test('each filter has a chip that removes it', async (t) => {
    for (const [name, expected] of [
      ['To receive', listed(2)],
      ['Overdue', listed(2)],
      ['All', listed(2, 3, 1, 4, 5)],
    ] as const) {
      await link(name).click()
      await expectSoon(t, numbers, expected)
    }
    await button('More filters').click()
    await app.getByRole('textbox', { name: 'Expected from' }).fill('2026-06-01')
    await expectSoon(t, numbers, listed(3))
    // day and month are the same number, so that their order does not matter
    const until = app.getByRole('textbox', { name: 'Expected until' })
    const days = async () => [await param('expectedFrom'), await param('expectedTo')]
    await until.pressSequentially('06062025')
    await expectSoon(t, days, ['2026-06-01', '2025-06-06'], 'a typed day keeps the other one')
    await app.getByText('Choose a day that is not before the first.').waitFor()
    await expectSoon(t, async () => (await numbers()).length, 5, 'two days in reverse do not filter')
    await until.fill('')
    await expectSoon(t, days, ['2026-06-01', null])
    await app.getByRole('combobox', { name: 'Payment' }).click()
    await app.getByRole('option', { name: 'Overdue' }).click()
    await app.getByText('No matching orders').waitFor()
    // the filters stay open
    await app.getByRole('textbox', { name: 'Expected from' }).press('Escape')
    await app.getByRole('searchbox', { name: 'Search orders' }).pressSequentially('northgate')
    await expectSoon(t, () => param('search'), 'northgate')
    await page.goBack()
    const filters = async () => [await param('search'), await param('payment')]
    await expectSoon(t, filters, [null, 'overdue'], 'all letters of a search are one step')
    await page.goForward()
    const chips = app.getByRole('list', { name: 'Active filters' }).getByRole('button')
    const chipNames = () =>
      chips.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent))
    const from = 'Remove filter Expected from: 1 Jun 2026'
    const others = ['Remove filter Payment: Overdue', 'Remove filter Search: northgate']
    await expectSoon(t, chipNames, [...others, from, 'Clear all'])
    await expectSoon(t, () => findViolations(tab), [])
    await button(from).click()
    await expectSoon(t, numbers, listed(1))
    await expectSoon(t, focused, 'Clear all', 'the focus stays in the chips')
    await button('Clear all').click()
    await expectSoon(t, async () => (await numbers()).length, 5)
    await expectSoon(t, () => chips.count(), 0)
    await expectSoon(t, () => app.getByRole('searchbox', { name: 'Search orders' }).inputValue(), '')
  })

  await t.test('a saved view keeps filters, sort and columns for the shop', async (t) => {
    await button('Columns').click()
    await box('Payment due').check()
    await box('Created').uncheck()
    await page.keyboard.press('Escape')
    await table.getByRole('row', { name: 'PO-00001' }).getByText('31 Jan 2026').waitFor()
    await link('Draft').click()
    await button(/^Sort/).click()
    await menuItem('Total, highest first').click()
    await expectSoon(t, numbers, listed(4, 1, 3, 5))
    await button('Views').click()
    await menuItem('Save this view').click()
    await button('Save view').click()
    await app.getByText('Enter a name.').waitFor()
    await app.getByRole('textbox', { name: 'Name' }).fill('Big drafts')
    await page.keyboard.press('Enter')
    await button('View: Big drafts').waitFor()
    // another device has neither the address nor the chosen columns
    const other = await open('/purchase-orders')
    await other.app.getByRole('button', { name: 'Views' }).click()
    await other.app.getByRole('menuitem', { name: 'Big drafts' }).click()
    await expectSoon(t, () => numbersIn(other), listed(4, 1, 3, 5))
    await other.page.reload()
    await other.app.getByRole('button', { name: 'View: Big drafts' }).waitFor()
    await expectSoon(t, () => numbersIn(other), listed(4, 1, 3, 5), 'after a reload')
    const heads = await other.app.getByRole('columnheader').allTextContents()
    const hasHead = (name: string) => heads.some((text) => text.startsWith(name))
    t.strictSame([hasHead('Payment due'), hasHead('Created')], [true, false], 'with its columns')
    await other.page.close()
    await button('View: Big drafts').click()
    await menuItem('Delete Big drafts').click()
    await button('Delete view').click()
    await button('Views').waitFor()
    t.strictSame(await get('/list-views?list=purchase-orders'), [])
    await button('Columns').click()
    await button('Reset columns').click()
    await page.keyboard.press('Escape')
  })

  await t.test('the keyboard moves, selects and opens', async (t) => {
    await visit(tab, '/purchase-orders')
    await expectSoon(t, numbers, listed(5, 4, 3, 2, 1))
    await link('PO-00005').focus()
    for (const key of ['ArrowDown', 'x', 'ArrowDown', 'ArrowDown', 'x', 'ArrowUp'])
      await page.keyboard.press(key)
    await expectSoon(t, focused, 'PO-00003')
    await app.getByText('2 selected').waitFor()
    await expectSoon(t, () => box(selectAll).evaluate((all) => (all as HTMLInputElement).indeterminate), true)
    await page.keyboard.press('Enter')
    await app.getByRole('heading', { name: 'PO-00003', level: 1 }).waitFor()
    await page.goBack()
    await expectSoon(t, numbers, listed(5, 4, 3, 2, 1))
  })

  await t.test('selected orders are exported and deleted, and each refusal says why', async (t) => {
    await box(selectAll).check()
    await app.getByText('5 selected').waitFor()
    await expectSoon(t, () => findViolations(tab), [])
    await box('Select PO-00003').uncheck()
    await app.getByText('4 selected').waitFor()
    const [file] = await Promise.all([page.waitForEvent('download'), button('Export CSV').click()])
    const csv = await readFile(await file.path(), 'utf8')
    t.match(csv, /PO-00005/)
    t.notMatch(csv, /PO-00003/)
    await button('Send').click()
    await button('Send orders').click()
    const failed = app.getByRole('dialog', { name: '2 orders could not be changed' })
    await failed.getByText(`${empty.poNumber}: An order needs at least one line`).waitFor()
    await failed.getByText(`${late.poNumber}: This order was already sent`).waitFor()
    await page.keyboard.press('Escape')
    await app.getByText('2 selected').waitFor()
    await button('Clear selection').click()
    await expectSoon(t, focusedLabel, selectAll)
    await box(`Select ${empty.poNumber}`).check()
    await button('Delete').click()
    await button('Delete orders').click()
    await expectSoon(t, numbers, listed(4, 3, 2, 1))
    await app.getByText('4 of 4').waitFor()
    t.match(await get(`/purchase-orders/${first.id}`), { status: 'sent' })
  })
})
