import t, { type Test } from 'tap'
import { claimPush } from '../../../shared/domain/ledgers/stock-pushes/claim.ts'
import { failPush, requeuePush } from '../../../shared/domain/ledgers/stock-pushes/finish.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { instantIn } from '../../support/core/instants.ts'
import { readPages } from '../../support/core/people.ts'
import { enqueued } from '../../support/core/worker.ts'
import {
  expectLedger,
  levelsOf,
  locationGid,
  makeStock,
  movementsOf,
  variantGid,
} from '../../support/make/stock.ts'
import {
  changeStock,
  conflictsOf,
  makeFailedPush,
  pushesOf,
  reportLevel,
} from '../../support/platform/stock-pushes.ts'

/** One failed push, one that is being sent, and one that waits for it. */
async function start(t: Test) {
  const context = await startApp(t)
  const { db, alice } = context
  await makeStock(db, alice, { variants: 2 })
  await changeStock(db, alice, [5, -2], { reference: 'purchase_order/3' })
  const failed = await claimPush(db, alice.shopId, 'a job')
  if (!failed) throw new Error('No push was claimed')
  await failPush(db, alice.shopId, failed, { lines: failed.lines, reason: 'It is full.' })
  await changeStock(db, alice, [1])
  await claimPush(db, alice.shopId, 'a job')
  await changeStock(db, alice, [2])
  const list = async (query = '') => (await alice.get(`/api/stock-pushes${query}`)).json().data
  return { ...context, list, failedId: failed.id }
}

t.test('unfinished pushes are listed with their lines, newest first', async (t) => {
  const before = instantIn(0).toISOString()
  const { list, failedId } = await start(t)
  const [queued, sending, failed, ...others] = await list()
  t.match([queued, sending], [{ state: 'queued' }, { state: 'sending' }])
  const { createdAt, ...rest } = failed
  t.ok(createdAt >= before)
  const location = { locationId: locationGid(1), locationName: 'Place 1' }
  t.strictSame(rest, {
    id: failedId,
    state: 'failed',
    reference: 'purchase_order/3',
    error: 'It is full.',
    lineCount: 2,
    lines: [
      { variantId: variantGid(1), sku: 'SKU-1', title: 'Mug 1 - Size 1', ...location, delta: 5 },
      { variantId: variantGid(2), sku: 'SKU-2', title: 'Mug 2 - Size 2', ...location, delta: -2 },
    ],
  })
  t.strictSame(others, [])
})

t.test('the list is filtered by state and paged', async (t) => {
  const { alice, list, failedId } = await start(t)
  for (const state of ['queued', 'sending', 'failed']) {
    t.match(await list(`?state=${state}`), [{ state }])
    t.equal((await list(`?state=${state}`)).length, 1)
  }
  const pages = await readPages(alice, '/api/stock-pushes?limit=1')
  t.equal(pages.length, 3)
  t.strictSame(pages.at(-1), [failedId])
  for (const query of ['?state=done', '?limit=0', '?cursor=x', '?of=me']) {
    expectFailure(t, await alice.get(`/api/stock-pushes${query}`), 400, 'invalid_request', query)
  }
})

t.test('a level shows its pending quantity', async (t) => {
  const { alice } = await start(t)
  const { data } = (await alice.get('/api/stock-levels')).json()
  t.match(data, [
    { sku: 'SKU-2', currentStock: 8, pendingQuantity: -2 },
    { sku: 'SKU-1', currentStock: 18, pendingQuantity: 8 },
  ])
})

t.test('retrying a failed push gives it a new key and resolves its alert', async (t) => {
  const { db, alice, failedId } = await start(t)
  const [before] = await pushesOf(db, alice)
  const jobsBefore = (await enqueued(db, jobs.pushStock, alice.shopId)).length
  t.match(await conflictsOf(db, alice), [{ subject: `stock_push/${failedId}`, isOpen: true }])
  const answer = await alice.post(`/api/stock-pushes/${failedId}/retry`)
  t.strictSame(answer.json(), { success: true, data: { id: failedId, state: 'queued' } })
  const [after] = await pushesOf(db, alice)
  t.match(after, { state: 'queued', error: '', refusals: 0 })
  t.not(after?.key, before?.key)
  t.equal((await enqueued(db, jobs.pushStock, alice.shopId)).length, jobsBefore + 1)
  t.match(await conflictsOf(db, alice), [{ isOpen: false }])
})

t.test('a retried push waits for a push of the same level', async (t) => {
  const { db, alice, failedId } = await start(t)
  await alice.post(`/api/stock-pushes/${failedId}/retry`)
  t.equal(await claimPush(db, alice.shopId, 'another job'), null)
})

t.test('discarding a push reverses only its own changes', async (t) => {
  const { db, alice, failedId } = await start(t)
  const before = await movementsOf(db, alice)
  const answer = await alice.post(`/api/stock-pushes/${failedId}/discard`)
  t.strictSame(answer.json(), { success: true, data: { id: failedId, state: 'discarded' } })
  t.strictSame(await levelsOf(db, alice), { '1/1': [13, 10], '2/1': [10, 10] })
  t.match((await movementsOf(db, alice)).slice(before.length), [
    { levelKey: '1/1', kind: 'discard', delta: -5 },
    { levelKey: '2/1', kind: 'discard', delta: 2 },
  ])
  t.match(await conflictsOf(db, alice), [{ isOpen: false }])
  t.equal((await alice.get('/api/stock-pushes?state=failed')).json().data.length, 0)
  await expectLedger(t, db, alice)
})

t.test('discarding a push does not apply an update deferred by another push', async (t) => {
  const { db, alice, failedId } = await start(t)
  await reportLevel(db, alice, 3)
  t.match(await levelsOf(db, alice), { '1/1': [18, 10] })
  await alice.post(`/api/stock-pushes/${failedId}/discard`)
  t.match(await levelsOf(db, alice), { '1/1': [13, 10] })
  const sending = await claimPush(db, alice.shopId, 'a job')
  if (sending) await requeuePush(db, alice.shopId, sending, { isRefusal: true })
  t.match(await levelsOf(db, alice), { '1/1': [6, 3] })
})

t.test('only a failed push can be retried or discarded, and only once', async (t) => {
  const { alice, list, failedId } = await start(t)
  const [queued, sending] = await list()
  for (const verb of ['retry', 'discard']) {
    for (const { id } of [queued, sending]) {
      expectFailure(t, await alice.post(`/api/stock-pushes/${id}/${verb}`), 409, 'conflict')
    }
    expectFailure(t, await alice.post(`/api/stock-pushes/99999999/${verb}`), 404, 'not_found')
    expectFailure(t, await alice.post(`/api/stock-pushes/x/${verb}`), 400, 'invalid_request')
    expectFailure(
      t,
      await alice.post(`/api/stock-pushes/${failedId}/${verb}`, { a: 1 }),
      400,
      'invalid_request',
    )
  }
  await alice.post(`/api/stock-pushes/${failedId}/discard`)
  for (const verb of ['retry', 'discard']) {
    expectFailure(t, await alice.post(`/api/stock-pushes/${failedId}/${verb}`), 409, 'conflict')
  }
})

t.test('one of several concurrent decisions succeeds', async (t) => {
  const { alice, db, failedId } = await start(t)
  const answers = await Promise.all(
    ['retry', 'discard', 'retry', 'discard'].map((verb) =>
      alice.post(`/api/stock-pushes/${failedId}/${verb}`),
    ),
  )
  t.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1)
  t.equal(answers.filter(({ statusCode }) => statusCode === 409).length, 3)
  await expectLedger(t, db, alice)
})

t.test('another shop can neither see nor decide pushes', async (t) => {
  const { db, alice, mallory, failedId, list } = await start(t)
  t.strictSame((await mallory.get('/api/stock-pushes')).json().data, [])
  for (const verb of ['retry', 'discard']) {
    expectFailure(t, await mallory.post(`/api/stock-pushes/${failedId}/${verb}`), 404, 'not_found')
  }
  t.equal((await list('?state=failed')).length, 1)
  const own = await makeFailedPush(db, mallory)
  t.match((await mallory.get('/api/stock-pushes')).json().data, [{ id: own }])
  t.match(await conflictsOf(db, alice), [{ isOpen: true }])
})
