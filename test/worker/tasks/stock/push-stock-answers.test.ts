import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../../shared/db/db.ts'
import { moveStock } from '../../../../shared/domain/ledgers/stock/move.ts'
import { claimPush } from '../../../../shared/domain/ledgers/stock-pushes/claim.ts'
import { discardStockPush } from '../../../../shared/domain/ledgers/stock-pushes/discard.ts'
import { failPush } from '../../../../shared/domain/ledgers/stock-pushes/finish.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { openTestDb } from '../../../support/core/database.ts'
import { makeShop } from '../../../support/core/people.ts'
import { enqueued, startTasks } from '../../../support/core/worker.ts'
import { gidOf, storedVariants } from '../../../support/make/catalogue.ts'
import { expectLedger, levelsOf, makeStock, movementsOf, pushLinesOf } from '../../../support/make/stock.ts'
import { data, mockPlatform, type Reply, shopOf, simulateShop } from '../../../support/platform/platform.ts'
import {
  agePushes,
  changeStock,
  conflictsOf,
  pushesOf,
  readLevel,
  reportLevel,
} from '../../../support/platform/stock-pushes.ts'

type Line = { inventoryItemId: string; locationId: string; delta?: number; quantity?: number }
type Input = { changes?: Line[]; quantities?: Line[] }

const LevelKey = Type.Object({ variantId: Type.Integer(), locationId: Type.Integer() })
const itemGid = (number: number) => gidOf('InventoryItem', number)
const platformTime = '2026-11-02T00:00:00Z'

/** The platform accepts the change, with 10 units of everything before. */
const accepted = ({ input }: Record<string, unknown>, name = 'available'): Reply => {
  const { changes, quantities = [] } = input as Input
  const userErrors: unknown[] = []
  const appliedChanges = (changes ?? quantities).map(
    ({ inventoryItemId, locationId, delta = 0, quantity }) => ({
      name,
      quantityAfterChange: quantity ?? 10 + delta,
      item: { id: inventoryItemId },
      location: { id: locationId },
    }),
  )
  const payload = {
    inventoryAdjustmentGroup: { createdAt: platformTime, changes: appliedChanges },
    userErrors,
  }
  return data(changes ? { inventoryAdjustQuantities: payload } : { inventorySetQuantities: payload })
}

const refused = (code: string | null, field: string[] | null, message = 'It does not fit.'): Reply =>
  data({
    inventoryAdjustQuantities: {
      inventoryAdjustmentGroup: null,
      userErrors: [{ code, field, message }],
    },
  })

const ofLine = (index: number) => ['input', 'changes', String(index), 'inventoryItemId']

/** A shop with variants at one location, 10 of each, and a mocked platform that responds as the test sets. */
async function start(t: Test, variants = 3) {
  const { db } = await openTestDb(t)
  const alice = await makeShop(db, 'alice')
  await makeStock(db, alice, { variants })
  const platform = mockPlatform(t, alice.shopDomain)
  simulateShop(platform, shopOf())
  platform.on('AdjustQuantities', (variables) => accepted(variables))
  platform.on('SetQuantities', (variables) => accepted(variables))
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

t.test('a push of deltas has the quantities, the reason and the document', async (t) => {
  const { db, alice, platform, push, levels, pushes } = await start(t)
  await changeStock(db, alice, [5, 0, -2], { reference: 'purchase_order/12', platformReason: 'received' })
  const [queued] = await pushes()
  await push()
  const change = (number: number) => ({
    inventoryItemId: itemGid(number),
    locationId: gidOf('Location', 1),
    changeFromQuantity: null,
  })
  t.strictSame(platform.variablesOf('AdjustQuantities'), [
    {
      key: queued?.key,
      input: {
        name: 'available',
        reason: 'received',
        referenceDocumentUri: 'gid://quartermaster/PurchaseOrder/12',
        changes: [
          { ...change(1), delta: 5 },
          { ...change(3), delta: -2 },
        ],
      },
    },
  ])
  t.strictSame(await levels(), { '1/1': [15, 15], '2/1': [10, 10], '3/1': [8, 8] })
})

t.test('a push of absolute quantities has the new and the expected old quantity', async (t) => {
  const { db, alice, platform, push } = await start(t)
  await changeStock(db, alice, [5], { form: 'set', reference: 'stock_count/7' })
  await changeStock(db, alice, [-1], { form: 'set', reference: '' })
  await push()
  t.match(platform.variablesOf('SetQuantities'), [
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

t.test('a push of many lines uses several requests', async (t) => {
  const { db, alice, platform, push } = await start(t, 300)
  await changeStock(
    db,
    alice,
    Array.from({ length: 300 }, () => 1),
  )
  await push()
  t.strictSame(
    platform.variablesOf('AdjustQuantities').map(({ input }) => (input as Input).changes?.length),
    [250, 50],
  )
  t.strictSame(await pushLinesOf(db, alice), [])
})

t.test('a response without the available quantity counts as the requested quantity', async (t) => {
  const { db, alice, platform, push, levels } = await start(t)
  const withoutQuantity = (variables: Record<string, unknown>) =>
    JSON.parse(
      JSON.stringify(accepted(variables)).replaceAll(
        '"quantityAfterChange":15',
        '"quantityAfterChange":null',
      ),
    )
  platform.on('AdjustQuantities', withoutQuantity)
  await changeStock(db, alice, [5])
  await push()
  t.match(await levels(), { '1/1': [15, 15] })
  platform.on('AdjustQuantities', (variables) => accepted(variables, 'on_hand'))
  await changeStock(db, alice, [2])
  await push()
  t.match(await levels(), { '1/1': [17, 17] })
  await expectLedger(t, db, alice)
})

t.test('a line that the platform always refuses fails alone', async (t) => {
  const { db, alice, platform, push, levels, pushes } = await start(t)
  platform.on('AdjustQuantities', (variables, call) =>
    call === 1 ? refused('INVALID_INVENTORY_ITEM', ofLine(1), 'It could not be found.') : accepted(variables),
  )
  await changeStock(db, alice, [5, 6, 7], { reference: 'purchase_order/1' })
  const [before] = await pushes()
  await push()
  t.match(platform.variablesOf('AdjustQuantities')[1], { input: { changes: [{ delta: 5 }, { delta: 7 }] } })
  t.not(platform.variablesOf('AdjustQuantities')[1]?.key, before?.key)
  t.strictSame(await levels(), { '1/1': [15, 15], '2/1': [16, 10], '3/1': [17, 17] })
  t.match(await pushes(), [{ state: 'done' }, { state: 'failed', error: 'It could not be found.' }])
  t.match(await pushLinesOf(db, alice), [{ levelKey: '2/1', delta: 6, reference: 'purchase_order/1' }])
  t.match(await conflictsOf(db, alice), [
    {
      isOpen: true,
      message:
        'A stock change was not synced to the platform: Mug 2 - Size 2 at Place 1. It could not be found.',
    },
  ])
  await expectLedger(t, db, alice)
})

t.test('an alert shows the number of further lines', async (t) => {
  const { db, alice, platform, push } = await start(t)
  platform.on('AdjustQuantities', () => refused('INVALID_REASON', ['input', 'reason'], 'No such reason.'))
  await changeStock(db, alice, [5, 6, 7])
  await push()
  t.equal(platform.variablesOf('AdjustQuantities').length, 1)
  t.match(await conflictsOf(db, alice), [
    { message: /: Mug 1 - Size 1 and 2 more at Place 1\. No such reason\.$/ },
  ])
})

for (const [what, reply, error] of [
  ['a key with other parameters', refused('IDEMPOTENCY_KEY_PARAMETER_MISMATCH', null), /on our side/],
  ['an unknown code', refused('SOMETHING_NEW', null, 'New rules.'), 'New rules.'],
  ['an error without a code', refused(null, null, 'Just no.'), 'Just no.'],
  [
    'a refusal of the request',
    [400, 'Bad'] satisfies Reply,
    /rejected the request or sent an invalid response.*Compare/,
  ],
  [
    'an error before the execution',
    [200, { errors: [{ message: 'Variable $input was provided an invalid value.' }] }] satisfies Reply,
    /^The platform rejected the request\.$/,
  ],
  [
    'an error during the execution',
    [200, { data: null, errors: [{ message: 'Something failed.' }] }] satisfies Reply,
    /rejected the request or sent an invalid response.*Compare/,
  ],
  [
    'a response of another shape',
    data({ inventoryAdjustQuantities: {} }),
    /rejected the request or sent an invalid response.*Compare/,
  ],
  [
    'a response without content',
    data({ inventoryAdjustQuantities: { inventoryAdjustmentGroup: null, userErrors: [] } }),
    /rejected the request or sent an invalid response/,
  ],
] as const) {
  t.test(`${what} fails the push, and the next push is sent`, async (t) => {
    const { db, alice, platform, push, levels, pushes } = await start(t)
    platform.on('AdjustQuantities', (variables, call) => (call === 1 ? [...reply] : accepted(variables)))
    await changeStock(db, alice, [5])
    await changeStock(db, alice, [0, 1])
    await push()
    t.match(await pushes(), [{ state: 'failed', error }, { state: 'done' }])
    t.match(await levels(), { '1/1': [15, 10], '2/1': [11, 11] })
    t.equal((await conflictsOf(db, alice)).length, 1)
  })
}

t.test(
  'an internal error of the platform is retried with a new key, without counting as refusal',
  async (t) => {
    const { db, alice, platform, push, pushes, levels } = await start(t)
    await changeStock(db, alice, [5])
    for (const code of ['SERVICE_UNAVAILABLE', 'ADJUST_QUANTITIES_FAILED']) {
      platform.on('AdjustQuantities', () => refused(code, null))
      const [before] = await pushes()
      await t.rejects(push())
      const [after] = await pushes()
      t.match(after, { state: 'queued', refusals: 0, error: /has an outage/ })
      t.not(after?.key, before?.key)
    }
    platform.on('AdjustQuantities', (variables) => accepted(variables))
    await push()
    t.match(await levels(), { '1/1': [15, 15] })
  },
)

t.test('a variant whose deferred update made it untracked stays untracked', async (t) => {
  const { db, alice, platform, push, levels } = await start(t)
  platform.on('AdjustQuantities', async (variables, call) => {
    if (call === 1) await reportLevel(db, alice, null)
    return call === 1 ? refused('IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED', null) : accepted(variables)
  })
  await changeStock(db, alice, [5])
  await push()
  t.match(await storedVariants(db, alice.shopId), [{ isTracked: false }, { isTracked: true }, {}])
  t.match(await levels(), { '1/1': [15, 15] })
})

t.test('a push without the scope is sent when the scope is granted', async (t) => {
  const { db, alice, platform, push, pushes } = await start(t)
  platform.on('AdjustQuantities', () => [
    200,
    { errors: [{ message: 'No scope', extensions: { code: 'ACCESS_DENIED' } }] },
  ])
  await changeStock(db, alice, [5])
  await t.rejects(push())
  t.match(await pushes(), [{ state: 'queued', isClaimed: false, error: /not allowed to change the stock/ }])
})

t.test('a location that cannot stock an item fails the line after five retries', async (t) => {
  const { db, alice, platform, push, levels, pushes } = await start(t)
  const isIn = (variables: Record<string, unknown>) => JSON.stringify(variables).includes(itemGid(2))
  platform.on('AdjustQuantities', (variables) =>
    isIn(variables) ? refused('ITEM_NOT_STOCKED_AT_LOCATION', ofLine(1)) : accepted(variables),
  )
  platform.on('ActivateInventory', () =>
    data({ inventoryActivate: { userErrors: [{ field: ['locationId'], message: 'This place is full.' }] } }),
  )
  await changeStock(db, alice, [5, 6])
  await push()
  const activated = platform.variablesOf('ActivateInventory')
  t.equal(activated.length, 6)
  t.match(activated[0], {
    inventoryItemId: itemGid(2),
    key: /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
  })
  t.equal(new Set(activated.map(({ key }) => key)).size, 6)
  t.match(await pushes(), [{ state: 'done' }, { state: 'failed', error: 'This place is full.' }])
  t.match(await levels(), { '1/1': [15, 15], '2/1': [16, 10] })
})

t.test('a retried activation uses the same key', async (t) => {
  const { db, alice, platform, push } = await start(t)
  platform.on('AdjustQuantities', () => refused('ITEM_NOT_STOCKED_AT_LOCATION', ofLine(0)))
  platform.on('ActivateInventory', () => [402])
  await changeStock(db, alice, [5])
  for (let attempts = 0; attempts < 2; attempts += 1) await t.rejects(push())
  const [first, second] = platform.variablesOf('ActivateInventory')
  t.equal(first?.key, second?.key)
})

t.test('an error of our own is retried, and the push fails after the last attempt', async (t) => {
  const { db, alice, platform, push, pushes, levels } = await start(t)
  // a quantity beyond the range of our levels
  platform.on('AdjustQuantities', (variables) =>
    JSON.parse(JSON.stringify(accepted(variables)).replace(':15', ':9999999999')),
  )
  await changeStock(db, alice, [5])
  await t.rejects(push({ jobId: '1' }))
  t.match(await pushes(), [{ state: 'sending', isClaimed: true }])
  await agePushes(db, alice)
  await t.rejects(push({ jobId: '1', isLast: true }))
  t.match(await pushes(), [{ state: 'failed', error: /on our side.*Compare/ }])
  t.match(await levels(), { '1/1': [15, 10] })
})

t.test('changes that cancel each other out are not sent', async (t) => {
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

t.test('the echoes of several pushes within one second change nothing', async (t) => {
  const { db, alice, platform, push, levels } = await start(t, 1)
  let platformQuantity = 10
  platform.on('AdjustQuantities', ({ input }) => {
    const [line] = (input as { changes: { inventoryItemId: string; locationId: string; delta: number }[] })
      .changes
    if (!line) return [400]
    platformQuantity += line.delta
    const ids = { item: { id: line.inventoryItemId }, location: { id: line.locationId } }
    const changes = [{ name: 'available', quantityAfterChange: platformQuantity, ...ids }]
    return data({
      inventoryAdjustQuantities: {
        inventoryAdjustmentGroup: { createdAt: platformTime, changes },
        userErrors: [],
      },
    })
  })
  for (let count = 0; count < 4; count += 1) await changeStock(db, alice, [1])
  await push()
  for (const echo of [13, 11, 14, 12]) await reportLevel(db, alice, echo, platformTime)
  t.strictSame(await levels(), { '1/1': [14, 14] })
  const kinds = (await movementsOf(db, alice)).map(({ kind }) => kind)
  t.strictSame(kinds, Array(4).fill('delta'))

  await reportLevel(db, alice, 9, platformTime)
  t.strictSame(await levels(), { '1/1': [14, 14] }, 'other quantities within that second are ambiguous')
  const { ambiguousVariantIds } = await readLevel(db, alice, 9, platformTime)
  t.strictSame(
    [ambiguousVariantIds, await levels()],
    [[], { '1/1': [9, 9] }],
    'a level read from the platform is applied',
  )
  await expectLedger(t, db, alice)
})

t.test('both lines of a transfer fail together', async (t) => {
  const { db } = await openTestDb(t)
  const alice = await makeShop(db, 'alice')
  await makeStock(db, alice, { variants: 2, locations: 2 })
  const levels = await db.any(sql.type(row(LevelKey))`
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
      levels.map((levelKey, index) => ({ ...levelKey, delta: deltas[index] ?? 0 })),
    ),
  )
  const claimed = await claimPush(db, alice.shopId, 'a job')
  if (!claimed) throw new Error('There is no push to claim')
  await failPush(db, alice.shopId, claimed, { lines: claimed.lines.slice(1, 2), reason: 'It is full.' })
  const lines = await pushLinesOf(db, alice)
  t.strictSame(
    lines.map(({ levelKey, state }) => `${levelKey} ${state}`),
    ['2/1 queued', '2/2 queued', '1/1 failed', '1/2 failed'],
  )
  const failed = await db.oneFirst(sql.typeAlias('id')`
    select id from stock_push where shop_id = ${alice.shopId} and state = 'failed'
  `)
  await discardStockPush(db, alice.shopId, failed)
  const total = Object.values(await levelsOf(db, alice)).reduce((sum, [quantity]) => sum + quantity, 0)
  t.equal(total, 40, 'discarding the push keeps the total')
  await expectLedger(t, db, alice)
})

t.test('a job at the end of its time budget leaves the rest to another', async (t) => {
  const { db, alice, push, pushes } = await start(t)
  await changeStock(db, alice, [5])
  await changeStock(db, alice, [1])
  const jobsBefore = (await enqueued(db, jobs.pushStock, alice.shopId)).length
  let now = 0
  t.intercept(performance, 'now', { value: () => (now += 30_000) })
  await push()
  t.match(await pushes(), [{ state: 'done' }, { state: 'queued' }])
  t.equal((await enqueued(db, jobs.pushStock, alice.shopId)).length, jobsBefore + 1)
})

t.test('no response is stored for a shop that uninstalls the app during a push', async (t) => {
  const { db, alice, platform, push, levels } = await start(t)
  await changeStock(db, alice, [5])
  await changeStock(db, alice, [0, 1])
  platform.on('AdjustQuantities', async (variables) => {
    await db.query(sql.typeAlias('void')`update shop set uninstalled_at = now() where id = ${alice.shopId}`)
    return accepted(variables)
  })
  await push()
  t.equal(platform.requests.length, 1)
  t.match(await levels(), { '1/1': [15, 10], '2/1': [11, 10] })
})
