import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { type Db, row, sql } from '../../../shared/db/db.ts'
import { applyReading } from '../../../shared/domain/documents/stock-counts/apply-reading.ts'
import type { StockChange } from '../../../shared/domain/ledgers/stock/changes.ts'
import { moveStock } from '../../../shared/domain/ledgers/stock/move.ts'
import { applyPlatformLevels } from '../../../shared/domain/ledgers/stock/platform/platform-updates.ts'
import { beginReading } from '../../../shared/domain/ledgers/stock/platform/read-requests.ts'
import { claimPush } from '../../../shared/domain/ledgers/stock-pushes/claim.ts'
import { failPush } from '../../../shared/domain/ledgers/stock-pushes/finish.ts'
import { Id } from '../../../shared/schemas/common.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { queuedJobs } from '../../support/core/jobs.ts'
import type { Person } from '../../support/core/people.ts'
import {
  closeLocation,
  counted,
  expectLedger,
  item,
  levelsOf,
  locationGid,
  makeCount,
  makeStock,
  makeTransfer,
  movementsOf,
  pushLinesOf,
  readCount,
  readLevels,
} from '../../support/make/stock.ts'

/** Three variants with 10 units of each at each of two locations. */
async function start(t: Test) {
  const people = await startApp(t)
  await makeStock(people.db, people.alice, { variants: 3, locations: 2 })
  return people
}

const save = (person: Person, id: number, patch: object) => person.put(`/api/stock-counts/${id}`, patch)
const submit = (person: Person, id: number) => save(person, id, { status: 'submitted' })
/** Starts a count whose numbers have been compared with the platform. */
async function makeReadCount(db: Db, person: Person, fields: Parameters<typeof makeCount>[1]) {
  const id = await makeCount(person, fields)
  await readLevels(db, person)
  return id
}

const LevelKey = Type.Object({ variantId: Id, locationId: Id })

/** The ids of variant 1 and location 1 in the database. */
const firstLevelKey = (db: Db, { shopId }: Person) =>
  db.one(sql.type(row(LevelKey))`
    select v.id as variant_id, w.id as location_id
    from variant v
    join location w on w.shop_id = v.shop_id and w.gid = ${locationGid(1)}
    where v.shop_id = ${shopId} and v.sku = 'SKU-1'
  `)

/** Applies a platform update of variant 1 at location 1. */
async function updateFromPlatform(db: Db, person: Person, available: number, updatedAt: string) {
  const levelKey = await firstLevelKey(db, person)
  await db.transaction((tx) =>
    applyPlatformLevels(tx, person.shopId, [{ ...levelKey, available, updatedAt }]),
  )
}

/** Applies a reading of variant 1 at location 1 that arrives before the webhook. */
async function readFromPlatform(db: Db, person: Person, available: number, updatedAt: string) {
  const levelKey = await firstLevelKey(db, person)
  const { readAt, requests, hasDraftCounts } = await beginReading(db, person.shopId, [levelKey.variantId])
  const levels = [{ ...levelKey, available, updatedAt, states: { committed: 0, unavailable: 0, readAt } }]
  const variantIds = [levelKey.variantId]
  const reading = { readAt, requests, hasDraftCounts, variantIds, levels, unlisted: [] }
  await db.transaction((tx) => applyReading(tx, person.shopId, reading))
}

/** Moves variant 1 at location 1. */
async function move(db: Db, person: Person, kind: StockChange['kind'], delta: number) {
  const levelKey = await firstLevelKey(db, person)
  const change = { kind, reference: '', actor: '', form: 'adjust' } as const
  await db.transaction((tx) => moveStock(tx, person.shopId, change, [{ ...levelKey, delta }]))
}

const firstLevel = async (db: Db, person: Person) => (await levelsOf(db, person))['1/1']?.[0]

/** The time some seconds after another, in whole seconds as in platform updates. */
const after = (instant: string | null | undefined, seconds: number) =>
  new Date(Math.floor(Date.parse(String(instant)) / 1000 + seconds) * 1000).toISOString()

t.test(
  'a submitted count moves the levels by the variances and queues a push of the differences',
  async (t) => {
    const { db, alice } = await start(t)
    const id = await makeReadCount(db, alice, { items: [counted(1, 7), counted(2, null), counted(3, 0)] })
    const { data } = (await submit(alice, id)).json()
    t.match(data, {
      status: 'submitted',
      submittedBy: alice.userId,
      alreadyApplied: false,
      cancelledAt: null,
    })
    t.equal(data.submittedAt, data.updatedAt)
    t.match(data.items, [
      { ...counted(1, 7), expectedQuantity: 10, variance: -3 },
      { ...counted(2, null), expectedQuantity: 10, variance: null },
      { ...counted(3, 0), expectedQuantity: 10, variance: -10 },
    ])
    const reference = `stock_count/${id}`
    const moved = { kind: 'count', reason: '', reference, actor: alice.userId }
    t.strictSame(await movementsOf(db, alice), [
      { levelKey: '1/1', delta: -3, ...moved },
      { levelKey: '3/1', delta: -10, ...moved },
    ])
    const pushed = { form: 'adjust', reason: 'cycle_count_available', reference, state: 'queued' }
    t.strictSame(await pushLinesOf(db, alice), [
      { levelKey: '1/1', delta: -3, ...pushed },
      { levelKey: '3/1', delta: -10, ...pushed },
    ])
    t.match(await queuedJobs(db, alice), [{ task: 'read-levels' }, { task: 'push-stock' }])
    await expectLedger(t, db, alice)
  },
)

t.test('a count equal to what is on hand moves nothing and pushes nothing', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeReadCount(db, alice, { items: [counted(1, 10)] })
  t.match((await submit(alice, id)).json().data, { status: 'submitted', items: [{ variance: 0 }] })
  t.strictSame(await movementsOf(db, alice), [])
  t.strictSame(await pushLinesOf(db, alice), [])
  await expectLedger(t, db, alice)
})

t.test('committed and unavailable goods lie on the shelf', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeCount(alice, { items: [counted(1, 15)] })
  await readLevels(db, alice, { committed: 3, unavailable: 2 })
  t.match((await submit(alice, id)).json().data.items, [{ expectedQuantity: 15, variance: 0 }])
  t.strictSame((await levelsOf(db, alice))['1/1'], [10, 10])
})

t.test('a quantity sent later counts from its countedAt', async (t) => {
  const { db, alice } = await start(t)
  await move(db, alice, 'delta', 1)
  const id = await makeCount(alice)
  const { createdAt } = await readCount(alice, id)
  await move(db, alice, 'delta', 1)
  const countedAt = new Date().toISOString()
  await updateFromPlatform(db, alice, 8, after(countedAt, 1))
  await move(db, alice, 'delta', 5)
  const { data } = (await save(alice, id, { items: [{ ...counted(1, 11), countedAt }] })).json()
  t.match(data.items, [{ countedAt, expectedQuantity: 10, readAt: null, variance: null }], 'an estimate')
  await readLevels(db, alice, { committed: 2 })
  t.match((await readCount(alice, id)).items, [{ expectedQuantity: 12, variance: -1 }])
  await submit(alice, id)
  t.equal(await firstLevel(db, alice), 11 - 2 + 5, 'later movements are kept')
  await expectLedger(t, db, alice)

  const next = await makeCount(alice)
  const startedAt = (await readCount(alice, next)).createdAt
  for (const [early, late] of [
    [createdAt, '2090-01-01T00:00:00Z'],
    ['1990-01-01T00:00:00Z', undefined],
  ]) {
    const items = [
      { ...counted(2, 3), countedAt: early },
      { ...counted(3, 3), countedAt: late },
    ]
    const saved = (await save(alice, next, { items })).json().data
    const [first, second] = saved.items
    t.equal(first.countedAt, startedAt, 'countedAt is not before the count')
    t.ok(
      second.countedAt > startedAt && second.countedAt <= saved.updatedAt,
      'countedAt is not in the future',
    )
    await save(alice, next, { items: [counted(2, null), counted(3, null)] })
  }
})

t.test('the quantities of the submitting request are submitted', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeCount(alice, { items: [counted(1, 7), counted(2, 9)] })
  const patch = { status: 'submitted', items: [counted(1, 5), counted(3, 4)], notes: 'done' }
  expectFailure(t, await save(alice, id, patch), 409, 'levels_not_read')
  await readLevels(db, alice)
  const { data } = (await save(alice, id, patch)).json()
  t.match(data, { notes: 'done', itemCount: 3, items: [counted(1, 5), counted(2, 9), counted(3, 4)] })
  const moved = (await movementsOf(db, alice)).map(({ levelKey, delta }) => `${levelKey} ${delta}`)
  t.strictSame(moved, ['1/1 -5', '2/1 -1', '3/1 -6'])
})

t.test('a sale after the counted quantity is applied once', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeReadCount(db, alice, { items: [counted(1, 8)] })
  const [entered] = (await readCount(alice, id)).items
  await updateFromPlatform(db, alice, 7, after(entered?.countedAt, 1))
  t.match((await submit(alice, id)).json().data.items, [{ expectedQuantity: 10, variance: -2 }])
  t.equal(await firstLevel(db, alice), 5)
  await expectLedger(t, db, alice)
})

t.test('goods that were sold and shipped before the entry are not expected', async (t) => {
  for (const isReportedBefore of [true, false]) {
    const { db, alice } = await start(t)
    const id = await makeCount(alice, { items: [counted(1, 6)] })
    const [entered] = (await readCount(alice, id)).items
    const soldAt = after(entered?.countedAt, -2)
    if (isReportedBefore) await updateFromPlatform(db, alice, 7, soldAt)
    else await readFromPlatform(db, alice, 7, soldAt)
    await readLevels(db, alice)
    t.match((await submit(alice, id)).json().data.items, [{ expectedQuantity: 7, variance: -1 }])
    if (!isReportedBefore) await updateFromPlatform(db, alice, 7, soldAt)
    t.strictSame((await levelsOf(db, alice))['1/1'], [6, 7])
    await updateFromPlatform(db, alice, 5, after(entered?.countedAt, 2))
    t.strictSame((await levelsOf(db, alice))['1/1'], [4, 5], 'later sales are applied')
    await expectLedger(t, db, alice)
  }
})

t.test(
  'later receipts, reversals, deltas and transfers are added to the counted quantity; sets and counts are not',
  async (t) => {
    const { db, alice } = await start(t)
    await move(db, alice, 'receipt', 100)
    const id = await makeReadCount(db, alice, { items: [counted(1, 50)] })
    await move(db, alice, 'receipt', 6)
    await move(db, alice, 'reversal', -2)
    await move(db, alice, 'delta', -1)
    const transferId = await makeTransfer(alice, { items: [item(1, 3)] })
    await alice.put(`/api/stock-transfers/${transferId}`, { status: 'completed' })
    await move(db, alice, 'set', -20)
    await move(db, alice, 'count', 9)
    await submit(alice, id)
    t.equal(await firstLevel(db, alice), 50 + 6 - 2 - 1 - 3)
    await expectLedger(t, db, alice)
  },
)

t.test('two counts of one level are not added up', async (t) => {
  const { db, alice } = await start(t)
  const [first, second] = [await makeCount(alice), await makeCount(alice)]
  for (const id of [first, second]) await save(alice, id, { items: [counted(1, 14), counted(2, 3)] })
  await readLevels(db, alice)
  await Promise.all([first, second].map((id) => submit(alice, id)))
  t.match(await levelsOf(db, alice), { '1/1': [14, 10], '2/1': [3, 10] })
  t.equal((await movementsOf(db, alice)).length, 2)
  await expectLedger(t, db, alice)
})

t.test('a sale after a count of zero makes the level negative', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeReadCount(db, alice, { items: [counted(1, 0)] })
  const [entered] = (await readCount(alice, id)).items
  await updateFromPlatform(db, alice, 9, after(entered?.countedAt, 1))
  t.equal((await submit(alice, id)).statusCode, 200)
  t.equal(await firstLevel(db, alice), -1)
})

t.test('a count at a closed location cannot be submitted but can be cancelled', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeCount(alice, { items: [counted(1, 7)] })
  await closeLocation(db, alice, 1)
  expectFailure(t, await submit(alice, id), 422, 'unknown_location')
  t.equal(await firstLevel(db, alice), 10)
  t.equal((await save(alice, id, { status: 'cancelled' })).statusCode, 200)
})

t.test('a discarded change does not count as a later movement', async (t) => {
  const { db, alice } = await start(t)
  await move(db, alice, 'receipt', 5)
  const push = await claimPush(db, alice.shopId, 'a job')
  if (!push) throw new Error('No push was claimed')
  await failPush(db, alice.shopId, push, { lines: push.lines, reason: 'It is full.' })
  const id = await makeReadCount(db, alice, { items: [counted(1, 15)] })
  await alice.post(`/api/stock-pushes/${push.id}/discard`)
  t.equal(await firstLevel(db, alice), 10)
  await submit(alice, id)
  t.equal(await firstLevel(db, alice), 15, 'the level is the counted quantity')
  await expectLedger(t, db, alice)
})

t.test('a failed push of a count stays pending while the platform sells', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeReadCount(db, alice, { items: [counted(1, 6)] })
  const [entered] = (await readCount(alice, id)).items
  await submit(alice, id)
  const push = await claimPush(db, alice.shopId, 'a job')
  if (!push) throw new Error('No push was claimed')
  await failPush(db, alice.shopId, push, { lines: push.lines, reason: 'It is full.' })
  await updateFromPlatform(db, alice, 7, after(entered?.countedAt, 5))
  t.strictSame((await levelsOf(db, alice))['1/1'], [3, 7], '3 of the 6 on the shelf are sold')
  t.match(await pushLinesOf(db, alice), [{ state: 'failed', delta: -4 }])
  await expectLedger(t, db, alice)
})

t.test('a new counted quantity counts from its own time', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeReadCount(db, alice, { items: [counted(1, 10)] })
  await move(db, alice, 'delta', -4)
  await save(alice, id, { items: [counted(1, 5)] })
  expectFailure(t, await submit(alice, id), 409, 'levels_not_read')
  await readLevels(db, alice)
  await submit(alice, id)
  t.equal(await firstLevel(db, alice), 5)
})

t.test('quantities of deleted and untracked variants move nothing', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeReadCount(db, alice, { items: [counted(1, 1), counted(2, 2), counted(3, 3)] })
  await db.query(sql.typeAlias('void')`
    update variant
    set deleted_at = case when sku = 'SKU-1' then now() end, is_tracked = sku <> 'SKU-2'
    where shop_id = ${alice.shopId}
  `)
  t.equal((await submit(alice, id)).statusCode, 200)
  t.match(await movementsOf(db, alice), [{ levelKey: '3/1', delta: -7 }])
})

t.test('a level above the maximum is refused, and the count stays a draft', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeReadCount(db, alice, { items: [counted(1, 1_000_000_000), counted(2, 1)] })
  await move(db, alice, 'receipt', 1)
  expectFailure(t, await submit(alice, id), 422, 'quantity_too_large')
  t.match(await readCount(alice, id), { status: 'draft', submittedAt: null })
  t.match(await levelsOf(db, alice), { '1/1': [11, 10], '2/1': [10, 10] })
})

t.test('repeated submissions have one effect', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeReadCount(db, alice, { items: [counted(1, 4)] })
  const patch = { status: 'submitted', items: [counted(1, 4)], notes: 'all' }
  const answers = await Promise.all(Array.from({ length: 10 }, () => save(alice, id, patch)))
  t.ok(answers.every(({ statusCode }) => statusCode === 200))
  t.equal(answers.filter((answer) => !answer.json().data.alreadyApplied).length, 1)
  t.match(await movementsOf(db, alice), [{ delta: -6 }])
  const before = await readCount(alice, id)
  for (const again of [patch, { status: 'submitted' }]) {
    t.strictSame((await save(alice, id, again)).json().data, { ...before, alreadyApplied: true })
  }
  for (const change of [
    { status: 'cancelled' },
    { status: 'draft' },
    { status: 'submitted', items: [counted(1, 5)] },
    { status: 'submitted', notes: 'other' },
    { items: [counted(1, 4)] },
    { notes: 'other' },
  ]) {
    const { message } = expectFailure(t, await save(alice, id, change), 409, 'conflict')
    t.match(message, 'submitted')
  }
  t.strictSame(await readCount(alice, id), before)
  t.equal((await movementsOf(db, alice)).length, 1)
})

t.test('concurrent counts, transfers and receipts keep every level the sum of its movements', async (t) => {
  const { db, alice } = await start(t)
  const items = [counted(3, 20), counted(2, 20), counted(1, 20)]
  const counts: number[] = []
  const transfers: number[] = []
  for (let index = 0; index < 6; index += 1) {
    counts.push(await makeCount(alice, { items, locationId: locationGid(1 + (index % 2)) }))
    transfers.push(await makeTransfer(alice, { items: [item(2, 1), item(1, 1), item(3, 1)] }))
  }
  await readLevels(db, alice)
  const answers = await Promise.all([
    ...counts.map((id) => submit(alice, id)),
    ...transfers.map((id) => alice.put(`/api/stock-transfers/${id}`, { status: 'completed' })),
    ...Array.from({ length: 6 }, async () => {
      await move(db, alice, 'receipt', 1)
      return undefined
    }),
  ])
  for (const answer of answers) if (answer) t.equal(answer.statusCode, 200, answer.body.slice(0, 200))
  t.strictSame(
    Object.values(await levelsOf(db, alice)).map(([quantity]) => quantity),
    [20 - 6 + 6, 20 + 6, 20 - 6, 20 + 6, 20 - 6, 20 + 6],
  )
  await expectLedger(t, db, alice)
})

t.test('a count is not submitted with other variances than those that the person saw', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeReadCount(db, alice, { items: [counted(1, 8)] })
  const { variancesVersion: seen } = await readCount(alice, id)
  const device = { device: 'phone of Bob' }
  await save(alice, id, { ...device, items: [counted(1, 100)] })
  const submitAsSeen = (variancesVersion: string | null) =>
    save(alice, id, { status: 'submitted', variancesVersion })
  await readLevels(db, alice)
  expectFailure(t, await submitAsSeen(seen), 409, 'stale_version')
  const { status, variancesVersion } = await readCount(alice, id)
  t.equal(status, 'draft')
  t.strictSame(await movementsOf(db, alice), [])
  const own = { status: 'submitted', variancesVersion, ...device, items: [counted(2, 1)] }
  await save(alice, id, { items: [counted(2, 10)] })
  await readLevels(db, alice)
  expectFailure(t, await save(alice, id, own), 409, 'stale_version')
  t.match((await readCount(alice, id)).items, [{}, { countedQuantity: 10 }], 'its own numbers are not stored')
  t.match((await submitAsSeen(variancesVersion)).json().data, { status: 'submitted', variancesVersion: null })
  t.match((await submitAsSeen(seen)).json().data, { alreadyApplied: true }, 'a repetition')
})

t.test('a count in which numbers are hidden has no version of its variances', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeReadCount(db, alice, { blind: true, items: [counted(1, 8)] })
  t.match(await readCount(alice, id), { variancesVersion: null }, 'a blind count')
  await alice.post(`/api/stock-counts/${id}/finish`)
  t.match(await readCount(alice, id), { variancesVersion: /^\w{32}$/ }, 'in review')
  await alice.post(`/api/stock-counts/${id}/recount`, { varianceValueAbove: 0 })
  t.match(await readCount(alice, id), { phase: 'recounting', variancesVersion: null })
})
