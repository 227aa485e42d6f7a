import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import type { DeadStock } from '../../../shared/schemas/reports.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { daysAgo } from '../../support/core/instants.ts'
import type { Person } from '../../support/core/people.ts'
import { sell, setTimeZone } from '../../support/make/sales.ts'
import { makeStock, markVariant, readLevels, takeStock, variantGid } from '../../support/make/stock.ts'

/** Six variants with 10 units each. The last two were never sold; the second has a unit cost of 1.25. */
async function start(t: Test) {
  const app = await startApp(t)
  const { db, alice } = app
  await makeStock(db, alice, { variants: 6 })
  await sell(db, alice, [
    [1, 1, 100],
    [2, 1, 200],
    [2, 1, 400],
    [3, 1, 50],
    [4, 1, 0],
  ])
  await db.query(sql.typeAlias('void')`
    update variant set unit_cost = 1.25 where shop_id = ${alice.shopId} and gid = ${variantGid(2)}
  `)
  const list = async (query = '', person: Person = alice): Promise<DeadStock[]> =>
    (await person.get(`/api/reports/dead-stock${query}`)).json().data
  return { ...app, list }
}

const numbers = (report: DeadStock[]) => report.map(({ variantId }) => Number(/\d+$/.exec(variantId)?.[0]))

t.test('the report begins with variants that were never sold, then by the oldest sale', async (t) => {
  const { list } = await start(t)
  const report = await list()
  t.strictSame(numbers(report), [5, 6, 2, 1])
  t.match(report[0], { value: null, unitCost: null, lastSoldAt: null, daysSinceSold: null })
  t.match(report[2]?.lastSoldAt, daysAgo(200).toISOString().slice(0, 10))
  t.strictSame(report[2], {
    variantId: variantGid(2),
    sku: 'SKU-2',
    title: 'Mug 2 - Size 2',
    currentStock: 10,
    onHand: 10,
    unitCost: 1.25,
    value: 12.5,
    lastSoldAt: report[2]?.lastSoldAt,
    daysSinceSold: 200,
    knownSince: null,
  })
})

t.test(
  'the value is that of the pieces on hand at their average cost, in the decimals of the currency',
  async (t) => {
    const { db, alice, list } = await start(t)
    await db.query(sql.typeAlias('void')`
    insert into variant_cost (shop_id, variant_id, average_cost, last_cost, source, updated_at)
    select shop_id, id, 1.0625125, 1.25, 'receipt', now() from variant
    where shop_id = ${alice.shopId} and gid = ${variantGid(2)}
    on conflict (shop_id, variant_id) do update set average_cost = excluded.average_cost
  `)
    await readLevels(db, alice, { committed: 2, unavailable: 1 })
    const dead = async () => (await list()).find(({ variantId }) => variantId === variantGid(2))
    t.match(await dead(), { currentStock: 10, onHand: 13, unitCost: 1.062513, value: 13.81 })
    const setCurrency = (currency: string) =>
      db.query(sql.typeAlias('void')`
      insert into shop_setting (shop_id, currency) values (${alice.shopId}, ${currency})
      on conflict (shop_id) do update set currency = excluded.currency
    `)
    await setCurrency('KWD')
    t.match(await dead(), { value: 13.813 })
    await setCurrency('JPY')
    t.match(await dead(), { value: 14 })
    const [inventory] = (await alice.get('/api/reports/inventory-value')).json().data
    t.equal(inventory.value, 14, 'as in the inventory value, where no other variant has a cost')
  },
)

t.test('a variant without a sale for the given days, including today, is dead stock', async (t) => {
  const { list } = await start(t)
  t.strictSame(numbers(await list('?days=730')), [5, 6])
  t.strictSame(numbers(await list('?days=200')), [5, 6, 2])
  t.strictSame(numbers(await list('?days=201')), [5, 6])
  t.strictSame(numbers(await list('?days=50')), [5, 6, 2, 1, 3])
  t.strictSame(numbers(await list('?days=1')), [5, 6, 2, 1, 3])
})

t.test('the report leaves out variants whose sales are not known for that long', async (t) => {
  const { db, alice, list } = await start(t)
  const knownSince = daysAgo(60).toISOString()
  await db.query(sql.typeAlias('void')`
    insert into sales_reading (shop_id, known_since) values (${alice.shopId}, ${knownSince})
    on conflict (shop_id) do update set known_since = excluded.known_since
  `)
  t.strictSame(await list('?days=365'), [])
  t.strictSame(await list('?days=61'), [])
  t.strictSame(numbers(await list('?days=60')), [5, 6, 2, 1])
  t.match(await list('?days=60'), [{ knownSince }, {}, { knownSince: null }, {}], 'not sold since then')
  await db.query(sql.typeAlias('void')`
    update variant_velocity set first_day = (now() at time zone 'UTC')::date - 30
    where shop_id = ${alice.shopId} and variant_id = (
      select id from variant where shop_id = ${alice.shopId} and gid = ${variantGid(5)}
    )
  `)
  t.strictSame(numbers(await list('?days=60')), [6, 2, 1], 'the fifth one arrived 30 days ago')
  t.match(await list('?days=30'), [{ variantId: variantGid(5), knownSince: null }])
})

t.test('the report is searched, and says how many variants it has', async (t) => {
  const { alice, mallory, list } = await start(t)
  t.strictSame(numbers(await list('?search=size%202')), [2])
  t.strictSame(numbers(await list('?search=SKU-5')), [5])
  t.strictSame(await list('?search=SKU-4'), [], 'sold today')
  t.strictSame(await list('?search=SKU-5', mallory), [], 'another shop has its own')
  const size = async (query: string) => (await alice.get(`/api/reports/dead-stock?${query}`)).json().meta
  t.strictSame(await size('count=true&limit=1'), { total: 4, isExact: true })
  t.strictSame(await size('count=true&days=200&search=sku'), { total: 3, isExact: true })
  t.equal(await size('limit=1'), undefined)
  const first = await alice.get('/api/reports/dead-stock?count=true&limit=3&search=mug')
  const next = /^<([^>]+)>/.exec(String(first.headers.link))?.[1] ?? ''
  t.strictSame(numbers((await alice.get(next)).json().data), [1])
})

t.test('days are in the time zone of the shop', async (t) => {
  const { db, alice, list } = await start(t)
  const ages = new Set<number | null | undefined>()
  for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC']) {
    await setTimeZone(db, alice, zone)
    await db.query(sql.typeAlias('void')`
      update variant_velocity
      set last_sold_at = (((now() at time zone ${zone})::date - 100)::timestamp at time zone ${zone}) - interval '1 second'
      where shop_id = ${alice.shopId} and variant_id = (
        select id from variant where shop_id = ${alice.shopId} and gid = ${variantGid(1)}
      )
    `)
    ages.add((await list()).find(({ variantId }) => variantId === variantGid(1))?.daysSinceSold)
  }
  t.strictSame([...ages], [101])
})

t.test('the report omits variants that are out of stock, deleted or untracked', async (t) => {
  const { db, alice, list } = await start(t)
  await takeStock(db, alice, { variant: 1, location: 1, quantity: 10 })
  await markVariant(db, alice, 2, 'deleted')
  await markVariant(db, alice, 5, 'untracked')
  t.strictSame(numbers(await list()), [6])
})

t.test('the pages contain every variant once', async (t) => {
  const { alice, list } = await start(t)
  const listed: DeadStock[] = []
  let pages = 0
  for (let next: string | undefined = '/api/reports/dead-stock?limit=1'; next && pages < 9; pages += 1) {
    const answer = await alice.get(next)
    listed.push(...answer.json().data)
    next = /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1]
  }
  t.strictSame(listed, await list())
  t.equal(pages, 4)
})

t.test('the report is exported as CSV, and an invalid number of days is refused', async (t) => {
  const { alice } = await start(t)
  const { body } = await alice.get('/api/reports/dead-stock?limit=1', { accept: 'text/csv' })
  t.equal(
    body,
    `\uFEFFSKU,Product,Available,On hand,Unit cost (USD),Value (USD),Last sold (UTC),Days since the last sale,Sales known since (UTC),Variant ID\nSKU-5,Mug 5 - Size 5,10,10,,,,,,${variantGid(5)}\n`,
  )
  for (const days of ['0', '731', 'x']) {
    const answer = await alice.get(`/api/reports/dead-stock?days=${days}`)
    t.match(expectFailure(t, answer, 400, 'invalid_request').details, [{ path: '/days' }])
  }
})

t.test(
  'a shop without products has an empty report, and the sales of another shop do not count',
  async (t) => {
    const { db, mallory, list } = await start(t)
    t.strictSame(await list('', mallory), [])
    await makeStock(db, mallory, { variants: 2, available: 3 })
    await sell(db, mallory, [[2, 1, 0]])
    t.strictSame(numbers(await list('', mallory)), [1])
    t.strictSame(numbers(await list()), [5, 6, 2, 1])
  },
)
