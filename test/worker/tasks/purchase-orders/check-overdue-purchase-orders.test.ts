import t, { type Test } from 'tap'
import { sql } from '../../../../shared/db/db.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { useOwnDatabase } from '../../../support/core/database.ts'
import { alertsOf } from '../../../support/make/alerts.ts'
import {
  line,
  makeOrder,
  makeOrderIn,
  makeSentOrder,
  makeSupplier,
  receive,
} from '../../../support/make/orders.ts'
import { makeStock } from '../../../support/make/stock.ts'
import { startDeliveries } from '../../../support/platform/webhooks.ts'

useOwnDatabase()

const past = '2026-03-03T12:00:00Z'

async function start(t: Test) {
  const context = await startDeliveries(t)
  const { db, alice, perform } = context
  return {
    ...context,
    check: () => perform(jobs.checkOverduePurchaseOrders, { shopId: alice.shopId }),
    alerts: () => alertsOf(db, alice, 'po_overdue'),
    expect: (id: number, expectedAt: string | null) =>
      alice.put(`/api/purchase-orders/${id}`, { expectedAt }),
    /** Moves the sending of an order into the past. */
    age: (id: number, days: number) =>
      db.query(sql.typeAlias('void')`
        update purchase_order set sent_at = now() - make_interval(days => ${days})
        where shop_id = ${alice.shopId} and id = ${id}
      `),
  }
}

t.test('an overdue order raises one alert, however often the job runs', async (t) => {
  const { db, alice, mallory, check, alerts } = await start(t)
  const order = await makeSentOrder(alice, { expectedAt: past })
  await makeSentOrder(alice, { expectedAt: '2126-01-01T00:00:00Z' })
  await makeSentOrder(mallory, { expectedAt: past })
  for (let runs = 0; runs < 2; runs += 1) await check()
  const message = `${order.poNumber} of Acme was expected on March 3, 2026 and has not arrived.`
  t.strictSame(await alerts(), [{ message, isOpen: true }])
  t.strictSame(await alertsOf(db, mallory, 'po_overdue'), [])
})

t.test('dates have the format and time zone of the shop', async (t) => {
  const { db, alice, check, alerts } = await start(t)
  await db.query(sql.typeAlias('void')`
    insert into shop_setting (shop_id, locale, time_zone) values (${alice.shopId}, 'en-GB', 'Pacific/Auckland')
  `)
  await makeSentOrder(alice, { expectedAt: past })
  await check()
  t.match(await alerts(), [{ message: /was expected on 4 March 2026 and/ }])
})

t.test(
  "without an expected date the supplier's lead time applies, and without both an order is never overdue",
  async (t) => {
    const { alice, check, alerts, age } = await start(t)
    const supplierId = await makeSupplier(alice, { name: 'Slow', leadTimeDays: 7 })
    const early = await makeSentOrder(alice, { supplierId })
    const late = await makeSentOrder(alice, { supplierId })
    const unknown = await makeSentOrder(alice)
    await age(early.id, 6)
    await age(late.id, 8)
    await age(unknown.id, 800)
    await check()
    t.match(await alerts(), [{ message: `${late.poNumber} of Slow was expected on ` }])
    t.equal((await alerts()).length, 1)
    await alice.put(`/api/suppliers/${supplierId}`, { leadTimeDays: 14 })
    t.match(await alerts(), [{ isOpen: true }])
    await check()
    t.match(await alerts(), [{ isOpen: false }], 'a new lead time applies from the next check on')
  },
)

t.test('only sent and partial orders can be overdue', async (t) => {
  const { db, alice, check, alerts } = await start(t)
  await makeStock(db, alice)
  for (const status of ['draft', 'received', 'cancelled', 'partial'] as const) {
    const lineItems = [line(1, { quantity: 2 })]
    await makeOrderIn(alice, status, { expectedAt: past, lineItems })
  }
  await check()
  t.match(await alerts(), [{ message: /^PO-00004 / }])
  t.equal((await alerts()).length, 1)
})

t.test(
  'the check stores the due dates of open orders that an earlier release left out or did not follow',
  async (t) => {
    const { db, alice, mallory, check } = await start(t)
    await makeStock(db, alice)
    const at = { expectedAt: past, lineItems: [line(1, { quantity: 2 })] }
    const draft = await makeOrderIn(alice, 'draft', at)
    const sent = await makeSentOrder(alice, at)
    const received = await makeOrderIn(alice, 'received', at)
    const other = await makeOrderIn(mallory, 'draft', at)
    const setDue = (dueAt: string | null) =>
      db.query(sql.typeAlias('void')`update purchase_order set due_at = ${dueAt}::timestamptz`)
    const dueOf = async (person: typeof alice, { id }: { id: number }) =>
      (await person.get(`/api/purchase-orders?ids=${id}`)).json().data[0].dueAt
    await setDue(null)
    await check()
    for (const order of [draft, sent]) t.equal(await dueOf(alice, order), '2026-03-03T12:00:00.000Z')
    t.equal(await dueOf(alice, received), null, 'no closed order is read')
    t.equal(await dueOf(mallory, other), null)
    await setDue('2027-01-01T00:00:00Z')
    await check()
    for (const order of [draft, sent]) t.equal(await dueOf(alice, order), '2026-03-03T12:00:00.000Z')
  },
)

t.test(
  'an open alert follows the lead time and the name of the supplier, and the format of dates',
  async (t) => {
    const { alice, check, alerts, age } = await start(t)
    const supplierId = await makeSupplier(alice, { name: 'Slow', leadTimeDays: 7 })
    const { id } = await makeSentOrder(alice, { supplierId })
    await age(id, 30)
    await check()
    const [first] = await alerts()
    await alice.put(`/api/suppliers/${supplierId}`, { leadTimeDays: 14 })
    await check()
    const [second, ...others] = await alerts()
    t.strictSame(others, [])
    t.not(second?.message, first?.message, 'a week later')
    await alice.put(`/api/suppliers/${supplierId}`, { name: 'Slow & Sons' })
    await alice.put('/api/settings', { locale: 'de-DE' })
    await check()
    t.match(await alerts(), [
      { message: /^PO-00001 of Slow & Sons was expected on \d+\. \w+ \d{4} and/, isOpen: true },
    ])
  },
)

t.test('a reversed receipt makes an order overdue again', async (t) => {
  const { db, alice, check, alerts } = await start(t)
  await makeStock(db, alice)
  const { id } = await makeOrderIn(alice, 'received', { expectedAt: past })
  const [receipt] = (await alice.get(`/api/purchase-orders/${id}/receipts`)).json().data
  await alice.post(`/api/purchase-orders/${id}/receipts/${receipt.id}/reverse`)
  await check()
  t.match(await alerts(), [{ isOpen: true }])
})

t.test('a shop with these alerts off gets no new ones, and open ones stay until resolved', async (t) => {
  const { alice, check, alerts } = await start(t)
  const first = await makeSentOrder(alice, { expectedAt: past })
  await check()
  await alice.post('/api/alerts/configure', { overduePoAlerts: false })
  await makeSentOrder(alice, { expectedAt: past })
  await check()
  t.match(await alerts(), [{ isOpen: true }])
  t.equal((await alerts()).length, 1)
  await alice.post(`/api/purchase-orders/${first.id}/cancel`)
  t.match(await alerts(), [{ isOpen: false }])
})

t.test('the job skips a shop that has uninstalled the app', async (t) => {
  const { db, alice, check, alerts } = await start(t)
  await makeSentOrder(alice, { expectedAt: past })
  await db.query(sql.typeAlias('void')`update shop set uninstalled_at = now() where id = ${alice.shopId}`)
  await check()
  t.strictSame(await alerts(), [])
})

t.test('one run raises alerts for 5,000 overdue orders', async (t) => {
  const { db, alice, check, alerts } = await start(t)
  const { supplierId } = await makeOrder(alice)
  await db.query(sql.typeAlias('void')`
    insert into purchase_order (shop_id, number, supplier_id, status, sent_at, expected_at, created_by)
    select ${alice.shopId}, 1000 + n, ${supplierId}, 'sent', now(), ${past}, 'alice-1' from generate_series(1, 5000) n
  `)
  // as autovacuum does soon
  await db.query(sql.typeAlias('void')`analyze purchase_order`)
  await check()
  await db.query(sql.typeAlias('void')`analyze alert`)
  await check()
  t.equal((await alerts()).length, 5000)
})

t.test('an edit raises and resolves the alert immediately', async (t) => {
  const { db, alice, mallory, alerts, expect } = await start(t)
  const { id } = await makeSentOrder(alice)
  await expect(id, '2126-01-01T00:00:00Z')
  t.strictSame(await alerts(), [])
  await expect(id, past)
  t.match(await alerts(), [{ message: /was expected on March 3, 2026/, isOpen: true }])
  await alice.post('/api/alerts/read-all')
  await expect(id, '2026-01-02T12:00:00Z')
  const message = 'PO-00001 of Acme was expected on January 2, 2026 and has not arrived.'
  t.match(
    (await alice.get('/api/alerts')).json().data,
    [{ message, read: true }],
    'one alert, which stays read',
  )
  t.strictSame(await alerts(), [{ message, isOpen: true }])
  await expect(id, null)
  t.strictSame(await alerts(), [{ message, isOpen: false }], 'the order has no due date')
  t.strictSame(await alertsOf(db, mallory, 'po_overdue'), [])
})

t.test('an edit of a draft raises no alert', async (t) => {
  const { alice, alerts, expect } = await start(t)
  const { id } = await makeOrder(alice)
  await expect(id, past)
  t.strictSame(await alerts(), [])
})

t.test('a received, cancelled or closed order is not overdue any more', async (t) => {
  const { db, alice, alerts, expect } = await start(t)
  await makeStock(db, alice)
  const supplierId = await makeSupplier(alice)
  const endOf = async (end: (id: number) => Promise<unknown>) => {
    const lineItems = [line(1, { quantity: 2 })]
    const { id } = await makeSentOrder(alice, { supplierId, lineItems })
    await expect(id, past)
    await end(id)
    return (await alerts()).at(-1)
  }
  t.match(await endOf((id) => receive(alice, id, [1])), { isOpen: true }, 'a partial order stays overdue')
  t.match(await endOf((id) => receive(alice, id, [2])), { isOpen: false })
  t.match(await endOf((id) => alice.post(`/api/purchase-orders/${id}/cancel`)), { isOpen: false })
  t.match(await endOf((id) => alice.post(`/api/purchase-orders/${id}/close`)), { isOpen: false })
  const closePartial = async (id: number) => {
    await receive(alice, id, [1])
    await alice.post(`/api/purchase-orders/${id}/close`)
  }
  t.match(await endOf(closePartial), { isOpen: false })
  t.equal((await alerts()).length, 5)
})
