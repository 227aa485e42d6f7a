import t from 'tap'
import { expectSoon, startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'

type Product = { title: string; variants: { variantId: string; sku: string }[] }
type Level = { locationId: string; currentStock: number; pendingQuantity: number }
type Transfer = { status: string; items: { quantity: number }[]; notes: string }

t.test('a transfer moves goods between locations', async (t) => {
  const { shop, install, get, open } = await startAdmin(t)
  await install()
  const products = await get<Product[]>('/products')
  const { title = '', variants: [{ variantId = '', sku = '' } = {}] = [] } = products[0] ?? {}
  const [from, to] = await get<{ locationId: string; name: string }[]>('/locations')
  if (!from || !to) throw new Error('The shop has fewer than two locations')

  /** The stock at the source and the destination, ours first, then the platform's. */
  const stock = async () => {
    const levels = await get<Level[]>(`/stock-levels?variantId=${encodeURIComponent(variantId)}`)
    const ours = [from, to].map(
      ({ locationId }) => levels.find((level) => level.locationId === locationId)?.currentStock ?? 0,
    )
    const theirs = [from, to].map(({ locationId }) => shop.stockOf(variantId, locationId) ?? 0)
    return [...ours, ...theirs]
  }
  const [source = 0, destination = 0] = await stock()
  const untilStock = (atSource: number, atDestination: number) => {
    const expected = [atSource, atDestination, atSource, atDestination].join()
    return until(async () => (await stock()).join() === expected, `stock is ${expected}`)
  }

  const tab = await open('/transfers')
  const { app } = tab
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  const choose = async (label: string, name: string) => {
    await app.getByRole('combobox', { name: label, exact: true }).click()
    await app.getByRole('option', { name, exact: true }).click()
  }
  const write = async (quantity: number) => {
    await app.getByRole('link', { name: 'Create a transfer' }).first().click()
    // the list has fields of the same names
    await app.getByRole('heading', { name: 'Create a transfer', level: 1 }).waitFor()
    await choose('From', from.name)
    await choose('To', to.name)
    await app.getByLabel('Add a product').fill(sku)
    await app.getByRole('option').first().click()
    await app.getByLabel(`Quantity of ${title}`).fill(String(quantity))
  }
  const confirm = (name: string) => app.getByRole('dialog').getByRole('button', { name, exact: true }).click()

  await t.test('a transfer shows missing fields and the stock of the source', async () => {
    await app.getByText('No transfers yet').waitFor()
    await app.getByRole('link', { name: 'Create a transfer' }).first().click()
    await button('Save transfer').click()
    await app.getByText('Choose the source location.').waitFor()
    await app.getByText('Add at least one product.').waitFor()
    await choose('From', from.name)
    await choose('To', from.name)
    await button('Save transfer').click()
    await app.getByText('Choose a different location').waitFor()
    await app.getByRole('link', { name: 'Back to Transfers' }).click()
    await app.getByRole('button', { name: 'Leave' }).click()
    await write(source + 5)
    await app.getByRole('cell', { name: `only ${source}` }).waitFor()
  })

  await t.test('a planned transfer moves no stock', async (t) => {
    await button('Save transfer').click()
    await app.getByRole('heading', { name: /^Transfer #/ }).waitFor()
    await app.getByText(/^Created .* by user/).waitFor()
    t.match(await get('/stock-transfers/1'), { status: 'pending', items: [{ quantity: source + 5 }] })
    t.strictSame(await stock(), [source, destination, source, destination])
  })

  await t.test('a transfer of more than the stock is refused with an error at its line', async (t) => {
    await button('Ship').click()
    await confirm('Ship')
    await app.getByText(`Not enough stock at ${from.name}`).waitFor()
    await app.getByRole('cell', { name: `Only ${source} in stock.` }).waitFor()
    t.match(await get('/stock-transfers/1'), { status: 'pending' })
    t.strictSame(await stock(), [source, destination, source, destination])
  })

  await t.test('the quantity is changed, and a concurrent change is not lost', async (t) => {
    const other = await open('/transfers/1/edit')
    await other.app.getByLabel('Notes').fill('Second')
    await app.getByRole('link', { name: 'Change quantities' }).click()
    await app.getByLabel(`Quantity of ${title}`).fill('4')
    await app.getByRole('button', { name: 'Save', exact: true }).click()
    await app.getByRole('heading', { name: 'Transfer #1', exact: true }).waitFor()
    await other.app.getByRole('button', { name: 'Save', exact: true }).click()
    await other.app.getByText('This transfer was changed since you opened it').waitFor()
    await other.app.getByText(`${title}: ${source + 5} → 4`).waitFor()
    t.match(await get('/stock-transfers/1'), { notes: '', items: [{ quantity: 4 }] })
    await other.app.getByRole('button', { name: 'Use theirs' }).click()
    await expectSoon(t, () => other.app.getByLabel(`Quantity of ${title}`).inputValue(), '4')
    await other.page.close()
  })

  await t.test('shipping reduces the source, in the app and on the platform', async (t) => {
    await button('Ship').click()
    await app.getByRole('dialog').getByText('The stock leaves').waitFor()
    await confirm('Ship')
    await app.getByText('In transit', { exact: true }).first().waitFor()
    await untilStock(source - 4, destination)
    t.match(await get<Transfer>('/stock-transfers/1'), { status: 'in_transit' })
  })

  await t.test('completing increases the destination, in the app and on the platform', async (t) => {
    await app.getByRole('button', { name: 'More' }).first().click()
    await app.getByRole('menuitem', { name: 'Complete: all has arrived' }).click()
    await confirm('Complete')
    await app.getByText(/^Completed .* by user/).waitFor()
    await untilStock(source - 4, destination + 4)
    t.match(await get<Transfer>('/stock-transfers/1'), { status: 'completed' })
  })

  await t.test('cancelling in transit returns the stock to the source', async (t) => {
    await app.getByRole('link', { name: 'Back to Transfers' }).click()
    await write(2)
    await button('Save transfer').click()
    await button('Ship').click()
    await confirm('Ship')
    await untilStock(source - 6, destination + 4)
    await app.getByRole('button', { name: 'More' }).first().click()
    await app.getByRole('menuitem', { name: 'Cancel the transfer' }).click()
    await app.getByRole('dialog').getByText(`goes back to ${from.name}`).waitFor()
    await confirm('Cancel the transfer')
    await app.getByText(/^Cancelled .* by user/).waitFor()
    await untilStock(source - 4, destination + 4)
    t.match(await get('/stock-transfers/2'), { status: 'cancelled' })
  })

  await t.test('more than the stock can be shipped after a confirmation', async (t) => {
    await app.getByRole('link', { name: 'Back to Transfers' }).click()
    await write(source)
    await button('Save transfer').click()
    await button('Ship').click()
    await confirm('Ship')
    await button('Ship anyway').click()
    await app.getByText('In transit', { exact: true }).first().waitFor()
    await untilStock(-4, destination + 4)
    t.match(await get('/stock-transfers/3'), { status: 'in_transit' })
  })

  await t.test('the list is filtered by status, with the filter in the address', async (t) => {
    await app.getByRole('link', { name: 'Back to Transfers' }).click()
    await app.getByRole('link', { name: '#3', exact: true }).waitFor()
    await app.getByRole('navigation', { name: 'Status' }).getByRole('link', { name: 'Completed' }).click()
    await app.getByRole('link', { name: '#3', exact: true }).waitFor({ state: 'detached' })
    await app.getByRole('link', { name: '#1', exact: true }).waitFor()
    await t.resolves(
      until(() => tab.page.frames()[1]?.url().includes('status=completed'), 'the address has the filter'),
    )
  })
})
