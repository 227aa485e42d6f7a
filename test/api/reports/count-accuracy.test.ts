import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import {
  counted,
  locationGid,
  makeCount,
  makeStock,
  readLevels,
  variantGid,
} from '../../support/make/stock.ts'

/** A shop with 10 units of each of two variants at each of two locations; the first costs 5.00. */
async function start(t: Test) {
  const context = await startApp(t)
  const { db, alice } = context
  await makeStock(db, alice, { variants: 2, locations: 2 })
  await alice.put('/api/variants/1', { unitCost: 5 })
  /** Submits a count of both variants in a month of the past. */
  const submit = async (location: number, numbers: [number, number], at: string) => {
    const items = numbers.map((number, index) => counted(index + 1, number))
    const id = await makeCount(alice, { locationId: locationGid(location), items })
    await readLevels(db, alice)
    await alice.put(`/api/stock-counts/${id}`, { status: 'submitted' })
    await db.query(sql.typeAlias('void')`
      update stock_count set submitted_at = ${at}::timestamptz where shop_id = ${alice.shopId} and id = ${id}
    `)
  }
  return { ...context, submit }
}

t.test('accuracy is summed by month and location, in pieces and in money', async (t) => {
  const { alice, mallory, submit } = await start(t)
  await submit(1, [9, 10], '2026-02-10T00:00:00Z')
  await submit(2, [10, 12], '2026-03-01T00:00:00Z')
  // the first count left 9 and 10 pieces there
  await submit(1, [9, 5], '2026-02-28T23:00:00Z')
  const answer = (await alice.get('/api/reports/count-accuracy')).json().data
  const [march, february] = [
    {
      ...{ month: '2026-03', locationId: locationGid(2), locationName: 'Place 2', countCount: 1 },
      ...{ expectedPieces: 20, variancePieces: 2, accuracy: 0.9 },
      ...{ varianceValue: 0, accuracyByValue: 1, uncostedItemCount: 1 },
    },
    {
      ...{ month: '2026-02', locationId: locationGid(1), locationName: 'Place 1', countCount: 2 },
      // 1 - (1 + 5) / (20 + 19), and by value 1 - 5 / (50 + 45)
      ...{ expectedPieces: 39, variancePieces: 6, accuracy: 0.8462 },
      ...{ varianceValue: -5, accuracyByValue: 0.9474, uncostedItemCount: 1 },
    },
  ]
  t.strictSame(answer, [march, february])
  const first = await alice.get('/api/reports/count-accuracy?limit=1')
  t.strictSame(first.json().data, [march])
  const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? ''
  t.strictSame((await alice.get(next)).json().data, [february])
  const place = `/api/reports/count-accuracy?locationId=${encodeURIComponent(locationGid(1))}`
  t.strictSame((await alice.get(place)).json().data, [february])
  const inMarch = '/api/reports/count-accuracy?startDate=2026-03-01&endDate=2026-03-31'
  t.strictSame((await alice.get(inMarch)).json().data, [march])
  t.strictSame((await mallory.get('/api/reports/count-accuracy')).json().data, [])
  const csv = await alice.get('/api/reports/count-accuracy', { accept: 'text/csv' })
  t.match(csv.body, /2026-03,/)
})

t.test('drafts and cancelled counts are not in the report', async (t) => {
  const { db, alice } = await start(t)
  await makeCount(alice, { items: [counted(1, 1)] })
  const id = await makeCount(alice, { items: [counted(1, 1)] })
  await readLevels(db, alice)
  await alice.put(`/api/stock-counts/${id}`, { status: 'cancelled' })
  t.strictSame((await alice.get('/api/reports/count-accuracy')).json().data, [])
})

t.test('adjustments are summed by reason', async (t) => {
  const { alice, mallory, submit } = await start(t)
  const level = { variantId: 'gid://platform/ProductVariant/1', locationId: locationGid(1) }
  for (const [delta, reason] of [
    [-3, 'Damaged'],
    [-1, 'Damaged'],
    [2, 'Found'],
    [1, ''],
  ] as const)
    await alice.post('/api/stock-levels/adjust', { adjustments: [{ ...level, delta, reason }] })
  await submit(2, [4, 10], new Date().toISOString())
  const reason = (name: string, adjustmentCount: number, piecesAdded: number, piecesRemoved: number) => ({
    ...{ reason: name, adjustmentCount, piecesAdded, piecesRemoved },
    ...{ valueAdded: 5 * piecesAdded, valueRemoved: 5 * piecesRemoved, uncostedPieces: 0 },
  })
  const { data } = (await alice.get('/api/reports/adjustment-reasons')).json()
  t.strictSame(data, {
    piecesAdded: 3,
    piecesRemoved: 10,
    ...{ valueAdded: 15, valueRemoved: 50, uncostedPieces: 0, currency: 'USD' },
    byReason: [
      reason('Stock count', 1, 0, 6),
      reason('Damaged', 2, 0, 4),
      reason('Found', 1, 2, 0),
      reason('', 1, 1, 0),
    ],
  })
  const place = `/api/reports/adjustment-reasons?locationId=${encodeURIComponent(locationGid(2))}`
  t.match((await alice.get(place)).json().data, { piecesRemoved: 6, byReason: [{ reason: 'Stock count' }] })
  const past = (
    await alice.get('/api/reports/adjustment-reasons?startDate=2026-01-01&endDate=2026-01-31')
  ).json()
  t.strictSame(past.data, {
    ...{ piecesAdded: 0, piecesRemoved: 0, valueAdded: 0, valueRemoved: 0, uncostedPieces: 0 },
    ...{ currency: 'USD', byReason: [] },
  })
  t.strictSame((await mallory.get('/api/reports/adjustment-reasons')).json().data.byReason, [])
})

t.test('a reason has the value of its pieces at the cost of the time', async (t) => {
  const { alice } = await start(t)
  const adjust = (number: number, delta: number) =>
    alice.post('/api/stock-levels/adjust', {
      adjustments: [{ variantId: variantGid(number), locationId: locationGid(1), delta, reason: 'Damaged' }],
    })
  await adjust(1, -3)
  await alice.put('/api/variants/1', { unitCost: 6 })
  await adjust(1, -2)
  await adjust(2, -4)
  const row = { piecesRemoved: 9, valueRemoved: 27, valueAdded: 0, uncostedPieces: 4 }
  const { data } = (await alice.get('/api/reports/adjustment-reasons')).json()
  t.match(data, { ...row, byReason: [row] }, '3 x 5.00 + 2 x 6.00; the cost of 4 is not known')
  const csv = await alice.get('/api/reports/adjustment-reasons', { accept: 'text/csv' })
  t.match(csv.body, /\r?\n?Damaged,3,0,9,0,27,4/)
})

t.test('the reports refuse dates and ids that are not valid, and name the field', async (t) => {
  const { alice } = await start(t)
  for (const name of ['count-accuracy', 'adjustment-reasons'])
    for (const [query, path] of [
      ['startDate=soon', '/startDate'],
      ['endDate=2026-02-30', '/endDate'],
      ['locationId=1', '/locationId'],
      ['startDate=2026-03-02&endDate=2026-03-01', '/startDate'],
    ])
      t.match(
        expectFailure(t, await alice.get(`/api/reports/${name}?${query}`), 400, 'invalid_request').details,
        [{ path }],
      )
})
