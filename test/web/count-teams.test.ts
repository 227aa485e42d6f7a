import t from 'tap'
import { mintSessionToken } from '../../dev/simulator/session-token.ts'
import { domain, expectSoon, goTo, openCounting, scan, startAdmin } from '../support/core/admin.ts'
import { testKeys } from '../support/core/database.ts'
import { until } from '../support/core/until.ts'
import { png } from '../support/make/attachments.ts'

t.test('two people count together, blind, with recount and approval', async (t) => {
  const admin = await startAdmin(t)
  await admin.install()
  const { location, products, untilStock, newestCount, startCount } = await openCounting(admin)
  const [mug, bowl] = products
  if (!mug || !bowl) throw new Error('The shop has two products')
  const tab = await admin.open('/reports/count-accuracy')
  await tab.app.getByText('No counts yet').waitFor()
  await goTo(tab.app, 'Counts')
  const { app } = tab
  const number = (title: string) => app.getByLabel(`Counted quantity of ${title}`, { exact: true })
  const button = (name: string) => app.getByRole('button', { name, exact: true })
  /** Sends a request as another person of the shop. */
  const asPerson = async (userId: string, path: string, body: object = {}, method = 'POST') => {
    const { PLATFORM_API_KEY: apiKey, PLATFORM_API_SECRET: apiSecret } = testKeys
    const token = await mintSessionToken({ shop: domain, apiKey, apiSecret, userId })
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

  await t.test('the pieces of two devices add up', async (t) => {
    await startCount(tab, ['Add every product', 'Count blind'])
    await scan(tab, mug.barcode, 2)
    await app.getByText('Saved', { exact: true }).waitFor()
    const items = [{ variantId: mug.variantId, countedQuantity: 3 }]
    await admin.send('PUT', '/stock-counts/1', { items, device: 'phone' })
    t.match(
      (await newestCount()).items.find(({ variantId }) => variantId === mug.variantId),
      {
        ...{ countedQuantity: 5, expectedQuantity: null },
        entries: [{ countedQuantity: 2 }, { countedQuantity: 3 }],
      },
    )
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
    await expectSoon(t, () => number(bowl.title).count(), 0, 'only the products of the list')
    await expectSoon(t, () => number(mug.title).inputValue(), '', 'the first number is not shown')
    await number(mug.title).fill('9')
    await number(mug.title).press('Enter')
    const refused = app.getByRole('table', { name: 'Scanned but not counted' })
    await refused.getByText(/was counted by you before/).waitFor()
    await app
      .getByText(`${mug.title} is not counted. This number was not saved`)
      .waitFor({ state: 'attached' })
    const items = [{ variantId: mug.variantId, countedQuantity: mug.stock - 1 }]
    await asPerson('2', '/stock-counts/1', { items, device: 'phone of Bob' }, 'PUT')
    await refused.getByRole('button', { name: `Remove ${mug.title}` }).click()
    await button('Finish counting').first().click()
    await button('Finish').click()
    const row = app.getByRole('table', { name: 'Differences' }).getByRole('row', { name: mug.title })
    await row.getByText(/User 2, device phon: .*\(recount\)/).waitFor()
    t.match(await newestCount(), { phase: 'review', recount: { itemCount: 1 } })
  })

  await t.test('after the approval the count is submitted with a reason', async (t) => {
    await untilCompared()
    await asPerson('3', '/stock-counts/1/approve')
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

  await t.test('a shop requires reasons of its own list', async (t) => {
    await goTo(app, 'Settings')
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
  })
})
