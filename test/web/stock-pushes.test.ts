import t from 'tap'
import { startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'
import { visit } from '../support/web/page-tour.ts'
import { openStock } from '../support/web/stock-page.ts'

t.test('an adjustment that the platform did not confirm is retried or discarded', async (t) => {
  const admin = await startAdmin(t)
  const { platform, shop, install } = admin
  await install()
  const stock = await openStock(admin)
  const { tab, dialog, level, name, appStock, platformStock, untilBoth, moves, shown, findRow, change } =
    stock
  const { variantId, locationId, currentStock: before } = level
  const { page, app } = tab
  await findRow()

  await t.test('an adjustment whose answer was lost is not made again with another reason', async (t) => {
    let attempts = 0
    await page.route('**/stock-levels/adjust', async (route) => {
      attempts += 1
      // the limit is checked before the key: the first attempt may have worked
      if (attempts === 2) return route.fulfill({ status: 429 })
      await route.fetch()
      await route.abort()
    })
    await change('Add', 1)
    await dialog.getByText('There is no connection to Quartermaster.').waitFor()
    await page.unroute('**/stock-levels/adjust')
    await dialog.getByRole('button', { name: 'Found' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('An earlier save of this form was stored').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await shown(before + 1)
    await untilBoth(before + 1)
    t.strictSame((await moves())[0], ['delta', 1, ''])
  })

  /** Makes the platform's quantity change before every attempt, until the push fails. */
  const failNextPush = async () => {
    const { nextRequest } = platform.faults
    platform.faults.set({ webhooks: [{ fault: 'drop', times: 1000 }] })
    platform.faults.nextRequest = (domain, document) => {
      if (document.includes('SetQuantities')) shop.adjustStock(variantId, locationId, 1)
      return nextRequest(domain, document)
    }
    await visit(tab, '/stock')
    // the history has a field of this name, too
    await app.getByRole('heading', { name: 'Stock', level: 1, exact: true }).waitFor()
    await findRow()
    // the page shows what it read last until it has read the failed pushes again
    await app.getByText('1 stock change didn’t sync').waitFor({ state: 'detached' })
    const now = (await appStock()) ?? 0
    await change('Set to', now + 10)
    await app.getByText('1 stock change didn’t sync').waitFor()
    platform.faults.nextRequest = nextRequest
    platform.faults.set({ webhooks: [] })
    await app.getByRole('link', { name: 'Retry or discard' }).click()
    await app.getByText('kept changing').waitFor()
  }

  await t.test('a failed push is retried', async (t) => {
    await failNextPush()
    await app.getByRole('row', { name: `+10 ${name}` }).waitFor()
    await app.getByRole('button', { name: 'Try again' }).click()
    await app.getByText('No changes waiting').waitFor()
    await until(
      async () => (await appStock()) === platformStock(),
      'one quantity in the app and on the platform',
    )
    t.ok(((await appStock()) ?? 0) >= before + 11)
  })

  await t.test('a failed push is discarded: our level equals the platform’s', async (t) => {
    await failNextPush()
    const quantity = platformStock()
    await app.getByRole('button', { name: 'Discard' }).click()
    await dialog.getByText('-10').waitFor()
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await app.getByText('No changes waiting').waitFor()
    await untilBoth(quantity ?? 0)
    t.strictSame((await moves())[0]?.slice(0, 2), ['discard', -10])
  })
})
