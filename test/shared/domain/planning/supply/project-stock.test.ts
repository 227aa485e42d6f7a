import t from 'tap'
import { projectStock } from '../../../../../shared/domain/planning/supply/project-stock.ts'
import { seeded } from '../../../../support/make/series.ts'

// 2026-03-02 is a Monday; 14 a week are 2 a day
const input = { today: '2026-03-02', days: 5, available: 5, week: '2026-03-02', ahead: [14], arrivals: [] }
const left = (projection: ReturnType<typeof projectStock>) =>
  projection.projected.map(({ quantity }) => quantity)

t.test('stock falls by a seventh of the forecast a day until an order arrives', async (t) => {
  const friday = { day: '2026-03-06', quantity: 10 }
  const projection = projectStock({ ...input, arrivals: [friday] })
  // 5 - 2, 3 - 2, 1 - 1 of 2, 0, 10 - 2
  t.strictSame(left(projection), [3, 1, 0, 0, 8])
  t.strictSame(projection.projected.at(-1), { day: '2026-03-06', quantity: 8 })
  t.match(projection, { gapOn: '2026-03-04', nextArrivalOn: '2026-03-06', missingUnits: 3 })
})

t.test('an order that arrives in time leaves no gap', async (t) => {
  const projection = projectStock({ ...input, arrivals: [{ day: '2026-03-04', quantity: 10 }] })
  t.strictSame(left(projection), [3, 1, 9, 7, 5])
  t.match(projection, { gapOn: null, nextArrivalOn: null, missingUnits: 0 })
})

t.test('stock that is sold out exactly at the end of a day has its gap on the next', async (t) => {
  t.match(projectStock({ ...input, available: 4 }), { gapOn: '2026-03-04', missingUnits: 6 })
})

t.test(
  'the forecast of an earlier week is read from the current day, and its last week continues',
  async (t) => {
    // today is the second week: 7 a day
    const projection = projectStock({
      ...input,
      today: '2026-03-09',
      days: 8,
      available: 100,
      ahead: [14, 49],
    })
    t.strictSame(left(projection), [93, 86, 79, 72, 65, 58, 51, 44])
  },
)

t.test('pieces that are owed stay owed until an order arrives, and a later order is named', async (t) => {
  const arrivals = [
    { day: '2026-03-04', quantity: 10 },
    { day: '2026-05-01', quantity: 10 },
  ]
  const projection = projectStock({ ...input, available: -3, arrivals })
  // 10 - 3 owed - 2
  t.strictSame(left(projection), [-3, -3, 5, 3, 1])
  t.match(projection, { gapOn: '2026-03-02', nextArrivalOn: '2026-03-04', missingUnits: 4 })
  t.match(projectStock({ ...input, arrivals: arrivals.slice(1) }), { nextArrivalOn: '2026-05-01' })
})

t.test('each time without stock has its first day, and the next day with stock', async (t) => {
  const arrivals = [
    { day: '2026-03-05', quantity: 3 },
    { day: '2026-03-11', quantity: 9 },
  ]
  // 5 last two and a half days, 3 one and a half; nothing is demanded in the second week until it is restocked
  const projection = projectStock({ ...input, days: 20, ahead: [14, 0, 14], arrivals })
  t.strictSame(projection.shortages, [
    { from: '2026-03-04', until: '2026-03-05' },
    { from: '2026-03-06', until: '2026-03-11' },
    { from: '2026-03-20', until: null },
  ])
  t.strictSame(projectStock({ ...input, available: 100 }).shortages, [])
})

t.test('without demand there is no gap', async (t) => {
  t.match(projectStock({ ...input, available: 0, ahead: [0] }), { gapOn: null, missingUnits: 0 })
})

/** The same without any of its code: one day after the other, with whole days as numbers. */
function naiveProjection({ days, available, offset, ahead, arrivals }: NaiveInput) {
  let stock = available
  let gap = -1
  let next = -1
  let missing = 0
  const left: number[] = []
  for (let day = 0; day < days; day += 1) {
    const arrived = arrivals
      .filter((arrival) => Math.max(0, arrival.day) === day)
      .reduce((sum, { quantity }) => sum + quantity, 0)
    if (gap >= 0 && next < 0 && arrived > 0) next = day
    stock += arrived
    const week = Math.floor((day + offset) / 7)
    const wanted = (ahead[Math.min(week, ahead.length - 1)] ?? 0) / 7
    const sold = Math.min(wanted, Math.max(0, stock))
    if (wanted - sold > 1e-6 && gap < 0) gap = day
    if (gap >= 0 && next < 0) missing += wanted - sold
    stock -= sold
    left.push(stock)
  }
  const later = arrivals.map(({ day }) => day).filter((day) => day >= days)
  if (gap >= 0 && next < 0 && later.length > 0) next = Math.min(...later)
  return { left, gap, next, missing }
}
type NaiveInput = {
  days: number
  available: number
  /** The days since the Monday of the forecast. */
  offset: number
  ahead: readonly number[]
  arrivals: readonly { day: number; quantity: number }[]
}

t.test('on random input the projection equals a naive computation by day', async (t) => {
  const random = seeded(21)
  const upTo = (max: number) => Math.floor(random() * (max + 1))
  const today = '2026-03-04'
  const dayOf = (day: number) => new Date(Date.parse(today) + day * 86_400_000).toISOString().slice(0, 10)
  let gaps = 0
  let nextArrivals = 0
  for (let round = 0; round < 2_000; round += 1) {
    const offset = upTo(20)
    const naive: NaiveInput = {
      days: 1 + upTo(60),
      available: upTo(60) - 10,
      offset,
      ahead: Array.from({ length: 1 + upTo(8) }, () => (upTo(3) === 0 ? 0 : upTo(400) / 10)),
      arrivals: Array.from({ length: upTo(4) }, () => ({ day: upTo(80) - 5, quantity: 1 + upTo(40) })),
    }
    const expected = naiveProjection(naive)
    const projection = projectStock({
      ...{ today, days: naive.days, available: naive.available, ahead: naive.ahead, week: dayOf(-offset) },
      arrivals: naive.arrivals.map(({ day, quantity }) => ({ day: dayOf(day), quantity })),
    })
    const isNear = (a: number, b: number) => Math.abs(a - b) <= 0.0501
    const isSame =
      projection.gapOn === (expected.gap < 0 ? null : dayOf(expected.gap)) &&
      projection.nextArrivalOn === (expected.next < 0 ? null : dayOf(expected.next)) &&
      isNear(projection.missingUnits, expected.missing) &&
      projection.projected.length === naive.days &&
      projection.projected.every(
        ({ day, quantity }, at) => day === dayOf(at) && isNear(quantity, expected.left[at] ?? Number.NaN),
      )
    if (!isSame) t.fail(JSON.stringify({ naive, expected, projection }))
    if (expected.gap >= 0) gaps += 1
    if (expected.next >= 0) nextArrivals += 1
  }
  t.ok(
    gaps > 200 && nextArrivals > 100 && gaps < 1_990,
    `${gaps} gaps, ${nextArrivals} followed by an arrival`,
  )
})
