import { Type } from '@sinclair/typebox'
import t from 'tap'
import { row, sql } from '../../../../shared/db/db.ts'
import { applyReading } from '../../../../shared/domain/documents/stock-counts/apply-reading.ts'
import { createStockCount } from '../../../../shared/domain/documents/stock-counts/stock-counts.ts'
import {
  beginReading,
  claimReads,
  enqueueReadLevels,
  enqueueReadLevelsOf,
  releaseReads,
  resumeReads,
} from '../../../../shared/domain/ledgers/stock/platform/read-requests.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { keepTransactionOpen, untilBlocked } from '../../../support/core/database.ts'
import { enqueued } from '../../../support/core/worker.ts'
import { readCount } from '../../../support/make/stock.ts'
import { startSimulatedShop } from '../../../support/platform/simulated-shop.ts'

const Request = Type.Object({
  variantId: Type.Integer(),
  priority: Type.Integer(),
  attempts: Type.Integer(),
  isLater: Type.Boolean(),
})
const Now = Type.Object({ now: Type.String() })

t.test('a variant is requested once, and those of counts are claimed first', async (t) => {
  const { db, alice, variants, idsOf } = await startSimulatedShop(t)
  const { shopId } = alice
  const [first, second, third] = [await idsOf(0), await idsOf(1), await idsOf(2)].map(
    ({ variantId }) => variantId,
  )
  if (!first || !second || !third) throw new Error('The shop has variants')
  const request = (ids: number[], priority: 'count' | 'update') =>
    db.transaction((tx) => enqueueReadLevels(tx, shopId, ids, { priority }))
  await request([first, second], 'update')
  await request([third, second], 'count')
  await request([second], 'update')
  await db.transaction((tx) =>
    enqueueReadLevelsOf(tx, shopId, [variants[0] ?? '', 'gid://platform/ProductVariant/0']),
  )
  t.equal((await enqueued(db, jobs.readLevels, shopId)).length, 1, 'one debounced job')
  t.strictSame((await claimReads(db, shopId, 2)).map(({ id }) => id).toSorted(), [second, third].toSorted())
  t.match(await claimReads(db, shopId, 10), [{ id: first }], 'another job does not claim them again')
  t.strictSame(await claimReads(db, shopId, 10), [])
  await releaseReads(db, shopId, [first])
  t.match(await claimReads(db, shopId, 10), [{ id: first }])
})

t.test('a reading during a push is repeated after the push', async (t) => {
  const { db, alice, platform, variants, locations, change, push, perform } = await startSimulatedShop(t)
  const { shopId } = alice
  const now = () => db.oneFirst(sql.type(row(Now))`select clock_timestamp() as now`)
  /** `isLater`: due more than a second after the instant. */
  const requests = (instant: string) =>
    db.any(sql.type(row(Request))`
      select variant_id, priority, attempts, due_at > ${instant}::timestamptz + interval '1 second' as is_later
      from level_read
      where shop_id = ${shopId}
    `)
  const answer = await alice.post('/api/stock-counts', {
    locationId: locations[0],
    items: [{ variantId: variants[0], countedQuantity: 15 }],
  })
  const { id } = answer.json().data
  await change('adjust', [[0, 0, 5]])
  platform.faults.set({
    graphql: [{ fault: 'accept-drop', times: 20, operation: 'inventoryAdjustQuantities' }],
  })
  await t.rejects(push(), 'the outcome of the push is unknown')
  const readAt = await now()
  await perform(jobs.readLevels, { shopId })
  t.match(
    (await readCount(alice, id)).items,
    [{ readAt: null }],
    'the answer may or may not include the push',
  )
  t.match(await requests(readAt), [{ attempts: 1, isLater: true }])
  t.equal((await enqueued(db, jobs.readLevels, shopId)).length, 2, 'a job for later')

  platform.faults.set({ graphql: [] })
  await push()
  await db.query(sql.typeAlias('void')`update level_read set due_at = now() where shop_id = ${shopId}`)
  await perform(jobs.readLevels, { shopId })
  t.match(
    (await readCount(alice, id)).items,
    [{ expectedQuantity: 10, variance: 5 }],
    '5 more than at the entry',
  )
  t.strictSame(await requests(readAt), [])
})

t.test('a reading does not end a request that is committed meanwhile', async (t) => {
  const { db, alice, variants, locations, idsOf, perform } = await startSimulatedShop(t)
  const { shopId, userId } = alice
  const { variantId } = await idsOf(0)
  const input = {
    locationId: locations[0] ?? '',
    items: [{ variantId: variants[0] ?? '', countedQuantity: 15 }],
  }
  const first = await createStockCount(db, shopId, userId, input)
  const created = Promise.withResolvers<{ id: number }>()
  const commit = await keepTransactionOpen(t, db, async (tx) =>
    created.resolve(await createStockCount(tx, shopId, userId, input)),
  )
  const second = await created.promise
  const reading = { ...(await beginReading(db, shopId, [variantId])), levels: [], unlisted: [] }
  const applied = db.transaction((tx) => applyReading(tx, shopId, { ...reading, variantIds: [variantId] }))
  await untilBlocked(db, 1)
  await commit()
  await applied
  await perform(jobs.readLevels, { shopId })
  for (const { id } of [first, second]) {
    t.match((await readCount(alice, id)).items, [{ readAt: String, expectedQuantity: 10, variance: 5 }])
  }
})

const NextJob = Type.Object({ seconds: Type.Number() })

t.test('a variant that waits longer does not hold back another one', async (t) => {
  const { db, alice, idsOf } = await startSimulatedShop(t)
  const { shopId } = alice
  const requestIn = async (variant: number, seconds: number) => {
    const { variantId } = await idsOf(variant)
    await db.query(sql.typeAlias('void')`
      insert into level_read (shop_id, variant_id, priority, requested_at, due_at)
      values (${shopId}, ${variantId}, 1, now(), now() + make_interval(secs => ${seconds}))
    `)
    await resumeReads(db, shopId)
  }
  const nextJob = () =>
    db.oneFirst(sql.type(row(NextJob))`
      select extract(epoch from min(run_at) - now())::float8 as seconds
      from graphile_worker.jobs
      where task_identifier = ${jobs.readLevels.name} and key like ${`shop:${shopId}:%`}
    `)
  await requestIn(0, 50)
  t.ok((await nextJob()) > 40)
  await requestIn(1, 2)
  t.ok((await nextJob()) < 4, 'a number of a count is read two seconds later')
  for (let times = 0; times < 5; times += 1) await resumeReads(db, shopId)
  t.equal((await enqueued(db, jobs.readLevels, shopId)).length, 2, 'repeated requests add no job')
})

t.test('a variant that the platform does not know any more is not requested again', async (t) => {
  const { db, alice, idsOf, perform } = await startSimulatedShop(t)
  const { shopId } = alice
  const { variantId } = await idsOf(0)
  const { variantId: deleted } = await idsOf(1)
  await db.transaction((tx) => enqueueReadLevels(tx, shopId, [variantId, deleted]))
  await db.query(sql.typeAlias('void')`
    update variant set inventory_item_gid = 'gid://platform/InventoryItem/1' where shop_id = ${shopId} and id = ${variantId}
  `)
  await db.query(sql.typeAlias('void')`
    update variant set deleted_at = now() where shop_id = ${shopId} and id = ${deleted}
  `)
  await perform(jobs.readLevels, { shopId })
  t.notOk(await db.exists(sql.typeAlias('void')`select from level_read where shop_id = ${shopId}`))
})

t.test('jobs of another shop read nothing of this one', async (t) => {
  const { db, alice, mallory, idsOf } = await startSimulatedShop(t)
  const { variantId } = await idsOf(0)
  await db.transaction((tx) => enqueueReadLevels(tx, mallory.shopId, [variantId]))
  await db.transaction((tx) => enqueueReadLevels(tx, alice.shopId, [variantId]))
  t.strictSame(await claimReads(db, mallory.shopId, 10), [])
  t.equal((await claimReads(db, alice.shopId, 10)).length, 1)
})
