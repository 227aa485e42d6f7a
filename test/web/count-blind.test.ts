import t from 'tap'
import { expectSoon, openCounting, scan, startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'

/** A number that no id, time or text of the answers contains by chance. */
const stock = 86_420

t.test('no answer to the page of a blind count has the quantity in stock', async (t) => {
  const admin = await startAdmin(t)
  await admin.install()
  const { location, products, untilStock, newestCount, startCount } = await openCounting(admin)
  const [mug, bowl] = products
  if (!mug || !bowl) throw new Error('The shop has two products')
  for (const { variantId } of [mug, bowl]) {
    for (const { id } of admin.shop.locations) {
      const gid = admin.shop.gid('Location', id)
      admin.shop.setStock(variantId, gid, gid === location.locationId ? stock : 0)
    }
    await untilStock(variantId, stock)
  }
  const tab = await admin.open('/counts')
  const { page, app } = tab
  await app.getByText('No counts yet').waitFor()
  const answers: { url: string; body: string }[] = []
  let isWatching = false
  page.on('response', async (response) => {
    if (!isWatching || !response.url().includes('/api/')) return
    answers.push({ url: response.url(), body: await response.text().catch(() => '') })
  })
  const isRead = (path: RegExp) =>
    until(() => answers.some(({ url }) => path.test(new URL(url).pathname)), `${path} is read`)
  await startCount(tab, ['Count blind'])
  isWatching = true

  await t.test('a scan finds its product', async (t) => {
    await scan(tab, mug.barcode, 2)
    await isRead(/\/products$/)
    await expectSoon(t, async () => (await newestCount()).items[0]?.countedQuantity, 2)
  })

  await t.test('the search and the list of products show none', async (t) => {
    await app.getByLabel('Add a product').fill(bowl.sku)
    const option = app.getByRole('option', { name: bowl.title })
    await option.waitFor()
    await expectSoon(t, async () => (await option.innerText()).includes('in stock'), false)
    await app.getByLabel('Add a product').fill('')
    await app.getByRole('button', { name: 'Browse products' }).click()
    const dialog = app.getByRole('dialog')
    await dialog.getByText(bowl.title).first().waitFor()
    await isRead(/\/variants$/)
    await expectSoon(t, async () => (await dialog.innerText()).includes('in stock'), false)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  await t.test('all products of the location are added by the server', async (t) => {
    await app.getByRole('button', { name: 'Add all products at this location' }).click()
    await app.getByText(`1 of ${products.length} counted`).waitFor()
    await isRead(/\/add-products$/)
    t.match(await newestCount(), { itemCount: products.length })
    await app.getByRole('button', { name: 'Add all products at this location' }).click()
    await app.getByText('Every product at this location is already in the count.').waitFor()
  })

  await t.test('the page hides what is expected until counting is finished', async (t) => {
    const table = app.getByRole('table', { name: 'Products' })
    const columns = () => table.getByRole('columnheader').allInnerTexts()
    await expectSoon(t, columns, ['Product', 'Counted'])
    await app.getByRole('link', { name: 'Back to Counts' }).click()
    await app.getByRole('link', { name: '#1', exact: true }).click()
    await expectSoon(t, columns, ['Product', 'Counted'], 'after returning to it')
    t.match(await newestCount(), { blind: true, isHidden: true, items: [{ expectedQuantity: null }] })
    await app.getByRole('button', { name: 'More' }).first().click()
    await app.getByRole('menuitem', { name: 'Cancel the count' }).waitFor()
    await expectSoon(t, () => app.getByRole('menuitem', { name: 'Show expected quantities' }).count(), 0)
    await page.keyboard.press('Escape')
  })

  await t.test('the device keeps the count without expected quantities', async (t) => {
    const read = async () => String(await page.frames()[1]?.evaluate('JSON.stringify(localStorage)'))
    await expectSoon(t, async () => /snapshot/.test(await read()), true)
    // not as a part of an instant or an id
    t.notMatch(await read(), new RegExp(`(?<!\\d)${stock}(?!\\d)`))
  })

  isWatching = false
  t.ok(answers.length > 4)
  for (const { url, body } of answers) t.notMatch(body, /86[ ,.]?420/, url)

  await t.test('the review shows it', async (t) => {
    await app.getByRole('button', { name: 'Finish counting', exact: true }).first().click()
    await app.getByRole('dialog').getByText('The review then shows what is expected').waitFor()
    await app.getByRole('button', { name: 'Finish', exact: true }).click()
    const row = app.getByRole('table', { name: 'Differences' }).getByRole('row', { name: mug.title })
    await row.getByText('86,420', { exact: true }).waitFor()
    t.match(await newestCount(), { phase: 'review', isHidden: false })
  })
})
