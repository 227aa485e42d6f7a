import { randomUUID } from 'node:crypto'
import t from 'tap'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { readPages } from '../../support/core/people.ts'
import { line, makeSentOrder, makeSupplier, receive } from '../../support/make/orders.ts'
import { makeDirectReceipt, makeDraft, postCounts } from '../../support/make/receipts.ts'
import {
  closeLocation,
  expectLedger,
  levelsOf,
  locationGid,
  makeStock,
  markVariant,
  movementsOf,
  takeStock,
  variantGid,
} from '../../support/make/stock.ts'

t.test('goods without an order move stock, and a reversal takes them out again', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2, locations: 2 })
  const supplierId = await makeSupplier(alice)
  const receipt = await makeDirectReceipt(alice, {
    ...{ supplierId, locationId: locationGid(2), deliveryNote: ' LS-1 ', notes: 'samples' },
    lines: [
      { variantId: variantGid(1), quantity: 2, unitCost: 3 },
      { variantId: variantGid(2), quantity: 5 },
    ],
  })
  t.match(receipt, {
    ...{ state: 'posted', purchaseOrderId: null, poNumber: null, supplierId, supplierName: 'Acme' },
    ...{ locationId: locationGid(2), deliveryNote: 'LS-1', notes: 'samples', accepted: 7, rejected: 0 },
    lines: [
      { lineItemId: null, variantId: variantGid(1), accepted: 2, rejected: 0, unitCost: 3 },
      { lineItemId: null, variantId: variantGid(2), accepted: 5, unitCost: null },
    ],
  })
  t.strictSame((await alice.get(`/api/receipts/${receipt.id}`)).json().data, receipt)
  t.match(await levelsOf(db, alice), { '1/2': [12, 10], '2/2': [15, 10] })
  t.match(await movementsOf(db, alice), [
    { kind: 'receipt', reference: `receipt/${receipt.id}`, delta: 2 },
    { delta: 5 },
  ])
  const reversed = (await alice.post(`/api/receipts/${receipt.id}/reverse`)).json().data
  t.match(reversed, { id: receipt.id, purchaseOrderId: null, status: null, alreadyApplied: false })
  t.match((await alice.post(`/api/receipts/${receipt.id}/reverse`)).json().data, {
    reversedAt: reversed.reversedAt,
    alreadyApplied: true,
  })
  t.match(await levelsOf(db, alice), { '1/2': [10, 10], '2/2': [10, 10] })
  t.match((await alice.get(`/api/receipts/${receipt.id}`)).json().data, {
    state: 'reversed',
    reversedBy: alice.userId,
  })
  await expectLedger(t, db, alice)
})

t.test('goods without an order are refused with each wrong value', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice, { variants: 2, locations: 2 })
  await closeLocation(db, alice, 2)
  await markVariant(db, alice, 2, 'untracked')
  const post = (fields: object) =>
    alice.post('/api/receipts', { lines: [{ variantId: variantGid(1), quantity: 1 }], ...fields })
  const foreign = await makeSupplier(mallory)
  expectFailure(t, await post({ supplierId: foreign }), 422, 'unknown_supplier')
  expectFailure(t, await post({ locationId: locationGid(2) }), 422, 'unknown_location')
  expectFailure(
    t,
    await post({ lines: [{ variantId: variantGid(77), quantity: 1 }] }),
    422,
    'unknown_variant',
  )
  expectFailure(
    t,
    await post({ lines: [{ variantId: variantGid(2), quantity: 1 }] }),
    422,
    'untracked_variant',
  )
  for (const lines of [[], [{ variantId: variantGid(1), quantity: 0 }], undefined])
    expectFailure(t, await alice.post('/api/receipts', { lines }), 400, 'invalid_request')
  t.strictSame(await movementsOf(db, alice), [])
})

t.test('a double click is one receipt, and so is a repeated key', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const [first, second] = await Promise.all([makeDirectReceipt(alice), makeDirectReceipt(alice)])
  t.equal(first.id, second.id)
  const body = { lines: [{ variantId: variantGid(1), quantity: 2, unitCost: 3 }] }
  const keyed = () => alice.send('POST', '/api/receipts', body, { 'idempotency-key': key })
  const key = randomUUID()
  const [third, fourth] = [await keyed(), await keyed()]
  t.equal(third.json().data.id, fourth.json().data.id)
  t.not(third.json().data.id, first.id, 'another key is another delivery')
  t.strictSame(await levelsOf(db, alice), { '1/1': [14, 10] })
})

t.test('a reversal needs the pieces in stock unless it may go below zero', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeDirectReceipt(alice)
  await takeStock(db, alice, { variant: 1, location: 1, quantity: 11 })
  const { details } = expectFailure(
    t,
    await alice.post(`/api/receipts/${id}/reverse`),
    422,
    'insufficient_stock',
  )
  t.match(details, [{ path: '/lines/0' }])
  t.equal((await alice.post(`/api/receipts/${id}/reverse`, { allowNegative: true })).statusCode, 200)
})

t.test('the list has receipts with and without an order, drafts and reversed ones', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const order = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 10 })] })
  await receive(alice, order.id, [3])
  const draft = await makeDraft(alice, order.id, [{ accepted: 1, rejected: 2 }], { deliveryNote: 'DN-17/a' })
  const supplierId = await makeSupplier(alice, { name: 'Bolt' })
  const direct = await makeDirectReceipt(alice, { supplierId, deliveryNote: 'DN-18' })
  const other = await makeDirectReceipt(alice, { lines: [{ variantId: variantGid(1), quantity: 7 }] })
  await alice.post(`/api/receipts/${other.id}/reverse`)
  const list = async (query: string) => (await alice.get(`/api/receipts?${query}`)).json().data
  t.match(await list(''), [
    { id: other.id, state: 'reversed', supplierId: null, supplierName: null, accepted: 7 },
    { id: direct.id, state: 'posted', purchaseOrderId: null, supplierName: 'Bolt', accepted: 2 },
    {
      id: draft.id,
      state: 'draft',
      poNumber: order.poNumber,
      supplierName: 'Acme',
      accepted: 1,
      rejected: 2,
      postedAt: null,
    },
    { state: 'posted', purchaseOrderId: order.id, accepted: 3, rejected: 0 },
  ])
  const ids = async (query: string) => (await list(query)).map(({ id }: { id: number }) => id)
  t.strictSame(await ids('state=draft'), [draft.id])
  t.strictSame(await ids('state=reversed'), [other.id])
  t.equal((await ids('state=posted')).length, 2)
  t.strictSame(await ids(`supplierId=${supplierId}`), [direct.id])
  t.equal((await ids(`supplierId=${order.supplierId}`)).length, 2)
  t.equal((await ids(`purchaseOrderId=${order.id}`)).length, 2)
  t.strictSame(await ids('search=dn-17%2F'), [draft.id])
  t.strictSame(await ids('search=DN-1%25'), [])
  const pages = await readPages(alice, '/api/receipts?limit=1')
  t.equal(pages.flat().length, 4)
  const csv = await alice.send('GET', '/api/receipts', undefined, { accept: 'text/csv' })
  t.match(csv.body, /DN-18/)
  t.equal(csv.body.trim().split('\n').length, 5)
})

t.test('a receipt of an order is reversed here, too', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice)
  const receipt = await postCounts(alice, id, [{ accepted: 1 }])
  const answer = await alice.post(`/api/receipts/${receipt.id}/reverse`)
  t.match(answer.json().data, { purchaseOrderId: id, status: 'sent', alreadyApplied: false })
  const draft = await makeDraft(alice, id)
  expectFailure(t, await alice.post(`/api/receipts/${draft.id}/reverse`), 409, 'conflict')
})

t.test('a supplier with receipts is archived, and a merge moves them', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const [supplierId, intoId] = [await makeSupplier(alice), await makeSupplier(alice, { name: 'Bolt' })]
  const { id } = await makeDirectReceipt(alice, { supplierId })
  t.equal((await alice.post(`/api/suppliers/${supplierId}/merge`, { intoId })).statusCode, 200)
  t.match((await alice.get(`/api/receipts/${id}`)).json().data, { supplierId: intoId })
  t.match((await alice.delete(`/api/suppliers/${intoId}`)).json().data.message, /archived/)
  t.match((await alice.get(`/api/receipts/${id}`)).json().data, { supplierName: 'Bolt' })
})

t.test('receipts of another shop are neither listed nor found', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice)
  await makeStock(db, mallory)
  const { id, lines } = await makeDirectReceipt(alice, { deliveryNote: 'DN-1' })
  expectFailure(t, await mallory.get(`/api/receipts/${id}`), 404, 'not_found')
  expectFailure(t, await mallory.post(`/api/receipts/${id}/reverse`), 404, 'not_found')
  for (const query of ['', '?search=DN', '?state=posted'])
    t.strictSame((await mallory.get(`/api/receipts${query}`)).json().data, [])
  t.match((await alice.get(`/api/receipts/${id}`)).json().data, { state: 'posted', lines })
})
