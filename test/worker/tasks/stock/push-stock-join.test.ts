import t, { type Test } from 'tap'
import { type Db, sql } from '../../../../shared/db/db.ts'
import { claimPush } from '../../../../shared/domain/ledgers/stock-pushes/claim.ts'
import { requeuePush } from '../../../../shared/domain/ledgers/stock-pushes/finish.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { pushStock } from '../../../../worker/tasks/stock/push-stock.ts'
import { startApp } from '../../../support/core/app.ts'
import { startTasks } from '../../../support/core/worker.ts'
import { expectLedger, levelsOf, makeStock } from '../../../support/make/stock.ts'
import { mockPlatform, simulateStock } from '../../../support/platform/platform.ts'
import { changeStock, pushesOf, statesOf } from '../../../support/platform/stock-pushes.ts'

const byHand = { reference: '' }

/** Three variants at one location with 10 units each; `sent` lists the changes of each request. */
async function start(t: Test) {
  const { app, db, alice } = await startApp(t)
  const platform = mockPlatform(t, alice.shopDomain)
  await makeStock(db, alice, { variants: 3, available: 10 })
  const simulated = simulateStock(platform, ['1/1', '2/1', '3/1'], 10, () => {})
  const { perform, services } = await startTasks(t, db)
  const sent = () =>
    platform.requests
      .filter(({ operation }) => /^(Adjust|Set)Quantities$/.test(operation))
      .map(({ variables }) => changesIn(variables))
  return {
    ...{ app, db, alice, platform, services, simulated, sent },
    push: () => perform(jobs.pushStock, { shopId: alice.shopId }),
  }
}

type Change = { inventoryItemId: string; delta?: number; quantity?: number }

function changesIn(variables: Record<string, unknown>): string {
  const { changes, quantities } = variables.input as { changes?: Change[]; quantities?: Change[] }
  return (changes ?? quantities ?? [])
    .map(({ inventoryItemId, delta, quantity }) => `${inventoryItemId.split('/').pop()}:${delta ?? quantity}`)
    .join(' ')
}

t.test('300 changes of one level that wait are one request', async (t) => {
  const { db, alice, sent, push, simulated } = await start(t)
  for (let number = 0; number < 300; number += 1) await changeStock(db, alice, [1], byHand)
  t.equal((await statesOf(db, alice)).length, 300)
  await push()
  t.strictSame(sent(), ['1:300'])
  t.strictSame(await statesOf(db, alice), ['done'])
  t.equal(simulated.levels.get('1/1')?.available, 310)
  t.match((await levelsOf(db, alice))['1/1'], [310, 310])
  await expectLedger(t, db, alice)
})

t.test('the order of the changes of a level stays, and other levels are in the same request', async (t) => {
  const { db, alice, sent, push } = await start(t)
  await changeStock(db, alice, [1], byHand)
  await changeStock(db, alice, [2], byHand)
  await changeStock(db, alice, [0, 3], byHand)
  await changeStock(db, alice, [4], { kind: 'receipt', reference: 'purchase_order/7' })
  await changeStock(db, alice, [1], byHand)
  await push()
  t.strictSame(sent(), ['1:3 2:3', '1:4', '1:1'])
  await expectLedger(t, db, alice)
})

t.test('only pushes whose levels are all in the first one are joined', async (t) => {
  const { db, alice, sent, push } = await start(t)
  await changeStock(db, alice, [1, 1], byHand)
  await changeStock(db, alice, [0, 5], byHand)
  await changeStock(db, alice, [1, 1, 1], byHand)
  await changeStock(db, alice, [7], byHand)
  await push()
  t.strictSame(sent(), ['1:1 2:6', '1:8 2:1 3:1'])
  await expectLedger(t, db, alice)
})

t.test('changes that cancel each other out are not sent', async (t) => {
  const { db, alice, sent, push } = await start(t)
  await changeStock(db, alice, [4], byHand)
  await changeStock(db, alice, [-4], byHand)
  await push()
  t.strictSame(sent(), [])
  t.strictSame(await statesOf(db, alice), ['done'])
  t.match((await levelsOf(db, alice))['1/1'], [10, 10])
})

t.test('sets and adjustments are not joined with each other', async (t) => {
  const { db, alice, sent, push } = await start(t)
  await changeStock(db, alice, [1], byHand)
  await changeStock(db, alice, [2], { ...byHand, form: 'set' })
  await changeStock(db, alice, [3], { ...byHand, form: 'set' })
  await push()
  t.strictSame(sent(), ['1:1', '1:16'])
  await expectLedger(t, db, alice)
})

t.test('a push that was sent once is sent again as it was', async (t) => {
  const { db, alice, platform, sent, push } = await start(t)
  await changeStock(db, alice, [1], byHand)
  const claimed = await claimPush(db, alice.shopId, 'a worker that dies')
  await changeStock(db, alice, [2], byHand)
  await changeStock(db, alice, [3], byHand)
  await db.query(sql.typeAlias('void')`
    update stock_push set claimed_at = now() - interval '6 minutes' where shop_id = ${alice.shopId} and state = 'sending'
  `)
  await push()
  t.strictSame(sent(), ['1:1', '1:5'])
  t.equal(platform.requests.length, 2)
  t.equal((await pushesOf(db, alice))[0]?.key, claimed?.idempotencyKey)
  await expectLedger(t, db, alice)
})

t.test('changes of many levels are packed into requests of at most 250', async (t) => {
  const { db, alice, simulated, sent, push } = await start(t)
  await makeStock(db, alice, { variants: 300, available: 10 })
  for (let number = 4; number <= 300; number += 1) {
    simulated.levels.set(`${number}/1`, { available: 10, updatedAt: new Date().toISOString() })
  }
  for (let round = 0; round < 2; round += 1) {
    for (let number = 0; number < 300; number += 1) {
      await changeStock(db, alice, [...Array(number).fill(0), 1], byHand)
    }
  }
  await push()
  t.strictSame(
    sent().map((changes) => changes.split(' ').length),
    [250, 50],
  )
  t.ok(sent().every((changes) => changes.split(' ').every((change) => change.endsWith(':2'))))
  await expectLedger(t, db, alice)
})

t.test('a refused request of many levels is taken apart, and only the bad level fails', async (t) => {
  const { db, alice, platform, sent, push } = await start(t)
  const userErrors = [{ code: 'OTHER', field: null, message: 'No.' }]
  const refusal = { data: { inventoryAdjustQuantities: { inventoryAdjustmentGroup: null, userErrors } } }
  const answer = platform.handler('AdjustQuantities')
  platform.on('AdjustQuantities', (variables, call) =>
    /\b2:/.test(changesIn(variables)) ? [200, refusal] : answer(variables, call),
  )
  for (const deltas of [[1], [0, 2], [0, 0, 3], [4]]) await changeStock(db, alice, deltas, byHand)
  await push()
  t.strictSame(sent(), ['1:5 2:2 3:3', '1:5', '2:2', '3:3'])
  t.strictSame(await statesOf(db, alice), ['done', 'failed', 'done'])
  t.match(await levelsOf(db, alice), { '1/1': [15, 15], '2/1': [12, 10], '3/1': [13, 13] })
  await changeStock(db, alice, [1], byHand)
  await push()
  t.equal(sent().at(-1), '1:1')
  await expectLedger(t, db, alice)
})

t.test('a rejected request fails all its changes, and the next is sent', async (t) => {
  const { db, alice, platform, push } = await start(t)
  const answer = platform.handler('AdjustQuantities')
  platform.on('AdjustQuantities', (variables, call) =>
    call === 1
      ? [200, { data: { inventoryAdjustQuantities: { userErrors: [{ code: 'OTHER', message: 'No.' }] } } }]
      : answer(variables, call),
  )
  await changeStock(db, alice, [1], byHand)
  await changeStock(db, alice, [2], byHand)
  await changeStock(db, alice, [0, 5])
  await push()
  t.strictSame((await statesOf(db, alice)).sort(), ['done', 'failed'])
  t.match(await levelsOf(db, alice), { '1/1': [13, 10], '2/1': [15, 15] })
})

t.test('a request of many levels that was not executed is taken apart, too', async (t) => {
  const { db, alice, platform, sent, push } = await start(t)
  const answer = platform.handler('AdjustQuantities')
  // GraphQL refuses the whole request for one variable, and names no level
  platform.on('AdjustQuantities', (variables, call) =>
    /\b2:/.test(changesIn(variables))
      ? [200, { errors: [{ message: 'Variable $input was provided an invalid value.' }] }]
      : answer(variables, call),
  )
  for (const deltas of [[1], [0, 2], [0, 0, 3]]) await changeStock(db, alice, deltas, byHand)
  await push()
  t.strictSame(sent(), ['1:1 2:2 3:3', '1:1', '2:2', '3:3'])
  t.strictSame(await statesOf(db, alice), ['done', 'failed', 'done'])
  t.match(await levelsOf(db, alice), { '1/1': [11, 11], '2/1': [12, 10], '3/1': [13, 13] })
  await expectLedger(t, db, alice)
})

for (const [what, response] of [
  ['a response of another shape', { data: { inventoryAdjustQuantities: {} } }],
  ['an error during the execution', { data: null, errors: [{ message: 'Something failed.' }] }],
] as const) {
  t.test(`${what} fails all levels of a request, since it may have been applied`, async (t) => {
    const { db, alice, platform, sent, push } = await start(t)
    const answer = platform.handler('AdjustQuantities')
    platform.on('AdjustQuantities', async (variables, call) => {
      const applied = await answer(variables, call)
      return call === 1 ? [200, response] : applied
    })
    for (const deltas of [[1], [0, 2]]) await changeStock(db, alice, deltas, byHand)
    await push()
    t.strictSame(sent(), ['1:1 2:2'], 'single requests would have keys of their own, and be applied again')
    t.match(await pushesOf(db, alice), [{ state: 'failed', error: /Compare the stock level/ }])
    t.match(await levelsOf(db, alice), { '1/1': [11, 10], '2/1': [12, 10] })
    await expectLedger(t, db, alice)
  })
}

const makeLate = (db: Db, { shopId }: { shopId: number }, age = '61 seconds') =>
  db.query(sql.typeAlias('void')`
    update stock_push set created_at = created_at - ${age}::interval where shop_id = ${shopId}
  `)

t.test('late changes of one level are one request whatever their document', async (t) => {
  const { db, alice, platform, sent, push } = await start(t)
  await changeStock(db, alice, [1], byHand)
  await changeStock(db, alice, [2], { kind: 'receipt', platformReason: 'received', reference: 'receipt/7' })
  await changeStock(db, alice, [0, 3], { reference: 'stock_transfer/4' })
  await changeStock(db, alice, [4], { reference: 'stock_transfer/4' })
  await changeStock(db, alice, [5], { ...byHand, form: 'set' })
  await changeStock(db, alice, [7], { reference: 'receipt/8' })
  await makeLate(db, alice)
  await changeStock(db, alice, [8], { reference: 'receipt/9' })
  await push()
  t.strictSame(sent(), ['1:7', '2:3', '1:22', '1:7', '1:8'])
  const [joined, single] = platform.requests.filter(({ operation }) => operation === 'AdjustQuantities')
  t.match(joined?.variables.input, { reason: 'other', referenceDocumentUri: /quartermaster.StockPush.\d+$/ })
  t.match(single?.variables.input, {
    reason: 'correction',
    referenceDocumentUri: /quartermaster.StockTransfer.4$/,
  })
  await expectLedger(t, db, alice)
})

t.test('late changes of several levels keep their documents', async (t) => {
  const { db, alice, sent, push } = await start(t)
  await changeStock(db, alice, [-1, 1], { reference: 'stock_transfer/4' })
  await changeStock(db, alice, [2], { reference: 'receipt/7' })
  await changeStock(db, alice, [1, 1], { reference: 'stock_transfer/5' })
  await makeLate(db, alice)
  await push()
  t.strictSame(sent(), ['1:-1 2:1', '1:2', '1:1 2:1'])
  await expectLedger(t, db, alice)
})

t.test('a refused or day-old change is not joined with another document', async (t) => {
  for (const age of ['61 seconds', '25 hours']) {
    const { db, alice, sent, push } = await start(t)
    await changeStock(db, alice, [1], byHand)
    await makeLate(db, alice, age)
    if (age === '61 seconds') {
      const claimed = await claimPush(db, alice.shopId, 'a worker')
      if (!claimed) throw new Error('nothing was claimed')
      await requeuePush(db, alice.shopId, claimed, { isRefusal: true })
    }
    await changeStock(db, alice, [2], { reference: 'receipt/7' })
    await makeLate(db, alice)
    await push()
    t.strictSame(sent(), ['1:1', '1:2'], age)
    await expectLedger(t, db, alice)
  }
})

t.test('a request of several documents is repeated as it was', async (t) => {
  const { db, alice, platform, push } = await start(t)
  await changeStock(db, alice, [1], byHand)
  await changeStock(db, alice, [2], { reference: 'receipt/7' })
  await makeLate(db, alice)
  const claimed = await claimPush(db, alice.shopId, 'a worker that dies')
  await changeStock(db, alice, [4], { reference: 'receipt/8' })
  await makeLate(db, alice)
  await db.query(sql.typeAlias('void')`
    update stock_push set claimed_at = now() - interval '6 minutes' where shop_id = ${alice.shopId} and state = 'sending'
  `)
  await push()
  const [repeated] = platform.requests.filter(({ operation }) => operation === 'AdjustQuantities')
  t.match(repeated?.variables, {
    key: claimed?.idempotencyKey,
    input: { reason: claimed?.reason, referenceDocumentUri: new RegExp(`StockPush/${claimed?.id}$`) },
  })
  await expectLedger(t, db, alice)
})

t.test('a job that ended its process before its claim fails no change', async (t) => {
  const { db, alice, services, sent, push } = await start(t)
  await changeStock(db, alice, [1], byHand)
  await pushStock.abandon(services, { shopId: alice.shopId }, { jobId: '1', reason: 'ended its process' })
  t.strictSame(await statesOf(db, alice), ['queued'])
  await claimPush(db, alice.shopId, '2')
  await pushStock.abandon(services, { shopId: alice.shopId }, { jobId: '2', reason: 'ended its process' })
  t.strictSame(await statesOf(db, alice), ['failed'])
  await push()
  t.strictSame(sent(), [])
})
