import { Type } from '@sinclair/typebox'
import t from 'tap'
import { row, sql } from '../../shared/db/db.ts'
import { expectSoon, startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'
import { makeDelivery } from '../support/platform/webhooks.ts'

type Sync = { state: string; startedAt: string; failedDeliveries: number }

t.test('a merchant sees the progress of the import and retries failed updates', async (t) => {
  const { platform, shop, db, install, get, open } = await startAdmin(t)
  await install()
  const shopId = await db.oneFirst(sql.typeAlias('id')`select id from shop`)
  const { app } = await open('/sync')
  const phase = (name: string, state: string) =>
    app.getByRole('listitem').filter({ hasText: name }).getByLabel(state)

  await t.test('a new import needs a confirmation, and the page shows its progress', async (t) => {
    await app.getByText('Import completed').waitFor()
    const { startedAt } = await get<Sync>('/sync')
    // until the page has shown the progress, which may take it longer than one request waits
    platform.faults.set({ graphql: [{ fault: 'hang', operation: 'query Variants', times: 100 }] })
    await app.getByRole('button', { name: 'Re-import everything' }).click()
    await app.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    t.match(await get('/sync'), { startedAt }, 'not without a confirmation')
    await app.getByRole('button', { name: 'Re-import everything' }).click()
    await app.getByRole('dialog').getByRole('button', { name: 'Re-import' }).click()
    await phase('Products', 'In progress').waitFor()
    await phase('Locations', 'Done').waitFor()
    await phase('Orders', 'Not started').waitFor()
    await expectSoon(t, () => app.getByRole('button', { name: 'Re-import everything' }).isDisabled(), true)
    platform.faults.set({ graphql: [] })
    await app.getByText('Import completed').waitFor()
    await app.getByText('6 with 6 variants').waitFor()
    t.not((await get<Sync>('/sync')).startedAt, startedAt)
  })

  await t.test('the page shows how many days of sales are known, and a reading of orders', async (t) => {
    await app.getByText('60 of 90 days known').waitFor()
    await db.query(sql.typeAlias('void')`
        update sales_reading set started_at = now(), order_count = 1250 where shop_id = ${shopId}
      `)
    await app.getByRole('status').filter({ hasText: '1,250 so far' }).waitFor()
    await db.query(sql.typeAlias('void')`
        update sales_reading set started_at = null, read_until = now() where shop_id = ${shopId}
      `)
    await app.getByText('All of them were last checked on').waitFor()
    t.match(await get('/sync'), { sales: { knownDays: 60, ordersRead: 1250 } })
  })

  await t.test('the page shows the last received update', async (t) => {
    await app.getByText('None yet.').waitFor()
    shop.placeRandomOrder()
    await until(
      async () => (await get<{ lastWebhookAt: string | null }>('/sync')).lastWebhookAt !== null,
      'the update has arrived',
    )
    await app.getByText('Last received').waitFor()
    const title = () => app.locator('time').first().getAttribute('title')
    await expectSoon(t, async () => /\d/.test((await title()) ?? ''), true, 'the time is shown in full')
  })

  await t.test('failed updates are retried, one or all, and applied once', async (t) => {
    const reason = 'It failed and is not retried automatically.'
    const ids: number[] = []
    for (const quantity of [1, 2, 3])
      ids.push(await makeDelivery(db, shopId, { state: 'failed', reason, quantity }))
    const state = async (id: number) =>
      db.oneFirst(sql.type(row(Type.Object({ state: Type.String() })))`
        select state from webhook_delivery where shop_id = ${shopId} and id = ${id}
      `)
    const table = app.getByRole('table', { name: 'Updates: Failed' })
    await table.getByText(reason).first().waitFor()
    const [first = 0, ...others] = ids
    await app.getByRole('button', { name: `Retry: An order was placed, number ${first}` }).click()
    await until(async () => (await state(first)) === 'applied', 'the first update is applied')
    for (const id of others) t.equal(await state(id), 'failed')
    await app.getByRole('button', { name: 'Retry all' }).click()
    await app.getByRole('dialog').getByRole('button', { name: 'Retry all' }).click()
    await app.getByText('Retrying 2 updates').waitFor()
    for (const id of others)
      await until(async () => (await state(id)) === 'applied', 'the other updates are applied')
    await app.getByText('No failed updates').waitFor()
    t.equal((await get<Sync>('/sync')).failedDeliveries, 0)
    await app.getByRole('link', { name: 'Applied', exact: true }).click()
    await app
      .getByRole('table', { name: 'Updates: Applied' })
      .getByText('An order was placed')
      .first()
      .waitFor()
  })
})
