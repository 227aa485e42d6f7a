import { randomUUID } from 'node:crypto'
import t from 'tap'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { line, makeOrder, makeSentOrder, readOrder, receiptsOf, receive } from '../../support/make/orders.ts'
import { countsOf, makeDraft, postDraft } from '../../support/make/receipts.ts'
import { expectLedger, levelsOf, locationGid, makeStock, movementsOf } from '../../support/make/stock.ts'

const twoLines = [line(1, { quantity: 10, costPrice: 2 }), line(2, { quantity: 5, costPrice: 3 })]

t.test('a draft keeps what was counted and moves nothing until it is posted', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  const { id } = await makeSentOrder(alice, { lineItems: twoLines })
  const [first, second] = (await readOrder(alice, id)).lineItems
  const draft = await makeDraft(alice, id, [{ accepted: 4 }], { deliveryNote: ' DN-7 ', notes: 'two boxes' })
  t.match(draft, {
    purchaseOrderId: id,
    state: 'draft',
    version: 1,
    deliveryNote: 'DN-7',
    notes: 'two boxes',
    locationId: locationGid(1),
    createdBy: alice.userId,
    postedAt: null,
    postedBy: '',
    lines: [
      {
        lineItemId: first?.id,
        sku: 'SKU-1',
        title: 'Thing 1',
        outstanding: 10,
        accepted: 4,
        rejected: 0,
        unitCost: null,
      },
      { lineItemId: second?.id, sku: 'SKU-2', outstanding: 5, accepted: 0, rejected: 0, costPrice: 3 },
    ],
  })
  t.strictSame(await levelsOf(db, alice), { '1/1': [10, 10], '2/1': [10, 10] })
  t.match(await readOrder(alice, id), { status: 'sent', receivedAt: null, version: 2 })
  t.strictSame(await receiptsOf(alice, id), [], 'a draft is no receipt')
  const drafts = await alice.get(`/api/purchase-orders/${id}/receipts?state=draft`)
  t.match(drafts.json().data, [{ id: draft.id, state: 'draft', lineItems: [{ accepted: 4 }] }])

  const address = `/api/purchase-orders/${id}/receipts/${draft.id}`
  const lines = await countsOf(alice, id, [{ accepted: 6 }, { accepted: 5 }])
  const updated = await alice.put(address, { lines, version: 1 })
  t.match(updated.json().data, {
    version: 2,
    deliveryNote: 'DN-7',
    lines: [{ accepted: 6 }, { accepted: 5 }],
  })
  t.strictSame((await alice.get(address)).json().data, updated.json().data)

  const posted = await postDraft(alice, draft, { version: 2 })
  const { receivedAt } = posted.json().data
  t.strictSame(posted.json().data, {
    id: draft.id,
    state: 'posted',
    status: 'partial',
    receivedAt,
    alreadyApplied: false,
  })
  t.strictSame(await levelsOf(db, alice), { '1/1': [16, 10], '2/1': [15, 10] })
  t.match(await movementsOf(db, alice), [
    { kind: 'receipt', reference: `purchase_order/${id}`, delta: 6 },
    { kind: 'receipt', delta: 5 },
  ])
  t.match(await receiptsOf(alice, id), [
    { id: draft.id, state: 'posted', postedAt: receivedAt, postedBy: alice.userId },
  ])
  t.match((await postDraft(alice, draft)).json().data, {
    status: 'partial',
    receivedAt,
    alreadyApplied: true,
  })
  t.equal((await movementsOf(db, alice)).length, 2, 'posting again changes nothing')
  await expectLedger(t, db, alice)
})

t.test('two people post drafts of one order, and the second learns what is left of each line', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  const { id } = await makeSentOrder(alice, { lineItems: twoLines })
  const [first, second] = (await readOrder(alice, id)).lineItems
  const mine = await makeDraft(alice, id, [{ accepted: 8 }, { accepted: 2 }])
  const theirs = await makeDraft(alice, id, [{ accepted: 4 }, { accepted: 3 }])
  t.match((await postDraft(alice, mine)).json().data, { status: 'partial' })
  const { details } = expectFailure(t, await postDraft(alice, theirs), 422, 'over_receipt')
  t.strictSame(details, [
    {
      path: '/lines/0/accepted',
      message: 'is 2 more than the 2 still expected',
      lineItemId: first?.id,
      outstanding: 2,
    },
  ])
  const address = `/api/purchase-orders/${id}/receipts/${theirs.id}`
  t.match((await alice.get(address)).json().data, {
    state: 'draft',
    lines: [{ outstanding: 2, accepted: 4 }],
  })
  await alice.put(address, { lines: await countsOf(alice, id, [{ accepted: 2 }, { accepted: 3 }]) })
  const late = await makeDraft(alice, id, [{}, { accepted: 1 }])
  t.match((await postDraft(alice, theirs)).json().data, { status: 'received' })
  const refused = expectFailure(t, await postDraft(alice, late), 409, 'conflict')
  t.strictSame(refused.details, [
    {
      path: '/lines/1/accepted',
      message: 'is more than the 0 still expected',
      lineItemId: second?.id,
      outstanding: 0,
    },
  ])
  t.strictSame(await levelsOf(db, alice), { '1/1': [20, 10], '2/1': [15, 10] })
  await expectLedger(t, db, alice)
})

t.test('two drafts that are posted at once take no more than was ordered', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 10 })] })
  const drafts = await Promise.all([1, 2, 3].map(() => makeDraft(alice, id, [{ accepted: 6 }])))
  const answers = await Promise.all(drafts.map((draft) => postDraft(alice, draft)))
  t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [200, 422, 422])
  t.match(await readOrder(alice, id), { lineItems: [{ receivedQuantity: 6 }] })
  t.strictSame(await levelsOf(db, alice), { '1/1': [16, 10] })
  await expectLedger(t, db, alice)
})

t.test('one draft that is posted twice at once is one receipt', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 10 })] })
  const draft = await makeDraft(alice, id, [{ accepted: 3 }])
  const answers = await Promise.all([postDraft(alice, draft), postDraft(alice, draft)])
  t.strictSame(answers.map((answer) => answer.json().data.alreadyApplied).sort(), [false, true])
  t.strictSame(await levelsOf(db, alice), { '1/1': [13, 10] })
})

t.test('an outdated version makes the API refuse an update and a posting', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice)
  const draft = await makeDraft(alice, id)
  const address = `/api/purchase-orders/${id}/receipts/${draft.id}`
  await alice.put(address, { notes: 'changed' })
  expectFailure(t, await alice.put(address, { notes: 'mine', version: 1 }), 409, 'stale_version')
  expectFailure(t, await postDraft(alice, draft, { version: 1 }), 409, 'stale_version')
  t.match((await alice.get(address)).json().data, { notes: 'changed', version: 2 })
})

t.test('a draft without a counted line cannot be posted', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice)
  const empty = await makeDraft(alice, id, [])
  expectFailure(t, await postDraft(alice, empty), 422, 'nothing_counted')
  const onlyCost = await makeDraft(alice, id, [{ unitCost: 2 }])
  expectFailure(t, await postDraft(alice, onlyCost), 422, 'nothing_counted')
  t.match(await readOrder(alice, id), { status: 'sent' })
})

t.test('a draft names each line of its order at most once', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice)
  const [own] = (await readOrder(alice, id)).lineItems
  const [other] = (await readOrder(alice, (await makeSentOrder(alice)).id)).lineItems
  const create = (lines: object[]) => alice.post(`/api/purchase-orders/${id}/receipts`, { lines })
  const twice = [
    { lineItemId: own?.id, accepted: 1 },
    { lineItemId: own?.id, accepted: 2 },
  ]
  t.match(expectFailure(t, await create(twice), 422, 'duplicate_line').details, [
    { path: '/lines/1/lineItemId' },
  ])
  const foreign = [
    { lineItemId: own?.id, accepted: 1 },
    { lineItemId: other?.id, accepted: 2 },
  ]
  t.match(expectFailure(t, await create(foreign), 422, 'unknown_line').details, [
    { path: '/lines/1/lineItemId' },
  ])
  t.strictSame((await alice.get(`/api/purchase-orders/${id}/receipts?state=draft`)).json().data, [])
})

t.test('a draft can be deleted, and a posted receipt cannot', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice)
  const draft = await makeDraft(alice, id)
  const posted = await makeDraft(alice, id)
  await postDraft(alice, posted)
  const address = (receipt: number) => `/api/purchase-orders/${id}/receipts/${receipt}`
  await alice.put(address(draft.id), { notes: 'by another device' })
  const tooLarge = await alice.delete(`${address(draft.id)}?version=2147483648`)
  t.match(expectFailure(t, tooLarge, 400, 'invalid_request').details, [{ path: '/version' }])
  const stale = expectFailure(t, await alice.delete(`${address(draft.id)}?version=1`), 409, 'stale_version')
  t.match(stale.message, /Reload it before you delete it/)
  t.equal((await alice.get(address(draft.id))).statusCode, 200)
  t.equal((await alice.delete(`${address(draft.id)}?version=2`)).statusCode, 200)
  expectFailure(t, await alice.get(address(draft.id)), 404, 'not_found')
  const other = await makeDraft(alice, id)
  t.equal((await alice.delete(address(other.id))).statusCode, 200, 'the version is optional')
  const { message } = expectFailure(t, await alice.delete(address(posted.id)), 409, 'conflict')
  t.match(message, /Undo it/)
  expectFailure(t, await alice.put(address(posted.id), { notes: 'late' }), 409, 'conflict')
})

t.test('a draft cannot be reversed', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice)
  const draft = await makeDraft(alice, id)
  const answer = await alice.post(`/api/purchase-orders/${id}/receipts/${draft.id}/reverse`)
  t.match(expectFailure(t, answer, 409, 'conflict').message, /Delete it/)
})

t.test('only an order that expects goods gets a draft', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeOrder(alice)
  expectFailure(t, await alice.post(`/api/purchase-orders/${id}/receipts`, {}), 409, 'conflict')
})

t.test('deleting a cancelled order deletes its drafts', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice)
  const draft = await makeDraft(alice, id)
  expectFailure(t, await alice.delete(`/api/purchase-orders/${id}`), 409, 'conflict')
  t.match(
    (await alice.get(`/api/receipts/${draft.id}`)).json().data,
    { state: 'draft' },
    'a refusal keeps the draft',
  )
  await alice.post(`/api/purchase-orders/${id}/cancel`)
  expectFailure(t, await postDraft(alice, draft), 409, 'conflict')
  t.equal((await alice.delete(`/api/purchase-orders/${id}`)).statusCode, 200)
  expectFailure(t, await alice.get(`/api/receipts/${draft.id}`), 404, 'not_found')
})

t.test('a repeated key posts and creates once', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice)
  const key = { 'idempotency-key': randomUUID() }
  const body = { lines: await countsOf(alice, id, [{ accepted: 1 }]) }
  const create = () => alice.send('POST', `/api/purchase-orders/${id}/receipts`, body, key)
  t.strictSame((await create()).json(), (await create()).json())
  t.equal((await alice.get(`/api/purchase-orders/${id}/receipts?state=draft`)).json().data.length, 1)
})

t.test('drafts of another shop are not found', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice)
  await makeStock(db, mallory)
  const { id } = await makeSentOrder(alice)
  const draft = await makeDraft(alice, id)
  const own = await makeSentOrder(mallory)
  for (const order of [id, own.id]) {
    const address = `/api/purchase-orders/${order}/receipts/${draft.id}`
    for (const answer of [
      await mallory.get(address),
      await mallory.put(address, { notes: 'mine' }),
      await mallory.delete(address),
      await mallory.post(`${address}/post`),
    ])
      expectFailure(t, answer, 404, 'not_found')
  }
  t.match((await alice.get(`/api/receipts/${draft.id}`)).json().data, {
    state: 'draft',
    notes: '',
    version: 1,
  })
})

t.test('the status after a receipt that was drafted first counts the time of posting', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 10 })] })
  const draft = await makeDraft(alice, id, [{ accepted: 2 }])
  await receive(alice, id, [3])
  const { receivedAt } = (await postDraft(alice, draft)).json().data
  const [, direct] = (await receiptsOf(alice, id)).toSorted((a, b) => a.id - b.id)
  await alice.post(`/api/purchase-orders/${id}/receipts/${direct?.id}/reverse`)
  t.equal((await readOrder(alice, id)).receivedAt, receivedAt, 'the draft was posted last')
})
