import t from 'tap'
import { expectSoon, startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'

type Product = { title: string; variants: { variantId: string }[] }
type Level = { locationId: string; currentStock: number }

// a transfer from beginning to end: flows/counts-and-transfers.test.ts
// a transfer from beginning to end: flows/counts-and-transfers.test.ts
t.test('transfers are suggested, changed, cancelled, and shipped beyond the stock', async (t) => {
  const { install, get, send, open } = await startAdmin(t)
  await install()
  const [first, second] = await get<Product[]>('/products')
  const [from, to] = await get<{ locationId: string; name: string }[]>('/locations')
  if (!from || !to || !first || !second) throw new Error('The shop has two products and two locations')
  const variantOf = ({ variants: [variant] }: Product) => variant?.variantId ?? ''
  const { title } = first
  const variantId = variantOf(first)
  const source = 50
  await send('PUT', '/stock-levels/bulk', {
    adjustments: [first, second].flatMap((product) => [
      { variantId: variantOf(product), locationId: from.locationId, quantity: source },
      { variantId: variantOf(product), locationId: to.locationId, quantity: 0 },
    ]),
  })
  const stock = async () => {
    const levels = await get<Level[]>(`/stock-levels?variantId=${encodeURIComponent(variantId)}`)
    return levels.find(({ locationId }) => locationId === from.locationId)?.currentStock ?? 0
  }

  await t.test('suggestions become transfers, with the quantities of the merchant', async (t) => {
    const { app, page } = await open('/transfers/suggestions')
    await app.getByText('Nothing to move').waitFor()
    for (const product of [first, second]) {
      await send('POST', '/reorder/rules', {
        variantId: variantOf(product),
        locationId: to.locationId,
        reorderPoint: 6,
        reorderQuantity: 8,
      })
    }
    await page.reload()
    const group = app.getByRole('table', { name: `${from.name} → ${to.name}` })
    await group.waitFor()
    await expectSoon(t, () => app.getByLabel(`Move of ${first.title}`).inputValue(), '8')
    const choosePlace = async (label: string, name: string) => {
      await app.getByRole('combobox', { name: label, exact: true }).click()
      await app.getByRole('option', { name, exact: true }).click()
    }
    await choosePlace('From', to.name)
    await app.getByText('Nothing to move between these locations').waitFor()
    await choosePlace('From', from.name)
    await choosePlace('To', to.name)
    await group.waitFor()
    await app.getByLabel(`Move of ${first.title}`).fill('5o')
    await page.keyboard.press('Tab')
    await app.getByRole('button', { name: 'Create transfers' }).click()
    await app.getByText('Fix 1 field to save.').waitFor()
    t.match(await get('/stock-transfers'), { length: 0 }, 'the other product is not planned without it')
    await app.getByLabel(`Move of ${first.title}`).fill('5')
    await app.getByText('Fix 1 field to save.').waitFor({ state: 'detached' })
    await app.getByRole('checkbox', { name: second.title, exact: true }).uncheck()
    await app.getByText('1 product chosen, for 1 transfer').waitFor()
    await app.getByRole('button', { name: 'Create transfers' }).click()
    const created = app.getByRole('table', { name: '1 transfer planned' })
    await created.getByRole('link', { name: '#1' }).waitFor()
    t.match(await get('/stock-transfers/1'), {
      status: 'pending',
      items: [{ variantId: variantOf(first), quantity: 5 }],
    })
    const other = app.getByRole('checkbox', { name: second.title, exact: true })
    await expectSoon(t, () => other.isChecked(), false, 'the next transfers are without it, too')
    // the answer is lost, and the page cannot read the suggestions again
    let isLost = true
    await page.route(/\/api\/stock-transfers\/suggestions/, async (route) => {
      const isPost = route.request().method() === 'POST'
      if (isPost && !isLost) return route.continue()
      if (isPost) await route.fetch()
      await route.abort()
    })
    await other.check()
    await app.getByRole('button', { name: 'Create transfers' }).click()
    await app.getByText('There is no connection to Quartermaster.').waitFor()
    isLost = false
    await app.getByLabel(`Move of ${second.title}`).fill('3')
    await app.getByRole('button', { name: 'Create transfers' }).click()
    await app.getByText('An earlier save of this form was stored').waitFor()
    t.match(await get('/stock-transfers'), { length: 2 }, 'the product is planned once')
    await page.close()
  })

  const make = async (quantity: number) => {
    const [sourceLocationId, destinationLocationId] = [from.locationId, to.locationId]
    const items = [{ variantId, quantity }]
    const { id } = await send<{ id: number }>('POST', '/stock-transfers', {
      ...{ sourceLocationId, destinationLocationId, items },
    })
    return id
  }
  const id = await make(source)
  const cancelled = await make(2)
  await send('POST', `/stock-transfers/${cancelled}/ship`)
  const { app, page } = await open(`/transfers/${id}/edit`)
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  const confirm = (name: string) => app.getByRole('dialog').getByRole('button', { name, exact: true }).click()

  await t.test('a concurrent change of the quantity is not lost', async (t) => {
    await app.getByLabel('Notes').fill('Second')
    const { version } = await get<{ version: number }>(`/stock-transfers/${id}`)
    await send('PUT', `/stock-transfers/${id}`, { version, items: [{ variantId, quantity: 4 }] })
    await button('Save').click()
    await app.getByText('This transfer was changed since you opened it').waitFor()
    await app.getByText(`${title}: ${source} → 4`).waitFor()
    t.match(await get(`/stock-transfers/${id}`), { notes: '', items: [{ quantity: 4 }] })
    await button('Use theirs').click()
    await expectSoon(t, () => app.getByLabel(`Quantity of ${title}`).inputValue(), '4')
    await app.getByLabel(`Quantity of ${title}`).fill(String(source))
    await button('Save').click()
    await app.getByRole('heading', { name: `Transfer #${id}`, exact: true }).waitFor()
  })

  await t.test('more than the stock can be shipped after a confirmation', async (t) => {
    await button('Ship').click()
    await confirm('Ship')
    await button('Ship anyway').click()
    await app.getByText('In transit', { exact: true }).first().waitFor()
    t.equal(await stock(), -2)
    t.match(await get(`/stock-transfers/${id}`), { status: 'in_transit' })
  })

  await t.test('the list is filtered by status; cancelling in transit returns the stock', async (t) => {
    await app.getByRole('link', { name: 'Back to Transfers' }).click()
    await app.getByRole('navigation', { name: 'Status' }).getByRole('link', { name: 'In transit' }).click()
    await t.resolves(
      until(() => page.frames()[1]?.url().includes('status=in_transit'), 'the address has the filter'),
    )
    await app.getByRole('link', { name: `#${id}`, exact: true }).waitFor()
    await app.getByRole('link', { name: `#${cancelled}`, exact: true }).click()
    await app.getByRole('button', { name: 'More' }).first().click()
    await app.getByRole('menuitem', { name: 'Cancel the transfer' }).click()
    await app.getByRole('dialog').getByText(`goes back to ${from.name}`).waitFor()
    await confirm('Cancel the transfer')
    await app.getByText(/^Cancelled .* by user/).waitFor()
    await expectSoon(t, stock, 0)
    t.match(await get(`/stock-transfers/${cancelled}`), { status: 'cancelled' })
  })
})
