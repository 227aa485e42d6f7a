import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../shared/db/db.ts'
import { applyPlatformLevels } from '../../../shared/domain/ledgers/stock/platform/platform-updates.ts'
import { enqueueReadLevelsOf } from '../../../shared/domain/ledgers/stock/platform/read-requests.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { enqueued } from '../../support/core/worker.ts'
import {
  expectLedger,
  levelsOf,
  locationGid,
  makeStock,
  movementsOf,
  pushLinesOf,
  readLevels,
  variantGid,
} from '../../support/make/stock.ts'

async function start(t: Test, stock: Parameters<typeof makeStock>[2] = {}) {
  const app = await startApp(t)
  await makeStock(app.db, app.alice, stock)
  return app
}

const at = (variant: number, location: number, fields: object) => ({
  variantId: variantGid(variant),
  locationId: locationGid(location),
  ...fields,
})
const set = (person: Person, adjustments: object[], fields: object = {}) =>
  person.put('/api/stock-levels/bulk', { adjustments, ...fields })
const adjust = (person: Person, adjustments: object[], fields: object = {}) =>
  person.post('/api/stock-levels/adjust', { adjustments, ...fields })

t.test('each set level gets a movement and a push to the platform', async (t) => {
  const { db, alice } = await start(t, { variants: 2, locations: 2 })
  const answer = await set(alice, [
    at(1, 1, { quantity: 4, reason: 'Broken in the rack' }),
    at(2, 2, { quantity: 15 }),
  ])
  t.strictSame(answer.json(), {
    success: true,
    data: {
      adjusted: 2,
      message: '2 stock levels adjusted.',
      levels: [
        at(1, 1, { previousQuantity: 10, newQuantity: 4 }),
        at(2, 2, { previousQuantity: 10, newQuantity: 15 }),
      ],
    },
  })
  t.strictSame(await levelsOf(db, alice), {
    '1/1': [4, 10],
    '1/2': [10, 10],
    '2/1': [10, 10],
    '2/2': [15, 10],
  })
  t.strictSame(await movementsOf(db, alice), [
    {
      levelKey: '1/1',
      kind: 'set',
      delta: -6,
      reason: 'Broken in the rack',
      reference: '',
      actor: 'alice-1',
    },
    { levelKey: '2/2', kind: 'set', delta: 5, reason: '', reference: '', actor: 'alice-1' },
  ])
  t.strictSame(await pushLinesOf(db, alice), [
    { form: 'set', reason: 'damaged', reference: '', state: 'queued', levelKey: '1/1', delta: -6 },
    { form: 'set', reason: 'correction', reference: '', state: 'queued', levelKey: '2/2', delta: 5 },
  ])
  t.strictSame(await enqueued(db, jobs.pushStock, alice.shopId), [{ shopId: alice.shopId }])
  await expectLedger(t, db, alice)
})

t.test('a line without a change counts as applied and changes nothing', async (t) => {
  const { db, alice } = await start(t)
  const answer = await set(alice, [at(1, 1, { quantity: 10 })])
  t.strictSame(answer.json().data, { adjusted: 1, message: 'Stock adjusted.', levels: [] })
  t.strictSame(await movementsOf(db, alice), [])
  t.strictSame(await pushLinesOf(db, alice), [])
  t.strictSame(await enqueued(db, jobs.pushStock, alice.shopId), [])
})

t.test('equal quantities of one level are merged, different ones are refused', async (t) => {
  const { db, alice } = await start(t, { variants: 2 })
  const same = [at(1, 1, { quantity: 3 }), at(1, 1, { quantity: 3 })]
  t.equal((await set(alice, same)).json().data.adjusted, 2)
  t.strictSame(await levelsOf(db, alice), { '1/1': [3, 10], '2/1': [10, 10] })

  const different = [at(2, 1, { quantity: 5 }), at(1, 1, { quantity: 1 }), at(1, 1, { quantity: 2 })]
  const { details } = expectFailure(t, await set(alice, different), 422, 'duplicate_line')
  t.match(details, [
    { path: '/adjustments/2/quantity', message: 'contradicts quantity 1 of an earlier line' },
  ])
  t.strictSame(
    await levelsOf(db, alice),
    { '1/1': [3, 10], '2/1': [10, 10] },
    'a refused request changes no level',
  )
})

t.test('the deltas of one level are added up', async (t) => {
  const { db, alice } = await start(t, { variants: 2 })
  const answer = await adjust(alice, [
    at(1, 1, { delta: 5, reason: 'Found' }),
    at(1, 1, { delta: -2, reason: 'Sample' }),
    at(2, 1, { delta: 0 }),
  ])
  t.match(answer.json().data, {
    adjusted: 3,
    levels: [at(1, 1, { previousQuantity: 10, newQuantity: 13 })],
  })
  t.equal(answer.json().data.levels.length, 1, 'the answer lists only changed levels')
  t.strictSame(await levelsOf(db, alice), { '1/1': [13, 10], '2/1': [10, 10] })
  t.match(await movementsOf(db, alice), [
    { levelKey: '1/1', kind: 'delta', delta: 3, reason: 'Found; Sample' },
  ])
  t.match(await pushLinesOf(db, alice), [{ form: 'adjust', levelKey: '1/1', delta: 3 }])
})

t.test('the joined reasons of one level are cut to 500 characters', async (t) => {
  const { db, alice } = await start(t)
  const lines = Array.from({ length: 1000 }, (_, number) =>
    at(1, 1, { delta: 1, reason: `${number} ${'🫖'.repeat(90)}` }),
  )
  t.equal((await adjust(alice, lines)).statusCode, 200)
  const [movement] = await movementsOf(db, alice)
  t.equal(Array.from(movement?.reason ?? '').length, 500)
  t.ok(movement?.reason.isWellFormed())
})

t.test('no level falls below zero unless the request allows it', async (t) => {
  const { db, alice } = await start(t, { variants: 2 })
  const lines = [at(1, 1, { delta: 1 }), at(2, 1, { delta: -6 }), at(2, 1, { delta: -5 })]
  const { details } = expectFailure(t, await adjust(alice, lines), 422, 'insufficient_stock')
  const message = 'only 10 in stock'
  t.strictSame(details, [
    { path: '/adjustments/1/delta', message },
    { path: '/adjustments/2/delta', message },
  ])
  t.strictSame(
    await levelsOf(db, alice),
    { '1/1': [10, 10], '2/1': [10, 10] },
    'a refused request changes no level',
  )

  t.equal((await adjust(alice, lines, { allowNegative: true })).statusCode, 200)
  t.strictSame(await levelsOf(db, alice), { '1/1': [11, 10], '2/1': [-1, 10] })
  t.equal((await adjust(alice, [at(2, 1, { delta: -1 })])).statusCode, 422)
  t.equal(
    (await adjust(alice, [at(2, 1, { delta: 1 })])).statusCode,
    200,
    'a negative level can be increased',
  )

  const below = [at(1, 1, { quantity: -1 })]
  t.match(expectFailure(t, await set(alice, below), 422, 'negative_quantity').details, [
    { path: '/adjustments/0/quantity', message: 'must not be below 0' },
  ])
  t.equal((await set(alice, below, { allowNegative: true })).statusCode, 200)
  t.match(await levelsOf(db, alice), { '1/1': [-1, 10] })
  await expectLedger(t, db, alice)
})

t.test('a level is at most 1 000 000 000', async (t) => {
  const { db, alice } = await start(t)
  t.equal((await set(alice, [at(1, 1, { quantity: 1_000_000_000 })])).statusCode, 200)
  for (const lines of [
    [at(1, 1, { delta: 1 })],
    [
      at(1, 1, { delta: 1_000_000_000 }),
      at(1, 1, { delta: 1_000_000_000 }),
      at(1, 1, { delta: 1_000_000_000 }),
    ],
  ])
    expectFailure(t, await adjust(alice, lines), 422, 'quantity_too_large')
  t.match(await levelsOf(db, alice), { '1/1': [1_000_000_000, 10] })
  await expectLedger(t, db, alice)
})

t.test('the API lists every unknown, unused or untracked variant and location', async (t) => {
  const { db, alice } = await start(t, { variants: 3, locations: 2 })
  const { shopId } = alice
  await db.query(sql.typeAlias('void')`
    update variant set is_tracked = false where shop_id = ${shopId} and gid = ${variantGid(2)}
  `)
  await db.query(sql.typeAlias('void')`
    update variant set deleted_at = now() where shop_id = ${shopId} and gid = ${variantGid(3)}
  `)
  await db.query(sql.typeAlias('void')`
    update location set is_active = false where shop_id = ${shopId} and gid = ${locationGid(2)}
  `)
  const before = await levelsOf(db, alice)
  for (const change of [
    (lines: object[]) => set(alice, lines),
    (lines: object[]) =>
      adjust(
        alice,
        lines.map(({ quantity, ...line }: { quantity?: number }) => ({ ...line, delta: quantity })),
      ),
  ]) {
    const unknown = await change([
      at(1, 1, { quantity: 1 }),
      at(99, 2, { quantity: 1 }),
      at(3, 9, { quantity: 1 }),
    ])
    t.strictSame(expectFailure(t, unknown, 422, 'unknown_location').details, [
      { path: '/adjustments/1/locationId', message: 'is no longer in use' },
      { path: '/adjustments/2/locationId', message: 'is not a location of this shop' },
      { path: '/adjustments/1/variantId', message: 'is not a variant of this shop' },
      { path: '/adjustments/2/variantId', message: 'is not a variant of this shop' },
    ])
    const untracked = await change([at(2, 1, { quantity: 1 })])
    t.match(expectFailure(t, untracked, 422, 'untracked_variant').details, [
      { path: '/adjustments/0/variantId' },
    ])
  }
  t.strictSame(await levelsOf(db, alice), before)
})

t.test("another shop's variants and locations are unknown", async (t) => {
  const { db, alice, mallory } = await start(t)
  const lines = [at(1, 1, { quantity: 0 })]
  expectFailure(t, await set(mallory, lines), 422, 'unknown_location')
  expectFailure(t, await adjust(mallory, [at(1, 1, { delta: -1 })]), 422, 'unknown_location')
  t.strictSame(await levelsOf(db, alice), { '1/1': [10, 10] })
})

t.test('a platform update keeps the pending change of a level', async (t) => {
  const { db, alice } = await start(t)
  await adjust(alice, [at(1, 1, { delta: -3 })])
  const variant = await db.one(
    sql.typeAlias('id')`select variant_id as id from stock_level where shop_id = ${alice.shopId}`,
  )
  const location = await db.one(
    sql.typeAlias('id')`select location_id as id from stock_level where shop_id = ${alice.shopId}`,
  )
  await db.transaction((tx) =>
    applyPlatformLevels(tx, alice.shopId, [
      { variantId: variant.id, locationId: location.id, available: 9, updatedAt: new Date().toISOString() },
    ]),
  )
  t.strictSame(await levelsOf(db, alice), { '1/1': [6, 9] })
  t.match(await movementsOf(db, alice), [
    { kind: 'delta', delta: -3 },
    { kind: 'platform', delta: -1 },
  ])
  await expectLedger(t, db, alice)
})

t.test('a request has 1 to 1000 lines', async (t) => {
  const { alice } = await start(t)
  for (const count of [0, 1001]) {
    const lines = Array.from({ length: count }, () => at(1, 1, { quantity: 1 }))
    expectFailure(t, await set(alice, lines), 400, 'invalid_request')
  }
})

t.test('a quantity on hand is converted to the available one under the lock', async (t) => {
  const { db, alice } = await start(t)
  await readLevels(db, alice, { committed: 3, unavailable: 1 })
  const setOnHand = (quantity: number) =>
    alice.put('/api/stock-levels/bulk', {
      basis: 'on_hand',
      adjustments: [{ variantId: variantGid(1), locationId: locationGid(1), quantity }],
    })
  const { data } = (await setOnHand(14)).json()
  t.match(data, { adjusted: 1, levels: [] }, '10 available + 3 committed + 1 unavailable')
  t.match((await setOnHand(12)).json().data.levels, [{ previousQuantity: 10, newQuantity: 8 }])
  t.match((await setOnHand(2)).json().data.levels, [{ newQuantity: -2 }], 'more is sold than lies there')
  expectFailure(t, await setOnHand(-1), 422, 'negative_quantity')
  await expectLedger(t, db, alice)
})

t.test('a quantity on hand waits for the reading that a sale has requested', async (t) => {
  const { db, alice } = await start(t, { variants: 2 })
  await readLevels(db, alice)
  const { shopId } = alice
  const due = async () =>
    db.any(sql.type(row(Type.Object({ priority: Type.Integer(), requestedAt: Type.String() })))`
      select priority, requested_at::text from level_read where shop_id = ${shopId}
    `)
  await db.transaction((tx) => enqueueReadLevelsOf(tx, shopId, [variantGid(1)]))
  const [requested] = await due()
  const adjustments = [1, 2].map((variant) => at(variant, 1, { quantity: 10 }))
  for (const _ of [1, 2]) {
    const answer = await alice.put('/api/stock-levels/bulk', { basis: 'on_hand', adjustments })
    t.match(expectFailure(t, answer, 409, 'levels_not_read'), {
      message: /a product is still being read.* Try again in a moment/,
      details: [{ path: '/adjustments/0/quantity' }],
    })
  }
  t.strictSame(await due(), [{ ...requested, priority: 0 }], 'the same request, now first')
  t.equal((await set(alice, adjustments)).statusCode, 200, 'an available quantity needs no reading')
  await readLevels(db, alice, { committed: 3 })
  const { data } = (await alice.put('/api/stock-levels/bulk', { basis: 'on_hand', adjustments })).json()
  t.match(data.levels, [{ newQuantity: 7 }, { newQuantity: 7 }])
})

t.test('a quantity on hand waits for the first reading of its level', async (t) => {
  const { db, alice } = await start(t)
  await db.query(sql.typeAlias('void')`
    update stock_level set committed = null, unavailable = null, states_read_at = null where shop_id = ${alice.shopId}
  `)
  const adjustments = [{ variantId: variantGid(1), locationId: locationGid(1), quantity: 5 }]
  const answer = await alice.put('/api/stock-levels/bulk', { basis: 'on_hand', adjustments })
  t.match(expectFailure(t, answer, 409, 'levels_not_read').details, [{ path: '/adjustments/0/quantity' }])
  t.equal(answer.headers['retry-after'], '2')
  t.equal((await enqueued(db, jobs.readLevels, alice.shopId)).length, 1, 'a reading is requested')
  await readLevels(db, alice)
  t.equal((await alice.put('/api/stock-levels/bulk', { basis: 'on_hand', adjustments })).statusCode, 200)
})
