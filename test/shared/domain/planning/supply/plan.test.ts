import t from 'tap'
import { demandOf, type KnownDemand } from '../../../../../shared/domain/planning/supply/demand.ts'
import { explainPlan } from '../../../../../shared/domain/planning/supply/explain.ts'
import { type PlanInput, planOrder } from '../../../../../shared/domain/planning/supply/plan.ts'

/** Monday 2 March 2026: 7 a week without an error, 10 in stock, L = 14 days, R = 7 days. */
const input = (fields: Partial<PlanInput> = {}): PlanInput => ({
  today: '2026-03-02',
  onHand: 10,
  moving: [],
  incoming: [],
  demand: { week: '2026-03-02', units: [7, 7, 7, 7], standardError: 0 },
  leadTime: { days: 14, deviation: 0, source: 'measured' },
  reviewDays: 7,
  coverDays: 30,
  serviceLevel: 95,
  packSize: 1,
  minimumQuantity: null,
  quantityMultiple: 1,
  ...fields,
})

t.test('safety stock adds the spread of the lead time to the error of the forecast', async (t) => {
  const demand = { week: '2026-03-02', units: [10], standardError: 4 }
  const leadTime = { days: 21, deviation: 3.5, source: 'measured' } as const
  // the example of `safetyStock`: z √(4 · 16 + 100 · 0.25) = 1.6449 √89 = 15.5; 10 a week over 3 + 6 weeks = 90
  const plan = planOrder(input({ demand, leadTime, coverDays: 42, onHand: 40 }))
  t.match(plan, { safetyStock: 15.5, forecastUnits: 90, wantedQuantity: 66, suggestedQuantity: 66 })
})

t.test('a forecast that started on Monday counts from today', async (t) => {
  // Thursday: 4 of 7 days of the week with 7, then 14 a week: 4 + 2 · (44 - 4) = 84
  const plan = planOrder(
    input({ today: '2026-03-05', demand: { week: '2026-03-02', units: [7, 14], standardError: 0 } }),
  )
  t.match(plan, { forecastUnits: 84, suggestedQuantity: 74 })
})

t.test('the review interval is the least cover', async (t) => {
  t.match(planOrder(input({ coverDays: 0 })), { forecastUnits: 21, suggestedQuantity: 11 })
})

t.test('an order without a date arrives after the lead time', async (t) => {
  // sold out on day 10, and the order arrives on day 14 as a new one would: in time, 110 pieces
  t.match(planOrder(input({ incoming: [{ day: null, quantity: 100 }] })), {
    inTimePosition: 110,
    lateOnOrder: 0,
    suggestedQuantity: 0,
    gapOn: '2026-03-12',
  })
})

t.test('an order in time may bring stock until the next one', async (t) => {
  const incoming = [
    { day: '2026-03-08', quantity: 10 },
    { day: '2026-03-22', quantity: 5 },
    { day: '2026-04-30', quantity: 9 },
  ]
  // 10 + 10 last until day 19, 21 March; the 5 come on day 20, in time, and the 9 after the 25 are sold on day 25
  t.match(planOrder(input({ incoming })), {
    inTimePosition: 25,
    lateOnOrder: 9,
    lateOn: '2026-04-30',
    gapOn: '2026-03-27',
    orderBy: '2026-03-13',
    suggestedQuantity: 19,
  })
})

t.test('a gap that another order ends makes no later order late', async (t) => {
  // 2 a day: sold out on day 5, the 120 of day 6 last until day 65, and the 100 arrive on day 60
  const two = { ...input().demand, units: [14] }
  const incoming = [
    { day: '2026-03-08', quantity: 120 },
    { day: '2026-05-01', quantity: 100 },
  ]
  const plan = planOrder(input({ demand: two, coverDays: 90, incoming }))
  t.match(plan, {
    ...{ inTimePosition: 230, lateOnOrder: 0, lateOn: null, lateGapOn: null, suggestedQuantity: 0 },
    ...{ gapOn: '2026-03-07', gapUntil: '2026-03-08', arrivingInGap: 120 },
  })
  const words = {
    plan,
    demand: { ...two, method: 'mean', wape: null, confidence: 'normal' },
    growth: 0,
  } as const
  const last = { leadTime: input().leadTime, today: '2026-03-02', onHand: 10, packSize: 1 }
  t.match(
    explainPlan({ ...words, ...last }),
    /10 left, 100 arriving in time and 120 arriving 1 day after it is sold out: sold out on Saturday until Sunday, ask for/,
  )
  // on day 70 the 100 would come four days after the 120 are sold out
  const [first = { day: '', quantity: 0 }] = incoming
  const late = planOrder(
    input({ demand: two, coverDays: 90, incoming: [first, { day: '2026-05-11', quantity: 100 }] }),
  )
  t.match(late, { lateOnOrder: 100, lateGapOn: '2026-05-07', suggestedQuantity: 78 })
  t.match(
    explainPlan({ ...words, ...last, plan: late }),
    /100 on order arrive on 11 May, 4 days after it is sold out: order 78 now\.$/,
  )
})

t.test('a transfer counts from the day on which it arrives', async (t) => {
  // sold out on the days 10 and 11; the 30 of day 12 last until day 41, and 44 - 40 are missing
  const plan = planOrder(input({ moving: [{ day: '2026-03-14', quantity: 30 }] }))
  t.match(plan, {
    ...{ inTimePosition: 40, suggestedQuantity: 4, lateOnOrder: 0 },
    ...{ gapOn: '2026-03-12', gapUntil: '2026-03-14', arrivingInGap: 30, onOrderInGap: 0 },
  })
  // without the transfer, the order of day 20 would be late
  const order = [{ day: '2026-03-22', quantity: 100 }]
  t.match(planOrder(input({ incoming: order })), { lateOnOrder: 100 })
  t.match(planOrder(input({ incoming: order, moving: [{ day: '2026-03-14', quantity: 30 }] })), {
    ...{ lateOnOrder: 0, inTimePosition: 140 },
  })
})

t.test('a maximum level that does not last for the lead time is named as the cause', async (t) => {
  const plan = planOrder(input({ maxLevel: 10 }))
  t.match(plan, { suggestedQuantity: 0, gapOn: '2026-03-12', gapUntil: null, arrivingInGap: 0 })
  const demand = { ...input().demand, method: 'mean', wape: null, confidence: 'normal' } as const
  const words = { plan, demand, leadTime: input().leadTime, growth: 0, onHand: 10, packSize: 1 }
  t.match(
    explainPlan({ ...words, today: '2026-03-02', maxLevel: 10 }),
    /10 left: sold out on 12 March, since the maximum level of 10 does not last for the lead time; raise it\.$/,
  )
})

t.test('negative stock is owed, and nothing is ordered without demand', async (t) => {
  t.match(planOrder(input({ onHand: -3 })), { suggestedQuantity: 47, gapOn: '2026-03-02' })
  const none = { week: '2026-03-02', units: [0], standardError: 0 }
  t.match(planOrder(input({ demand: none, minimumQuantity: 50 })), { suggestedQuantity: 0, gapOn: null })
})

t.test('the sentence of the contract', async (t) => {
  const units = [3.1]
  const leadTime = { days: 19, deviation: 4, source: 'measured' } as const
  const demand = {
    ...{ week: '2026-03-02', units, standardError: 1.5, method: 'seasonal_mean', wape: 0.18 },
    confidence: 'normal',
  } as const
  // 12 / 3.1 weeks = 27 days, minus 19: in 8 days. 3.1 / 7 · (19 + 75) + SS - 12 = 41.6 + 7.2 - 12 = 36.9, in packs of 10: 40
  const plan = planOrder(input({ onHand: 12, demand, leadTime, coverDays: 75, packSize: 10 }))
  const words = { plan, demand, leadTime, onHand: 12, packSize: 10, growth: 0 }
  const start = 'Sells 3.1 a week (seasonal, off by 18 % lately), arrives in 19 ± 4 days, 12 left:'
  t.equal(explainPlan({ ...words, today: '2026-03-02' }), `${start} order 40 (4 packs of 10) by 10 March.`)
  t.equal(
    explainPlan({ ...words, plan: { ...plan, orderBy: '2026-03-05' }, today: '2026-03-02' }),
    `${start} order 40 (4 packs of 10) by Thursday.`,
  )
})

t.test(
  'last year repeats after 52 weeks, and a week with four days in stock is raised to seven',
  async (t) => {
    const known: KnownDemand = {
      ...{ today: '2026-03-02', week: null, model: null, wape: null, units: null, standardError: null },
      ...{ isOfType: false, pastUnits: 0, pastEmptyDays: 0, pastDays: 30, lastYearDays: 364 },
      ...{ lastYearWeeks: [0, 51], lastYearUnits: [8, 5], lastYearEmptyDays: [3, 0] },
    }
    const { units, standardError } = demandOf(known, 'last_year', 0)
    // 8 · 7 / 4 = 14; the mean of 52 weeks is 19 / 52, and the error its root
    t.strictSame([units[0], units[1], units[51], units[52]], [14, 0, 5, 14])
    t.equal(standardError, Math.sqrt(19 / 52))
    t.equal(demandOf(known, 'last_year', 10).units[51], 5.5)
    t.equal(
      demandOf(known, 'last_year', 10).standardError,
      1.1 * standardError,
      'the error grows as the demand',
    )
  },
)

const yearOf = (units: (week: number) => number, emptyDays: (week: number) => number) => ({
  lastYearWeeks: Array.from({ length: 52 }, (_, week) => week),
  lastYearUnits: Array.from({ length: 52 }, (_, week) => units(week)),
  lastYearEmptyDays: Array.from({ length: 52 }, (_, week) => emptyDays(week)),
})
const noForecast = {
  ...{ week: null, model: null, wape: null, units: null, standardError: null },
  ...{ isOfType: false, pastUnits: 0, pastEmptyDays: 0, pastDays: 30 },
}
const forecast = { ...noForecast, week: '2026-03-02', units: new Array<number>(26).fill(9) }

t.test(
  'weeks of last year before the sales are known have the forecast, or the mean of the others',
  async (t) => {
    // 200 days are 28 whole weeks: those from the 24th on
    const known: KnownDemand = {
      ...{ ...noForecast, today: '2026-03-02', lastYearDays: 200 },
      ...{ lastYearWeeks: [24, 51], lastYearUnits: [14, 42], lastYearEmptyDays: [0, 0] },
    }
    const { units, confidence } = demandOf(known, 'last_year', 0, 60)
    t.strictSame([units[0], units[23], units[24], units[25], units[51], units[52]], [2, 2, 14, 0, 42, 2])
    t.equal(confidence, 'low')
    const filled = demandOf({ ...known, ...forecast }, 'last_year', 0, 60)
    t.strictSame([filled.units[0], filled.units[23], filled.units[24], filled.units[51]], [9, 9, 14, 42])
    t.equal(filled.confidence, 'low')
    t.strictSame(filled.filled, { isWhole: true, by: 'forecast' })
    t.strictSame(demandOf(known, 'last_year', 0, 60).filled, { isWhole: true, by: 'weeks' })
    t.strictSame(
      demandOf(known, 'last_year', 0, 200).filled,
      { isWhole: false, by: 'weeks' },
      'the weeks from the 24th on',
    )
    t.strictSame(demandOf({ ...known, lastYearDays: 0 }, 'last_year', 0).filled, {
      isWhole: true,
      by: 'days',
    })
    t.equal(demandOf({ ...known, lastYearDays: 364 }, 'last_year', 0, 60).filled, undefined)
    t.equal(demandOf({ ...known, lastYearDays: 364 }, 'last_year', 0, 60).confidence, 'normal')
  },
)

t.test('the sentence says which days a mean counts, and what takes the place of last year', async (t) => {
  const known: KnownDemand = {
    ...{ ...noForecast, today: '2026-03-02', lastYearDays: 0, pastUnits: 50, pastDays: 60 },
    ...{ lastYearWeeks: [], lastYearUnits: [], lastYearEmptyDays: [] },
  }
  const sentence = (basis: 'forecast' | '90d' | 'last_year', fields: Partial<KnownDemand> = {}, days = 60) =>
    explainPlan({
      demand: demandOf({ ...known, ...fields }, basis, 10, days),
      ...{ plan: planOrder(input()), leadTime: input().leadTime, growth: 10, onHand: 10, packSize: 1 },
      today: '2026-03-02',
    })
  t.match(sentence('90d'), /\(mean of 60 days, \+10 %\)/, 'of the 60 days that are known')
  t.match(sentence('90d', { pastEmptyDays: 5 }), /\(mean of 55 days in stock, \+10 %\)/)
  t.match(sentence('last_year', forecast), /\(forecast, since last year is not known, \+10 %\)/)
  t.match(sentence('last_year'), /\(mean of the last days, since last year is not known, \+10 %\)/)
  const part = { ...forecast, lastYearDays: 350 }
  t.match(sentence('last_year', part), /\(as last year, in part forecast, \+10 %\)/)
  t.match(sentence('last_year', { lastYearDays: 364 }), /\(as last year, \+10 %\)/)
})

t.test('weeks of last year without stock have the forecast, or the mean of the others', async (t) => {
  const isJuly = (week: number) => week >= 4 && week < 8
  const known: KnownDemand = {
    ...{ ...noForecast, today: '2026-06-03', lastYearDays: 364 },
    // one unit was sold on the first day of July
    ...yearOf(
      (week) => (isJuly(week) ? Number(week === 4) : 7),
      (week) => (isJuly(week) ? 7 - Number(week === 4) : 0),
    ),
  }
  const { units, confidence } = demandOf(known, 'last_year', 0, 60)
  t.strictSame(units.slice(3, 9), [7, 7, 7, 7, 7, 7])
  t.equal(confidence, 'low')
  t.equal(demandOf(known, 'last_year', 0, 28).confidence, 'normal', 'the order lasts until July')
  // the forecast begins on Monday; the week 4 after today is its fifth
  const ahead = { ...forecast, week: '2026-06-01', units: [1, 1, 1, 1, 20, 21, 22, 23, 1] }
  t.strictSame(demandOf({ ...known, ...ahead }, 'last_year', 0, 60).units.slice(3, 9), [7, 20, 21, 22, 23, 7])
})
