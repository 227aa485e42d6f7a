import t from 'tap'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { line, makeMailedOrder, makeSentOrder, readOrder, receiptsOf } from '../../support/make/orders.ts'
import { makeDraft, postCounts, postDraft } from '../../support/make/receipts.ts'
import { expectLedger, levelsOf, makeStock, movementsOf } from '../../support/make/stock.ts'

const tenPieces = [line(1, { quantity: 10, costPrice: 2 })]

t.test('rejected pieces that the supplier replaces stay outstanding and never become stock', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice, { lineItems: tenPieces })
  await postCounts(alice, id, [
    { accepted: 7, rejected: 3, rejectReason: ' crushed ', rejectOutcome: 'replace' },
  ])
  t.match(await readOrder(alice, id), {
    status: 'partial',
    lineItems: [
      {
        receivedQuantity: 7,
        rejectedQuantity: 3,
        creditedQuantity: 0,
        cancelledQuantity: 0,
        outstandingQuantity: 3,
        status: 'partial',
      },
    ],
  })
  t.match(await receiptsOf(alice, id), [
    {
      lineItems: [
        { quantity: 7, accepted: 7, rejected: 3, rejectReason: 'crushed', rejectOutcome: 'replace' },
      ],
    },
  ])
  t.strictSame(await levelsOf(db, alice), { '1/1': [17, 10] })
  await postCounts(alice, id, [{ accepted: 3 }])
  t.match(await readOrder(alice, id), { status: 'received', lineItems: [{ rejectedQuantity: 3 }] })
  await expectLedger(t, db, alice)
})

t.test(
  'rejected pieces that the supplier credits close their quantity, and a reversal opens it again',
  async (t) => {
    const { db, alice } = await startApp(t)
    await makeStock(db, alice)
    const { id } = await makeSentOrder(alice, { lineItems: tenPieces })
    const receipt = await postCounts(alice, id, [{ accepted: 6, rejected: 4, rejectOutcome: 'credit' }])
    t.match(await readOrder(alice, id), {
      status: 'received',
      lineItems: [
        {
          receivedQuantity: 6,
          creditedQuantity: 4,
          cancelledQuantity: 0,
          outstandingQuantity: 0,
          status: 'received',
        },
      ],
    })
    t.strictSame(await levelsOf(db, alice), { '1/1': [16, 10] })
    await alice.post(`/api/purchase-orders/${id}/receipts/${receipt.id}/reverse`)
    t.match(await readOrder(alice, id), {
      status: 'sent',
      lineItems: [{ receivedQuantity: 0, rejectedQuantity: 0, creditedQuantity: 0, outstandingQuantity: 10 }],
    })
    t.strictSame(await levelsOf(db, alice), { '1/1': [10, 10] })
    await expectLedger(t, db, alice)
  },
)

t.test(
  'an order whose goods were all rejected is sent while they are replaced, and received once they are credited',
  async (t) => {
    const { db, alice } = await startApp(t)
    await makeStock(db, alice)
    const { id } = await makeSentOrder(alice, { lineItems: tenPieces })
    const answer = await postDraft(alice, await makeDraft(alice, id, [{ rejected: 10 }]))
    t.match(answer.json().data, { status: 'sent' })
    t.match(await readOrder(alice, id), {
      status: 'sent',
      lineItems: [{ rejectedQuantity: 10, status: 'open' }],
    })
    const credited = await postDraft(
      alice,
      await makeDraft(alice, id, [{ rejected: 10, rejectOutcome: 'credit' }]),
    )
    t.match(credited.json().data, { status: 'received' })
    t.match(await readOrder(alice, id), { lineItems: [{ creditedQuantity: 10, status: 'received' }] })
    t.strictSame(await movementsOf(db, alice), [])
  },
)

t.test('closing keeps credited pieces apart from cancelled ones, also after a reversal', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice, { lineItems: tenPieces })
  const receipt = await postCounts(alice, id, [{ accepted: 5, rejected: 2, rejectOutcome: 'credit' }])
  await alice.post(`/api/purchase-orders/${id}/close`)
  t.match(await readOrder(alice, id), {
    status: 'received',
    lineItems: [{ receivedQuantity: 5, creditedQuantity: 2, cancelledQuantity: 3, outstandingQuantity: 0 }],
  })
  await alice.post(`/api/purchase-orders/${id}/receipts/${receipt.id}/reverse`)
  t.match(await readOrder(alice, id), {
    lineItems: [{ receivedQuantity: 0, creditedQuantity: 0, cancelledQuantity: 3, outstandingQuantity: 7 }],
  })
})

for (const end of ['cancel', 'close']) {
  t.test(`an order that ended without goods (${end}) stays cancelled after a reversal`, async (t) => {
    const { db, alice } = await startApp(t)
    await makeStock(db, alice)
    const { id } = await makeSentOrder(alice, { lineItems: tenPieces })
    const receipt = await postCounts(alice, id, [{ rejected: 10 }])
    await alice.post(`/api/purchase-orders/${id}/${end}`)
    const answer = await alice.post(`/api/purchase-orders/${id}/receipts/${receipt.id}/reverse`)
    t.match(answer.json().data, { status: 'cancelled' })
    t.match(await readOrder(alice, id), {
      status: 'cancelled',
      lineItems: [{ rejectedQuantity: 0, outstandingQuantity: 0, status: 'cancelled' }],
    })
  })
}

t.test('a revision keeps the pieces that were received or credited', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice, { lineItems: tenPieces })
  await postCounts(alice, id, [{ accepted: 5, rejected: 2, rejectOutcome: 'credit' }])
  const order = await readOrder(alice, id)
  const revise = (quantity: number) =>
    alice.post(`/api/purchase-orders/${id}/revise`, {
      version: order.version,
      lineItems: [{ id: order.lineItems[0]?.id, quantity }],
    })
  const { details } = expectFailure(t, await revise(6), 422, 'below_received')
  t.match(details, [{ message: /at least 7, the quantity that was received or credited/ }])
})

t.test('a revision of another line keeps the credited pieces of a line that got too many', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  const { id } = await makeMailedOrder(db, alice, { lineItems: [...tenPieces, line(2, { quantity: 10 })] })
  const accepted = await postCounts(alice, id, [{ accepted: 8 }])
  await postCounts(alice, id, [{ rejected: 3, rejectOutcome: 'credit' }], { allowOverReceipt: true })
  const { version, lineItems } = await readOrder(alice, id)
  const answer = await alice.post(`/api/purchase-orders/${id}/revise`, {
    version,
    lineItems: [{ id: lineItems[0]?.id }, { id: lineItems[1]?.id, quantity: 9 }],
  })
  t.equal(answer.statusCode, 200, answer.body)
  await alice.post(`/api/purchase-orders/${id}/receipts/${accepted.id}/reverse`)
  t.match(await readOrder(alice, id), { lineItems: [{ creditedQuantity: 3, outstandingQuantity: 7 }, {}] })
})

t.test('accepted and credited pieces together stay within what was ordered', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice, { lineItems: tenPieces })
  const draft = await makeDraft(alice, id, [{ accepted: 8, rejected: 3, rejectOutcome: 'credit' }])
  expectFailure(t, await postDraft(alice, draft), 422, 'over_receipt')
  t.equal((await postDraft(alice, draft, { allowOverReceipt: true })).statusCode, 200)
  t.match(await readOrder(alice, id), {
    status: 'received',
    lineItems: [{ receivedQuantity: 8, creditedQuantity: 3, outstandingQuantity: 0 }],
  })
})

t.test('two trucks together stay within a tolerance of 2 %', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  await alice.put('/api/settings', { overReceiptPercent: 2 })
  // floor(120 × 102 / 100) = 122
  const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 120 })] })
  await postCounts(alice, id, [{ accepted: 70 }])
  const second = await makeDraft(alice, id, [{ accepted: 53 }])
  const { details } = expectFailure(t, await postDraft(alice, second), 422, 'over_receipt')
  t.match(details, [
    { message: 'is 1 more than the 52 that the tolerance allows for the 50 still expected', outstanding: 50 },
  ])
  await postCounts(alice, id, [{ accepted: 52 }])
  t.match(await readOrder(alice, id), {
    status: 'received',
    lineItems: [{ receivedQuantity: 122, outstandingQuantity: 0 }],
  })
  t.strictSame(await levelsOf(db, alice), { '1/1': [132, 10] })
})

t.test(
  'the tolerance of the shop lets a part of the ordered quantity arrive on top, over all receipts',
  async (t) => {
    const { db, alice } = await startApp(t)
    await makeStock(db, alice)
    t.match((await alice.get('/api/settings')).json().data, { overReceiptPercent: 0 })
    await alice.put('/api/settings', { overReceiptPercent: 15 })
    // floor(10 × 115 / 100) = 11
    const { id } = await makeSentOrder(alice, { lineItems: tenPieces })
    await postCounts(alice, id, [{ accepted: 4 }])
    const tooMany = await postDraft(alice, await makeDraft(alice, id, [{ accepted: 8 }]))
    const { details } = expectFailure(t, tooMany, 422, 'over_receipt')
    t.match(details, [
      { message: 'is 1 more than the 7 that the tolerance allows for the 6 still expected', outstanding: 6 },
    ])
    const [item] = (await readOrder(alice, id)).lineItems
    const answer = await alice.post(`/api/purchase-orders/${id}/receive`, {
      lineItems: [{ lineItemId: item?.id, quantityReceived: 7 }],
    })
    t.match(answer.json().data, { status: 'received' })
    t.match(await readOrder(alice, id), { lineItems: [{ receivedQuantity: 11, outstandingQuantity: 0 }] })
    for (const overReceiptPercent of [-1, 101, 1.5, null])
      expectFailure(t, await alice.put('/api/settings', { overReceiptPercent }), 400, 'invalid_request')
  },
)
