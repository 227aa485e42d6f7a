import t from 'tap'
import { mintSessionToken } from '../../dev/simulator/session-token.ts'
import { domain, expectSoon, goTo, openCounting, scan, startAdmin, type Tab } from '../support/core/admin.ts'
import { testKeys } from '../support/core/database.ts'
import { until } from '../support/core/until.ts'
import { png } from '../support/make/attachments.ts'

t.test('two people count together, blind, with recount and approval', async (t) => {
  const admin = await startAdmin(t)
  await admin.install()
  const { location, products, untilStock, newestCount, startCount } = await openCounting(admin)
  const [mug, bowl] = products
  if (!mug || !bowl) throw new Error('The shop has two products')
  const tab = await admin.open('/counts')
  const phone = await admin.open('/')
  await phone.page.setViewportSize({ width: 360, height: 740 })
  const { app } = tab
  const numberIn = ({ app: frame }: Tab, title: string) =>
    frame.getByLabel(`Counted quantity of ${title}`, { exact: true })
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  /** Sends a request as another person of the shop. */
  const asBob = async (path: string, body: object = {}, method = 'POST') => {
    const { PLATFORM_API_KEY: apiKey, PLATFORM_API_SECRET: apiSecret } = testKeys
    const token = await mintSessionToken({ shop: domain, apiKey, apiSecret, userId: '2' })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${admin.webUrl}/api${path}`, { method, headers, body: JSON.stringify(body) })
    t.ok(answer.ok, `${method} ${path}: ${answer.ok ? '' : await answer.text()}`)
  }

  /** Only then the count can be approved. */
  const untilCompared = () =>
    until(async () => {
      const { items } = await newestCount()
      return items.every(({ countedQuantity, readAt }) => countedQuantity === null || readAt !== null)
    }, 'the worker has compared all numbers')

  await t.test('two devices scan one product, and their pieces add up', async (t) => {
    await startCount(tab, ['Add every product', 'Count blind'])
    await scan(tab, mug.barcode, 2)
    await app.getByText('Saved', { exact: true }).waitFor()
    await phone.page.goto(`${admin.adminUrl}/counts/1`)
    await phone.app.getByText('+ 2 by others').waitFor()
    await phone.app.getByLabel('Scan or type').focus()
    await scan(phone, mug.barcode, 3)
    await phone.app.getByText('Saved', { exact: true }).waitFor()
    await expectSoon(t, () => numberIn(phone, mug.title).inputValue(), '3')
    const width = () => phone.page.frames()[1]?.evaluate('document.documentElement.scrollWidth')
    await expectSoon(t, async () => Number(await width()) <= 360, true, 'the page fits a phone')
    const stored = async () =>
      (await newestCount()).items.find(({ variantId }) => variantId === mug.variantId)
    await expectSoon(t, async () => (await stored())?.countedQuantity, 5, 'the pieces of both are stored')
    t.match(await stored(), {
      countedQuantity: 5,
      expectedQuantity: null,
      entries: [{ countedQuantity: 2 }, { countedQuantity: 3 }],
    })
  })

  await t.test('the review shows value, accuracy and what each device counted', async (t) => {
    await admin.send('PUT', '/settings', { countApprovalValue: 0 })
    await tab.page.reload()
    await app.getByText('+ 3 by others').waitFor()
    await button('Finish counting').first().click()
    await button('Finish').click()
    const row = app.getByRole('table', { name: 'Differences' }).getByRole('row', { name: mug.title })
    await row.getByText(/User 1, device \w+: 3/).waitFor()
    await app.getByText('Accuracy by value').waitFor()
    await tab.page.setViewportSize({ width: 360, height: 800 })
    const boxOf = (text: RegExp) => app.getByText(text).boundingBox()
    const areBelowEachOther = async () => {
      const [one, other] = [await boxOf(/User 1, device \w+: 2/), await boxOf(/User 1, device \w+: 3/)]
      return one?.x === other?.x && one?.y !== other?.y
    }
    await expectSoon(t, areBelowEachOther, true, 'each counter has a line on a phone')
    await tab.page.setViewportSize({ width: 1280, height: 900 })
    t.match(await newestCount(), { phase: 'review', accuracy: Number })
  })

  await t.test('a count above the limit is approved by a user without numbers in it', async (t) => {
    await app.getByText('This count needs an approval').waitFor()
    await expectSoon(t, () => button('Submit').isDisabled(), true, 'it is not approved yet')
    await untilCompared()
    await button('Approve').click()
    await app.getByText('You counted products of this count').waitFor()
    t.match(await newestCount(), { approvedAt: null })
  })

  await t.test('a recount lists the differences for another person', async (t) => {
    await button('Recount').click()
    await button('Start recount').click()
    await app.getByText('Enter an amount or a percentage').waitFor()
    await app.getByLabel('Difference above (%)').fill('0')
    await button('Start recount').click()
    await app.getByText('Another user must recount each product.').waitFor()
    await expectSoon(t, () => numberIn(tab, bowl.title).count(), 0, 'only the products of the list')
    await expectSoon(t, () => numberIn(tab, mug.title).inputValue(), '', 'the first number is not shown')
    await numberIn(tab, mug.title).fill('9')
    await numberIn(tab, mug.title).press('Enter')
    const refused = app.getByRole('table', { name: 'Scanned but not counted' })
    await refused.getByText(/was counted by you before/).waitFor()
    await app
      .getByText(`${mug.title} is not counted. This number was not saved`)
      .waitFor({ state: 'attached' })
    const items = [{ variantId: mug.variantId, countedQuantity: mug.stock - 1 }]
    await asBob('/stock-counts/1', { items, device: 'phone of Bob' }, 'PUT')
    await refused.getByRole('button', { name: `Remove ${mug.title}` }).click()
    await button('Finish counting').first().click()
    await button('Finish').click()
    const row = app.getByRole('table', { name: 'Differences' }).getByRole('row', { name: mug.title })
    await row.getByText(/User 2, device phon: .*\(recount\)/).waitFor()
    t.match(await newestCount(), { phase: 'review', recount: { itemCount: 1 } })
  })

  await t.test('after the approval the count is submitted with a reason', async (t) => {
    const third = await mintSessionToken({
      shop: domain,
      apiKey: testKeys.PLATFORM_API_KEY,
      apiSecret: testKeys.PLATFORM_API_SECRET,
      userId: '3',
    })
    await untilCompared()
    const headers = { authorization: `Bearer ${third}` }
    const answer = await fetch(`${admin.webUrl}/api/stock-counts/1/approve`, { method: 'POST', headers })
    t.equal(answer.status, 200)
    await tab.page.reload()
    await app.getByText('Approved by user 3').waitFor()
    await button('Submit').click()
    const dialog = app.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Theft' }).click()
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await app.getByRole('table', { name: 'Stock changes' }).getByRole('row', { name: mug.title }).waitFor()
    await untilStock(mug.variantId, mug.stock - 1)
    t.match(await newestCount(), { status: 'submitted', reason: 'Theft' })
    const shelf = { name: 'shelf.png', mimeType: 'image/png', buffer: png }
    await app.getByLabel('Files', { exact: true }).setInputFiles(shelf)
    await app.getByRole('button', { name: 'shelf.png', exact: true }).waitFor()
    t.match(await admin.get('/attachments?subject=stock_count&subjectId=1'), [{ name: 'shelf.png' }])
    await app.getByRole('link', { name: 'Back to Counts' }).click()
    await app.getByRole('table', { name: 'Counts' }).getByRole('row', { name: '#1' }).getByText('%').waitFor()
  })

  await t.test('a plan is added, changed and deleted', async (t) => {
    const plans = () =>
      admin.get<{ abcClass: string; everyDays: number; maxItems: number | null }[]>('/count-plans')
    await app.getByRole('link', { name: 'Plans', exact: true }).click()
    await app.getByText('No count plans yet').waitFor()
    await button('Create a count plan').first().click()
    await button('Save plan').click()
    await app.getByText('Choose a location.').waitFor()
    await app.getByRole('combobox', { name: 'Location', exact: true }).click()
    await app.getByRole('option', { name: location.name, exact: true }).click()
    await app.getByLabel('Max products per count').fill('20')
    await button('Save plan').click()
    const name = `Class A at ${location.name}`
    await app.getByRole('table', { name: 'Count plans' }).getByText(name).waitFor()
    t.match(await plans(), [{ abcClass: 'A', everyDays: 7, maxItems: 20 }])
    await button(`Edit ${name}`).click()
    await app.getByLabel('Days between counts').fill('30')
    await button('Save plan').click()
    await app.getByText('30 days').waitFor()
    t.match(await plans(), [{ everyDays: 30, maxItems: 20 }])
    await button(`Delete ${name}`).click()
    await button('Delete the plan').click()
    await app.getByText('No count plans yet').waitFor()
    t.strictSame(await plans(), [])
  })

  await t.test('a sheet that matches nothing says so, and one since a day needs a day', async () => {
    await app.getByRole('link', { name: 'Back to Counts' }).click()
    await app.getByRole('link', { name: 'Start a count' }).first().click()
    await app.getByRole('heading', { name: 'Start a count', level: 1 }).waitFor()
    await app.getByRole('combobox', { name: 'Location', exact: true }).click()
    await app.getByRole('option', { name: location.name, exact: true }).click()
    await app.getByLabel('Add every product').check()
    await app.getByRole('combobox', { name: 'Stock that changed' }).click()
    await app.getByRole('option', { name: 'Since a day' }).click()
    await button('Start counting').click()
    await app.getByText('Choose a day.').waitFor()
    await app.getByLabel('Changed since').fill('2099-01-01')
    await button('Start counting').click()
    await app.getByText('No product that is stocked at this location matches the filter.').waitFor()
  })

  await t.test('a sheet lists the bins that begin with a text', async (t) => {
    const at = { locationId: location.locationId }
    const bins = [
      { ...at, variantId: mug.variantId, bin: 'Rack 1-A' },
      { ...at, variantId: bowl.variantId, bin: 'Rack 2-A' },
    ]
    await admin.send('PUT', '/bins', { bins })
    await app.getByRole('combobox', { name: 'Stock that changed' }).click()
    await app.getByRole('option', { name: 'All stock, changed or not' }).click()
    await app.getByLabel('Bin', { exact: true }).fill('rack 1*')
    await button('Start counting').click()
    await numberIn(tab, mug.title).waitFor()
    t.match(await newestCount(), { filter: { bin: 'rack 1*' }, items: [{ variantId: mug.variantId }] })
    await expectSoon(t, () => numberIn(tab, bowl.title).count(), 0, 'only the products of the bins')
  })
})

t.test('a shop requires reasons of its own list', async (t) => {
  const admin = await startAdmin(t)
  await admin.install()
  const { app } = await admin.open('/settings')
  const form = app.getByRole('form', { name: 'Counts and stock changes' })
  await form.getByLabel('Reasons of stock changes').fill('Broken\nEaten by mice\nBroken')
  await form.getByLabel('Require a reason of this list').check()
  await app.getByRole('button', { name: 'Save', exact: true }).click()
  await form.getByText('Must not be in the list twice.').waitFor()
  await form.getByLabel('Reasons of stock changes').fill('Broken\nEaten by mice')
  await form.getByLabel(/^Approve counts above/).fill('250')
  await app.getByRole('button', { name: 'Save', exact: true }).click()
  await app.getByText('Stock settings saved').waitFor()
  t.match(await admin.get('/settings'), {
    adjustmentReasons: ['Broken', 'Eaten by mice'],
    adjustmentReasonRequired: true,
    countApprovalValue: 250,
  })
  await goTo(app, 'Stock')
  await app
    .getByRole('button', { name: /^Adjust/ })
    .first()
    .click()
  const dialog = app.getByRole('dialog')
  await dialog.getByLabel('Quantity to add').fill('1')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Must be one of the reasons in the settings.').waitFor()
  await dialog.getByRole('button', { name: 'Eaten by mice' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const reasons = await admin.open('/reports/adjustment-reasons')
  await reasons.app.getByRole('row', { name: 'Eaten by mice' }).waitFor()
  const accuracy = await admin.open('/reports/count-accuracy')
  await accuracy.app.getByText('No counts yet').waitFor()
})
