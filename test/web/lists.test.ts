import { readFile } from 'node:fs/promises'
import t from 'tap'
import type { ProductListItem } from '../../shared/schemas/products.ts'
import type { PurchaseOrder } from '../../shared/schemas/purchase-orders.ts'
import { expectSoon, startAdmin } from '../support/core/admin.ts'
import { findViolations } from '../support/core/axe.ts'
import { deadline } from '../support/core/machine.ts'

const orderCount = 120

t.test('a merchant keeps the place in a long list', async (t) => {
  const { install, open, get, send } = await startAdmin(t)
  await install()
  const [product] = await get<ProductListItem[]>('/products')
  const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', { name: 'Northgate' })
  const lineItems = [
    { productId: product?.productId, variantId: product?.variants[0]?.variantId, quantity: 1, costPrice: 2 },
  ]
  for (let at = 0; at < orderCount; at++) await send('POST', '/purchase-orders', { supplierId, lineItems })
  const { app, page } = await open(`/purchase-orders?supplierId=${supplierId}`)
  const rows = app.getByRole('table', { name: 'Purchase orders' }).locator('tbody tr')
  const inFrame = async <T>(script: string) => page.frames()[1]?.evaluate<T>(script)
  const scrollTop = () => inFrame<number>('Math.round(window.scrollY)')

  await t.test('the rows do not move while the list is painted', async (t) => {
    await expectSoon(t, () => rows.count(), 50)
    const shift = await inFrame<number>(`new Promise((resolve) => {
      let sum = 0
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) sum += entry.hadRecentInput ? 0 : entry.value
      }).observe({ type: 'layout-shift', buffered: true })
      setTimeout(() => resolve(sum), 500)
    })`)
    t.ok(Number(shift) <= 0.1, `the layout shifted by ${shift}`)
  })

  await t.test('more rows take the focus', async (t) => {
    await app.getByRole('button', { name: 'Load more' }).click()
    await expectSoon(t, () => rows.count(), 100)
    await expectSoon(t, () => inFrame('document.activeElement?.textContent'), 'PO-00070')
    await app.getByRole('button', { name: 'Load more' }).click()
    await expectSoon(t, () => rows.count(), orderCount)
    await expectSoon(t, () => inFrame('document.activeElement?.textContent'), 'PO-00020')
  })

  await t.test('the way back from an order leads to the place and the filter', async (t) => {
    for (const goBack of [
      () => page.goBack(),
      () => app.getByRole('link', { name: 'Back to Purchase orders' }).click(),
    ]) {
      const order = app.getByRole('link', { name: 'PO-00030', exact: true })
      await order.scrollIntoViewIfNeeded()
      const before = Number(await scrollTop())
      t.ok(before > 1_000, `scrolled to ${before}`)
      await order.click()
      await app.getByRole('heading', { name: 'PO-00030', level: 1 }).waitFor()
      await goBack()
      await expectSoon(t, () => rows.count(), orderCount)
      await expectSoon(t, scrollTop, before, 'the list is scrolled as before')
      const address = async () => page.url() + (await inFrame<string>('location.href'))
      await expectSoon(t, async () => (await address()).includes(`supplierId=${supplierId}`), true)
    }
  })

  await t.test('a table answers to its own width, not to the window', async (t) => {
    const list = await open('/reorder/rules')
    await send('POST', '/reorder/rules', {
      variantId: product?.variants[0]?.variantId,
      reorderPoint: 100_000,
      reorderQuantity: 5,
    })
    for (const [width, isCards] of [
      [780, true],
      [1024, true],
      [1280, false],
    ] as const) {
      await list.page.setViewportSize({ width, height: 800 })
      for (const [path, name] of [
        ['/reorder/rules', 'Rules'],
        ['/reorder', /./],
      ] as const) {
        await list.page.goto(list.page.url().replace(/\/reorder.*$/, path))
        const cell = list.app
          .getByRole('table', { name })
          .first()
          .locator('tbody tr:not([aria-hidden]) td')
          .first()
        await cell.waitFor()
        const layout = () =>
          cell.evaluate((td) => {
            const card = td.closest('section')
            return {
              isCards: getComputedStyle(td).display !== 'table-cell',
              hasWidth: td.getBoundingClientRect().width >= 200,
              isCutOff: card !== null && card.scrollWidth - card.clientWidth > 1,
            }
          })
        await expectSoon(t, layout, { isCards, hasWidth: true, isCutOff: false }, `${path} at ${width}`)
      }
    }
    await list.page.close()
  })
})

t.test('a merchant finds, arranges and changes orders in the list', async (t) => {
  const admin = await startAdmin(t)
  const { install, open, get, send } = admin
  await install()
  const [product] = await get<ProductListItem[]>('/products')
  const supplier = async (name: string, fields: object = {}) =>
    (await send<{ id: number }>('POST', '/suppliers', { name, email: 'a@b.example', ...fields })).id
  const order = async (supplierId: number, quantity: number, fields: object = {}) => {
    const lineItems = [
      { productId: product?.productId, variantId: product?.variants[0]?.variantId, quantity, costPrice: 2 },
    ]
    return send<{ id: number; poNumber: string }>('POST', '/purchase-orders', {
      supplierId,
      lineItems,
      ...fields,
    })
  }
  const north = await supplier('Northgate')
  const ash = await supplier('Ash & Co', { email: 'bounced@bros.example' })
  const first = await order(north, 5)
  const late = await order(ash, 9, { expectedAt: '2026-01-05T12:00:00Z' })
  await order(north, 1, { expectedAt: '2027-01-05T12:00:00Z' })
  await order(ash, 7)
  const empty = await send<{ id: number; poNumber: string }>('POST', '/purchase-orders', {
    supplierId: north,
    lineItems: [],
  })
  await send('POST', `/purchase-orders/${late.id}/send`)
  const tab = await open('/purchase-orders')
  const { app, page } = tab
  const table = app.getByRole('table', { name: 'Purchase orders' })
  const numbers = () => table.locator('tbody tr[data-row] td:first-child a').allTextContents()
  const inFrame = async <T>(script: string) => page.frames()[1]?.evaluate<T>(script)
  const address = async () => new URL((await inFrame<string>('location.href')) ?? 'http://x')
  const numbered = (...ns: number[]) => ns.map((n) => `PO-0000${n}`)
  const head = (name: string) => table.getByRole('columnheader', { name })
  const menuItem = (name: string | RegExp) => app.getByRole('menuitem', { name })

  await t.test('the head of a column sorts, and says how', async (t) => {
    await expectSoon(t, numbers, numbered(5, 4, 3, 2, 1))
    await app.getByText('5 of 5').waitFor()
    await table.getByRole('row', { name: 'PO-00001' }).getByText('0 of 5', { exact: true }).waitFor()
    await head('Supplier').getByRole('button').click()
    await expectSoon(t, numbers, numbered(4, 2, 5, 3, 1))
    await expectSoon(t, () => head('Supplier').getAttribute('aria-sort'), 'ascending')
    await head('Supplier').getByRole('button').click()
    await expectSoon(t, numbers, numbered(5, 3, 1, 4, 2))
    await expectSoon(t, () => head('Supplier').getAttribute('aria-sort'), 'descending')
    await expectSoon(t, async () => (await address()).searchParams.get('sort'), '-supplier')
    await head('Total').getByRole('button').click()
    await expectSoon(t, numbers, numbered(2, 4, 1, 3, 5))
    await page.goBack()
    await expectSoon(t, numbers, numbered(5, 3, 1, 4, 2), 'Back leads to the sort before')
    await app.getByRole('button', { name: 'Sort: Supplier, Z to A' }).click()
    await menuItem('Expected, earliest first').click()
    await expectSoon(t, numbers, numbered(2, 3, 1, 4, 5), 'without a date last')
  })

  await t.test('each filter has a chip that removes it', async (t) => {
    await app.getByRole('link', { name: 'To receive', exact: true }).click()
    await expectSoon(t, numbers, numbered(2))
    await app.getByRole('link', { name: 'Overdue', exact: true }).click()
    await expectSoon(t, numbers, numbered(2))
    await app.getByRole('link', { name: 'All', exact: true }).click()
    await app.getByRole('button', { name: 'More filters' }).click()
    await app.getByRole('textbox', { name: 'Expected from' }).fill('2026-06-01')
    await expectSoon(t, numbers, numbered(3))
    // day and month are the same number, so that their order does not matter
    const until = app.getByRole('textbox', { name: 'Expected until' })
    const days = async () => {
      const { searchParams } = await address()
      return [searchParams.get('expectedFrom'), searchParams.get('expectedTo')]
    }
    await until.pressSequentially('06062025')
    await expectSoon(t, days, ['2026-06-01', '2025-06-06'], 'a typed day keeps the other one')
    await app.getByText('Choose a day that is not before the first.').waitFor()
    await expectSoon(t, async () => (await numbers()).length, 5, 'two days in reverse do not filter')
    await until.blur()
    await until.pressSequentially('06062027')
    await expectSoon(t, days, ['2026-06-01', '2027-06-06'])
    await expectSoon(t, numbers, numbered(3))
    await until.fill('')
    await expectSoon(t, days, ['2026-06-01', null])
    await app.getByRole('textbox', { name: 'Expected from' }).press('Escape')
    await app.getByRole('searchbox', { name: 'Search orders' }).fill('northgate')
    const chips = app.getByRole('list', { name: 'Active filters' }).getByRole('button')
    await expectSoon(
      t,
      () => chips.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent)),
      ['Remove filter Search: northgate', 'Remove filter Expected from: 1 Jun 2026', 'Clear all'],
    )
    await expectSoon(t, () => findViolations(tab), [])
    await app.getByRole('button', { name: 'Remove filter Expected from: 1 Jun 2026' }).click()
    await expectSoon(t, async () => (await numbers()).sort(), numbered(1, 3, 5))
    await expectSoon(
      t,
      () => inFrame('document.activeElement?.textContent'),
      'Clear all',
      'the focus stays in the chips',
    )
    await app.getByRole('button', { name: 'Clear all' }).click()
    await expectSoon(t, async () => (await numbers()).length, 5)
    await expectSoon(t, () => chips.count(), 0)
    await expectSoon(t, () => app.getByRole('searchbox', { name: 'Search orders' }).inputValue(), '')
  })

  await t.test('More filters stays open while an option is chosen', async (t) => {
    await app.getByRole('button', { name: 'More filters' }).click()
    await app.getByRole('combobox', { name: 'Deliver to' }).click()
    await app.getByRole('option').first().click()
    await expectSoon(t, async () => (await address()).searchParams.has('locationId'), true)
    await app.getByRole('textbox', { name: 'Expected from' }).press('Escape')
    await app.getByRole('button', { name: /^Remove filter Deliver to: / }).click()
    await expectSoon(t, async () => (await numbers()).length, 5)
  })

  await t.test('orders are filtered by their payment', async (t) => {
    const { id } = await get<{ id: number }>('/purchase-orders/1')
    await send('PUT', `/purchase-orders/${id}`, { invoiceNumber: 'INV-7', paymentDueOn: '2026-01-31' })
    await app.getByRole('button', { name: 'More filters' }).click()
    await app.getByRole('combobox', { name: 'Payment' }).click()
    await app.getByRole('option', { name: 'Overdue' }).click()
    await expectSoon(t, async () => (await address()).searchParams.get('payment'), 'overdue')
    await expectSoon(t, numbers, numbered(1))
    await page.keyboard.press('Escape')
    await app.getByRole('button', { name: 'Columns' }).click()
    await app.getByRole('checkbox', { name: 'Payment due' }).check()
    await page.keyboard.press('Escape')
    await table.getByRole('row', { name: 'PO-00001' }).getByText('31 Jan 2026').waitFor()
    await app.getByRole('button', { name: 'Columns' }).click()
    await app.getByRole('checkbox', { name: 'Payment due' }).uncheck()
    await page.keyboard.press('Escape')
    await app.getByRole('button', { name: 'Remove filter Payment: Overdue' }).click()
    await expectSoon(t, async () => (await numbers()).length, 5)
  })

  await t.test('a saved view keeps filters, sort and columns for the shop', async (t) => {
    await app.getByRole('button', { name: 'Columns' }).click()
    await app.getByRole('checkbox', { name: 'Lines' }).check()
    await app.getByRole('checkbox', { name: 'Created' }).uncheck()
    await page.keyboard.press('Escape')
    await head('Lines').waitFor()
    await app.getByRole('link', { name: 'Draft', exact: true }).click()
    await app.getByRole('button', { name: /^Sort/ }).click()
    await menuItem('Total, highest first').click()
    await expectSoon(t, numbers, numbered(4, 1, 3, 5))
    await app.getByRole('button', { name: 'Views' }).click()
    await menuItem('Save this view').click()
    await app.getByRole('button', { name: 'Save view' }).click()
    await app.getByText('Enter a name.').waitFor()
    await app.getByRole('textbox', { name: 'Name' }).fill('Big drafts')
    await page.keyboard.press('Enter')
    await app.getByRole('button', { name: 'View: Big drafts' }).waitFor()
    // another device has neither the address nor the chosen columns
    const other = await (
      await page
        .context()
        .browser()
        ?.newContext({ viewport: { width: 1280, height: 900 } })
    )?.newPage()
    other?.setDefaultTimeout(deadline(45_000))
    await other?.goto(`${admin.adminUrl}/purchase-orders`)
    const elsewhere = other?.frameLocator('iframe.app')
    await elsewhere?.getByRole('button', { name: 'Views' }).click()
    await elsewhere?.getByRole('menuitem', { name: 'Big drafts' }).click()
    const names = elsewhere?.locator('tbody tr[data-row] td:first-child a')
    await expectSoon(t, async () => names?.allTextContents(), numbered(4, 1, 3, 5))
    await other?.reload()
    await elsewhere?.getByRole('button', { name: 'View: Big drafts' }).waitFor()
    await expectSoon(t, async () => names?.allTextContents(), numbered(4, 1, 3, 5), 'after a reload')
    const heads = await elsewhere?.getByRole('columnheader').allTextContents()
    t.ok(
      heads?.some((text) => text.startsWith('Lines')),
      'with its columns',
    )
    t.notOk(heads?.some((text) => text.startsWith('Created')))
    await other?.context().close()
    await app.getByRole('button', { name: 'View: Big drafts' }).click()
    await menuItem('Delete Big drafts').click()
    await app.getByRole('button', { name: 'Delete view' }).click()
    await app.getByRole('button', { name: 'Views' }).waitFor()
    t.strictSame(await get('/list-views?list=purchase-orders'), [])
    await app.getByRole('button', { name: 'Columns' }).click()
    await app.getByRole('button', { name: 'Reset columns' }).click()
    await page.keyboard.press('Escape')
  })

  await t.test('the keyboard moves, selects and opens', async (t) => {
    await app.getByRole('link', { name: 'All', exact: true }).click()
    await app.getByRole('button', { name: /^Sort/ }).click()
    await menuItem('Newest first').click()
    await expectSoon(t, numbers, numbered(5, 4, 3, 2, 1))
    const focused = () => inFrame('document.activeElement?.textContent')
    await app.getByRole('link', { name: 'PO-00005' }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('x')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('x')
    await page.keyboard.press('ArrowUp')
    await expectSoon(t, focused, 'PO-00003')
    await app.getByText('2 selected').waitFor()
    const all = app.getByRole('checkbox', { name: 'Select all loaded rows of Purchase orders' })
    await expectSoon(t, () => all.evaluate((box) => (box as HTMLInputElement).indeterminate), true)
    await page.keyboard.press('Enter')
    await app.getByRole('heading', { name: 'PO-00003', level: 1 }).waitFor()
    await page.goBack()
    await expectSoon(t, numbers, numbered(5, 4, 3, 2, 1))
  })

  await t.test('selected orders are exported and deleted, and each refusal says why', async (t) => {
    const all = app.getByRole('checkbox', { name: 'Select all loaded rows of Purchase orders' })
    await all.check()
    await app.getByText('5 selected').waitFor()
    await expectSoon(t, () => findViolations(tab), [])
    await app.getByRole('checkbox', { name: 'Select PO-00003' }).uncheck()
    await app.getByText('4 selected').waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      app.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    const csv = await readFile(await file.path(), 'utf8')
    t.match(csv, /PO-00005/)
    t.notMatch(csv, /PO-00003/)
    await app.getByRole('button', { name: 'Send', exact: true }).click()
    await app.getByRole('button', { name: 'Send orders' }).click()
    const failed = app.getByRole('dialog', { name: '2 orders could not be changed' })
    await failed.getByText(`${empty.poNumber}: An order needs at least one line`).waitFor()
    await failed.getByText(`${late.poNumber}: This order was already sent`).waitFor()
    await page.keyboard.press('Escape')
    await app.getByText('2 selected').waitFor()
    await app.getByRole('button', { name: 'Clear selection' }).click()
    await expectSoon(
      t,
      () => inFrame('document.activeElement?.getAttribute("aria-label")'),
      'Select all loaded rows of Purchase orders',
    )
    await app.getByRole('checkbox', { name: `Select ${empty.poNumber}` }).check()
    await app.getByRole('button', { name: 'Delete', exact: true }).click()
    await app.getByRole('button', { name: 'Delete orders' }).click()
    await expectSoon(t, numbers, numbered(4, 3, 2, 1))
    await app.getByText('4 of 4').waitFor()
    t.match(await get(`/purchase-orders/${first.id}`), { status: 'sent' })
  })

  await t.test('a dialog stays open when a reload takes the selected row away', async (t) => {
    const gone = await order(north, 1)
    await page.reload()
    await app.getByRole('checkbox', { name: `Select ${gone.poNumber}` }).check()
    await app.getByRole('button', { name: 'Delete', exact: true }).click()
    const dialog = app.getByRole('dialog', { name: 'Delete the selected orders?' })
    await dialog.waitFor()
    await send('POST', '/purchase-orders/bulk', { action: 'delete', ids: [gone.id] })
    await expectSoon(
      t,
      async () => {
        await inFrame("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
        return numbers()
      },
      numbered(4, 3, 2, 1),
    )
    await dialog.getByText('1 order: This permanently deletes').waitFor()
    await dialog.getByRole('button', { name: 'Keep as they are' }).click()
    await expectSoon(
      t,
      () => inFrame('document.activeElement?.getAttribute("aria-label")'),
      'Select all loaded rows of Purchase orders',
    )
  })

  await t.test('an order that did not reach its supplier says so in the list and on Home', async (t) => {
    await app.getByRole('link', { name: 'E-mail not delivered' }).click()
    const row = table.getByRole('row').filter({ hasText: late.poNumber })
    const emailStatus = async () => (await get<PurchaseOrder>(`/purchase-orders/${late.id}`)).emailStatus
    await expectSoon(t, emailStatus, 'failed')
    await page.reload()
    await row.getByText('Not delivered').waitFor()
    await row.getByText('Overdue').waitFor()
    const home = await open('/')
    const recent = home.app
      .getByRole('table', { name: 'Recent orders' })
      .getByRole('row')
      .filter({ hasText: late.poNumber })
    await recent.getByText('Not delivered').waitFor()
    await home.page.close()
  })

  await t.test(
    'at 360 px every part is reachable, and the head stays in sight on a wide screen',
    async (t) => {
      await page.goto(`${admin.adminUrl}/purchase-orders`)
      await expectSoon(t, numbers, numbered(4, 3, 2, 1))
      for (let at = 0; at < 40; at++) await order(north, 2)
      await page.reload()
      await expectSoon(t, async () => (await numbers()).length, 44)
      await inFrame('window.scrollTo(0, 900)')
      const top = () => head('Supplier').evaluate((th) => Math.round(th.getBoundingClientRect().top))
      await expectSoon(t, top, 52, 'the head is below the bar')
      await page.setViewportSize({ width: 360, height: 740 })
      await inFrame('window.scrollTo(0, 0)')
      const width = () => inFrame('document.documentElement.scrollWidth - window.innerWidth')
      await expectSoon(t, width, 0, 'nothing is cut off')
      await app.getByRole('button', { name: /^Sort/ }).click()
      await menuItem('Number, lowest first').click()
      await expectSoon(t, async () => (await numbers())[0], 'PO-00001')
      await app.getByRole('button', { name: 'Columns' }).click()
      await app.getByRole('checkbox', { name: 'Deliver to' }).check()
      await page.keyboard.press('Escape')
      await app.getByRole('button', { name: 'Views' }).click()
      await menuItem('Save this view').waitFor()
      await page.keyboard.press('Escape')
      await app.getByRole('button', { name: 'More filters' }).click()
      await app.getByRole('textbox', { name: 'Expected until' }).fill('2026-06-01')
      await page.keyboard.press('Escape')
      await expectSoon(t, numbers, [late.poNumber])
      await app.getByRole('checkbox', { name: `Select ${late.poNumber}` }).check()
      await app.getByRole('button', { name: 'Cancel orders' }).waitFor()
      await expectSoon(t, width, 0, 'the actions fit')
      await expectSoon(t, () => findViolations(tab), [])
    },
  )
})
