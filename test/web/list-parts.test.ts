import { readFile } from 'node:fs/promises'
import t from 'tap'
import { sql } from '../../shared/db/db.ts'
import type { ListView } from '../../shared/schemas/list-views.ts'
import type { ProductListItem } from '../../shared/schemas/products.ts'
import type { ReorderRule } from '../../shared/schemas/reorder-rules.ts'
import { expectSoon, goTo, startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'
import { makeAlert } from '../support/make/alerts.ts'
import { makeReportHistory } from '../support/make/sales.ts'

t.test('rules, history, alerts and documents are lists like the others', async (t) => {
  const { install, open, get, send, db } = await startAdmin(t)
  await install()
  const products = await get<ProductListItem[]>('/products')
  const variants = products.flatMap(({ title, variants: [variant] }) =>
    variant ? [{ ...variant, title }] : [],
  )
  const [first, second, third] = variants
  if (!first || !second || !third) throw new Error('The shop has too few products')
  for (const { variantId } of [first, second, third])
    await send('POST', '/reorder/rules', { variantId, reorderPoint: 1_000_000, reorderQuantity: 5 })
  for (const name of ['Beta', 'Alpha'])
    await send('POST', '/suppliers', { name, email: `${name}@example.com` })
  const { app, page } = await open('/reorder/rules')
  const go = (path: string) => page.goto(page.url().replace(/(\/apps\/[^/]+).*/, `$1${path}`))
  const status = (text: string) => app.getByRole('status').filter({ hasText: text }).first()
  const search = (text: string) => app.getByRole('searchbox').first().fill(text)
  const rules = () => get<ReorderRule[]>('/reorder/rules')

  await t.test('rules are counted, sorted, and changed together', async (t) => {
    await status('3 of 3').waitFor()
    await app.getByRole('button', { name: 'Sort: Newest first' }).click()
    await app.getByRole('menuitem', { name: 'Product, Z to A' }).click()
    const titles = [first.title, second.title, third.title].sort((a, b) =>
      b.toLowerCase() < a.toLowerCase() ? -1 : 1,
    )
    const shown = () => app.getByRole('table', { name: 'Reorder rules' }).getByRole('link').allTextContents()
    await expectSoon(t, shown, titles)
    await search(first.sku)
    await app.getByRole('button', { name: `Remove filter Search: ${first.sku}` }).waitFor()
    await status('1 of 1').waitFor()
    await app.getByRole('button', { name: 'Clear all' }).click()
    await status('3 of 3').waitFor()
    await app.getByRole('link', { name: first.title }).first().focus()
    await page.keyboard.press('x')
    await status('1 selected').waitFor()
    await app.getByRole('checkbox', { name: 'Select all loaded rows of Reorder rules' }).check()
    await app.getByRole('button', { name: 'Set supplier' }).click()
    const dialog = app.getByRole('dialog')
    const save = dialog.getByRole('button', { name: 'Save' })
    await expectSoon(t, () => save.isEnabled(), false, 'nothing is chosen')
    await dialog.getByRole('combobox', { name: 'Supplier' }).click()
    await app.getByRole('option', { name: 'Alpha' }).click()
    await save.click()
    await app.getByText('3 rules saved').waitFor()
    const names = async () => (await rules()).map(({ supplierName }) => supplierName)
    await expectSoon(t, names, ['Alpha', 'Alpha', 'Alpha'])
    await app.getByRole('checkbox', { name: 'Select all loaded rows of Reorder rules' }).check()
    await app.getByRole('button', { name: 'Set supplier' }).click()
    await dialog.getByRole('checkbox', { name: 'No supplier' }).check()
    await save.click()
    await expectSoon(t, names, [null, null, null])
    await app.getByRole('checkbox', { name: 'Select all loaded rows of Reorder rules' }).check()
    await app.getByRole('button', { name: 'Delete', exact: true }).click()
    await app.getByRole('dialog').getByRole('button', { name: 'Delete rules' }).click()
    await expectSoon(t, async () => (await rules()).length, 0)
  })

  await t.test('the history is searched, counted and sorted', async () => {
    await go('/stock/history')
    await search(first.sku)
    await app.getByRole('button', { name: `Remove filter Search: ${first.sku}` }).waitFor()
    await status(' of ').waitFor()
    await app.getByRole('button', { name: 'Sort: Newest first' }).click()
    await app.getByRole('menuitem', { name: 'Oldest first' }).click()
    await app.getByRole('button', { name: 'Sort: Oldest first' }).waitFor()
    await app.getByText('Opening stock').first().waitFor()
    await app.getByRole('button', { name: 'Columns' }).waitFor()
    await app.getByRole('button', { name: 'Views' }).waitFor()
  })

  await t.test('alerts are searched and marked as read together', async (t) => {
    for (const { variantId } of [first, second])
      await send('POST', '/reorder/rules', { variantId, reorderPoint: 1_000_000, reorderQuantity: 5 })
    await expectSoon(t, async () => (await get<unknown[]>('/alerts?state=open&read=false')).length, 2)
    await go('/alerts')
    await status('2 of 2').waitFor()
    await search(first.title)
    await status('1 of 1').waitFor()
    const readAll = app.getByRole('button', { name: 'Mark all as read' })
    await expectSoon(t, () => readAll.count(), 0, 'a search hides other alerts')
    await app.getByRole('checkbox', { name: 'Select all loaded rows of Alerts' }).check()
    await app.getByRole('group', { name: 'Actions for the selected rows' }).getByText('Mark as read').click()
    await expectSoon(t, async () => (await get<unknown[]>('/alerts?state=open&read=false')).length, 1)
    await app.getByRole('button', { name: 'Clear all' }).click()
    await status('2 of 2').waitFor()
    const shown = () => app.getByRole('table', { name: 'Alerts' }).getByRole('link').allTextContents()
    const newest = await shown()
    const heads = app.getByRole('table', { name: 'Alerts' }).getByRole('columnheader', { name: 'Raised' })
    await heads.getByRole('button').click()
    await app.getByRole('button', { name: 'Sort: Oldest first' }).waitFor()
    await expectSoon(t, shown, newest.toReversed())

    const { id: shopId } = await db.one(sql.typeAlias('id')`select id from shop`)
    const ids: number[] = []
    for (let at = 0; at < 50; at += 1) ids.push(await makeAlert(db, { shopId }, { type: 'mail_failed' }))
    await send('POST', '/alerts/read-all', { ids })
    await go('/alerts')
    await status('50 of 52').waitFor()
    await expectSoon(
      t,
      () => app.getByRole('button', { name: /^Mark as read: / }).count(),
      0,
      'the loaded alerts are read',
    )
    await readAll.click()
    await expectSoon(t, async () => (await get<unknown[]>('/alerts?state=open&read=false')).length, 0)
  })

  await t.test('suppliers are sorted by name', async (t) => {
    await goTo(app, 'Suppliers')
    await app.getByRole('button', { name: 'Sort: Newest first' }).click()
    await app.getByRole('menuitem', { name: 'Name, Z to A' }).click()
    const names = () => app.locator('tbody tr[data-row] td:first-child').allTextContents()
    await expectSoon(t, names, ['Beta', 'Alpha'])
    await app.getByRole('button', { name: 'Sort: Name, Z to A' }).waitFor()
    await search('alp')
    await app.getByRole('button', { name: 'Remove filter Search: alp' }).click()
    await expectSoon(t, names, ['Beta', 'Alpha'])
  })

  await t.test('transfers and counts are found by the SKU of a line', async (t) => {
    const [one, two] = await get<{ locationId: string }[]>('/locations')
    const items = [{ variantId: first.variantId, quantity: 1 }]
    const ends = { sourceLocationId: one?.locationId, destinationLocationId: two?.locationId }
    await send('POST', '/stock-transfers', { ...ends, items })
    await send('POST', '/stock-counts', { locationId: one?.locationId, notes: 'Top shelf' })
    await go('/transfers')
    await search(second.sku)
    await app.getByText(`No results for “${second.sku}”`).waitFor()
    await search(first.sku)
    await status('1 of 1').waitFor()
    await go('/counts')
    await search('top sh')
    await status('1 of 1').waitFor()
    await app.getByRole('button', { name: 'Remove filter Search: top sh' }).click()
    t.pass('found')
  })

  await t.test('transfers and counts are filtered by location, in the address and as a chip', async (t) => {
    const [one, two] = await get<{ locationId: string; name: string }[]>('/locations')
    const choose = async (label: string, name: string | undefined) => {
      await app.getByRole('combobox', { name: label, exact: true }).click()
      await app.getByRole('option', { name: name ?? '' }).click()
    }
    const isInAddress = (field: string, id: string | null | undefined) =>
      until(
        () => new URL(page.frames()[1]?.url() ?? '').searchParams.get(field) === id,
        'the address has the filter',
      )
    await go('/transfers')
    await status('1 of 1').waitFor()
    await choose('To', one?.name)
    await isInAddress('destinationLocationId', one?.locationId)
    await app.getByText('No transfers match these filters').waitFor()
    await choose('To', two?.name)
    await isInAddress('destinationLocationId', two?.locationId)
    await status('1 of 1').waitFor()
    await choose('From', two?.name)
    await app.getByText('No transfers match these filters').waitFor()
    await app.getByRole('button', { name: `Remove filter From: ${two?.name}` }).click()
    await status('1 of 1').waitFor()
    await app.getByRole('button', { name: `Remove filter To: ${two?.name}` }).waitFor()
    await go('/counts')
    await status('1 of 1').waitFor()
    await choose('Location', two?.name)
    await isInAddress('locationId', two?.locationId)
    await app.getByText('No counts match these filters').waitFor()
    await send('POST', '/stock-counts', { locationId: two?.locationId })
    await go('/counts')
    await status('2 of 2').waitFor()
    await choose('Location', one?.name)
    await isInAddress('locationId', one?.locationId)
    await status('1 of 1').waitFor()
    await app.getByRole('button', { name: 'Clear all' }).click()
    await expectSoon(t, () => app.getByRole('button', { name: /^Remove filter/ }).count(), 0)
    await isInAddress('locationId', null)
    await status('2 of 2').waitFor()
    const unknown = 'gid://platform/Location/999999'
    await go(`/counts?locationId=${encodeURIComponent(unknown)}`)
    await app.getByRole('button', { name: 'Remove filter Location: Unknown location' }).waitFor()
  })

  await t.test('transfers and counts are sorted, and cancelled together', async (t) => {
    const [one, two] = await get<{ locationId: string; name: string }[]>('/locations')
    const items = [{ variantId: first.variantId, quantity: 1 }]
    const back = { sourceLocationId: two?.locationId, destinationLocationId: one?.locationId }
    const { id: moving } = await send<{ id: number }>('POST', '/stock-transfers', { ...back, items })
    await send('POST', `/stock-transfers/${moving}/ship`, { allowNegative: true })
    const statuses = async (path: string) =>
      (await get<{ status: string }[]>(path)).map(({ status }) => status).sort()
    const places = [one?.name ?? '', two?.name ?? ''].sort((a, b) =>
      a.toLowerCase() < b.toLowerCase() ? -1 : 1,
    )
    for (const [path, name, head] of [
      ['/transfers', 'Transfers', 'From'],
      ['/counts', 'Counts', 'Location'],
    ] as const) {
      await go(path)
      await status('2 of 2').waitFor()
      const table = app.getByRole('table', { name })
      await table.getByRole('columnheader', { name: head }).getByRole('button').click()
      const cells = table.locator(`tbody tr[data-row] td:nth-child(2)`)
      await app.getByRole('button', { name: `Sort: ${head}, A to Z` }).waitFor()
      await expectSoon(t, async () => (await cells.allTextContents()).map((text) => text.trim()), places)
      await app.getByRole('checkbox', { name: `Select all loaded rows of ${name}` }).check()
      await app.getByRole('button', { name: `Cancel ${name.toLowerCase()}` }).click()
      const dialog = app.getByRole('dialog')
      const isTransfers = name === 'Transfers'
      if (isTransfers) await dialog.getByText('1 of the selected stay as they are').waitFor()
      await dialog
        .getByRole('button', { name: isTransfers ? 'Cancel the transfer' : 'Cancel 2 counts' })
        .click()
      await app.getByText(isTransfers ? '1 transfer cancelled' : '2 counts cancelled').waitFor()
    }
    await expectSoon(t, () => statuses('/stock-transfers'), ['cancelled', 'in_transit'])
    await expectSoon(t, () => statuses('/stock-counts'), ['cancelled', 'cancelled'])
    await go('/transfers?sort=-status')
    await app.getByRole('button', { name: 'Sort: Status, ended first' }).waitFor()
    await app.getByRole('checkbox', { name: 'Select all loaded rows of Transfers' }).check()
    const download = page.waitForEvent('download')
    await app.getByRole('button', { name: 'Export CSV' }).click()
    t.match((await download).suggestedFilename(), /^transfers-selected-.*\.csv$/)

    await db.query(sql.typeAlias('void')`
      with copied as (
        insert into stock_transfer
          (shop_id, source_location_id, destination_location_id, status, item_count, created_by, cancelled_at)
        select shop_id, source_location_id, destination_location_id, 'cancelled', 1, created_by, now()
        from stock_transfer cross join generate_series(1, 130)
        returning shop_id, id
      )
      insert into stock_transfer_item (shop_id, transfer_id, position, variant_id, quantity)
      select c.shop_id, c.id, 1, i.variant_id, 1
      from copied c cross join (select variant_id from stock_transfer_item limit 1) i
    `)
    await page.route('**/api/stock-transfers?*', (route) =>
      route.continue({ url: route.request().url().replace('limit=50', 'limit=100') }),
    )
    await go('/transfers')
    for (const loaded of [100, 200]) {
      await status(`${loaded} of 262`).waitFor()
      await app.getByRole('button', { name: 'Load more' }).click()
    }
    await status('262 of 262').waitFor()
    await app.getByRole('checkbox', { name: 'Select all loaded rows of Transfers' }).check()
    await app.getByText('Select at most 250 rows to export them.').waitFor()
    await page.unroute('**/api/stock-transfers?*')
  })

  await t.test('receipts and returns are sorted, and exported together', async (t) => {
    const suppliers = await get<{ id: number; name: string }[]>('/suppliers?sort=name')
    const [place] = await get<{ locationId: string }[]>('/locations')
    for (const [at, { id: supplierId }] of suppliers.entries()) {
      const line = { variantId: first.variantId, quantity: 1 + at }
      const fields = { supplierId, locationId: place?.locationId }
      await send('POST', '/receipts', { ...fields, lines: [line] })
      await send('POST', '/supplier-returns', { ...fields, lines: [{ ...line, reason: 'Broken' }] })
    }
    const names = suppliers.map(({ name }) => name)
    for (const [path, name, column] of [
      ['/receipts', 'Receipts', 3],
      ['/returns', 'Returns to suppliers', 2],
    ] as const) {
      await go(path)
      await status('2 of 2').waitFor()
      const table = app.getByRole('table', { name })
      const head = table.getByRole('columnheader', { name: 'Supplier' }).getByRole('button')
      const cells = () => table.locator(`tbody tr[data-row] td:nth-child(${column})`).allTextContents()
      for (const [label, expected] of [
        ['Supplier, A to Z', names],
        ['Supplier, Z to A', names.toReversed()],
      ] as const) {
        await head.click()
        await app.getByRole('button', { name: `Sort: ${label}` }).waitFor()
        await expectSoon(t, cells, expected)
      }
      const filters = app.getByRole('navigation', { name: 'Status' })
      await filters.getByRole('link', { name: 'Draft' }).click()
      await app.getByRole('button', { name: 'Sort: Supplier, Z to A' }).waitFor()
      await filters.getByRole('link', { name: 'All' }).click()
      await status('2 of 2').waitFor()
      await app.getByRole('checkbox', { name: `Select all loaded rows of ${name}` }).check()
      const download = page.waitForEvent('download')
      await app.getByRole('button', { name: 'Export CSV' }).click()
      const file = await download
      t.match(file.suggestedFilename(), new RegExp(`^${path.slice(1)}-selected-.*\\.csv$`))
      t.equal((await readFile(await file.path(), 'utf8')).trim().split('\n').length, 3)
    }
  })

  await t.test('the report of adjustments is searched, counted and saved as a view', async (t) => {
    for (const { variantId } of [first, second]) {
      const [level] = await get<{ locationId: string }[]>(
        `/stock-levels?variantId=${encodeURIComponent(variantId)}`,
      )
      const adjustments = [{ variantId, locationId: level?.locationId, delta: 1, reason: 'Found' }]
      await send('POST', '/stock-levels/adjust', { adjustments })
    }
    await go('/reports/adjustments')
    await status('2 of 2').waitFor()
    await search(first.sku)
    await app.getByRole('button', { name: `Remove filter Search: ${first.sku}` }).waitFor()
    await status('1 of 1').waitFor()
    await search('none of these')
    await app.getByText('No results for “none of these”').waitFor()
    await app.getByRole('button', { name: 'Remove filter Search: none of these' }).click()
    await status('2 of 2').waitFor()
    await app.getByRole('button', { name: 'Columns' }).waitFor()
    await app.getByRole('button', { name: 'Views' }).waitFor()
    t.pass('found')
  })

  await t.test('past adjustments are searched and sorted', async () => {
    await go('/stock/past-adjustments')
    await app.getByRole('button', { name: 'Sort: Newest first' }).click()
    await app.getByRole('menuitem', { name: 'Oldest first' }).click()
    await app.getByRole('button', { name: 'Sort: Oldest first' }).waitFor()
    await search('none')
    await app.getByText('No past adjustments match').waitFor()
    await app.getByRole('button', { name: 'Remove filter Search: none' }).click()
    await app.getByText('No past adjustments', { exact: true }).waitFor()
  })

  await makeReportHistory(db)

  await db.query(sql.typeAlias('void')`
    insert into stock_count (
      shop_id, location_id, status, created_by, submitted_at, expected_pieces, variance_pieces, expected_value, variance_value,
      absolute_variance_value, uncosted_item_count
    )
    select shop_id, id, 'submitted', 'someone', now(), 100, 3, 200, -6, 6, 0 from location where is_primary
  `)
  const value = 'Inventory value by day and location'
  for (const [list, label, hidden] of [
    ['margin', 'Margin', 'Unknown cost'],
    ['supplier-performance', 'Supplier performance', 'Price drift'],
    ['count-accuracy', 'Count accuracy', 'Expected'],
    ['inventory-value', value, 'Unknown cost'],
    ['price-history', 'Price history', 'Discount'],
    ['adjustment-reasons', 'Reasons for changes', 'Changes'],
  ] as const)
    await t.test(`a view of the report ${label} keeps its period and columns`, async (t) => {
      const head = app
        .getByRole('table', { name: label, exact: true })
        .getByRole('columnheader', { name: hidden, exact: true })
      const params = async () => new URL(page.url()).search
      await go(`/reports/${list}`)
      await app.getByRole('button', { name: 'Last 30 days', exact: true }).click()
      await page.waitForURL(/startDate=/)
      const period = await params()
      await app.getByRole('button', { name: 'Columns' }).click()
      await app.getByRole('checkbox', { name: hidden, exact: true }).uncheck()
      await head.waitFor({ state: 'detached' })
      await page.keyboard.press('Escape')
      await app.getByRole('button', { name: 'Views' }).click()
      await app.getByRole('menuitem', { name: 'Save this view' }).click()
      await app.getByRole('dialog').getByLabel('Name').fill('Short')
      await app.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await app.getByRole('button', { name: 'View: Short' }).waitFor()
      const [view] = await get<ListView[]>(`/list-views?list=${list}`)
      // on the last day of a month with 30 days it is this month, too
      t.match(view?.query, /^(period=last-30-days|endDate=.*&startDate=.*)$/)
      await go(`/reports/${list}`)
      await app.getByRole('button', { name: 'Columns' }).click()
      await app.getByRole('button', { name: 'Reset columns' }).click()
      await head.waitFor()
      await page.keyboard.press('Escape')
      await app.getByRole('button', { name: 'Views' }).click()
      await app.getByRole('menuitem', { name: 'Short' }).click()
      await head.waitFor({ state: 'detached' })
      await expectSoon(t, params, period)
      await app.getByRole('button', { name: 'View: Short' }).waitFor()
    })

  for (const [list, label] of [
    ['margin', 'Margin'],
    ['price-history', 'Price history'],
  ] as const)
    await t.test(`the report ${label} is searched`, async (t) => {
      const [found] = await get<{ sku: string; title: string }[]>(`/reports/${list}`)
      await go(`/reports/${list}`)
      await search('none of these')
      await app.getByText('No results for “none of these”').waitFor()
      await app.getByRole('button', { name: 'Remove filter Search: none of these' }).click()
      await search(found?.sku ?? '')
      const rows = app.getByRole('table', { name: label, exact: true }).locator('tbody tr[data-row]')
      const others = rows.filter({ hasNotText: found?.title ?? '' })
      await rows.first().waitFor()
      await expectSoon(t, () => others.count(), 0)
    })
})
