import { Type } from '@sinclair/typebox'
import t from 'tap'
import { row, sql } from '../../shared/db/db.ts'
import { startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/processes.ts'
import { makeDelivery } from '../support/platform/webhooks.ts'

type Sync = { state: string; startedAt: string; failedDeliveries: number }

t.test(
  'a merchant sees how the shop is read, and has news applied that failed',
  { timeout: 300_000 },
  async (t) => {
    const { platform, shop, db, install, get, open } = await startAdmin(t)
    await install()
    const shopId = await db.oneFirst(sql.typeAlias('id')`select id from shop`)
    const { app } = await open('/sync')
    const phase = (name: string, state: string) =>
      app.getByRole('listitem').filter({ hasText: name }).getByLabel(state)

    await t.test('the shop is read again when that is meant, and the page shows how far it is', async (t) => {
      await app.getByText('All of it was read').waitFor()
      const { startedAt } = await get<Sync>('/sync')
      platform.faults.set({ graphql: [{ fault: 'hang', operation: 'query Variants', times: 1 }] })
      await app.getByRole('button', { name: 'Read the shop again' }).click()
      await app.getByRole('dialog').getByRole('button', { name: 'Not now' }).click()
      t.match(await get('/sync'), { startedAt }, 'not without being meant')
      await app.getByRole('button', { name: 'Read the shop again' }).click()
      await app.getByRole('dialog').getByRole('button', { name: 'Read it again' }).click()
      await phase('Products', 'Under way').waitFor()
      await phase('Locations', 'Done').waitFor()
      await phase('Orders', 'To come').waitFor()
      t.equal(await app.getByRole('button', { name: 'Read the shop again' }).isDisabled(), true)
      await app.getByText('All of it was read').waitFor()
      await app.getByText('6 with 6 variants').waitFor()
      t.not((await get<Sync>('/sync')).startedAt, startedAt)
    })

    await t.test('the last news of the shop is told', async (t) => {
      await app.getByText('None yet.').waitFor()
      shop.placeRandomOrder()
      await until(
        async () => (await get<{ lastWebhookAt: string | null }>('/sync')).lastWebhookAt !== null,
        'it came',
      )
      await app.getByText('Last heard').waitFor()
      t.match(await app.locator('time').first().getAttribute('title'), /\d/)
    })

    await t.test('news that failed is applied again, one or all, and counts once', async (t) => {
      const reason = 'It could not be applied, and is not tried again by itself.'
      const ids: number[] = []
      for (const quantity of [1, 2, 3])
        ids.push(await makeDelivery(db, shopId, { state: 'failed', reason, quantity }))
      const state = async (id: number) =>
        db.oneFirst(sql.type(row(Type.Object({ state: Type.String() })))`
        select state from webhook_delivery where shop_id = ${shopId} and id = ${id}
      `)
      const table = app.getByRole('table', { name: 'News: Failed' })
      await table.getByText(reason).first().waitFor()
      const [first = 0, ...others] = ids
      await app.getByRole('button', { name: `Apply again: An order was placed, number ${first}` }).click()
      await until(async () => (await state(first)) === 'applied', 'the first is applied')
      for (const id of others) t.equal(await state(id), 'failed')
      await app.getByRole('button', { name: 'Apply all again' }).click()
      await app.getByRole('dialog').getByRole('button', { name: 'Apply all again' }).click()
      await app.getByText('2 are being applied again.').waitFor()
      for (const id of others)
        await until(async () => (await state(id)) === 'applied', 'the others are applied')
      await app.getByText('Nothing has failed').waitFor()
      t.equal((await get<Sync>('/sync')).failedDeliveries, 0)
      await app.getByRole('link', { name: 'Applied', exact: true }).click()
      await app
        .getByRole('table', { name: 'News: Applied' })
        .getByText('An order was placed')
        .first()
        .waitFor()
    })
  },
)
