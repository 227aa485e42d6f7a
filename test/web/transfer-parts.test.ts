import t from 'tap'
import { expectSoon, startAdmin, type Tab } from '../support/core/admin.ts'

type Product = { title: string; variants: { variantId: string; sku: string }[] }
type Level = { locationId: string; currentStock: number }
type Transfer = { status: string; items: { shipped: number }[] }

t.test('a transfer arrives in parts', async (t) => {
  const { install, get, send, open } = await startAdmin(t)
  await install()
  const [first, second] = await get<Product[]>('/products')
  const variantOf = (product: Product | undefined) => product?.variants[0]?.variantId ?? ''
  const [from, to] = await get<{ locationId: string; name: string }[]>('/locations')
  if (!from || !to || !first || !second) throw new Error('The shop is too small')
  await send('PUT', '/stock-levels/bulk', {
    adjustments: [first, second].flatMap((product) => [
      { variantId: variantOf(product), locationId: from.locationId, quantity: 50 },
      { variantId: variantOf(product), locationId: to.locationId, quantity: 0 },
    ]),
  })
  const stockOf = async (product: Product) => {
    const levels = await get<Level[]>(`/stock-levels?variantId=${encodeURIComponent(variantOf(product))}`)
    return [from, to].map(
      ({ locationId }) => levels.find((level) => level.locationId === locationId)?.currentStock,
    )
  }
  const { id } = await send<{ id: number }>('POST', '/stock-transfers', {
    sourceLocationId: from.locationId,
    destinationLocationId: to.locationId,
    items: [
      { variantId: variantOf(first), quantity: 10 },
      { variantId: variantOf(second), quantity: 4 },
    ],
  })
  const read = () => get<Transfer>(`/stock-transfers/${id}`)
  const tab = await open(`/transfers/${id}`)
  const { app, page } = tab
  const menu = async (name: string) => {
    await app.getByRole('button', { name: 'More' }).first().click()
    await app.getByRole('menuitem', { name }).click()
  }
  /** The page at both widths. */
  const fits = async (t: Tap, { page }: Tab, name: string) => {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const isNarrow = async () =>
        Number(await page.frames()[1]?.evaluate('document.documentElement.scrollWidth')) <= width
      await expectSoon(t, isNarrow, true, `${name} does not scroll sideways at ${width} px`)
    }
  }

  await t.test('a part is shipped', async (t) => {
    // a set, since the page repeats a request that a busy API refuses
    const stockReads = new Set<string>()
    page.on('request', (request) => {
      if (request.url().includes('/api/stock-levels')) stockReads.add(request.url())
    })
    await menu('Ship a part')
    await app.getByRole('heading', { name: `Ship transfer #${id}` }).waitFor()
    await expectSoon(t, () => app.getByRole('cell', { name: '50', exact: true }).count(), 2)
    t.equal(stockReads.size, 1, 'one request for all products')
    await app.getByLabel(`Ship of ${second.title}`).fill('99')
    await app.getByRole('button', { name: 'Ship', exact: true }).first().click()
    await app.getByText('Only 4 left to ship.').waitFor()
    await app.getByLabel(`Ship of ${second.title}`).fill('1o')
    // the error at the field moves the bar of a short page
    await page.keyboard.press('Tab')
    await app.getByText('Only 4 left to ship.').waitFor({ state: 'detached' })
    await app.getByRole('button', { name: 'Ship', exact: true }).first().click()
    await app.getByText('Fix 1 field to save.').waitFor()
    t.match(await read(), { status: 'pending' }, 'the other product is not shipped without it')
    await app.getByLabel(`Ship of ${second.title}`).fill('0')
    await app.getByText('Fix 1 field to save.').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+s')
    await app.getByRole('heading', { name: `Transfer #${id}`, exact: true }).waitFor()
    await app.getByText('10 of 10').waitFor()
    t.match(await read(), { status: 'in_transit', items: [{ shipped: 10, inTransit: 10 }, { shipped: 0 }] })
    t.strictSame(await stockOf(first), [40, 0])
    t.strictSame(await stockOf(second), [50, 0])
  })

  await t.test('seven arrive, two are lost and one is damaged', async (t) => {
    await app.getByRole('link', { name: 'Receive', exact: true }).click()
    await app.getByRole('heading', { name: `Receive transfer #${id}` }).waitFor()
    await app.getByRole('button', { name: 'All arrived' }).click()
    await expectSoon(t, () => app.getByLabel(`Received of ${first.title}`).inputValue(), '10')
    await app.getByLabel(`Damaged of ${first.title}`).fill('1')
    await app.getByRole('cell', { name: '1 piece too many' }).waitFor()
    await app.getByRole('button', { name: 'Save receipt' }).first().click()
    await app.getByText('Only 10 in transit.').first().waitFor()
    await app.getByLabel(`Received of ${first.title}`).fill('5')
    await app.getByText('Only 10 in transit.').first().waitFor({ state: 'detached' })
    await app.getByLabel(`Lost of ${first.title}`).fill('2')
    await app.getByRole('button', { name: 'Save receipt' }).first().click()
    await app.getByText('Saved; 2 pieces are still in transit; 4 pieces are still to ship').waitFor()
    await app.getByRole('heading', { name: `Transfer #${id}`, exact: true }).waitFor()
    await app.getByText('5 received, 2 in transit, 2 lost, 1 damaged').waitFor()
    t.match(await read(), { status: 'partial', items: [{ received: 5, lost: 2, damaged: 1, inTransit: 2 }] })
    t.strictSame(await stockOf(first), [40, 5])
    await app.getByRole('link', { name: 'Back to Transfers' }).click()
    await app.getByText('In transit: 2 of 10').waitFor()
    await app
      .getByRole('navigation', { name: 'Status' })
      .getByRole('link', { name: 'Partly received' })
      .click()
    await app.getByRole('link', { name: `#${id}`, exact: true }).click()
    await app.getByRole('heading', { name: `Transfer #${id}`, exact: true }).waitFor()
  })

  await t.test('a receipt that was wrong is undone', async (t) => {
    await app.getByRole('button', { name: /^Undo: Received/ }).click()
    await app.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click()
    await app
      .getByText(/^Undone /)
      .first()
      .waitFor()
    t.match(await read(), {
      status: 'in_transit',
      items: [{ received: 0, lost: 0, damaged: 0, inTransit: 10 }],
    })
    t.strictSame(await stockOf(first), [40, 0])
  })

  await t.test('the rest is shipped, and what does not arrive is lost', async (t) => {
    await menu('Ship the rest')
    await app.getByRole('button', { name: 'Ship', exact: true }).first().click()
    await app.getByText('14 of 14').waitFor()
    await menu('Close the transfer')
    const dialog = app.getByRole('dialog')
    await dialog.getByText('What became of the 14 pieces in transit?').waitFor()
    await fits(t, tab, 'close')
    await dialog.getByLabel(/They are lost/).check()
    await dialog.getByRole('button', { name: 'Close the transfer' }).click()
    await app.getByText('Completed', { exact: true }).first().waitFor()
    t.match(await read(), { status: 'completed', items: [{ lost: 10 }, { lost: 4 }] })
    t.strictSame(await stockOf(second), [46, 0])
  })

  await t.test('a transfer is closed with another outcome for each product', async (t) => {
    const other = await send<{ id: number }>('POST', '/stock-transfers', {
      sourceLocationId: from.locationId,
      destinationLocationId: to.locationId,
      items: [
        { variantId: variantOf(first), quantity: 3 },
        { variantId: variantOf(second), quantity: 2 },
      ],
    })
    const last = { variantId: variantOf(second), quantity: 1 }
    await send('POST', `/stock-transfers/${other.id}/ship`, {
      items: [{ variantId: variantOf(first), quantity: 3 }, last],
    })
    const page = await open(`/transfers/${other.id}`)
    await page.app.getByRole('button', { name: 'More' }).first().click()
    await page.app.getByRole('menuitem', { name: 'Close the transfer' }).click()
    const dialog = page.app.getByRole('dialog')
    await dialog.getByLabel(/They are lost/).check()
    await dialog.getByRole('combobox', { name: `${first.title}: 3 pieces` }).click()
    await page.app.getByRole('option', { name: 'Go back' }).click()
    await dialog.getByRole('combobox', { name: `${second.title}: 1 piece`, exact: true }).click()
    await page.app.getByRole('option', { name: 'Damaged' }).click()
    const checked = dialog.getByRole('radio', { checked: true })
    await expectSoon(t, () => checked.count(), 0, 'no choice is that of all products')
    await fits(t, page, 'close-lines')
    await send('POST', `/stock-transfers/${other.id}/ship`, { items: [last] })
    await dialog.getByRole('button', { name: 'Close the transfer' }).click()
    await dialog.getByText('This transfer was changed in the meantime').waitFor()
    await dialog.getByRole('combobox', { name: `${second.title}: 2 pieces` }).waitFor()
    t.match(await get(`/stock-transfers/${other.id}`), { status: 'in_transit' })
    await dialog.getByRole('button', { name: 'Close the transfer' }).click()
    await page.app.getByText('Completed', { exact: true }).first().waitFor()
    t.match(await get<Transfer>(`/stock-transfers/${other.id}`), {
      status: 'completed',
      items: [
        { returned: 3, lost: 0, damaged: 0 },
        { returned: 0, lost: 0, damaged: 2 },
      ],
    })
    await page.page.close()
  })

  await t.test('a shipment whose answer was lost is not made again with what is left', async (t) => {
    const { id: other } = await send<{ id: number }>('POST', '/stock-transfers', {
      sourceLocationId: from.locationId,
      destinationLocationId: to.locationId,
      items: [
        { variantId: variantOf(first), quantity: 1 },
        { variantId: variantOf(second), quantity: 3 },
      ],
    })
    const ship = await open(`/transfers/${other}/ship`)
    await ship.app.getByLabel(`Ship of ${second.title}`).fill('1')
    await ship.page.route('**/ship', async (route) => {
      await route.fetch()
      await route.abort()
    })
    const save = ship.app.getByRole('button', { name: 'Ship', exact: true }).first()
    await save.click()
    await ship.app.getByText('There is no connection to Quartermaster.').first().waitFor()
    await ship.page.unroute('**/ship')
    // the page shows what is left now
    await ship.app.getByLabel(`Ship of ${first.title}`).waitFor({ state: 'detached' })
    await save.click()
    await ship.app.getByText('An earlier save of this form was stored').first().waitFor()
    await ship.app.getByRole('button', { name: 'Discard' }).first().click()
    await ship.app.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await save.click()
    await ship.app.getByRole('heading', { name: `Transfer #${other}`, exact: true }).waitFor()
    const { items } = await get<Transfer>(`/stock-transfers/${other}`)
    t.strictSame(
      items.map(({ shipped }) => shipped),
      [1, 3],
    )
    await ship.page.close()
  })
})

type Tap = Parameters<typeof expectSoon>[0]
