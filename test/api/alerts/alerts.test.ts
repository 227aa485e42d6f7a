import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import type { Alert } from '../../../shared/schemas/alerts.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { instantIn } from '../../support/core/instants.ts'
import { type Person, readPages } from '../../support/core/people.ts'
import { enqueued } from '../../support/core/worker.ts'
import { makeAlert } from '../../support/make/alerts.ts'
import { makeSentOrder } from '../../support/make/orders.ts'
import { insertRule } from '../../support/make/reorder.ts'
import { makeStock } from '../../support/make/stock.ts'

const list = async (person: Person, query = ''): Promise<Alert[]> =>
  (await person.get(`/api/alerts${query}`)).json().data

const idsOf = (alerts: Alert[]) => alerts.map(({ id }) => id)

/** Alerts in every state: open and resolved, read and unread; oldest first. */
async function start(t: Test) {
  const context = await startApp(t)
  const { db, alice } = context
  const low = await makeAlert(db, alice)
  const resolved = await makeAlert(db, alice, { isResolved: true })
  const mail = await makeAlert(db, alice, { type: 'mail_failed', message: 'It was not sent.' })
  const read = await makeAlert(db, alice)
  await alice.post(`/api/alerts/${read}/read`)
  return { ...context, low, resolved, mail, read }
}

t.test('an alert of a product and an alert of an order have the fields of the specification', async (t) => {
  const before = instantIn(0).toISOString()
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { available: 1 })
  await insertRule(db, alice)
  const order = await makeSentOrder(alice, { expectedAt: '2026-01-01T12:00:00Z' })
  await alice.put(`/api/purchase-orders/${order.id}`, { expectedAt: '2026-03-03T12:00:00Z' })
  const alerts = await list(alice)
  t.strictSame(
    alerts.map(({ id, createdAt, ...alert }) => alert),
    [
      {
        type: 'po_overdue',
        message: 'PO-00001 of Acme was expected on March 3, 2026 and has not arrived.',
        purchaseOrderId: order.id,
        read: false,
        resolvedAt: null,
      },
      {
        type: 'low_stock',
        message: 'Mug 1 - Size 1 is low: 1 left, reorder point 5.',
        productId: 'gid://platform/Product/1',
        productTitle: 'Mug 1',
        variantId: 'gid://platform/ProductVariant/1',
        read: false,
        resolvedAt: null,
      },
    ],
  )
  for (const { id, createdAt } of alerts) {
    t.ok(id > 0)
    t.ok(createdAt >= before)
  }
})

t.test('the list has the open alerts and those resolved in the last 7 days, newest first', async (t) => {
  const { db, alice, low, resolved, mail, read } = await start(t)
  const age = (days: number, hours: number) =>
    db.query(sql.typeAlias('void')`
      update alert set resolved_at = now() - make_interval(days => ${days}, hours => ${hours})
      where shop_id = ${alice.shopId} and id = ${resolved}
    `)
  await age(6, 23)
  t.strictSame(idsOf(await list(alice)), [read, mail, resolved, low])
  t.match(await list(alice), [
    { resolvedAt: null },
    { resolvedAt: null },
    { id: resolved, resolvedAt: /Z$/ },
    { resolvedAt: null },
  ])
  t.strictSame(await readPages(alice, '/api/alerts?limit=1'), [[read], [mail], [resolved], [low]])
  await age(7, 1)
  t.strictSame(idsOf(await list(alice)), [read, mail, low])
  t.strictSame(idsOf(await list(alice, '?state=all')), [read, mail, resolved, low])
})

t.test('a request may ask for the open, the resolved or all alerts', async (t) => {
  const { alice, low, resolved, mail, read } = await start(t)
  t.strictSame(idsOf(await list(alice, '?state=open')), [read, mail, low])
  t.strictSame(idsOf(await list(alice, '?state=resolved')), [resolved])
  t.match(await list(alice, '?state=resolved'), [{ resolvedAt: /Z$/ }])
  t.strictSame(idsOf(await list(alice, '?state=all')), [read, mail, resolved, low])
})

t.test('the list is filtered by type and read state, and paged', async (t) => {
  const { alice, low, resolved, mail, read } = await start(t)
  t.strictSame(idsOf(await list(alice, '?read=false')), [mail, resolved, low])
  t.strictSame(idsOf(await list(alice, '?read=false&state=open')), [mail, low])
  t.strictSame(idsOf(await list(alice, '?read=true')), [read])
  t.strictSame(idsOf(await list(alice, '?type=mail_failed')), [mail])
  t.strictSame(idsOf(await list(alice, '?type=low_stock&read=false&state=all')), [resolved, low])
  t.strictSame(await readPages(alice, '/api/alerts?state=open&limit=2'), [[read, mail], [low]])
  for (const query of ['?state=new', '?type=unknown', '?read=maybe', '?limit=0', '?cursor=x', '?of=me']) {
    expectFailure(t, await alice.get(`/api/alerts${query}`), 400, 'invalid_request', query)
  }
})

t.test('an alert can be marked as read repeatedly, and also when it is resolved', async (t) => {
  const { alice, low, resolved, mail, read } = await start(t)
  for (const id of [low, low, resolved]) {
    const answer = await alice.post(`/api/alerts/${id}/read`)
    t.equal(answer.statusCode, 200)
    t.strictSame(answer.json(), { success: true, data: { id, read: true } })
  }
  t.strictSame(idsOf(await list(alice, '?read=true&state=all')), [read, resolved, low])
  t.strictSame(idsOf(await list(alice, '?read=false&state=open')), [mail])
  expectFailure(t, await alice.post('/api/alerts/99999999/read'), 404, 'not_found')
  expectFailure(t, await alice.post('/api/alerts/x/read'), 400, 'invalid_request')
  expectFailure(t, await alice.post(`/api/alerts/${low}/read`, { read: false }), 400, 'invalid_request')
})

t.test('all open alerts can be marked as read, of one type or of all types', async (t) => {
  const { alice, resolved } = await start(t)
  const readAll = async (body?: object) => (await alice.post('/api/alerts/read-all', body)).json()
  t.strictSame(await readAll({ type: 'mail_failed' }), { success: true, data: { read: 1 } })
  t.strictSame(await readAll({ type: 'mail_failed' }), { success: true, data: { read: 0 } })
  t.strictSame(await readAll(), { success: true, data: { read: 1 } })
  t.strictSame(await list(alice, '?read=false&state=open'), [])
  t.strictSame(idsOf(await list(alice, '?read=false&state=all')), [resolved], 'a resolved alert stays unread')
  for (const body of [{ type: 'unknown' }, { types: [] }]) {
    expectFailure(t, await alice.post('/api/alerts/read-all', body), 400, 'invalid_request')
  }
})

t.test('an alert that is raised again is unread', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  await insertRule(db, alice, { reorderPoint: 9 })
  const level = { variantId: 'gid://platform/ProductVariant/1', locationId: 'gid://platform/Location/1' }
  for (const delta of [-5, 5, -5]) {
    await alice.post('/api/alerts/read-all')
    await alice.post('/api/stock-levels/adjust', { adjustments: [{ ...level, delta }] })
  }
  t.match(await list(alice, '?state=all'), [
    { read: false, resolvedAt: null },
    { read: true, resolvedAt: /Z$/ },
  ])
})

t.test('another shop can neither see nor mark alerts', async (t) => {
  const { alice, mallory, low } = await start(t)
  t.strictSame(await list(mallory, '?state=all'), [])
  expectFailure(t, await mallory.post(`/api/alerts/${low}/read`), 404, 'not_found')
  t.match((await mallory.post('/api/alerts/read-all')).json(), { data: { read: 0 } })
  t.equal((await list(alice, '?read=false&state=open')).length, 2)
})

const configure = (person: Person, body: object) => person.post('/api/alerts/configure', body)
const configuration = async (person: Person) => (await person.get('/api/alerts/configure')).json()
const defaults = { lowStockAlerts: true, overduePoAlerts: true, alertThresholdPercent: 0 }

t.test('the configuration has defaults, and a request changes only its fields', async (t) => {
  const { alice, mallory } = await startApp(t)
  t.strictSame(await configuration(alice), { success: true, data: defaults })
  const all = { lowStockAlerts: false, overduePoAlerts: false, alertThresholdPercent: 12.5 }
  const answer = await configure(alice, all)
  t.equal(answer.statusCode, 200)
  t.strictSame(answer.json(), { success: true, data: { message: 'Alerts configured.' } })
  t.strictSame((await configuration(alice)).data, all)
  await configure(alice, { overduePoAlerts: true })
  t.strictSame((await configuration(alice)).data, { ...all, overduePoAlerts: true })
  t.strictSame((await configuration(mallory)).data, defaults)
})

t.test('the API refuses an invalid configuration and names the field', async (t) => {
  const { alice } = await startApp(t)
  for (const [body, path] of [
    [{}, ''],
    [{ alertThresholdPercent: -1 }, '/alertThresholdPercent'],
    [{ alertThresholdPercent: 1000.01 }, '/alertThresholdPercent'],
    [{ alertThresholdPercent: 1.005 }, '/alertThresholdPercent'],
    [{ lowStockAlerts: null }, '/lowStockAlerts'],
    [{ overduePoAlerts: 'on' }, '/overduePoAlerts'],
    [{ lowStockAlerts: true, emails: true }, '/emails'],
  ] as const) {
    const { details } = expectFailure(t, await configure(alice, body), 400, 'invalid_request')
    t.strictSame(
      details?.map((fault) => fault.path),
      [path],
    )
  }
  t.strictSame((await configuration(alice)).data, defaults)
})

t.test('a configuration with more alerts enqueues one check immediately', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  const { shopId } = alice
  const lowChecks = () => enqueued(db, jobs.checkLowStock, shopId)
  const overdueChecks = () => enqueued(db, jobs.checkOverduePurchaseOrders, shopId)
  await configure(alice, { ...defaults, overduePoAlerts: false, lowStockAlerts: false })
  t.strictSame([...(await lowChecks()), ...(await overdueChecks())], [], 'fewer alerts need no check')
  await configure(alice, { alertThresholdPercent: 10 })
  await configure(alice, { alertThresholdPercent: 20 })
  t.strictSame(await lowChecks(), [{ shopId }])
  await configure(alice, { lowStockAlerts: true })
  t.strictSame(await lowChecks(), [{ shopId }])
  t.strictSame(await overdueChecks(), [])
  await configure(alice, { overduePoAlerts: true })
  t.strictSame(await overdueChecks(), [{ shopId }])
  t.strictSame(await enqueued(db, jobs.checkLowStock, mallory.shopId), [])
})
