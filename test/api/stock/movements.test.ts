import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import type { Adjustment } from '../../../shared/schemas/reports.ts'
import type { StockMovement } from '../../../shared/schemas/stock-movements.ts'
import { startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { line, makeSentOrder, receive } from '../../support/make/orders.ts'
import {
  counted,
  locationGid,
  makeCount,
  makeStock,
  readLevels,
  variantGid,
} from '../../support/make/stock.ts'
import { reportLevel } from '../../support/platform/stock-pushes.ts'

/** Two variants at two locations. The first is adjusted from 10 to 7 to 8 at location 1, and from 10 to 30 at location 2. */
async function start(t: Test) {
  const app = await startApp(t)
  const { db, alice } = app
  await makeStock(db, alice, { variants: 2, locations: 2 })
  const level = { variantId: variantGid(1), locationId: locationGid(1) }
  await alice.post('/api/stock-levels/adjust', { adjustments: [{ ...level, delta: -3, reason: '=Damaged' }] })
  await alice.post('/api/stock-levels/adjust', { adjustments: [{ ...level, delta: 1 }] })
  await alice.put('/api/stock-levels/bulk', {
    adjustments: [{ ...level, locationId: locationGid(2), quantity: 30, reason: 'Inventory' }],
  })
  const list = async (query = '', person: Person = alice): Promise<StockMovement[]> =>
    (await person.get(`/api/stock-movements${query}`)).json().data
  return { ...app, list }
}

const brief = (movements: StockMovement[]) => movements.map(({ kind, delta }) => `${kind} ${delta}`)
const gid = encodeURIComponent

t.test('a movement has its kind, location, reason and actor', async (t) => {
  const { list } = await start(t)
  const [newest, , damaged] = await list()
  t.match(newest, { kind: 'set', previousQuantity: 10, newQuantity: 30, delta: 20, locationName: 'Place 2' })
  t.strictSame(damaged, {
    id: damaged?.id,
    variantId: variantGid(1),
    sku: 'SKU-1',
    title: 'Mug 1 - Size 1',
    locationId: locationGid(1),
    locationName: 'Place 1',
    kind: 'delta',
    previousQuantity: 10,
    newQuantity: 7,
    delta: -3,
    reason: '=Damaged',
    reference: '',
    referenceName: '',
    isOpening: false,
    actor: 'alice-1',
    occurredAt: damaged?.occurredAt,
  })
})

t.test('the first level of the platform is opening stock, and a document has its number', async (t) => {
  const { db, alice, list } = await start(t)
  t.strictSame(
    (await list('?kind=platform')).map(({ isOpening }) => isOpening),
    [true, true, true, true],
  )
  const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 2 })] })
  await receive(alice, id, [2])
  const [received] = await list('?kind=receipt')
  t.match(received, { reference: `purchase_order/${id}`, referenceName: 'PO-00001', isOpening: false })
  await reportLevel(db, alice, 99)
  const reported = await list('?kind=platform')
  t.equal(reported.length, 5)
  t.equal(reported.filter(({ isOpening }) => isOpening).length, 4, 'a later change is no opening stock')
})

t.test('the list is filtered by variant, location, kind and date', async (t) => {
  const { list } = await start(t)
  t.strictSame(brief(await list()), ['set 20', 'delta 1', 'delta -3', ...Array(4).fill('platform 10')])
  t.strictSame(brief(await list(`?variantId=${gid(variantGid(2))}`)), ['platform 10', 'platform 10'])
  t.strictSame(brief(await list(`?locationId=${gid(locationGid(2))}&variantId=${gid(variantGid(1))}`)), [
    'set 20',
    'platform 10',
  ])
  t.strictSame(brief(await list('?kind=delta')), ['delta 1', 'delta -3'])
  t.strictSame(await list('?kind=receipt'), [])
  t.strictSame(brief(await list('?startDate=2026-11-01&endDate=2026-11-01')), Array(4).fill('platform 10'))
  t.strictSame(await list('?endDate=2026-10-31'), [])
  t.strictSame(await list(`?variantId=${gid(variantGid(9))}`), [])
})

t.test('the list is filtered by the document', async (t) => {
  const { db, alice, mallory, list } = await start(t)
  const submit = async (quantity: number) => {
    const id = await makeCount(alice, { items: [counted(1, quantity)] })
    await readLevels(db, alice)
    t.equal(
      (await alice.put(`/api/stock-counts/${id}`, { status: 'submitted', reason: 'Count' })).statusCode,
      200,
    )
    return `reference=stock_count/${id}`
  }
  const [first, second] = [await submit(20), await submit(15)]
  t.strictSame(brief(await list(`?kind=count&${first}`)), ['count 12'])
  t.strictSame(brief(await list(`?${second}&limit=1`)), ['count -5'])
  t.strictSame(await list(`?kind=delta&${first}`), [])
  t.strictSame(await list(`?${first}`, mallory), [])
})

t.test('the list is searched, counted and read from its beginning', async (t) => {
  const { alice, mallory, list } = await start(t)
  t.strictSame(brief(await list('?search=sku-1&kind=delta')), ['delta 1', 'delta -3'])
  t.strictSame(brief(await list('?search=mug%201&kind=delta&sort=oldest')), ['delta -3', 'delta 1'])
  t.strictSame(await list('?search=sku-9'), [])
  t.strictSame(await list('?search=sku-1', mallory), [])
  const meta = async (query: string) =>
    (await alice.get(`/api/stock-movements?count=true${query}`)).json().meta
  t.match(await meta('&kind=delta&limit=1'), { total: 2, isExact: true })
  t.match(await meta('&search=sku-9'), { total: 0 })
})

t.test('the pages contain every movement once, including those of the same time', async (t) => {
  const { alice, list } = await start(t)
  for (const query of ['?limit=2', `?limit=2&kind=platform`]) {
    const listed: number[] = []
    let next: string | undefined = `/api/stock-movements${query}`
    for (let pages = 0; next && pages < 9; pages += 1) {
      const answer = await alice.get(next)
      listed.push(...answer.json().data.map(({ id }: StockMovement) => id))
      next = /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1]
    }
    t.strictSame(
      listed,
      (await list(query.replace('limit=2', 'limit=250'))).map(({ id }) => id),
    )
  }
})

t.test('the adjustments report contains set, changed and counted levels', async (t) => {
  const { alice } = await start(t)
  const { data }: { data: Adjustment[] } = (await alice.get('/api/reports/adjustments')).json()
  t.match(
    data.map(({ adjustment, reason }) => ({ adjustment, reason })),
    [
      { adjustment: 20, reason: 'Inventory' },
      { adjustment: 1, reason: '' },
      { adjustment: -3, reason: '=Damaged' },
    ],
  )
  t.match(data[2], {
    variantId: variantGid(1),
    sku: 'SKU-1',
    previousQuantity: 10,
    newQuantity: 7,
    createdAt: /Z$/,
  })
  const csv = await alice.get('/api/reports/adjustments', { accept: 'text/csv' })
  t.match(csv.body, /^\uFEFFSKU,Product,Location,Time \(UTC\),Type,Before,Change,After,Reason,User,/)
  t.match(csv.body, ",Adjusted,10,-3,7,'=Damaged,User ")
})

t.test('the reason of a counted level is its count', async (t) => {
  const { db, alice } = await start(t)
  const items = [{ variantId: variantGid(2), countedQuantity: 7 }]
  const count = (await alice.post('/api/stock-counts', { locationId: locationGid(2), items })).json().data
  await readLevels(db, alice)
  await alice.put(`/api/stock-counts/${count.id}`, { status: 'submitted' })
  const { data } = (await alice.get('/api/reports/adjustments')).json()
  t.match(data[0], { kind: 'count', adjustment: -3, reason: `Stock count #${count.id}` })
  t.match(data[1], { kind: 'set', reason: 'Inventory' })
  const csv = await alice.get('/api/reports/adjustments', { accept: 'text/csv' })
  t.match(csv.body, `,Counted,10,-3,7,Stock count #${count.id},`)
})

t.test("days are days in the shop's time zone, and the end is included", async (t) => {
  const { db, alice } = await start(t)
  const { shopId } = alice
  await db.query(sql.typeAlias('void')`
    insert into shop_setting (shop_id, time_zone) values (${shopId}, 'America/New_York')
  `)
  // In New York daylight saving ends on 2026-11-01: that day begins at 04:00 UTC and has 25 hours.
  const instants = [
    '2026-11-01T03:59:59.999Z',
    '2026-11-01T04:00:00Z',
    '2026-11-02T04:59:59.999999Z',
    '2026-11-02T05:00:00Z',
  ]
  const ids = await db.anyFirst(sql.typeAlias('id')`
    select id from stock_movement where shop_id = ${shopId} order by id limit 4
  `)
  for (const [at, instant] of instants.entries()) {
    await db.query(sql.typeAlias('void')`
      update stock_movement set kind = 'set', occurred_at = ${instant} where shop_id = ${shopId} and id = ${ids[at] ?? 0}
    `)
  }
  const indexesOf = async (query: string) => {
    const answer = await alice.get(`/api/reports/adjustments${query}`)
    return answer
      .json()
      .data.map(({ id }: Adjustment) => ids.indexOf(id))
      .filter((at: number) => at >= 0)
  }
  t.strictSame(await indexesOf('?startDate=2026-11-01&endDate=2026-11-01'), [2, 1])
  t.strictSame(await indexesOf('?startDate=2026-11-01T04:00:00.000Z&endDate=2026-11-01T04:00:00Z'), [1])
  t.strictSame(await indexesOf('?endDate=2026-11-01'), [2, 1, 0])
  t.strictSame(await indexesOf('?startDate=2026-11-02&endDate=2026-11-02'), [3])
  t.strictSame(await indexesOf('?startDate=2026-11-01T00:00:00-05:00&endDate=2026-11-01'), [2])
})

t.test('concurrent changes are listed in the order of their quantities', async (t) => {
  const { alice, list } = await start(t)
  const adjustments = [{ variantId: variantGid(2), locationId: locationGid(1), delta: 1 }]
  await Promise.all(Array.from({ length: 40 }, () => alice.post('/api/stock-levels/adjust', { adjustments })))
  const movements = await list(
    `?variantId=${gid(variantGid(2))}&locationId=${gid(locationGid(1))}&kind=delta`,
  )
  t.equal(movements.length, 40)
  t.strictSame(
    movements.map(({ newQuantity }) => newQuantity),
    Array.from({ length: 40 }, (_, index) => 50 - index),
  )
})

t.test('the first and the last valid day work in every time zone', async (t) => {
  const { db, alice } = await start(t)
  for (const zone of ['UTC', 'Europe/Berlin', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    await db.query(sql.typeAlias('void')`
      insert into shop_setting (shop_id, time_zone) values (${alice.shopId}, ${zone})
      on conflict (shop_id) do update set time_zone = excluded.time_zone
    `)
    const answer = await alice.get('/api/stock-movements?startDate=1900-01-01&endDate=9998-12-31')
    t.equal(answer.json().data.length, 7, zone)
  }
})

t.test('the API names invalid periods and dates', async (t) => {
  const { alice } = await start(t)
  for (const path of ['/api/stock-movements', '/api/reports/adjustments']) {
    for (const query of [
      '?startDate=2026-11-02&endDate=2026-11-01',
      '?startDate=2026-11-01T00:00:01Z&endDate=2026-11-01T00:00:00Z',
      '?startDate=2026-02-30',
      '?startDate=yesterday',
      '?startDate=2026-11-01T00:00',
    ]) {
      const answer = await alice.get(path + query)
      t.match(
        answer.json(),
        { error: { code: 'invalid_request', details: [{ path: '/startDate' }] } },
        path + query,
      )
    }
  }
  t.match((await alice.get('/api/stock-movements?kind=theft')).json(), {
    error: { details: [{ path: '/kind' }] },
  })
})

t.test('the report of adjustments is searched and counted', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  for (const person of [alice, mallory]) await makeStock(db, person, { variants: 2, locations: 1 })
  const change = (number: number) => ({ variantId: variantGid(number), locationId: locationGid(1), delta: 1 })
  await alice.post('/api/stock-levels/adjust', { adjustments: [change(1), change(2)] })
  await mallory.post('/api/stock-levels/adjust', { adjustments: [change(1)] })
  const found = async (query: string) => {
    const { data, meta } = (await alice.get(`/api/reports/adjustments?count=true&${query}`)).json()
    return [meta.total, ...data.map(({ sku }: Adjustment) => sku)]
  }
  t.strictSame(await found('search=sku-1'), [1, 'SKU-1'])
  t.strictSame(await found('search=MUG+2'), [1, 'SKU-2'], 'by title')
  t.strictSame(await found('search=nothing'), [0])
  t.strictSame(await found('search=sku-1&vendor=none'), [0], 'with the other filters')
  t.equal((await found('limit=1'))[0], 2)
})

t.test('another shop sees no movements', async (t) => {
  const { mallory, list } = await start(t)
  t.strictSame(await list('', mallory), [])
  t.strictSame(await list(`?variantId=${gid(variantGid(1))}`, mallory), [])
  t.strictSame((await mallory.get('/api/reports/adjustments')).json().data, [])
})
