import t from 'tap'
import { expectSoon, startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'

type Product = { title: string; variants: { sku: string }[] }

t.test('a merchant pastes the lines of an order from a spreadsheet', async (t) => {
  const { shop, get, install, open } = await startAdmin(t)
  await install()
  const [product] = await get<Product[]>('/products')
  const sku = product?.variants[0]?.sku ?? ''
  const jugs = [1, 2, 3].map((number) => ({
    title: `Jug ${number}`,
    variants: [{ sku: number === 3 ? 'JUG-3' : 'JUG', barcode: `400000000000${number}`, tracked: true }],
  }))
  for (const jug of jugs) shop.addProduct(jug)
  await until(async () => (await get<Product[]>('/products?search=jug')).length === 3, 'the jugs are read')
  const { page, app } = await open('/purchase-orders/new')
  const dialog = app.getByRole('dialog')
  const field = dialog.getByLabel('Rows')
  const quantityOf = (title: string | undefined) => () => app.getByLabel(`Quantity of ${title}`).inputValue()
  const paste = async (rows: string) => {
    await app.getByRole('button', { name: 'Paste lines' }).click()
    await field.fill(rows)
  }
  const add = () => dialog.getByRole('button', { name: 'Add lines' }).click()
  const close = async () => {
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    await dialog.waitFor({ state: 'detached' })
  }

  await t.test('equal products are one line, and an unknown row is left as it was pasted', async (t) => {
    await app.getByLabel('Add a product').fill(sku)
    await app.getByLabel('Add a product').press('Enter') // immediately, as a scanner does
    await expectSoon(t, quantityOf(product?.title), '1')
    const requests: string[] = []
    page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await paste(
      `SKU\tQuantity\tCost\n${sku}\t3\t1,25\n4000000000003\t5\t2\nNO-SUCH;5;2.125 €\nJUG\t2\t1\njug\t4\t3`,
    )
    await add()
    await dialog.getByText('2 lines added.').waitFor()
    await dialog.getByText('No product has this SKU: NO-SUCH.').waitFor()
    await expectSoon(t, () => field.inputValue(), 'NO-SUCH;5;2.125 €')
    t.equal(requests.filter((request) => request === 'POST /api/variants/find').length, 1)
    t.notOk(requests.includes('GET /api/products'))
  })

  await t.test('a SKU of several products is asked for', async (t) => {
    const sameAs = (name: string) =>
      dialog.getByRole('combobox', { name: `2 products have the SKU ${name}: choose one`, exact: true })
    await sameAs('JUG').click()
    await app.getByRole('option', { name: /^Jug 2/ }).click()
    await field.fill('')
    await add()
    await dialog.getByText('1 line added.').waitFor()
    await expectSoon(t, () => app.getByLabel('Quantity of Jug 1').count(), 0, 'nothing is guessed')
    await sameAs('jug').click()
    await app.getByRole('option', { name: /^Jug 1/ }).click()
    await add()
    await dialog.waitFor({ state: 'detached' })
    for (const [title, quantity, cost] of [
      [product?.title, '4', '1.25'],
      ['Jug 1', '4', '3.00'],
      ['Jug 2', '2', '1.00'],
      ['Jug 3', '5', '2.00'],
    ] as const) {
      await expectSoon(t, quantityOf(title), quantity)
      await expectSoon(t, () => app.getByLabel(`Unit cost of ${title}`).inputValue(), cost)
    }
  })

  await t.test('a closed dialog adds nothing when its answer arrives', async (t) => {
    const answer = Promise.withResolvers<void>()
    t.teardown(() => answer.resolve())
    await page.route('**/api/variants/find', async (route) => {
      await answer.promise
      await route.continue()
    })
    await paste('JUG-3\t24')
    await add()
    await app.getByText('Looking up 1 code …').waitFor()
    await close()
    await paste('JUG-3\t24')
    const late = page.waitForResponse('**/api/variants/find')
    answer.resolve()
    await (await late).finished()
    await add()
    await dialog.waitFor({ state: 'detached' })
    await expectSoon(t, quantityOf('Jug 3'), '29')
  })
})
