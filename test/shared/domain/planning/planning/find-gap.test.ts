import t from 'tap'
import { findGap, missingFrom } from '../../../../../shared/domain/planning/planning/find-gap.ts'

// 2026-03-02 is a Monday; 14 a week are 2 a day
const stock = {
  today: '2026-03-02',
  available: 5,
  week: '2026-03-02',
  ahead: [14],
  arrivals: [],
  leadDays: 7,
  reviewDays: 7,
}

t.test('without an arrival the loss counts until an order of the next review arrives', async (t) => {
  // 14 days x 2 = 28, of them 5 in stock
  t.strictSame(findGap(stock), {
    gapOn: '2026-03-04',
    nextArrivalOn: null,
    missingUnits: 23,
    endsOn: '2026-03-16',
    owed: 0,
  })
})

t.test('with an arrival the loss counts until that day', async (t) => {
  const gap = findGap({ ...stock, arrivals: [{ day: '2026-03-06', quantity: 10 }] })
  t.match(gap, { gapOn: '2026-03-04', nextArrivalOn: '2026-03-06', missingUnits: 3, endsOn: '2026-03-06' })
})

t.test('a gap after L + R counts only when goods arrive after it', async (t) => {
  const enough = { ...stock, available: 60 }
  t.equal(findGap(enough), null, 'there is time to order')
  const late = findGap({ ...enough, arrivals: [{ day: '2026-04-20', quantity: 10 }] })
  // 60 last for 30 days, to 31 March; 19 days without are 38
  t.match(late, { gapOn: '2026-04-01', nextArrivalOn: '2026-04-20', missingUnits: 38 })
})

t.test('an arrival in time, no demand, and less than half a piece are no gap', async (t) => {
  t.equal(findGap({ ...stock, arrivals: [{ day: '2026-03-04', quantity: 100 }] }), null)
  t.equal(findGap({ ...stock, available: 0, ahead: [0] }), null)
  const slow = { ...stock, available: 0, ahead: [1] }
  t.equal(findGap({ ...slow, arrivals: [{ day: '2026-03-05', quantity: 9 }] }), null, '3 days are 0.4 pieces')
  t.match(findGap({ ...slow, arrivals: [{ day: '2026-03-06', quantity: 1 }] }), { missingUnits: 0.6 })
})

t.test('a small loss does not hide a later gap', async (t) => {
  // 1.94 a day: 9.5 last until Friday, when 0.2 are missing; 10 on Saturday last until Thursday, when 1.7 are missing, then 1.9 a day
  const twice = {
    ...{ ...stock, available: 9.5, ahead: [13.6] },
    arrivals: [
      { day: '2026-03-07', quantity: 10 },
      { day: '2026-03-16', quantity: 100 },
    ],
  }
  t.match(findGap(twice), { gapOn: '2026-03-12', nextArrivalOn: '2026-03-16', missingUnits: 7.5 })
  t.match(findGap({ ...twice, available: 9 }), { gapOn: '2026-03-06', missingUnits: 0.7 })
})

t.test('the gap knows what is owed when it begins', async (t) => {
  t.match(findGap({ ...stock, available: -3 }), { gapOn: '2026-03-02', owed: 3, missingUnits: 28 })
})

t.test('goods that arrive within a gap can sell what is missing from then on', async (t) => {
  const gap = findGap(stock)
  if (!gap) throw new Error('There is a gap')
  t.equal(missingFrom(gap, stock, '2026-03-03'), 23)
  t.equal(missingFrom(gap, stock, '2026-03-04'), 23)
  // 7 days of 2
  t.equal(missingFrom(gap, stock, '2026-03-09'), 14)
  t.equal(missingFrom(gap, stock, '2026-03-16'), 0)
})
