import { readFile } from 'node:fs/promises'
import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import type { ProductListItem } from '../../../shared/schemas/products.ts'
import type { ReorderRule } from '../../../shared/schemas/reorder-rules.ts'
import { expectSoon, returnToTab, startAdmin } from '../../support/core/admin.ts'
import { makeAlert } from '../../support/make/alerts.ts'
import { visit } from '../../support/web/page-tour.ts'

t.test('selected rows are changed together', async (t) => {
  const { install, open, get, send, db } = await startAdmin(t)
  await install()
  const products = await get<ProductListItem[]>('/products')
  const variants = products.flatMap(({ title, variants: [variant] }) =>
    variant ? [{ ...variant, title }] : [],
  )
  const [first, second] = variants
  const [one, two] = await get<{ locationId: string; name: string }[]>('/locations')
  if (!first || !second || !one || !two) throw new Error('The shop has too few products')
  for (const name of ['Beta', 'Alpha'])
    await send('POST', '/suppliers', { name, email: `${name}@example.com` })
  const addRules = async () => {
    for (const { variantId } of [first, second])
      await send('POST', '/reorder/rules', { variantId, reorderPoint: 1_000_000, reorderQuantity: 5 })
  }
  await addRules()
  const tab = await open('/reorder/rules')
  const { app, page } = tab
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  const dialog = app.getByRole('dialog')
  const status = (text: string) => app.getByRole('status').filter({ hasText: text }).first().waitFor()
  const selectAll = (name: string) =>
    app.getByRole('checkbox', { name: `Select all loaded rows of ${name}` }).check()
  const unread = async () => (await get<unknown[]>('/alerts?state=open&read=false')).length

  await t.test('rules get a supplier and lose it, and are deleted', async (t) => {
    const names = async () => (await get<ReorderRule[]>('/reorder/rules')).map((rule) => rule.supplierName)
    const save = dialog.getByRole('button', { name: 'Save' })
    await status('2 of 2')
    await selectAll('Reorder rules')
    await button('Set supplier').click()
    await expectSoon(t, () => save.isEnabled(), false, 'nothing is chosen')
    await dialog.getByRole('combobox', { name: 'Supplier' }).click()
    await app.getByRole('option', { name: 'Alpha' }).click()
    await save.click()
    await app.getByText('2 rules saved').waitFor()
    await expectSoon(t, names, ['Alpha', 'Alpha'])
    await selectAll('Reorder rules')
    await button('Set supplier').click()
    await dialog.getByRole('checkbox', { name: 'No supplier' }).check()
    await save.click()
    await expectSoon(t, names, [null, null])
    await selectAll('Reorder rules')
    await button('Delete').click()
    await dialog.getByRole('button', { name: 'Delete rules' }).click()
    await expectSoon(t, names, [])
  })

  await t.test('a dialog stays open when a reload takes the selected row away', async (t) => {
    const order = { supplierId: 1, lineItems: [] }
    const { id } = await send<{ id: number }>('POST', '/purchase-orders', order)
    await send('POST', '/purchase-orders', order)
    await visit(tab, '/purchase-orders')
    await app.getByRole('checkbox', { name: 'Select PO-00001' }).check()
    await button('Delete').click()
    await dialog.waitFor()
    await send('POST', '/purchase-orders/bulk', { action: 'delete', ids: [id] })
    await returnToTab(tab, async () => (await app.getByRole('link', { name: 'PO-00001' }).count()) === 0)
    await dialog.getByText('1 order: This permanently deletes').waitFor()
    await dialog.getByRole('button', { name: 'Keep as they are' }).click()
    const focused = async () =>
      page.frames()[1]?.evaluate('document.activeElement?.getAttribute("aria-label")')
    await expectSoon(t, focused, 'Select all loaded rows of Purchase orders')
  })

  await t.test('alerts are marked as read: the selected ones, or all, loaded or not', async (t) => {
    await expectSoon(t, unread, 0, 'the alerts of the deleted rules are resolved')
    await addRules()
    await expectSoon(t, unread, 2)
    const readAll = button('Mark all as read')
    await visit(tab, `/alerts?search=${encodeURIComponent(first.title)}`)
    await status('1 of 1')
    await expectSoon(t, () => readAll.count(), 0, 'a search hides other alerts')
    await selectAll('Alerts')
    await app.getByRole('group', { name: 'Actions for the selected rows' }).getByText('Mark as read').click()
    await expectSoon(t, unread, 1)
    const { id: shopId } = await db.one(sql.typeAlias('id')`select id from shop`)
    const ids: number[] = []
    for (let at = 0; at < 50; at += 1) ids.push(await makeAlert(db, { shopId }, { type: 'mail_failed' }))
    await send('POST', '/alerts/read-all', { ids })
    await visit(tab, '/alerts')
    await status('50 of 52')
    const unreadShown = () => app.getByRole('button', { name: /^Mark as read: / }).count()
    await expectSoon(t, unreadShown, 0, 'the loaded alerts are read')
    await readAll.click()
    await expectSoon(t, unread, 0)
  })

  await t.test('transfers and counts are cancelled, and those that cannot be stay', async (t) => {
    const items = [{ variantId: first.variantId, quantity: 1 }]
    const ends = { sourceLocationId: one.locationId, destinationLocationId: two.locationId, items }
    const { id: moving } = await send<{ id: number }>('POST', '/stock-transfers', ends)
    await send('POST', `/stock-transfers/${moving}/ship`, { allowNegative: true })
    await send('POST', '/stock-transfers', ends)
    for (const { locationId } of [one, two]) await send('POST', '/stock-counts', { locationId })
    for (const [path, name, kept, confirm, done, statuses] of [
      [
        '/transfers',
        'Transfers',
        1,
        'Cancel the transfer',
        '1 transfer cancelled',
        ['cancelled', 'in_transit'],
      ],
      ['/counts', 'Counts', 0, 'Cancel 2 counts', '2 counts cancelled', ['cancelled', 'cancelled']],
    ] as const) {
      await visit(tab, path)
      await status('2 of 2')
      await selectAll(name)
      await button(`Cancel ${name.toLowerCase()}`).click()
      if (kept > 0) await dialog.getByText(`${kept} of the selected stay as they are`).waitFor()
      await dialog.getByRole('button', { name: confirm }).click()
      await app.getByText(done).waitFor()
      const stored = async () =>
        (await get<{ status: string }[]>(`/stock-${path.slice(1)}`)).map((record) => record.status).sort()
      await expectSoon(t, stored, statuses)
    }
  })

  await t.test('selected records are exported, at most 250', async (t) => {
    for (const supplierId of [1, 2]) {
      const fields = { supplierId, locationId: one.locationId }
      const line = { variantId: first.variantId, quantity: 1 }
      await send('POST', '/receipts', { ...fields, lines: [line] })
      await send('POST', '/supplier-returns', { ...fields, lines: [{ ...line, reason: 'Broken' }] })
    }
    await db.query(sql.typeAlias('void')`
      with copied as (
        insert into stock_transfer
          (shop_id, source_location_id, destination_location_id, status, item_count, created_by, cancelled_at)
        select shop_id, source_location_id, destination_location_id, 'cancelled', 1, created_by, now()
        from stock_transfer cross join generate_series(1, 125)
        returning shop_id, id
      )
      insert into stock_transfer_item (shop_id, transfer_id, position, variant_id, quantity)
      select c.shop_id, c.id, 1, i.variant_id, 1
      from copied c cross join (select variant_id from stock_transfer_item limit 1) i
    `)
    for (const [path, name, count] of [
      ['/receipts', 'Receipts', 2],
      ['/returns', 'Returns to suppliers', 2],
      ['/transfers?status=in_transit', 'Transfers', 1],
    ] as const) {
      await visit(tab, path)
      await status(`${count} of ${count}`)
      await selectAll(name)
      const download = page.waitForEvent('download')
      await button('Export CSV').click()
      const file = await download
      const prefix = path.slice(1).replace(/\?.*/, '')
      t.match(file.suggestedFilename(), new RegExp(`^${prefix}-selected-.*\\.csv$`))
      t.equal((await readFile(await file.path(), 'utf8')).trim().split('\n').length, count + 1, 'with a head')
      await button('Clear selection').click()
    }
    await page.route('**/api/stock-transfers?*', (route) =>
      route.continue({ url: route.request().url().replace('limit=50', 'limit=100') }),
    )
    await visit(tab, '/transfers?sort=oldest')
    for (const loaded of [100, 200]) {
      await status(`${loaded} of 252`)
      await button('Load more').click()
    }
    await status('252 of 252')
    await selectAll('Transfers')
    await app.getByText('Select at most 250 rows to export them.').waitFor()
    await page.unroute('**/api/stock-transfers?*')
  })
})
