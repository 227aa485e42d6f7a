import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { queuedJobs } from '../../support/core/jobs.ts'
import {
  line,
  mailsOf,
  makeMailedOrder,
  makeOrder,
  makeSentOrder,
  readOrder,
  receive,
} from '../../support/make/orders.ts'
import { makeDraft } from '../../support/make/receipts.ts'
import { makeStock } from '../../support/make/stock.ts'

const lines = [line(1, { quantity: 10, costPrice: 2 }), line(2, { quantity: 5, costPrice: 4 })]

t.test('a revision changes lines, stores the difference and queues one mail', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 3 })
  const { id } = await makeMailedOrder(db, alice, { lineItems: lines })
  const { version, lineItems } = await readOrder(alice, id)
  const [first, second] = lineItems
  const jobsBefore = (await queuedJobs(db, alice)).length
  const answer = await alice.post(`/api/purchase-orders/${id}/revise`, {
    version,
    reason: 'Fewer mugs',
    lineItems: [{ id: first?.id, quantity: 8 }, line(3, { quantity: 1, costPrice: 7 })],
  })
  t.equal(answer.statusCode, 200, answer.body)
  const order = answer.json().data
  t.match(order, { status: 'sent', revision: 1, subtotal: 23, version: version + 1 })
  t.match(order.mails, [
    { kind: 'revision', status: 'queued' },
    { kind: 'purchase_order', status: 'sent' },
  ])
  t.equal((await mailsOf(db, alice, id)).length, 2)
  t.equal((await queuedJobs(db, alice)).length, jobsBefore + 1)
  const { data } = (await alice.get(`/api/purchase-orders/${id}/revisions`)).json()
  t.match(data, [
    {
      id: 1,
      reason: 'Fewer mugs',
      createdBy: /^alice/,
      changes: [
        {
          lineItemId: first?.id,
          sku: 'SKU-1',
          before: { quantity: 10, costPrice: 2 },
          after: { quantity: 8 },
        },
        { sku: 'SKU-3', before: null, after: { quantity: 1, costPrice: 7 } },
        { lineItemId: second?.id, sku: 'SKU-2', before: { quantity: 5, costPrice: 4 }, after: null },
      ],
    },
  ])
})

t.test('a revision is never below what was received', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  const { id } = await makeMailedOrder(db, alice, { lineItems: lines })
  await receive(alice, id, [4, 0])
  const { version, lineItems } = await readOrder(alice, id)
  const [first, second] = lineItems
  const revise = (entries: object[]) =>
    alice.post(`/api/purchase-orders/${id}/revise`, { version, lineItems: entries })
  const below = await revise([{ id: first?.id, quantity: 3 }, { id: second?.id }])
  t.match(expectFailure(t, below, 422, 'below_received').details, [
    { path: '/lineItems/0/quantity', message: /at least 4/ },
  ])
  expectFailure(t, await revise([{ id: second?.id }]), 422, 'line_has_receipts')
  expectFailure(t, await revise([{ id: first?.id }, { id: second?.id }]), 422, 'no_change')
  expectFailure(t, await revise([]), 400, 'invalid_request')
  t.match(await readOrder(alice, id), {
    version,
    revision: 0,
    lineItems: [{ quantity: 10 }, { quantity: 5 }],
  })
  t.equal((await mailsOf(db, alice, id)).length, 1, 'no mail for a refused revision')
  const all = await revise([{ id: first?.id, quantity: 4 }])
  t.match(all.json().data, {
    status: 'received',
    revision: 1,
    lineItems: [{ quantity: 4, status: 'received' }],
  })
})

t.test('a line with receipts keeps its product, so that a reversal takes back what arrived', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 3 })
  const { id } = await makeMailedOrder(db, alice, { lineItems: lines })
  await receive(alice, id, [4, 0])
  const { version, lineItems } = await readOrder(alice, id)
  const [first, second] = lineItems
  const other = { productId: line(3).productId, variantId: line(3).variantId, costPrice: 5 }
  const revise = (entries: object[]) =>
    alice.post(`/api/purchase-orders/${id}/revise`, { version, lineItems: entries })
  const refused = await revise([{ id: first?.id, ...other }, { id: second?.id }])
  t.match(expectFailure(t, refused, 422, 'line_has_receipts').details, [
    { path: '/lineItems/0/variantId', message: /has receipts/ },
  ])
  const accepted = await revise([{ id: first?.id }, { id: second?.id, ...other }])
  t.match(accepted.json().data.lineItems, [{ sku: 'SKU-1' }, { sku: 'SKU-3', barcode: '003' }])
})

t.test('a line that only a draft of a receipt counts cannot be removed or get another product', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 3 })
  const { id } = await makeMailedOrder(db, alice, { lineItems: lines })
  const { version, lineItems } = await readOrder(alice, id)
  const [first, second] = lineItems
  const draft = await makeDraft(alice, id, [{}, { accepted: 1 }])
  const revise = (entries: object[]) =>
    alice.post(`/api/purchase-orders/${id}/revise`, { version, lineItems: entries })
  const removed = expectFailure(t, await revise([{ id: first?.id }]), 422, 'line_in_draft')
  t.match(removed.message, /^A line that a draft of a receipt counts cannot be removed/)
  t.match(removed.details, [{ path: '/lineItems', message: /drafts of receipts count: / }])
  const other = { productId: line(3).productId, variantId: line(3).variantId, costPrice: 5 }
  const changed = expectFailure(
    t,
    await revise([{ id: first?.id }, { id: second?.id, ...other }]),
    422,
    'line_in_draft',
  )
  t.match(changed.details, [{ path: '/lineItems/1/variantId' }])

  // a receipt and a draft of the first line: its receipt is the reason
  await receive(alice, id, [4, 0])
  await makeDraft(alice, id)
  expectFailure(
    t,
    await alice.post(`/api/purchase-orders/${id}/revise`, {
      version: (await readOrder(alice, id)).version,
      lineItems: [{ id: second?.id }],
    }),
    422,
    'line_has_receipts',
  )

  await alice.delete(`/api/purchase-orders/${id}/receipts/${draft.id}`)
  const revised = await alice.post(`/api/purchase-orders/${id}/revise`, {
    version: (await readOrder(alice, id)).version,
    lineItems: [{ id: first?.id }],
  })
  t.match(revised.json().data.lineItems, [{ sku: 'SKU-1' }])
})

t.test('a revision below the discount names what is possible instead', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  // 40 before the discount
  const { id } = await makeMailedOrder(db, alice, { lineItems: lines, discount: 30 })
  const { version, lineItems } = await readOrder(alice, id)
  const [first, second] = lineItems
  const revise = (quantity: number) =>
    alice.post(`/api/purchase-orders/${id}/revise`, {
      version,
      lineItems: [{ id: first?.id, quantity }, { id: second?.id }],
    })
  const { message, details } = expectFailure(t, await revise(4), 422, 'discount_too_large')
  t.match(message, /^The lines are worth less than the discount .* or close the order and create a new one/)
  t.match(details, [{ path: '/lineItems', message: /at least the discount/ }])
  t.match((await revise(5)).json().data, { subtotal: 30, discount: 30, total: 0 })
})

t.test('of two buyers that revise one version, one gets stale_version', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  const { id } = await makeMailedOrder(db, alice, { lineItems: lines })
  const { version, lineItems } = await readOrder(alice, id)
  const answers = await Promise.all(
    [7, 8].map((quantity) =>
      alice.post(`/api/purchase-orders/${id}/revise`, {
        version,
        lineItems: [{ id: lineItems[0]?.id, quantity }, { id: lineItems[1]?.id }],
      }),
    ),
  )
  const refused = answers.filter(({ statusCode }) => statusCode !== 200)
  t.equal(refused.length, 1)
  for (const answer of refused) expectFailure(t, answer, 409, 'stale_version')
  t.equal((await mailsOf(db, alice, id)).length, 2, 'the order and one revision')
  t.equal((await readOrder(alice, id)).revision, 1)
})

t.test('only a sent or partial order is revised, with a version', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  const draft = await makeOrder(alice, { lineItems: lines })
  const revise = (id: number, body: object, person = alice) =>
    person.post(`/api/purchase-orders/${id}/revise`, body)
  const change = { version: 1, lineItems: [line(1, { quantity: 3 })] }
  expectFailure(t, await revise(draft.id, change), 409, 'conflict')
  const sent = await makeSentOrder(alice, { lineItems: lines })
  expectFailure(t, await revise(sent.id, { lineItems: change.lineItems }), 400, 'invalid_request')
  expectFailure(
    t,
    await revise(sent.id, { ...change, version: 2 }),
    409,
    'conflict',
    'the first mail is not sent yet',
  )
  expectFailure(t, await revise(sent.id, { ...change, version: 2 }, mallory), 404, 'not_found')
  expectFailure(t, await mallory.get(`/api/purchase-orders/${sent.id}/revisions`), 404, 'not_found')
  t.strictSame((await alice.get(`/api/purchase-orders/${sent.id}/revisions`)).json().data, [])
})

t.test('a line that was added by a revision keeps its words', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 3 })
  const { id } = await makeMailedOrder(db, alice, { lineItems: lines })
  const { version, lineItems } = await readOrder(alice, id)
  const { sku: _sku, title: _title, ...added } = line(3)
  await alice.post(`/api/purchase-orders/${id}/revise`, {
    version,
    lineItems: [...lineItems.map((each) => ({ id: each.id })), added],
  })
  const before = (await readOrder(alice, id)).lineItems
  await db.query(sql.typeAlias('void')`
    update variant set sku = 'other', barcode = 'other' where shop_id = ${alice.shopId}
  `)
  t.strictSame((await readOrder(alice, id)).lineItems, before)
  t.match(before[2], { sku: 'SKU-3' })
})
