import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { type Db, row, sql } from '../../../shared/db/db.ts'
import { computeForecasts } from '../../../shared/domain/planning/forecasts/compute.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { allowIdling, untilBlocked } from '../../support/core/database.ts'
import { deadline } from '../../support/core/machine.ts'
import { type Person, readPages } from '../../support/core/people.ts'
import { makeCatalogue } from '../../support/make/demand.ts'
import { variantGid } from '../../support/make/stock.ts'

const fair = {
  name: 'Fair',
  kind: 'event',
  scope: 'shop',
  startsOn: '2026-12-01',
  endsOn: '2026-12-07',
  factor: 2.5,
}
const growth = { name: 'More', kind: 'growth', scope: 'shop', startsOn: '2026-12-01', growthPercent: 12.5 }

async function start(t: Test) {
  const context = await startApp(t)
  for (const { shopId } of [context.alice, context.mallory]) {
    await makeCatalogue(context.db, shopId, {
      variants: 3,
      type: (number) => (number === 3 ? 'Bowl' : 'Mug'),
    })
    await context.db.query(sql.typeAlias('void')`
      insert into variant_forecast (
        shop_id, variant_id, week, model, weights, parameters, units, standard_error, computed_at
      )
      select ${shopId}, id, '2026-11-16', 'mean', '{}', '{}', '{10}', 1, now() from variant where shop_id = ${shopId}
    `)
  }
  return context
}

const Numbered = Type.Object({ number: Type.Integer() })

/** The numbers of the variants whose forecasts are stale; they become fresh again. */
async function takeStale(db: Db, { shopId }: Person) {
  const stale = await db.anyFirst(sql.type(row(Numbered))`
    select substring(v.gid from '\\d+$')::int as number
    from variant_forecast f
    join variant v on v.shop_id = f.shop_id and v.id = f.variant_id
    where f.shop_id = ${shopId} and f.is_stale
    order by 1
  `)
  await db.query(
    sql.typeAlias('void')`update variant_forecast set is_stale = false where shop_id = ${shopId}`,
  )
  return stale
}

const waitingJobs = (db: Db, { shopId }: Person) =>
  db.oneFirst(sql.type(row(Numbered))`
    select count(*)::int as number from graphile_worker.jobs where key = ${`shop:${shopId}:recompute-forecasts`}
  `)

async function make(person: Person, fields: object = fair) {
  const answer = await person.post('/api/demand-events', fields)
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json().data
}

t.test('an event is created, read, changed and deleted', async (t) => {
  const { alice, db } = await start(t)
  const created = await make(alice)
  t.match(created, { ...fair, scopeValue: null, variantId: null, growthPercent: null, version: 1 })
  t.equal(created.createdBy, alice.userId)
  const url = `/api/demand-events/${created.id}`
  t.strictSame((await alice.get(url)).json().data, created)
  t.equal(await waitingJobs(db, alice), 1, 'the worker computes the forecasts again')
  const changed = (await alice.put(url, { ...created, factor: 3 })).json().data
  t.match(changed, { factor: 3, version: 2, name: 'Fair' })
  t.strictSame(
    (await alice.put(url, { factor: 3, version: 2 })).json().data,
    changed,
    'the same again changes nothing',
  )
  const moved = (await alice.put(url, { kind: 'growth', endsOn: null, growthPercent: -20 })).json().data
  t.match(moved, { kind: 'growth', factor: null, growthPercent: -20, endsOn: null })
  t.equal((await alice.delete(url)).statusCode, 200)
  expectFailure(t, await alice.get(url), 404, 'not_found')
})

t.test('a change with an old version is refused', async (t) => {
  const { alice } = await start(t)
  const { id } = await make(alice)
  await alice.put(`/api/demand-events/${id}`, { name: 'Trade fair' })
  expectFailure(
    t,
    await alice.put(`/api/demand-events/${id}`, { factor: 1, version: 1 }),
    409,
    'stale_version',
  )
})

t.test('a write makes the forecasts of its products stale, and no others', async (t) => {
  const { alice, mallory, db } = await start(t)
  const mug = await make(alice, { ...fair, scope: 'product_type', scopeValue: 'Mug' })
  t.strictSame(await takeStale(db, alice), [1, 2])
  const url = `/api/demand-events/${mug.id}`
  await alice.put(url, { scope: 'variant', variantId: variantGid(3) })
  t.strictSame(await takeStale(db, alice), [1, 2, 3], 'of the old and the new products')
  t.match((await alice.get(url)).json().data, { scopeValue: null, variantId: variantGid(3) })
  await alice.delete(url)
  t.strictSame(await takeStale(db, alice), [3])
  await make(alice, growth)
  t.strictSame(await takeStale(db, alice), [1, 2, 3])
  t.strictSame(await takeStale(db, mallory), [], 'of another shop none')
})

t.test('an event that is stored while a first forecast is computed makes it stale', async (t) => {
  const { alice, mallory, db } = await start(t)
  const variantIds = await db.anyFirst(sql.typeAlias('id')`
    select id from variant where shop_id = ${alice.shopId} order by id
  `)
  await db.query(sql.typeAlias('void')`delete from variant_forecast where shop_id = ${alice.shopId}`)
  const computed = Promise.withResolvers<void>()
  const stored = Promise.withResolvers<void>()
  const computation = db.transaction(async (tx) => {
    await allowIdling(tx)
    await computeForecasts(tx, alice.shopId, variantIds, AbortSignal.timeout(deadline(60_000)))
    computed.resolve()
    await stored.promise
  })
  await computed.promise
  t.equal((await mallory.post('/api/demand-events', fair)).statusCode, 201, 'another shop does not wait')
  const answer = alice.post('/api/demand-events', fair)
  await untilBlocked(db, 1)
  stored.resolve()
  await computation
  t.equal((await answer).statusCode, 201)
  t.strictSame(await takeStale(db, alice), [1, 2, 3])
})

t.test('input that does not fit together is refused by field', async (t) => {
  const { alice } = await start(t)
  const cases: [object, string, number][] = [
    [{ ...fair, endsOn: undefined }, '/endsOn', 400],
    [{ ...fair, endsOn: '2026-11-30' }, '/endsOn', 400],
    [{ ...fair, startsOn: '2026-02-30' }, '/startsOn', 400],
    [{ ...fair, factor: undefined }, '/factor', 400],
    [{ ...fair, factor: 101 }, '/factor', 400],
    [{ ...fair, growthPercent: 3 }, '/growthPercent', 400],
    [{ ...growth, growthPercent: undefined }, '/growthPercent', 400],
    [{ ...growth, growthPercent: -101 }, '/growthPercent', 400],
    [{ ...growth, factor: 2 }, '/factor', 400],
    [{ ...fair, name: ' ' }, '/name', 400],
    [{ ...fair, scope: 'vendor' }, '/scopeValue', 400],
    [{ ...fair, scopeValue: 'Mug' }, '/scopeValue', 400],
    [{ ...fair, scope: 'variant' }, '/variantId', 400],
    [{ ...fair, variantId: variantGid(1) }, '/variantId', 400],
    [{ ...fair, scope: 'product_type', scopeValue: 'Plate' }, '/scopeValue', 422],
    [{ ...fair, scope: 'variant', variantId: variantGid(99) }, '/variantId', 422],
  ]
  for (const [body, path, status] of cases) {
    const answer = await alice.post('/api/demand-events', body)
    const { details } = expectFailure(
      t,
      answer,
      status,
      status === 400 ? 'invalid_request' : 'unknown_product',
    )
    t.strictSame(
      details?.map((fault) => fault.path),
      [path],
      JSON.stringify(body),
    )
  }
})

t.test('events are listed newest first, in pages, and only those of the shop', async (t) => {
  const { alice, mallory } = await start(t)
  const ids = []
  for (let number = 0; number < 3; number += 1) ids.unshift((await make(alice)).id)
  t.strictSame(await readPages(alice, '/api/demand-events?limit=2'), [ids.slice(0, 2), ids.slice(2)])
  t.strictSame((await mallory.get('/api/demand-events')).json().data, [])
  const url = `/api/demand-events/${ids[0]}`
  expectFailure(t, await mallory.get(url), 404, 'not_found')
  expectFailure(t, await mallory.put(url, { factor: 9 }), 404, 'not_found')
  expectFailure(t, await mallory.delete(url), 404, 'not_found')
  t.equal((await alice.get(url)).json().data.factor, 2.5)
})
