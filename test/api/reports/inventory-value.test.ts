import t, { type Test } from 'tap'
import { type Db, sql } from '../../../shared/db/db.ts'
import { applyReportedItems } from '../../../shared/domain/exchange/sync/reported-items.ts'
import { snapshotInventoryValue } from '../../../shared/domain/views/reports/inventory-value.ts'
import type { InventoryValue } from '../../../shared/schemas/reports.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { daysAgo, instantIn } from '../../support/core/instants.ts'
import type { Person } from '../../support/core/people.ts'
import { line, makeSentOrder, receiptsOf, receive } from '../../support/make/orders.ts'
import { dayIn, setTimeZone } from '../../support/make/sales.ts'
import {
  closeLocation,
  locationGid,
  makeShippedTransfer,
  makeStock,
  markVariant,
  readLevels,
  shareItem,
  takeStock,
  variantGid,
} from '../../support/make/stock.ts'

/** Variants with 10 units at each of two locations, and a receipt of one unit of the first at a cost of 2.5. */
async function start(t: Test, variants = 2) {
  const app = await startApp(t)
  const { db, alice } = app
  await makeStock(db, alice, { variants, locations: 2 })
  const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 5, costPrice: 2.5 })] })
  await receive(alice, id, [1])
  const list = async (query = '', person: Person = alice): Promise<InventoryValue[]> =>
    (await person.get(`/api/reports/inventory-value${query}`)).json().data
  /** Moves today's snapshot into the past. */
  const age = (days: number) =>
    db.query(sql.typeAlias('void')`
      update inventory_value_day set day = day - ${days}::int where shop_id = ${alice.shopId} and day > current_date - 1
    `)
  return { ...app, orderId: id, list, age }
}

const brief = (rows: InventoryValue[]) =>
  rows.map(({ date, locationName, quantity, value, uncostedQuantity }) =>
    [date, locationName, quantity, value, uncostedQuantity].join(' '),
  )
const day = (ago: number) => dayIn('UTC', daysAgo(ago))

t.test('today has the value of the current stock, at the average or the last cost', async (t) => {
  const { alice, list, orderId } = await start(t)
  t.strictSame(await list(), [
    {
      date: day(0),
      locationId: locationGid(2),
      locationName: 'Place 2',
      quantity: 20,
      value: 25,
      uncostedQuantity: 10,
    },
    {
      date: day(0),
      locationId: locationGid(1),
      locationName: 'Place 1',
      quantity: 21,
      value: 27.5,
      uncostedQuantity: 10,
    },
  ])
  const { id } = await makeSentOrder(alice, {
    lineItems: [line(1, { costPrice: 3 }), line(2, { costPrice: 0.3333 }), line(1, { costPrice: 4 })],
  })
  await receive(alice, id, [1, 1, 1])
  // of the first: (21 × 2.5 + 3 + 4) / 23 = 2.586957; 10 × 2.586957 + 10 × 0.3333 = 29.20, and 13 and 11 pieces are 37.30
  t.strictSame(brief(await list()), [`${day(0)} Place 2 20 29.2 0`, `${day(0)} Place 1 24 37.3 0`])
  const last = () => list('?basis=last')
  t.strictSame(brief(await last()), [`${day(0)} Place 2 20 43.33 0`, `${day(0)} Place 1 24 55.67 0`])
  await receive(alice, orderId, [2])
  t.match(await last(), [{ value: 28.33 }], 'the cost is that of the last receipt, not of the last order')
  const [receipt] = await receiptsOf(alice, orderId)
  await alice.post(`/api/purchase-orders/${orderId}/receipts/${receipt?.id}/reverse`)
  t.match(
    await last(),
    [{ value: 43.33 }],
    'a reversal sets the last cost back to that of the receipt before',
  )
})

t.test('the value of a past day is what its night stored', async (t) => {
  const { db, alice, list, age, orderId } = await start(t)
  await readLevels(db, alice, { committed: 3, unavailable: 2 })
  for (const table of ['stock_movement', 'stock_state_change', 'cost_movement']) {
    await db.query(sql.typeAlias('void')`
      update ${sql.identifier([table])} set occurred_at = occurred_at - interval '40 days' where shop_id = ${alice.shopId}
    `)
  }
  await snapshotInventoryValue(db, alice.shopId)
  await age(30)
  await receive(alice, orderId, [4])
  await takeStock(db, alice, { variant: 1, location: 2, quantity: 7 })
  await readLevels(db, alice, { committed: 6, unavailable: 0 })
  const stored = await list(`?startDate=${day(30)}&endDate=${day(30)}`)
  t.equal(stored.length, 2)
  t.strictSame(await list(`?asOf=${day(30)}`), stored)
  t.not(brief(await list(`?asOf=${day(0)}`))[1], brief(stored)[1]?.replace(day(30), day(0)))
  t.strictSame(await list(`?asOf=${day(0)}`), await list(`?startDate=${day(0)}`))
  t.strictSame(await list(`?asOf=${day(50)}`), [], 'the ledgers begin later')

  for (const query of [
    `?asOf=${dayIn('UTC', daysAgo(-2))}`,
    '?asOf=2026-02-30',
    `?asOf=${day(3)}&startDate=${day(4)}`,
  ]) {
    expectFailure(t, await alice.get(`/api/reports/inventory-value${query}`), 400, 'invalid_request')
  }
})

t.test('negative stock counts as 0, and untracked variants are omitted', async (t) => {
  const { db, alice, list } = await start(t)
  await db.query(sql.typeAlias('void')`
    update stock_level l set quantity = -5
    from variant v
    where l.shop_id = ${alice.shopId} and v.id = l.variant_id and v.sku = 'SKU-1' and l.quantity = 11
  `)
  t.strictSame(brief(await list()), [`${day(0)} Place 2 20 25 10`, `${day(0)} Place 1 10 0 10`])
  await markVariant(db, alice, 2, 'untracked')
  t.strictSame(brief(await list()), [`${day(0)} Place 2 10 25 0`, `${day(0)} Place 1 0 0 0`])
  await markVariant(db, alice, 1, 'deleted')
  t.strictSame(brief(await list()), [`${day(0)} Place 2 0 0 0`, `${day(0)} Place 1 0 0 0`])
  await closeLocation(db, alice, 2)
  t.strictSame(brief(await list()), [`${day(0)} Place 1 0 0 0`])
})

t.test('an unused location is shown as long as it has stock', async (t) => {
  const { db, alice, list } = await start(t)
  await closeLocation(db, alice, 2)
  t.equal((await list()).length, 2)
})

t.test('past days come from snapshots, and today from the current stock', async (t) => {
  const { db, alice, list, age } = await start(t)
  await snapshotInventoryValue(db, alice.shopId)
  await age(2)
  await takeStock(db, alice, { variant: 1, location: 1, quantity: 11 })
  await snapshotInventoryValue(db, alice.shopId)
  await takeStock(db, alice, { variant: 2, location: 1, quantity: 10 })
  t.strictSame(brief(await list()), [
    `${day(0)} Place 2 20 25 10`,
    `${day(0)} Place 1 0 0 0`,
    `${day(2)} Place 2 20 25 10`,
    `${day(2)} Place 1 21 27.5 10`,
  ])
})

t.test('a period contains its days and has 30 days by default', async (t) => {
  const { db, alice, list, age } = await start(t)
  for (const ago of [40, 30, 29]) {
    await snapshotInventoryValue(db, alice.shopId)
    await age(ago)
  }
  const days = async (query = '') => [...new Set((await list(query)).map(({ date }) => date))]
  t.strictSame(await days(), [day(0), day(29)])
  t.strictSame(await days(`?startDate=${day(30)}`), [day(0), day(29), day(30)])
  t.strictSame(await days(`?endDate=${day(1)}`), [day(29), day(30)])
  t.strictSame(await days(`?endDate=${day(30)}`), [day(30), day(40)])
  t.strictSame(await days(`?startDate=${day(40)}&endDate=${day(30)}`), [day(30), day(40)])
  t.strictSame(await days(`?startDate=${day(30)}T23:00:00Z&endDate=${day(29)}T00:00:00Z`), [day(29), day(30)])
})

t.test('today is the day in the time zone of the shop', async (t) => {
  const { db, alice, list } = await start(t)
  for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    await setTimeZone(db, alice, zone)
    await snapshotInventoryValue(db, alice.shopId)
    t.equal((await list())[0]?.date, dayIn(zone, new Date()))
  }
})

t.test('the pages contain every row once', async (t) => {
  const { db, alice, list, age } = await start(t)
  for (const ago of [3, 1]) {
    await snapshotInventoryValue(db, alice.shopId)
    await age(ago)
  }
  const listed: InventoryValue[] = []
  let pages = 0
  for (let next: string | undefined = '/api/reports/inventory-value?limit=1'; next && pages < 9; pages += 1) {
    const answer = await alice.get(next)
    listed.push(...answer.json().data)
    next = /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1]
  }
  t.strictSame(listed, await list())
  t.equal(pages, 6)
  t.strictSame(await list('?cursor=0-1'), [], 'a cursor after the last row gives an empty page')
  t.equal((await alice.get('/api/reports/inventory-value?cursor=9999999999999999-1')).statusCode, 200)
})

t.test('the report is exported as CSV, and invalid dates are refused', async (t) => {
  const { alice } = await start(t)
  const { body } = await alice.get('/api/reports/inventory-value', { accept: 'text/csv' })
  t.match(body, /^\uFEFFDate,Location,Quantity,Value \(USD\),Pieces without cost,Location ID\n/)
  const answer = await alice.get('/api/reports/inventory-value?startDate=2026-02-02&endDate=2026-02-01')
  t.match(expectFailure(t, answer, 400, 'invalid_request').details, [{ path: '/startDate' }])
})

t.test('a shop without locations has an empty report, and no shop sees the stock of another', async (t) => {
  const { db, mallory, list } = await start(t)
  t.strictSame(await list('', mallory), [])
  const before = await list()
  await makeStock(db, mallory, { variants: 2, locations: 1, available: 7 })
  t.strictSame(await list(), before)
  t.strictSame(brief(await list('', mallory)), [`${day(0)} Place 1 14 0 14`])
})

t.test('committed and unavailable goods have value, since they are on hand', async (t) => {
  const { db, alice, list } = await start(t)
  await readLevels(db, alice, { committed: 3, unavailable: 1 })
  t.strictSame(brief(await list()), [`${day(0)} Place 2 28 35 14`, `${day(0)} Place 1 29 37.5 14`])
})

/** Moves what has happened so far to two days ago. */
async function ageLedgers(db: Db, shopId: number): Promise<void> {
  for (const table of ['stock_movement', 'cost_movement', 'stock_state_change', 'stock_transfer_event']) {
    await db.query(sql.typeAlias('void')`
      update ${sql.identifier([table])} set occurred_at = occurred_at - interval '2 days' where shop_id = ${shopId}
    `)
  }
}

t.test('the stock of variants that share an inventory item counts once, on each day', async (t) => {
  const { db, alice, list, age } = await start(t, 3)
  await shareItem(db, alice, [1, 2])
  const rows = (ago: number) => [`${day(ago)} Place 2 20 25 10`, `${day(ago)} Place 1 21 27.5 10`]
  t.strictSame(brief(await list()), rows(0))
  t.strictSame(brief(await list('?basis=last')), rows(0))
  await snapshotInventoryValue(db, alice.shopId)
  await age(1)
  t.strictSame(brief(await list()), [...rows(0), ...rows(1)], 'the night stores the same')
  await ageLedgers(db, alice.shopId)
  t.strictSame(brief(await list(`?asOf=${day(1)}`)), rows(1))
  await shareItem(db, alice, [2, 3, 1])
  t.match(
    await list(),
    [{ quantity: 10, value: 25 }, { quantity: 11 }],
    'of three the one with a cost counts',
  )
  await markVariant(db, alice, 1, 'deleted')
  t.match(await list(), [{ quantity: 10, value: 0, uncostedQuantity: 10 }, { quantity: 10 }])
})

t.test('pieces in transit are of the location that sent them, on each day', async (t) => {
  const { db, alice, list } = await start(t)
  const shipped = [`${day(1)} Place 2 20 25 10`, `${day(1)} Place 1 21 27.5 10`]
  const arrived = [`${day(1)} Place 2 25 37.5 10`, `${day(1)} Place 1 16 15 10`]
  const of = (rows: string[], ago: number) => rows.map((row) => row.replace(day(1), day(ago)))
  const { id } = await makeShippedTransfer(alice, { items: [{ variantId: variantGid(1), quantity: 5 }] })
  t.strictSame(brief(await list()), of(shipped, 0))
  await ageLedgers(db, alice.shopId)
  const received = [{ variantId: variantGid(1), received: 5 }]
  t.equal((await alice.post(`/api/stock-transfers/${id}/receive`, { items: received })).statusCode, 200)
  t.strictSame(brief(await list()), of(arrived, 0))
  t.strictSame(brief(await list(`?asOf=${day(1)}`)), shipped)

  await ageLedgers(db, alice.shopId)
  const { data } = (await alice.get(`/api/stock-transfers/${id}/events`)).json()
  const reversed = await alice.post(`/api/stock-transfers/${id}/events/${data[0].id}/reverse`)
  t.equal(reversed.statusCode, 200)
  t.strictSame(brief(await list()), of(shipped, 0))
  t.strictSame(brief(await list(`?asOf=${day(1)}`)), arrived, 'the receipt was reversed later')
  t.strictSame(brief(await list(`?asOf=${day(3)}`)), of(shipped, 3))
})

t.test('a past day counts the variants that were tracked then', async (t) => {
  const { db, alice, list } = await start(t)
  await ageLedgers(db, alice.shopId)
  const report = (isTracked: boolean, seconds: number) =>
    db.transaction((tx) => {
      const updatedAt = instantIn(seconds * 1000).toISOString()
      const item = { itemGid: 'gid://platform/InventoryItem/1', isTracked, cost: null, weightGrams: null }
      return applyReportedItems(tx, alice.shopId, [{ ...item, updatedAt, causedAt: updatedAt }])
    })
  const yesterday = () => list(`?asOf=${day(1)}`)
  const before = await yesterday()
  t.match(before, [{ value: 25 }, { value: 27.5 }])
  await report(false, 1)
  t.match(await list(), [
    { quantity: 10, value: 0 },
    { quantity: 10, value: 0 },
  ])
  t.strictSame(await yesterday(), before)
  // it was not tracked two days ago, and is since today
  await db.query(sql.typeAlias('void')`
    update variant set tracking_changed_at = tracking_changed_at - interval '3 days'
    where shop_id = ${alice.shopId} and tracking_changed_at is not null
  `)
  t.match(await yesterday(), [{ value: 0 }, { value: 0 }])
  await report(true, 2)
  t.match(await list(), [{ value: 25 }, { value: 27.5 }])
  t.match(await yesterday(), [{ value: 0 }, { value: 0 }])
})
