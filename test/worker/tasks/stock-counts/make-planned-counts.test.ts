import t, { type Test } from 'tap'
import { openDb, sql } from '../../../../shared/db/db.ts'
import { makePlannedCounts } from '../../../../shared/domain/documents/stock-counts/plans/make-counts.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { fileDatabase, testConfig } from '../../../support/core/database.ts'
import { dayFromToday } from '../../../support/core/instants.ts'
import type { Person } from '../../../support/core/people.ts'
import {
  closeLocation,
  counted,
  locationGid,
  makeCount,
  makeStock,
  readCount,
  readLevels,
} from '../../../support/make/stock.ts'
import { startDeliveries } from '../../../support/platform/webhooks.ts'

/** A shop with three products, of which the first is of class A; the others are of C. */
async function start(t: Test) {
  const context = await startDeliveries(t)
  const { db, alice, mallory, perform } = context
  await makeStock(db, alice, { variants: 3, locations: 2 })
  await makeStock(db, mallory)
  await db.query(sql.typeAlias('void')`
    insert into variant_velocity (shop_id, variant_id, abc_class, first_day)
    select shop_id, id, case when sku = 'SKU-1' then 'A' else 'C' end, current_date - 90
    from variant
    where shop_id = ${alice.shopId}
  `)
  return { ...context, night: () => perform(jobs.makePlannedCounts, { shopId: alice.shopId }) }
}

async function makePlan(person: Person, fields: object = {}): Promise<number> {
  const plan = { locationId: locationGid(1), everyDays: 7, ...fields }
  return (await person.post('/api/count-plans', plan)).json().data.id
}

const readPlan = async (person: Person, id: number) =>
  (await person.get(`/api/count-plans/${id}`)).json().data
const countsOf = async (person: Person) =>
  (await person.get('/api/stock-counts')).json().data.map(({ id }: { id: number }) => id)
const end = (person: Person, id: number, status = 'cancelled') =>
  person.put(`/api/stock-counts/${id}`, { status })
/** Makes a plan due. */
const bringForward = (person: Person, id: number) =>
  person.put(`/api/count-plans/${id}`, { nextOn: dayFromToday(0) })

t.test('the nightly job makes the count of a due plan, and of no other', async (t) => {
  const { alice, mallory, night } = await start(t)
  const planId = await makePlan(alice, { abcClass: 'A', blind: true })
  await makePlan(alice, { nextOn: dayFromToday(1) })
  await makePlan(mallory)
  await night()
  const [id] = await countsOf(alice)
  t.match(await readCount(alice, id), {
    ...{ status: 'draft', blind: true, planId, createdBy: '', filter: { abcClass: 'A' } },
    items: [{ sku: 'SKU-1', countedQuantity: null }],
  })
  t.match(await readPlan(alice, planId), { nextOn: dayFromToday(7), problem: null, openCountId: id })
  await night()
  t.strictSame(await countsOf(alice), [id], 'once')
  t.strictSame(await countsOf(mallory), [])
})

t.test('three workers at once make each count once', async (t) => {
  const { alice } = await start(t)
  const config = testConfig(await fileDatabase())
  const pools = await Promise.all([1, 2, 3].map(() => openDb(config, 2)))
  t.teardown(() => Promise.all(pools.map((pool) => pool.end())))
  for (let round = 1; round <= 5; round += 1) {
    const plans = [await makePlan(alice), await makePlan(alice, { abcClass: 'C' })]
    await Promise.all(pools.map((pool) => makePlannedCounts(pool, alice.shopId)))
    t.equal((await countsOf(alice)).length, round * 2)
    for (const plan of plans)
      t.match(await readPlan(alice, plan), { nextOn: dayFromToday(7), openCountId: Number })
  }
})

t.test('a plan waits until its last count is submitted or cancelled', async (t) => {
  const { alice, night } = await start(t)
  const planId = await makePlan(alice)
  await night()
  const [first] = await countsOf(alice)
  await bringForward(alice, planId)
  await night()
  t.strictSame(await countsOf(alice), [first])
  t.match(await readPlan(alice, planId), { nextOn: dayFromToday(0), openCountId: first }, 'it stays due')
  await end(alice, first)
  await night()
  t.equal((await countsOf(alice)).length, 2)
  t.match(await readPlan(alice, planId), { nextOn: dayFromToday(7) })
})

t.test('a rotating plan takes the products that were counted longest ago', async (t) => {
  const { db, alice, night } = await start(t)
  const planId = await makePlan(alice, { maxItems: 2 })
  const submit = async (numbers: number[]) => {
    const id = await makeCount(alice, { items: numbers.map((number) => counted(number, 10)) })
    await readLevels(db, alice)
    await end(alice, id, 'submitted')
  }
  const nextSheet = async () => {
    await bringForward(alice, planId)
    await night()
    const [id] = await countsOf(alice)
    const { items } = await readCount(alice, id)
    await end(alice, id)
    return items.map(({ sku }) => sku)
  }
  await submit([1])
  t.strictSame(await nextSheet(), ['SKU-2', 'SKU-3'], 'first what was never counted')
  await submit([2])
  await submit([3])
  t.strictSame(await nextSheet(), ['SKU-1', 'SKU-2'])
  await submit([1])
  t.strictSame(await nextSheet(), ['SKU-2', 'SKU-3'])
})

t.test('a plan without a product or with a closed location says why it made no count', async (t) => {
  const { db, alice, night } = await start(t)
  const empty = await makePlan(alice, { abcClass: 'B' })
  const closed = await makePlan(alice, { locationId: locationGid(2) })
  const fine = await makePlan(alice)
  await closeLocation(db, alice, 2)
  await night()
  t.match(await readPlan(alice, empty), {
    problem: 'nothing_to_count',
    nextOn: dayFromToday(1),
    openCountId: null,
  })
  t.match(await readPlan(alice, closed), {
    problem: 'unknown_location',
    nextOn: dayFromToday(1),
    openCountId: null,
  })
  t.match(await readPlan(alice, fine), { problem: null, nextOn: dayFromToday(7) })
  t.equal((await countsOf(alice)).length, 1)
})

t.test('a deleted plan keeps its counts and makes no more', async (t) => {
  const { alice, night } = await start(t)
  const planId = await makePlan(alice)
  await night()
  const [id] = await countsOf(alice)
  await alice.delete(`/api/count-plans/${planId}`)
  t.match(await readCount(alice, id), { planId: null, status: 'draft' })
  await end(alice, id)
  await night()
  t.strictSame(await countsOf(alice), [id])
})

t.test('a shop that has uninstalled the app gets no count', async (t) => {
  const { db, alice, night } = await start(t)
  await makePlan(alice)
  await db.query(sql.typeAlias('void')`update shop set uninstalled_at = now() where id = ${alice.shopId}`)
  await night()
  const counts = await db.any(sql.typeAlias('id')`select id from stock_count where shop_id = ${alice.shopId}`)
  t.strictSame(counts, [])
})
