import t from 'tap'
import { projectStock } from '../../../../shared/domain/forecasts/project-stock.ts'

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

t.test('without demand there is no gap', async (t) => {
  t.match(projectStock({ ...input, available: 0, ahead: [0] }), { gapOn: null, missingUnits: 0 })
})
