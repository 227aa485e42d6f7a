import t from 'tap'
import { explainSuggestion } from '../../../../../shared/domain/planning/reorder/explain.ts'
import { type LowRule, suggestFor } from '../../../../../shared/domain/planning/reorder/suggested-quantity.ts'
import type { Incoming } from '../../../../../shared/domain/planning/supply/plan.ts'
import type { ReorderInputs } from '../../../../../shared/schemas/reorder-rules.ts'

const leadTime = { days: 14, deviation: 0, source: 'measured' } as const

/** Monday 2 March 2026: a rule by hand, 20 in stock, 60 sold in 30 days. */
const rule = (fields: Partial<LowRule> = {}): LowRule => ({
  ...{ currentStock: 20, reorderPoint: 44, reorderQuantity: 18, onOrder: 0, inTransit: 0, inDraft: 0 },
  ...{ packSize: 1, minimumQuantity: null, quantityMultiple: 1, drafts: [], today: '2026-03-02' },
  ...{ mode: 'manual', inputs: null, serviceLevel: 95, reviewDays: 7, orderCycleDays: null, maxLevel: null },
  ...{ unitsSold: 60, soldDays: 30, emptyDays: 0, week: null, model: null, wape: null, ahead: null },
  ...{ standardError: null, isOfType: false },
  ...fields,
})

const inputs: ReorderInputs = {
  ...{ method: 'seasonal_mean', wape: 0.18, forecastUnits: 28, orderUpTo: 42, coverDays: 7 },
  ...{ avgDailySales: 2, dailyDeviation: 0, unitsSold: 60, countedDays: 30, inStockDays: 30 },
  ...{ leadTimeDays: 14, leadTimeDeviation: 0 },
  confidence: 'normal',
  leadTimeSource: 'measured',
  ...{ measuredOrders: 4, serviceLevel: 95, z: 1.645, reviewDays: 7, safetyStock: 0 },
}

/** An automatic rule with a forecast of 14 a week: the point is 28, and an order fills up to 42. */
const forecastRule = (fields: Partial<LowRule> = {}): LowRule =>
  rule({
    ...{ mode: 'auto', inputs, reorderPoint: 28, reorderQuantity: 14 },
    ...{ week: '2026-03-02', model: 'seasonal_mean', wape: 0.18, ahead: [14], standardError: 0 },
    ...fields,
  })

const quantityOf = (low: LowRule, incoming: readonly Incoming[] = []) =>
  suggestFor(low, leadTime, incoming).suggestedQuantity

t.test(
  'by hand: the smallest multiple of the quantity that brings the position above the point',
  async (t) => {
    t.equal(quantityOf(rule({ reorderPoint: 20 })), 18)
    t.equal(quantityOf(rule({ reorderPoint: 37 })), 18, '38 is above 37')
    t.equal(quantityOf(rule({ reorderPoint: 38 })), 36, '38 is not above 38')
    t.equal(quantityOf(rule({ reorderPoint: 20, packSize: 12 })), 24, 'in whole packs')
    t.equal(quantityOf(rule({ reorderPoint: 19 })), 0, '20 is above 19')
  },
)

t.test('a maximum level is filled up to, whatever the quantity', async (t) => {
  t.equal(quantityOf(rule({ maxLevel: 100 })), 80)
  t.equal(quantityOf(forecastRule({ maxLevel: 100 })), 80)
  t.equal(quantityOf(forecastRule({ maxLevel: 20 })), 0, 'the stock is at the maximum already')
})

t.test('an automatic rule orders up to the forecast over lead time and cover', async (t) => {
  // 2 a day over 14 + 7 days = 42, minus 20
  t.equal(quantityOf(forecastRule()), 22)
  // over 14 + 30 days = 88, minus 20
  t.equal(quantityOf(forecastRule({ orderCycleDays: 30 })), 68)
  // the forecast has fallen since the night: what brings it above the point remains
  t.equal(quantityOf(forecastRule({ ahead: [1] })), 9)
})

t.test('an order twenty days after the stock is sold out does not silence the suggestion', async (t) => {
  const incoming = [{ day: '2026-04-01', quantity: 100, lateDays: 5 }]
  for (const [low, suggestedQuantity, text] of [
    // n · 18 above 44 - 20
    [rule({ onOrder: 100 }), 36, /^20 available \+ 100 on order = 120; 100 on order arrive on 1 April/],
    [
      forecastRule({ onOrder: 100 }),
      22,
      /^Sells 14 a week \(seasonal, off by 18 % lately\), arrives in 14 days, 20 left, 100 on/,
    ],
  ] as const) {
    const suggestion = suggestFor(low, leadTime, incoming)
    t.match(suggestion, {
      ...{ suggestedQuantity, position: 120, inTimePosition: 20, lateOnOrder: 100 },
      gapOn: '2026-03-12',
    })
    const explanation = explainSuggestion(low, suggestion, leadTime)
    t.match(explanation, text)
    t.match(
      explanation,
      / 1 April \(5 days after the promised date, as usual for this supplier\), 20 days after it is sold out/,
    )
  }
})

t.test('an order in time silences the suggestion', async (t) => {
  const incoming = [{ day: '2026-03-10', quantity: 100 }]
  t.equal(quantityOf(rule({ onOrder: 100 }), incoming), 0)
  const low = forecastRule({ onOrder: 100 })
  const suggestion = suggestFor(low, leadTime, incoming)
  t.match(suggestion, { suggestedQuantity: 0, inTimePosition: 120, lateOnOrder: 0, gapOn: null })
  t.match(
    explainSuggestion(low, suggestion, leadTime),
    /20 left and 100 arriving in time: nothing to order yet\.$/,
  )
})

t.test(
  'an order that comes after the stock is sold out, but before a new one, is shown with the gap',
  async (t) => {
    // 2 a day: sold out on the days 10 and 11
    const incoming = [{ day: '2026-03-14', quantity: 100 }]
    for (const low of [rule({ onOrder: 100 }), forecastRule({ onOrder: 100 })]) {
      const suggestion = suggestFor(low, leadTime, incoming)
      t.match(suggestion, {
        ...{ suggestedQuantity: 0, inTimePosition: 120, lateOnOrder: 0 },
        ...{ gapOn: '2026-03-12', gapUntil: '2026-03-14', arrivingInGap: 100 },
      })
      t.match(
        explainSuggestion(low, suggestion, leadTime),
        /: sold out on 12 March until 14 March, ask for the order on its way earlier/,
      )
    }
  },
)

t.test('days without stock are no demand of zero', async (t) => {
  // 60 on the 15 days with stock: 4 a day, so 20 pieces last for 5 days
  const low = rule({ emptyDays: 15 })
  const suggestion = suggestFor(low, leadTime, [])
  t.match(suggestion, {
    ...{ avgDailySales: 4, stockoutDate: '2026-03-07', gapOn: '2026-03-07' },
    plan: { unitsPerWeek: 28 },
  })
  t.match(explainSuggestion(low, suggestion, leadTime), /sells 4 a day \(mean of 15 days in stock\)/)
  t.match(suggestFor(rule({ emptyDays: 28 }), leadTime, []), { avgDailySales: 8.57 }, 'at least seven days')
})

t.test('the dates of a forecast follow its weeks', async (t) => {
  // 7 in the first week, then 14: 11 pieces last 7 days and 2 more; minus 14 days
  const low = forecastRule({ ahead: [7, 14], currentStock: 11 })
  t.match(suggestFor(low, leadTime, []), { stockoutDate: '2026-03-11', orderByDate: '2026-02-25' })
})

t.test('an automatic rule without a usable forecast says so', async (t) => {
  const low = rule({ mode: 'auto' })
  const suggestion = suggestFor(low, leadTime, [])
  t.match(suggestion, { suggestedQuantity: 36, method: '30d', wape: null, confidence: 'low' })
  t.match(
    explainSuggestion(low, suggestion, leadTime),
    /There is no usable forecast yet, so the point is that of the sales of 90 days\.$/,
  )
})
