import t from 'tap'
import { mintSessionToken } from '../../dev/simulator/session-token.ts'
import {
  domain,
  expectSoon,
  openCounting,
  scan,
  startAdmin,
  type Tab,
  untilScannable,
} from '../support/core/admin.ts'
import { testKeys } from '../support/core/database.ts'
import { deadline } from '../support/core/machine.ts'
import { until } from '../support/core/until.ts'

const isCount = /\/api\/stock-counts\/\d+$/

t.test('a scanner is shared, loses its network and reads packs', async (t) => {
  const admin = await startAdmin(t)
  await admin.install()
  const { products, newestCount, startCount } = await openCounting(admin)
  const [mug, bowl, plate] = products
  if (!mug || !bowl || !plate) throw new Error('The shop has three products')
  const { id: supplierId } = await admin.send<{ id: number }>('POST', '/suppliers', { name: 'Kiln' })
  await admin.send('POST', `/suppliers/${supplierId}/products`, {
    ...{ variantId: mug.variantId, supplierSku: 'K-MUG', packSize: 6, packBarcode: '5012345678900' },
  })
  const tab = await admin.open('/counts')
  const { page, app } = tab
  page.on('dialog', (dialog) => void dialog.accept())
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  const number = (title: string) => app.getByLabel(`Counted quantity of ${title}`, { exact: true })
  const itemOf = async (variantId: string) =>
    (await newestCount()).items.find((item) => item.variantId === variantId)
  const isSaved = (variantId: string, quantity: number) =>
    until(async () => (await itemOf(variantId))?.countedQuantity === quantity, `${quantity} are saved`)
  const tokenOf = (userId: string) =>
    mintSessionToken({
      ...{ shop: domain, userId },
      ...{ apiKey: testKeys.PLATFORM_API_KEY, apiSecret: testKeys.PLATFORM_API_SECRET },
    })
  /** Another person logs in on this device. */
  const logIn = async ({ page }: Tab, userId: string) => {
    await page.unroute('**/session-token')
    await page.route('**/session-token', async (route) =>
      // the route may be removed meanwhile
      route.fulfill({ json: { token: await tokenOf(userId) } }).catch(() => {}),
    )
    await page.reload()
    await untilScannable({ app })
  }
  const send = async (userId: string, path: string, method: string, body: object = {}) => {
    const headers = { authorization: `Bearer ${await tokenOf(userId)}`, 'content-type': 'application/json' }
    const answer = await fetch(`${admin.webUrl}/api${path}`, { method, headers, body: JSON.stringify(body) })
    t.ok(answer.ok, `${method} ${path}: ${answer.ok ? '' : await answer.text()}`)
  }
  const stopNetwork = () => page.route(isCount, (route) => route.abort())
  const startNetwork = () => page.unroute(isCount)

  await t.test('a pack counts its pieces', async (t) => {
    await startCount(tab)
    await scan(tab, '05012345678900')
    await expectSoon(t, () => number(mug.title).inputValue(), '6')
    await scan(tab, '5012345678900')
    await app.getByText('Pack of 6 pieces', { exact: true }).waitFor()
    await expectSoon(t, () => number(mug.title).inputValue(), '12')
    await button('Undo 6 pieces').click()
    await isSaved(mug.variantId, 6)
    await scan(tab, mug.barcode)
    await isSaved(mug.variantId, 7)
    await page.setViewportSize({ width: 360, height: 740 })
    await scan(tab, '5012345678900')
    await isSaved(mug.variantId, 13)
    const width = () => page.frames()[1]?.evaluate('document.documentElement.scrollWidth')
    await expectSoon(t, async () => Number(await width()) <= 360, true, 'the page fits a phone')
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  await t.test('a count opens without a network, with the numbers that are saved', async (t) => {
    await stopNetwork()
    await page.reload()
    await expectSoon(t, () => number(mug.title).inputValue(), '13')
    await untilScannable({ app })
    await scan(tab, mug.barcode, 2)
    await scan(tab, '5012345678900')
    await expectSoon(t, () => number(mug.title).inputValue(), '21')
    await send('2', '/stock-counts/1', 'PUT', {
      ...{ items: [{ variantId: bowl.variantId, countedQuantity: 4 }], device: 'phone' },
    })
    await startNetwork()
    await isSaved(mug.variantId, 21)
    await app.getByText('+ 4 by others').waitFor()
  })

  await t.test('a second tab of a browser waits for the first one, and adds to its numbers', async (t) => {
    const context = await page
      .context()
      .browser()
      ?.newContext({ viewport: { width: 1280, height: 900 } })
    if (!context) throw new Error('The browser is closed')
    t.teardown(() => context.close())
    context.setDefaultTimeout(deadline(45_000))
    const openTab = async () => {
      const opened = await context.newPage()
      await opened.goto(`${admin.adminUrl}/counts/1`)
      return { page: opened, app: opened.frameLocator('iframe.app') }
    }
    const platesIn = ({ app: frame }: Tab) =>
      frame.getByLabel(`Counted quantity of ${plate.title}`, { exact: true })
    const first = await openTab()
    await first.app.getByLabel('Scan or type').focus()
    const second = await openTab()
    await second.app.getByText('This page is open in another tab').waitFor()
    await first.page.bringToFront()
    await scan(first, plate.barcode, 2)
    await isSaved(plate.variantId, 2)
    await first.page.close()
    await expectSoon(t, () => platesIn(second).inputValue(), '2')
    await second.app.getByLabel('Scan or type').focus()
    await scan(second, plate.barcode)
    await isSaved(plate.variantId, 3)
  })

  await t.test('unsaved numbers wait for the person that counted them', async (t) => {
    await stopNetwork()
    await scan(tab, mug.barcode, 2)
    await expectSoon(t, () => number(mug.title).inputValue(), '23')
    // the newest handler comes first, so no save can pass between the two
    await page.route(isCount, (route) =>
      route.request().method() === 'GET' ? route.continue() : route.abort(),
    )
    await logIn(tab, '2')
    await startNetwork()
    await app.getByText('+ 21 by others').waitFor()
    await expectSoon(t, () => number(mug.title).inputValue(), '')
    await scan(tab, plate.barcode)
    await isSaved(plate.variantId, 4)
    t.match(await itemOf(mug.variantId), { countedQuantity: 21 }, 'the second user sends none of them')
    await logIn(tab, '1')
    await isSaved(mug.variantId, 23)
  })

  await t.test('an unsaved number of the first count is not taken as the second one', async (t) => {
    await logIn(tab, '3')
    await page.route(isCount, (route) =>
      route.request().method() === 'GET' ? route.continue() : route.abort(),
    )
    await scan(tab, bowl.barcode, 3)
    await expectSoon(t, () => number(bowl.title).inputValue(), '3')
    await until(
      async () => (await newestCount()).items.every(({ readAt }) => readAt !== null),
      'the numbers are compared',
    )
    await send('1', '/stock-counts/1/finish', 'POST')
    await send('1', '/stock-counts/1/recount', 'POST', { variancePercentAbove: 0 })
    await startNetwork()
    await app.getByText('Some numbers were not saved in time').waitFor()
    await app.getByText(`${bowl.title} (3)`).waitFor()
    await app.getByText('Another user must recount each product.').waitFor()
    await expectSoon(t, () => number(bowl.title).inputValue(), '')
    await untilScannable({ app })
    await scan(tab, bowl.barcode, 7)
    await until(
      async () => (await itemOf(bowl.variantId))?.entries.some(({ round }) => round === 2) === true,
      'the second number is saved',
    )
    await isSaved(bowl.variantId, 7)
    await button('Dismiss').click()
    await app.getByText('Some numbers were not saved in time').waitFor({ state: 'detached' })
  })

  await t.test('a refusal in a recount says what can be done', async () => {
    await logIn(tab, '1')
    await number(mug.title).fill('9')
    await number(mug.title).press('Enter')
    const refused = app.getByRole('table', { name: 'Scanned but not counted' })
    await refused.getByText('it was counted by you before. Another user must count it.').waitFor()
    const other = products.find(
      ({ variantId }) => ![mug, bowl, plate].some((own) => own.variantId === variantId),
    )
    await scan(tab, other?.barcode ?? '')
    await refused.getByText('it is not on the recount list. Put it in another count.').waitFor()
  })
})
