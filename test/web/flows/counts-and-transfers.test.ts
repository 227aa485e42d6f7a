import t from 'tap'
import { expectSoon, goTo, openCounting, scan, startAdmin } from '../../support/core/admin.ts'
import { until } from '../../support/core/until.ts'

type Level = { locationId: string; currentStock: number }

t.test('a location is counted while it sells, and goods move to another one', async (t) => {
  const admin = await startAdmin(t)
  await admin.install()
  const { products, untilStock, newestCount, startCount } = await openCounting(admin)
  const [mug, bowl, plate] = products
  const [from, to] = await admin.get<{ locationId: string; name: string }[]>('/locations')
  if (!mug || !bowl || !plate || !from || !to)
    throw new Error('The shop has three products and two locations')
  const tab = await admin.open('/counts')
  const { page, app } = tab
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  const number = (title: string) => app.getByLabel(`Counted quantity of ${title}`, { exact: true })
  const countedOf = async (id: string) =>
    (await newestCount()).items.find(({ variantId }) => variantId === id)?.countedQuantity
  const confirm = (name: string) => app.getByRole('dialog').getByRole('button', { name, exact: true }).click()

  await t.test('a count starts with all products, ready for the scanner', async (t) => {
    await app.getByText('No counts yet').waitFor()
    await startCount(tab, ['Add every product'])
    await app.getByText(`0 of ${products.length} counted`).waitFor()
    t.match(await newestCount(), { status: 'draft', itemCount: products.length })
  })

  await t.test('scans and typed numbers are saved during the count', async (t) => {
    await scan(tab, mug.barcode, 3)
    await app.getByRole('status').getByText(`${mug.title}: 3`).waitFor()
    await scan(tab, mug.sku.toLowerCase())
    await number(bowl.title).fill(String(bowl.stock + 2))
    await number(bowl.title).press('Enter')
    await app.getByLabel('Scan or type').and(app.locator(':focus')).waitFor()
    await app.getByText(`2 of ${products.length} counted`).waitFor()
    await app.getByText('Saved', { exact: true }).waitFor()
    await expectSoon(t, () => number(mug.title).inputValue(), '4')
    await expectSoon(t, () => countedOf(mug.variantId), 4)
    await expectSoon(t, () => countedOf(bowl.variantId), bowl.stock + 2)
    t.equal(await countedOf(plate.variantId), null)
  })

  await t.test('a sale during the count is neither lost nor counted twice', async (t) => {
    admin.shop.placeOrder([{ variantId: mug.variantId, quantity: 2 }])
    await untilStock(mug.variantId, mug.stock - 2)
    await button('Review').first().click()
    await app.getByRole('heading', { name: /^Review count/ }).waitFor()
    const differences = app.getByRole('table', { name: 'Differences' })
    const fewer = mug.stock - 4
    await differences.getByRole('row', { name: mug.title }).getByText(`-${fewer}`).waitFor()
    await differences.getByRole('row', { name: bowl.title }).getByText('+2').waitFor()
    const rows = () => differences.getByRole('row').count()
    await expectSoon(t, rows, 3, 'only products with a difference, and the header')
    await button('Submit').click()
    const dialog = app.getByRole('dialog')
    await dialog.getByText(`2 pieces more, ${fewer} pieces fewer`).waitFor()
    const { id } = await newestCount()
    const saveElsewhere = async (countedQuantity: number | null) => {
      const items = [{ variantId: plate.variantId, countedQuantity }]
      await admin.send('PUT', `/stock-counts/${id}`, { items, device: 'another scanner' })
      const isCompared = async () => {
        const { items } = await newestCount()
        return items.every(({ countedQuantity, readAt }) => countedQuantity === null || readAt !== null)
      }
      await until(isCompared, 'the worker has compared the number')
    }
    await saveElsewhere(plate.stock + 1)
    await confirm('Submit')
    await app.getByText('The differences have changed since you saw them').waitFor()
    await dialog.waitFor({ state: 'detached' })
    const late = differences.getByRole('row', { name: plate.title })
    await late.getByText('+1').waitFor()
    t.match(await newestCount(), { status: 'draft' })
    await saveElsewhere(null)
    await button('Submit').click()
    await confirm('Submit')
    await late.waitFor({ state: 'detached' })
    await dialog.waitFor({ state: 'detached' })
    await button('Submit').click()
    await dialog.getByText(`2 pieces more, ${fewer} pieces fewer`).waitFor()
    t.match(await newestCount(), { status: 'draft' })
    await confirm('Submit')
    const moved = app.getByRole('table', { name: 'Stock changes' })
    await moved.getByRole('row', { name: mug.title }).getByText('2', { exact: true }).waitFor()
    await untilStock(mug.variantId, 4 - 2)
    await untilStock(bowl.variantId, bowl.stock + 2)
    await untilStock(plate.variantId, plate.stock)
    t.match(await newestCount(), { status: 'submitted' })
  })

  /** The stock of the plate at both locations, ours first, then the platform's. */
  const stock = async () => {
    const levels = await admin.get<Level[]>(`/stock-levels?variantId=${encodeURIComponent(plate.variantId)}`)
    const ours = [from, to].map(
      ({ locationId }) => levels.find((level) => level.locationId === locationId)?.currentStock ?? 0,
    )
    const theirs = [from, to].map(({ locationId }) => admin.shop.stockOf(plate.variantId, locationId) ?? 0)
    return [...ours, ...theirs]
  }
  const [source = 0, destination = 0] = await stock()
  const untilMoved = (atSource: number, atDestination: number) => {
    const expected = [atSource, atDestination, atSource, atDestination].join()
    return until(async () => (await stock()).join() === expected, `stock is ${expected}`)
  }
  const choose = async (label: string, name: string) => {
    await app.getByRole('combobox', { name: label, exact: true }).click()
    await app.getByRole('option', { name, exact: true }).click()
  }

  await t.test('a planned transfer moves no stock, and shows the stock of the source', async (t) => {
    await goTo(app, 'Transfers')
    await app.getByText('No transfers yet').waitFor()
    await app.getByRole('link', { name: 'Create a transfer' }).first().click()
    // the list has fields of the same names
    await app.getByRole('heading', { name: 'Create a transfer', level: 1 }).waitFor()
    await button('Save transfer').click()
    await app.getByText('Choose the source location.').waitFor()
    await app.getByText('Add at least one product.').waitFor()
    await choose('From', from.name)
    await choose('To', from.name)
    await button('Save transfer').click()
    await app.getByText('Choose a different location').waitFor()
    await choose('To', to.name)
    await app.getByLabel('Add a product').fill(plate.sku)
    await app.getByRole('option').first().click()
    await app.getByLabel(`Quantity of ${plate.title}`).fill(String(source + 5))
    await app.getByRole('cell', { name: `only ${source}` }).waitFor()
    await button('Save transfer').click()
    await app.getByRole('heading', { name: /^Transfer #/ }).waitFor()
    await app.getByText(/^Created .* by user/).waitFor()
    t.match(await admin.get('/stock-transfers/1'), { status: 'pending', items: [{ quantity: source + 5 }] })
    t.strictSame(await stock(), [source, destination, source, destination])
  })

  await t.test('more than the stock is refused with an error at its line', async (t) => {
    await button('Ship').click()
    await confirm('Ship')
    await app.getByText(`Not enough stock at ${from.name}`).waitFor()
    await app.getByRole('cell', { name: `Only ${source} in stock.` }).waitFor()
    t.match(await admin.get('/stock-transfers/1'), { status: 'pending' })
    await app.getByRole('link', { name: 'Change quantities' }).click()
    await app.getByLabel(`Quantity of ${plate.title}`).fill('4')
    await button('Save').click()
    await app.getByRole('heading', { name: 'Transfer #1', exact: true }).waitFor()
  })

  await t.test('the goods leave the source and arrive, in the app and on the platform', async (t) => {
    await button('Ship').click()
    await app.getByRole('dialog').getByText('The stock leaves').waitFor()
    await confirm('Ship')
    await app.getByText('In transit', { exact: true }).first().waitFor()
    await untilMoved(source - 4, destination)
    t.match(await admin.get('/stock-transfers/1'), { status: 'in_transit' })
    await app.getByRole('button', { name: 'More' }).first().click()
    await app.getByRole('menuitem', { name: 'Complete: all has arrived' }).click()
    await confirm('Complete')
    await app.getByText(/^Completed .* by user/).waitFor()
    await untilMoved(source - 4, destination + 4)
    t.match(await admin.get('/stock-transfers/1'), { status: 'completed' })
    await app.getByRole('link', { name: 'Back to Transfers' }).click()
    await app.getByRole('link', { name: '#1', exact: true }).waitFor()
    t.ok(page.frames()[1]?.url().includes('/transfers'))
  })
})
