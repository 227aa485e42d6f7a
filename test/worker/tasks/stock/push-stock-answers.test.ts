import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../../shared/db/db.ts'
import { moveStock } from '../../../../shared/domain/stock/move.ts'
import { claimPush } from '../../../../shared/domain/stock-pushes/claim.ts'
import { failPush } from '../../../../shared/domain/stock-pushes/finish.ts'
import { discardStockPush } from '../../../../shared/domain/stock-pushes/retry.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { openTestDb } from '../../../support/core/database.ts'
import { makeShop } from '../../../support/core/people.ts'
import { enqueued, startTasks } from '../../../support/core/worker.ts'
import { gidOf, storedVariants } from '../../../support/make/catalogue.ts'
import { expectLedger, levelsOf, makeStock, movementsOf, pushLinesOf } from '../../../support/make/stock.ts'
import { data, meetPlatform, type Reply } from '../../../support/platform/platform.ts'
import { answerShop, shopOf } from '../../../support/platform/platform-shop.ts'
import {
  agePushes,
  changeStock,
  conflictsOf,
  pushesOf,
  readLevel,
  tellLevel,
} from '../../../support/platform/stock-pushes.ts'

type Line = { inventoryItemId: string; locationId: string; delta?: number; quantity?: number }
type Input = { changes?: Line[]; quantities?: Line[] }

const Place = Type.Object({ variantId: Type.Integer(), locationId: Type.Integer() })
const itemGid = (number: number) => gidOf('InventoryItem', number)
const at = '2026-11-02T00:00:00Z'

/** The platform takes what it is asked, from 10 pieces of everything. */
const taken = ({ input }: Record<string, unknown>, name = 'available'): Reply => {
  const { changes, quantities = [] } = input as Input
  const userErrors: unknown[] = []
  const made = (changes ?? quantities).map(({ inventoryItemId, locationId, delta = 0, quantity }) => ({
    name,
    quantityAfterChange: quantity ?? 10 + delta,
    item: { id: inventoryItemId },
    location: { id: locationId },
  }))
  const answer = { inventoryAdjustmentGroup: { createdAt: at, changes: made }, userErrors }
  return data(changes ? { inventoryAdjustQuantities: answer } : { inventorySetQuantities: answer })
}

const refused = (code: string | null, field: string[] | null, message = 'It does not fit.'): Reply =>
  data({
    inventoryAdjustQuantities: {
      inventoryAdjustmentGroup: null,
      userErrors: [{ code, field, message }],
    },
  })

const ofLine = (index: number) => ['input', 'changes', String(index), 'inventoryItemId']

/** A shop of some variants at one place, with 10 of each, on a platform that answers what the test says. */
async function start(t: Test, variants = 3) {
  const { db } = await openTestDb(t)
  const alice = await makeShop(db, 'alice')
  await makeStock(db, alice, { variants })
  const platform = meetPlatform(t, alice.shopDomain)
  answerShop(platform, shopOf())
  platform.on('AdjustQuantities', (variables) => taken(variables))
  platform.on('SetQuantities', (variables) => taken(variables))
  const { perform } = await startTasks(t, db)
  return {
    db,
    alice,
    platform,
    push: (attempt = {}) => perform(jobs.pushStock, { shopId: alice.shopId }, attempt),
    levels: () => levelsOf(db, alice),
    pushes: () => pushesOf(db, alice),
  }
}

t.test('the platform hears how many more, why, and of which document', async (t) => {
  const { db, alice, platform, push, levels, pushes } = await start(t)
  await changeStock(db, alice, [5, 0, -2], { reference: 'purchase_order/12', platformReason: 'received' })
  const [asked] = await pushes()
  await push()
  const place = (number: number) => ({
    inventoryItemId: itemGid(number),
    locationId: gidOf('Location', 1),
    changeFromQuantity: null,
  })
  t.strictSame(platform.asked('AdjustQuantities'), [
    {
      key: asked?.key,
      input: {
        name: 'available',
        reason: 'received',
        referenceDocumentUri: 'gid://quartermaster/PurchaseOrder/12',
        changes: [
          { ...place(1), delta: 5 },
          { ...place(3), delta: -2 },
        ],
      },
    },
  ])
  t.strictSame(await levels(), { '1/1': [15, 15], '2/1': [10, 10], '3/1': [8, 8] })
})

t.test('or how many there are, and how many it should have had', async (t) => {
  const { db, alice, platform, push } = await start(t)
  await changeStock(db, alice, [5], { form: 'set', reference: 'stock_count/7' })
  await changeStock(db, alice, [-1], { form: 'set' })
  await push()
  t.match(platform.asked('SetQuantities'), [
    {
      input: {
        referenceDocumentUri: 'gid://quartermaster/StockCount/7',
        quantities: [{ inventoryItemId: itemGid(1), quantity: 15, changeFromQuantity: 10 }],
      },
    },
    {
      input: {
        referenceDocumentUri: /^gid:\/\/quartermaster\/StockPush\/\d+$/,
        quantities: [{ quantity: 14, changeFromQuantity: 15 }],
      },
    },
  ])
})

t.test('a change of many lines takes several requests', async (t) => {
  const { db, alice, platform, push } = await start(t, 300)
  await changeStock(
    db,
    alice,
    Array.from({ length: 300 }, () => 1),
  )
  await push()
  t.strictSame(
    platform.asked('AdjustQuantities').map(({ input }) => (input as Input).changes?.length),
    [250, 50],
  )
  t.strictSame(await pushLinesOf(db, alice), [])
})

t.test('an answer without a number, or with one of something else, is what was asked', async (t) => {
  const { db, alice, platform, push, levels } = await start(t)
  const unsaid = (variables: Record<string, unknown>) =>
    JSON.parse(
      JSON.stringify(taken(variables)).replaceAll('"quantityAfterChange":15', '"quantityAfterChange":null'),
    )
  platform.on('AdjustQuantities', unsaid)
  await changeStock(db, alice, [5])
  await push()
  t.match(await levels(), { '1/1': [15, 15] })
  platform.on('AdjustQuantities', (variables) => taken(variables, 'on_hand'))
  await changeStock(db, alice, [2])
  await push()
  t.match(await levels(), { '1/1': [17, 17] })
  await expectLedger(t, db, alice)
})

t.test('a line that the platform never takes fails alone', async (t) => {
  const { db, alice, platform, push, levels, pushes } = await start(t)
  platform.on('AdjustQuantities', (variables, call) =>
    call === 1 ? refused('INVALID_INVENTORY_ITEM', ofLine(1), 'It could not be found.') : taken(variables),
  )
  await changeStock(db, alice, [5, 6, 7], { reference: 'purchase_order/1' })
  const [before] = await pushes()
  await push()
  t.match(platform.asked('AdjustQuantities')[1], { input: { changes: [{ delta: 5 }, { delta: 7 }] } })
  t.not(platform.asked('AdjustQuantities')[1]?.key, before?.key)
  t.strictSame(await levels(), { '1/1': [15, 15], '2/1': [16, 10], '3/1': [17, 17] })
  t.match(await pushes(), [{ state: 'done' }, { state: 'failed', error: 'It could not be found.' }])
  t.match(await pushLinesOf(db, alice), [{ place: '2/1', delta: 6, reference: 'purchase_order/1' }])
  t.match(await conflictsOf(db, alice), [
    {
      isOpen: true,
      message:
        'The platform did not take over a stock change of Mug 2 - Size 2 at Place 1. It could not be found.',
    },
  ])
  await expectLedger(t, db, alice)
})

t.test('an alert says how many more lines there are', async (t) => {
  const { db, alice, platform, push } = await start(t)
  platform.on('AdjustQuantities', () => refused('INVALID_REASON', ['input', 'reason'], 'No such reason.'))
  await changeStock(db, alice, [5, 6, 7])
  await push()
  t.equal(platform.asked('AdjustQuantities').length, 1)
  t.match(await conflictsOf(db, alice), [
    { message: /of Mug 1 - Size 1 and 2 more at Place 1\. No such reason\.$/ },
  ])
})

for (const [what, reply, error] of [
  [
    'a key that stands for something else',
    refused('IDEMPOTENCY_KEY_PARAMETER_MISMATCH', null),
    /on our side/,
  ],
  ['a code that is new to us', refused('SOMETHING_NEW', null, 'New rules.'), 'New rules.'],
  ['an error without a code', refused(null, null, 'Just no.'), 'Just no.'],
  ['a refusal of the request', [400, 'Bad'] satisfies Reply, /did not understand.*Compare/],
  ['an answer of another shape', data({ inventoryAdjustQuantities: {} }), /did not understand.*Compare/],
  [
    'an answer that says nothing',
    data({ inventoryAdjustQuantities: { inventoryAdjustmentGroup: null, userErrors: [] } }),
    /did not understand/,
  ],
] as const) {
  t.test(`${what} fails the change, and the next one is told`, async (t) => {
    const { db, alice, platform, push, levels, pushes } = await start(t)
    platform.on('AdjustQuantities', (variables, call) => (call === 1 ? [...reply] : taken(variables)))
    await changeStock(db, alice, [5])
    await changeStock(db, alice, [0, 1])
    await push()
    t.match(await pushes(), [{ state: 'failed', error }, { state: 'done' }])
    t.match(await levels(), { '1/1': [15, 10], '2/1': [11, 11] })
    t.equal((await conflictsOf(db, alice)).length, 1)
  })
}

t.test('trouble inside the platform is waited for, with a new key and without counting', async (t) => {
  const { db, alice, platform, push, pushes, levels } = await start(t)
  await changeStock(db, alice, [5])
  for (const code of ['SERVICE_UNAVAILABLE', 'ADJUST_QUANTITIES_FAILED']) {
    platform.on('AdjustQuantities', () => refused(code, null))
    const [before] = await pushes()
    await t.rejects(push())
    const [after] = await pushes()
    t.match(after, { state: 'queued', refusals: 0, error: /has trouble/ })
    t.not(after?.key, before?.key)
  }
  platform.on('AdjustQuantities', (variables) => taken(variables))
  await push()
  t.match(await levels(), { '1/1': [15, 15] })
})

t.test('a variant that is not counted any more stays so when its news was kept', async (t) => {
  const { db, alice, platform, push, levels } = await start(t)
  platform.on('AdjustQuantities', async (variables, call) => {
    if (call === 1) await tellLevel(db, alice, null)
    return call === 1 ? refused('IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED', null) : taken(variables)
  })
  await changeStock(db, alice, [5])
  await push()
  t.match(await storedVariants(db, alice.shopId), [{ isTracked: false }, { isTracked: true }, {}])
  t.match(await levels(), { '1/1': [15, 15] })
})

t.test('what may not be changed is told when it may', async (t) => {
  const { db, alice, platform, push, pushes } = await start(t)
  platform.on('AdjustQuantities', () => [
    200,
    { errors: [{ message: 'No scope', extensions: { code: 'ACCESS_DENIED' } }] },
  ])
  await changeStock(db, alice, [5])
  await t.rejects(push())
  t.match(await pushes(), [{ state: 'queued', isClaimed: false, error: /not allowed to change the stock/ }])
})

t.test('a place that cannot have an item fails its line after five more tries', async (t) => {
  const { db, alice, platform, push, levels, pushes } = await start(t)
  const isIn = (variables: Record<string, unknown>) => JSON.stringify(variables).includes(itemGid(2))
  platform.on('AdjustQuantities', (variables) =>
    isIn(variables) ? refused('ITEM_NOT_STOCKED_AT_LOCATION', ofLine(1)) : taken(variables),
  )
  platform.on('ActivateInventory', () =>
    data({ inventoryActivate: { userErrors: [{ field: ['locationId'], message: 'This place is full.' }] } }),
  )
  await changeStock(db, alice, [5, 6])
  await push()
  const activated = platform.asked('ActivateInventory')
  t.equal(activated.length, 6)
  t.match(activated[0], {
    inventoryItemId: itemGid(2),
    key: /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
  })
  t.equal(new Set(activated.map(({ key }) => key)).size, 6)
  t.match(await pushes(), [{ state: 'done' }, { state: 'failed', error: 'This place is full.' }])
  t.match(await levels(), { '1/1': [15, 15], '2/1': [16, 10] })
})

t.test('to have an item stocked is asked with the same key when it is asked again', async (t) => {
  const { db, alice, platform, push } = await start(t)
  platform.on('AdjustQuantities', () => refused('ITEM_NOT_STOCKED_AT_LOCATION', ofLine(0)))
  platform.on('ActivateInventory', () => [402])
  await changeStock(db, alice, [5])
  for (let attempts = 0; attempts < 2; attempts += 1) await t.rejects(push())
  const [first, second] = platform.asked('ActivateInventory')
  t.equal(first?.key, second?.key)
})

t.test('a fault of ours is tried again, and after the last attempt left to a person', async (t) => {
  const { db, alice, platform, push, pushes, levels } = await start(t)
  // a number that no level of ours holds
  platform.on('AdjustQuantities', (variables) =>
    JSON.parse(JSON.stringify(taken(variables)).replace(':15', ':9999999999')),
  )
  await changeStock(db, alice, [5])
  await t.rejects(push({ jobId: '1' }))
  t.match(await pushes(), [{ state: 'sending', isClaimed: true }])
  await agePushes(db, alice)
  await t.rejects(push({ jobId: '1', isLast: true }))
  t.match(await pushes(), [{ state: 'failed', error: /on our side.*Compare/ }])
  t.match(await levels(), { '1/1': [15, 10] })
})

t.test('what cancels itself out on the platform is not told', async (t) => {
  const { db, alice, platform, push, pushes, levels } = await start(t)
  await db.query(sql.typeAlias('void')`
    update variant set inventory_item_gid = ${itemGid(1)} where shop_id = ${alice.shopId}
  `)
  await changeStock(db, alice, [-2, 2])
  await push()
  t.strictSame(platform.requests, [])
  t.match(await pushes(), [{ state: 'done' }])
  t.match(await levels(), { '1/1': [10, 10], '2/1': [10, 10] })
  await expectLedger(t, db, alice)
})

t.test('a number that was counted is told though nothing is left of its difference', async (t) => {
  const { db, alice, platform, push, pushes, levels } = await start(t)
  await changeStock(db, alice, [-2], { form: 'set', countedAt: '2026-11-03T00:00:00Z' })
  await tellLevel(db, alice, 8)
  await push()
  t.match(platform.asked('SetQuantities'), [
    { input: { quantities: [{ quantity: 8, changeFromQuantity: 8 }] } },
  ])
  t.match(await pushes(), [{ state: 'done' }])
  t.match(await levels(), { '1/1': [8, 8] })
  await expectLedger(t, db, alice)
})

t.test('the echoes of several changes within one second are no news', async (t) => {
  const { db, alice, platform, push, levels } = await start(t, 1)
  let there = 10
  platform.on('AdjustQuantities', ({ input }) => {
    const [line] = (input as { changes: { inventoryItemId: string; locationId: string; delta: number }[] })
      .changes
    if (!line) return [400]
    there += line.delta
    const place = { item: { id: line.inventoryItemId }, location: { id: line.locationId } }
    const changes = [{ name: 'available', quantityAfterChange: there, ...place }]
    return data({
      inventoryAdjustQuantities: { inventoryAdjustmentGroup: { createdAt: at, changes }, userErrors: [] },
    })
  })
  for (let count = 0; count < 4; count += 1) await changeStock(db, alice, [1])
  await push()
  for (const echo of [13, 11, 14, 12]) await tellLevel(db, alice, echo, at)
  t.strictSame(await levels(), { '1/1': [14, 14] })
  const kinds = (await movementsOf(db, alice)).map(({ kind }) => kind)
  t.strictSame(kinds, Array(4).fill('delta'))

  await tellLevel(db, alice, 9, at)
  t.strictSame(await levels(), { '1/1': [14, 14] }, 'what is no echo is not believed for that second')
  const { doubtful } = await readLevel(db, alice, 9, at)
  t.strictSame([doubtful, await levels()], [[], { '1/1': [9, 9] }], 'until the platform was asked')
  await expectLedger(t, db, alice)
})

t.test('the two ends of a transfer fail together', async (t) => {
  const { db } = await openTestDb(t)
  const alice = await makeShop(db, 'alice')
  await makeStock(db, alice, { variants: 2, locations: 2 })
  const places = await db.any(sql.type(row(Place))`
    select variant_id, location_id from stock_level where shop_id = ${alice.shopId} order by 1, 2
  `)
  const deltas = [-4, 4, -1, 1]
  const change = {
    kind: 'transfer',
    form: 'adjust',
    reference: 'stock_transfer/1',
    actor: 'alice-1',
  } as const
  await db.transaction((tx) =>
    moveStock(
      tx,
      alice.shopId,
      change,
      places.map((place, index) => ({ ...place, delta: deltas[index] ?? 0 })),
    ),
  )
  const claimed = await claimPush(db, alice.shopId, 'a job')
  if (!claimed) throw new Error('There is a change to be told')
  await failPush(db, alice.shopId, claimed, { lines: claimed.lines.slice(1, 2), reason: 'It is full.' })
  const lines = await pushLinesOf(db, alice)
  t.strictSame(
    lines.map(({ place, state }) => `${place} ${state}`),
    ['2/1 queued', '2/2 queued', '1/1 failed', '1/2 failed'],
  )
  const failed = await db.oneFirst(sql.typeAlias('id')`
    select id from stock_push where shop_id = ${alice.shopId} and state = 'failed'
  `)
  await discardStockPush(db, alice.shopId, failed)
  const total = Object.values(await levelsOf(db, alice)).reduce((sum, [quantity]) => sum + quantity, 0)
  t.equal(total, 40, 'discarded, nothing has come from nowhere')
  await expectLedger(t, db, alice)
})

t.test('a job that has had its time leaves the rest to another', async (t) => {
  const { db, alice, push, pushes } = await start(t)
  await changeStock(db, alice, [5])
  await changeStock(db, alice, [1])
  let now = 0
  t.intercept(performance, 'now', { value: () => (now += 30_000) })
  await push()
  t.match(await pushes(), [{ state: 'done' }, { state: 'queued' }])
  t.equal((await enqueued(db, jobs.pushStock, alice.shopId)).length, 3)
})

t.test('nothing is written, or told, of a shop that has uninstalled the app meanwhile', async (t) => {
  const { db, alice, platform, push, levels } = await start(t)
  await changeStock(db, alice, [5])
  await changeStock(db, alice, [0, 1])
  platform.on('AdjustQuantities', async (variables) => {
    await db.query(sql.typeAlias('void')`update shop set uninstalled_at = now() where id = ${alice.shopId}`)
    return taken(variables)
  })
  await push()
  t.equal(platform.requests.length, 1)
  t.match(await levels(), { '1/1': [15, 10], '2/1': [11, 10] })
})
