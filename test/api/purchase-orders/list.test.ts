import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { checkOverdueOrders } from '../../../shared/domain/documents/purchase-orders/overdue.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import type { PurchaseOrderListItem } from '../../../shared/schemas/purchase-orders.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { removeJobs } from '../../support/core/jobs.ts'
import { type Person, readPages } from '../../support/core/people.ts'
import { enqueued } from '../../support/core/worker.ts'
import {
  line,
  mailsOf,
  makeOrder,
  makeOrderIn,
  makeSentOrder,
  makeSupplier,
  receive,
} from '../../support/make/orders.ts'
import { dayIn, setTimeZone } from '../../support/make/sales.ts'
import { makeStock } from '../../support/make/stock.ts'

/** A refusal that names the field. */
function expectFault(t: Test, response: Parameters<typeof expectFailure>[1], path: string) {
  const { details } = expectFailure(t, response, 400, 'invalid_request', path)
  t.equal(details?.[0]?.path, path)
}

const read = async (person: Person, query: string): Promise<PurchaseOrderListItem[]> => {
  const response = await person.get(`/api/purchase-orders?${query}`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}

const day = (number: number) => `2026-03-${String(number).padStart(2, '0')}T12:00:00Z`

/** Twelve orders of three suppliers, of which two share a name; many have equal dates and totals. */
async function makeOrders(t: Test) {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice, { variants: 1 })
  const suppliers = [
    await makeSupplier(alice, { name: 'Beta' }),
    await makeSupplier(alice, { name: 'alpha' }),
    await makeSupplier(alice, { name: 'beta' }),
  ]
  for (let at = 0; at < 12; at++) {
    await makeOrder(alice, {
      supplierId: suppliers[at % 3] ?? 0,
      ...(at % 4 > 0 && { expectedAt: day(1 + (at % 2)) }),
      lineItems: [line(1, { quantity: 1 + (at % 5), costPrice: 2 })],
    })
  }
  await makeOrder(mallory)
  return { db, alice, mallory }
}

t.test('every sort lists each order once and in order, however many a page has', async (t) => {
  const { alice } = await makeOrders(t)
  const all = await read(alice, 'sort=oldest')
  t.equal(all.length, 12)
  const time = (order: PurchaseOrderListItem, missing: number) =>
    order.dueAt === null ? missing : Date.parse(order.dueAt)
  const name = (order: PurchaseOrderListItem) => order.supplierName.toLowerCase()
  const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
  type Compare = (a: PurchaseOrderListItem, b: PurchaseOrderListItem) => number
  const bySupplier: Compare = (a, b) => text(name(a), name(b)) || a.supplierId - b.supplierId
  const sorts: Record<string, Compare> = {
    newest: (a, b) => b.id - a.id,
    oldest: (a, b) => a.id - b.id,
    number: (a, b) => text(a.poNumber, b.poNumber),
    '-number': (a, b) => text(b.poNumber, a.poNumber),
    supplier: (a, b) => bySupplier(a, b) || b.id - a.id,
    '-supplier': (a, b) => bySupplier(b, a) || b.id - a.id,
    expected: (a, b) => time(a, 9e15) - time(b, 9e15) || a.id - b.id,
    '-expected': (a, b) => time(b, -9e15) - time(a, -9e15) || b.id - a.id,
    total: (a, b) => a.total - b.total || a.id - b.id,
    '-total': (a, b) => b.total - a.total || b.id - a.id,
  }
  for (const [sort, compare] of Object.entries(sorts)) {
    const expected = all.toSorted(compare).map(({ id }) => id)
    for (const limit of [1, 2, 5, 12, 250]) {
      const pages = await readPages(alice, `/api/purchase-orders?sort=${sort}&limit=${limit}`)
      t.strictSame(pages.flat(), expected, `sort=${sort} in pages of ${limit}`)
    }
    const searched = await readPages(alice, `/api/purchase-orders?sort=${sort}&limit=3&search=beta`)
    const found = all.filter((order) => name(order) === 'beta').toSorted(compare)
    t.strictSame(
      searched.flat(),
      found.map(({ id }) => id),
      `sort=${sort} of a search`,
    )
    const drafts = await readPages(alice, `/api/purchase-orders?sort=${sort}&limit=3&status=draft`)
    t.strictSame(drafts.flat(), expected, `sort=${sort} of a status`)
  }
})

t.test('orders that are added and removed between two pages shift nothing', async (t) => {
  const { alice } = await makeOrders(t)
  const all = (await read(alice, 'sort=total')).map(({ id }) => id)
  const first = await alice.get('/api/purchase-orders?sort=total&limit=6')
  const next = /^<([^>]+)>/.exec(String(first.headers.link))?.[1] ?? ''
  await alice.delete(`/api/purchase-orders/${all[2]}`)
  await makeOrder(alice, { lineItems: [line(1, { quantity: 1, costPrice: 1 })] })
  const second = (await alice.get(next)).json().data.map(({ id }: { id: number }) => id)
  t.strictSame(second, all.slice(6))
})

t.test('the API refuses a cursor of another sort and one that it did not give', async (t) => {
  const { alice, mallory } = await makeOrders(t)
  const first = await alice.get('/api/purchase-orders?sort=total&limit=2')
  const cursor = /cursor=([^&>]+)/.exec(String(first.headers.link))?.[1]
  const other = await alice.get(`/api/purchase-orders?sort=number&cursor=${cursor}`)
  expectFault(t, other, '/cursor')
  t.match(other.json().error.details[0].message, /another sort/)
  t.equal((await alice.get('/api/purchase-orders?sort=number&cursor=7')).statusCode, 400)
  t.equal((await alice.get(`/api/purchase-orders?cursor=${cursor}`)).statusCode, 400)
  const forge = (sort: string, keys: unknown) =>
    `sort=${sort}&cursor=${sort}.${Buffer.from(JSON.stringify(keys)).toString('base64url')}`
  for (const query of [
    'sort=price',
    'cursor=x',
    'sort=total&cursor=total.%00',
    'sort=total&cursor=total.aaaa',
    forge('total', ['1']),
    forge('total', [1, 2]),
    forge('total', ['1e400', '2']),
    forge('total', ['1', '2', '3']),
    forge('-expected', ['2026-99-99 00:00:00+00', '2']),
    forge('expected', ['now', '2']),
    forge('supplier', ['a\0', '1', '1']),
    forge('supplier', ['a', '1', '99999999999999999999']),
  ]) {
    expectFailure(t, await alice.get(`/api/purchase-orders?${query}`), 400, 'invalid_request')
  }
  for (const query of [
    forge('expected', ['-infinity', '1']),
    forge('supplier', ["'; --", '1', '1']),
    forge('-total', ['99999999', '999999999']),
  ]) {
    const theirs = await readPages(mallory, `/api/purchase-orders?${query}`)
    const own = (await read(alice, '')).map(({ id }) => id)
    t.notOk(
      theirs.flat().some((id) => own.includes(id)),
      `${query} shows no order of another shop`,
    )
  }
})

t.test('a list says how many orders match, on its first page and when asked', async (t) => {
  const { alice, mallory } = await makeOrders(t)
  const first = await alice.get('/api/purchase-orders?limit=5&count=true')
  t.strictSame(first.json().meta, { total: 12, isExact: true })
  t.equal(first.json().data.length, 5)
  t.notMatch(String(first.headers.link), /count/, 'the next page is not counted')
  t.equal((await alice.get('/api/purchase-orders')).json().meta, undefined)
  const metaOf = async (person: Person, query: string) =>
    (await person.get(`/api/purchase-orders?count=true&${query}`)).json().meta.total
  t.equal(await metaOf(alice, 'search=alpha&sort=supplier'), 4)
  t.equal(await metaOf(alice, 'status=sent'), 0)
  t.equal(await metaOf(alice, 'stage=overdue'), 0)
  t.equal(await metaOf(mallory, ''), 1, 'the orders of one shop')
  expectFault(t, await alice.get('/api/purchase-orders?count=maybe'), '/count')
})

t.test('counting stops at 10 000', async (t) => {
  const { db, alice } = await makeOrders(t)
  await db.query(sql.typeAlias('void')`
    insert into purchase_order (shop_id, number, supplier_id, created_by)
    select ${alice.shopId}, 100 + n, (select min(id) from supplier where shop_id = ${alice.shopId}), 'alice-1'
    from generate_series(1, 10000) n
  `)
  const { meta } = (await alice.get('/api/purchase-orders?count=true&limit=1')).json()
  t.strictSame(meta, { total: 10_000, isExact: false })
})

t.test('a row says what was ordered and received, where it arrives and when it is due', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2, locations: 2 })
  const slow = await makeSupplier(alice, { name: 'Slow', leadTimeDays: 10 })
  const draft = await makeOrder(alice, { supplierId: slow })
  const partial = await makeSentOrder(alice, {
    supplierId: slow,
    destinationLocationId: 'gid://platform/Location/2',
    lineItems: [line(1, { quantity: 10 }), line(2, { quantity: 5 })],
  })
  await receive(alice, partial.id, [4, 2])
  const late = await makeSentOrder(alice, { expectedAt: day(1) })
  const rows = new Map((await read(alice, '')).map((order) => [order.id, order]))
  t.match(rows.get(partial.id), {
    orderedQuantity: 15,
    receivedQuantity: 6,
    locationName: 'Place 2',
    isOverdue: false,
  })
  t.match(rows.get(draft.id), { dueAt: null, receivedQuantity: 0, locationName: 'Place 1' })
  t.match(rows.get(late.id), { dueAt: '2026-03-01T12:00:00.000Z', isOverdue: true })
  const daysAfterSending = (days: number) =>
    new Date(Date.parse(String(rows.get(partial.id)?.sentAt)) + days * 86_400_000).toISOString()
  t.equal(rows.get(partial.id)?.dueAt, daysAfterSending(10), 'by the lead time')
  const dueOf = async (id: number) => (await read(alice, `ids=${id}`))[0]?.dueAt
  const closed = await makeSentOrder(alice, { supplierId: slow })
  await alice.post(`/api/purchase-orders/${closed.id}/close`)
  const closedDue = await dueOf(closed.id)
  t.ok(closedDue)
  const { checkOverduePurchaseOrders: job } = jobs
  const changeLeadTime = async (leadTimeDays: number | null) => {
    await removeJobs(db)
    await alice.put(`/api/suppliers/${slow}`, { leadTimeDays })
    t.strictSame(await enqueued(db, job, alice.shopId), [{ shopId: alice.shopId }])
    await db.transaction((tx) => checkOverdueOrders(tx, alice.shopId))
  }
  await changeLeadTime(3)
  t.equal(await dueOf(partial.id), daysAfterSending(3), 'by the new lead time')
  t.equal(await dueOf(draft.id), null)
  t.equal(await dueOf(closed.id), closedDue, 'a closed order keeps its date')
  await changeLeadTime(null)
  t.equal(await dueOf(partial.id), null)
  await alice.put(`/api/purchase-orders/${partial.id}`, { expectedAt: day(7) })
  t.equal(await dueOf(partial.id), '2026-03-07T12:00:00.000Z')
  await changeLeadTime(3)
  t.equal(await dueOf(partial.id), '2026-03-07T12:00:00.000Z', 'the expected date wins')
})

t.test('the list is filtered by location, expected dates, ids and failed e-mails', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice, { variants: 1, locations: 2 })
  const place = (number: number) => `locationId=gid%3A%2F%2Fplatform%2FLocation%2F${number}`
  const first = await makeSentOrder(alice, { expectedAt: day(3) })
  const second = await makeSentOrder(alice, {
    expectedAt: day(5),
    destinationLocationId: 'gid://platform/Location/2',
  })
  const third = await makeSentOrder(alice, { destinationLocationId: 'gid://platform/Location/1' })
  const theirs = await makeSentOrder(mallory)
  const list = (query: string) => readPages(alice, `/api/purchase-orders?${query}`)
  t.strictSame(await list(place(1)), [[third.id, first.id]], 'also orders without a destination')
  t.strictSame(await list(place(2)), [[second.id]])
  t.strictSame(await list(place(9)), [[]])
  t.strictSame(await list('expectedFrom=2026-03-03'), [[second.id, first.id]])
  t.strictSame(await list('expectedFrom=2026-03-04&expectedTo=2026-03-05'), [[second.id]])
  t.strictSame(await list('expectedTo=2026-03-03'), [[first.id]])
  t.strictSame(await list(`ids=${first.id},${third.id},${theirs.id}`), [[third.id, first.id]])
  for (const [query, path] of [
    ['expectedFrom=2026-03-05&expectedTo=2026-03-04', '/expectedFrom'],
    ['expectedTo=2026-02-30', '/expectedTo'],
    ['ids=1,x', '/ids'],
    ['ids=', '/ids'],
    [`ids=${Array.from({ length: 251 }, (_, at) => at + 1)}`, '/ids'],
    ['locationId=2', '/locationId'],
  ] as const) {
    expectFault(t, await alice.get(`/api/purchase-orders?${query}`), path)
  }
  const setState = (id: number, state: string) =>
    db.query(sql.typeAlias('void')`
      update outgoing_mail set state = ${state}, settled_at = now() where shop_id = ${alice.shopId} and purchase_order_id = ${id}
    `)
  t.strictSame(await list('stage=undelivered'), [[]])
  await setState(first.id, 'unknown')
  await setState(second.id, 'failed')
  t.strictSame(await list('stage=undelivered'), [[second.id, first.id]])
  await alice.post(`/api/purchase-orders/${second.id}/send`, { resend: true })
  t.equal((await mailsOf(db, alice, second.id)).length, 2)
  t.strictSame(await list('stage=undelivered'), [[first.id]], 'a new e-mail is on its way')
  const recent = (await alice.get('/api/dashboard')).json().data.recentPOs
  t.match(recent[2], { id: first.id, emailStatus: 'unknown' }, 'the dashboard says it, too')
})

t.test('the list is filtered by payment', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice)
  const invoiced = async (
    person: Person,
    invoice: object,
    status: Parameters<typeof makeOrderIn>[1] = 'sent',
  ) => {
    const { id } = await makeOrderIn(person, status)
    const { statusCode, body } = await person.put(`/api/purchase-orders/${id}`, invoice)
    t.equal(statusCode, 200, body)
    return id
  }
  const list = (query: string) => readPages(alice, `/api/purchase-orders?${query}`)
  const paidAt = '2026-03-20T12:00:00.000Z'
  await makeSentOrder(alice)
  const numbered = await invoiced(alice, { invoiceNumber: 'INV-1' }, 'draft')
  const dated = await invoiced(alice, { invoiceDate: '2026-03-01' }, 'received')
  const late = await invoiced(alice, { paymentDueOn: '2026-03-31' }, 'cancelled')
  const paid = await invoiced(alice, { invoiceNumber: 'INV-2', paymentDueOn: '2026-03-31', paidAt })
  await invoiced(mallory, { paymentDueOn: '2026-03-31' })
  t.strictSame(await list('payment=unpaid'), [[late, dated, numbered]])
  t.strictSame(await list('payment=unpaid&limit=2&sort=oldest'), [[numbered, dated], [late]])
  t.strictSame(await list('payment=unpaid&status=received'), [[dated]])
  t.strictSame(await list('payment=overdue'), [[late]])
  t.strictSame(await list('payment=paid'), [[paid]])
  t.strictSame((await alice.get('/api/purchase-orders?payment=unpaid&count=true')).json().meta, {
    total: 3,
    isExact: true,
  })
  const [row] = await read(alice, 'payment=overdue')
  t.match(row, { paymentDueOn: '2026-03-31', paidAt: null, isPaymentOverdue: true })
  t.match(await read(alice, 'payment=paid'), [
    { paymentDueOn: '2026-03-31', paidAt, isPaymentOverdue: false },
  ])
  const { body } = await alice.get('/api/purchase-orders?payment=overdue', { accept: 'text/csv' })
  t.match(body, /Payment due,/)
  t.equal(body.trim().split('\n').length, 2, 'the CSV has the same orders')
  expectFault(t, await alice.get('/api/purchase-orders?payment=due'), '/payment')
})

t.test("a payment is overdue after its day in the shop's time zone", async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice)
  // The two zones are 25 hours apart, so the first one is always at least a day ahead.
  const ahead = 'Pacific/Kiritimati'
  const yesterday = new Date(Date.parse(dayIn(ahead, new Date())) - 86_400_000).toISOString().slice(0, 10)
  const isListed = async () => (await read(alice, 'payment=overdue')).length === 1
  await alice.put(`/api/purchase-orders/${id}`, { paymentDueOn: yesterday })
  await setTimeZone(db, alice, ahead)
  t.equal(await isListed(), true, 'the day is over')
  await setTimeZone(db, alice, 'Pacific/Pago_Pago')
  t.equal(await isListed(), false, 'the day is not over')
  t.match(await read(alice, 'payment=unpaid'), [{ id, isPaymentOverdue: false }])
})

t.test('several orders are sent, cancelled or deleted, and each refusal says why', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice, { variants: 1 })
  const bulk = (action: string, ids: number[]) => alice.post('/api/purchase-orders/bulk', { action, ids })
  const drafts = [await makeOrder(alice), await makeOrder(alice)]
  const empty = await makeOrder(alice, { lineItems: [] })
  const received = await makeOrderIn(alice, 'received')
  const theirs = await makeOrder(mallory)
  const ids = [...drafts, empty, received, theirs].map(({ id }) => id)
  const numbered = (orders: { id: number; poNumber: string }[]) =>
    orders.map(({ id, poNumber }) => ({ id, poNumber }))
  const sent = (await bulk('send', ids)).json().data
  t.strictSame(sent.done, numbered(drafts))
  t.match(sent.failed, [
    { id: empty.id, poNumber: empty.poNumber, code: 'conflict', message: /at least one line/ },
    { id: received.id, poNumber: received.poNumber, code: 'conflict' },
    { id: theirs.id, poNumber: null, code: 'not_found' },
  ])
  t.equal((await mailsOf(db, alice, drafts[0]?.id ?? 0)).length, 1)
  const cancelled = (await bulk('cancel', ids.slice(0, 4))).json().data
  t.strictSame(cancelled.done, numbered([...drafts, empty]))
  t.match(cancelled.failed, [{ id: received.id, message: /received/ }])
  const deleted = (await bulk('delete', ids)).json().data
  t.strictSame(deleted.done, numbered([...drafts, empty]))
  t.strictSame(
    deleted.failed.map(({ id }: { id: number }) => id),
    [received.id, theirs.id],
  )
  t.equal((await mallory.get(`/api/purchase-orders/${theirs.id}`)).json().data.status, 'draft')
  expectFailure(t, await bulk('delete', [theirs.id]), 404, 'not_found')
  expectFault(t, await bulk('receive', [received.id]), '/action')
  expectFault(t, await bulk('send', []), '/ids')
  const again = await makeOrder(alice)
  t.strictSame((await bulk('cancel', [again.id, again.id])).json().data, {
    done: numbered([again]),
    failed: [],
  })
})
