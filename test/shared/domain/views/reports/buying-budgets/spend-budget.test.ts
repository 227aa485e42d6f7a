import fc from 'fast-check'
import t from 'tap'
import {
  type BudgetLine,
  spendBudget,
} from '../../../../../../shared/domain/views/reports/buying-budgets/spend-budget.ts'

const line = (id: number, fields: Partial<BudgetLine>): BudgetLine => ({
  ...{ id, supplierId: id, wantedQuantity: 10, suggestedQuantity: 10, unitCost: 1, price: 2, breaks: [] },
  ...{ packSize: 1, quantityMultiple: 1, minimumQuantity: null },
  ...{ supplierMinimumValue: null, supplierMinimumQuantity: null, currency: 'USD', rate: 1, taxRate: 0 },
  ...fields,
})

/** The example of `spendBudget`: C is listed first and ranked last. */
const lines = [
  line(3, { wantedQuantity: 10, suggestedQuantity: 10, unitCost: 30, price: 45 }),
  line(2, {
    ...{ wantedQuantity: 60, suggestedQuantity: 60, unitCost: 8, price: 16 },
    ...{ packSize: 12, minimumQuantity: 24 },
  }),
  line(1, { wantedQuantity: 40, suggestedQuantity: 40, unitCost: 10, price: 25 }),
]

const quantitiesOf = (all: readonly BudgetLine[], budget: number) =>
  spendBudget(all, { budget, currency: 'USD' }).map(({ id, budgetQuantity, overBudgetReason }) => [
    id,
    budgetQuantity,
    overBudgetReason,
  ])

t.test('a budget goes to the highest margin by money, with minimum quantities', async (t) => {
  t.match(spendBudget(lines, { budget: 1_000, currency: 'USD' }), [
    // (25 - 10) · 40 = 600 for 400; (16 - 8) · 60 = 480 for 480; (45 - 30) · 10 = 150 for 300
    { id: 1, budgetQuantity: 40, cost: 400, margin: 600, marginPerCost: 1.5, overBudgetReason: null },
    { id: 2, budgetQuantity: 60, cost: 480, margin: 480, marginPerCost: 1, overBudgetReason: null },
    // 1000 - 400 - 480 = 120 pay 4
    { id: 3, budgetQuantity: 4, cost: 120, margin: 150, marginPerCost: 0.5, overBudgetReason: 'budget' },
  ])
  // 700 - 400 = 300 pay 37, in packs of 12: 36 at 8 = 288; 12 are left, less than 30
  t.strictSame(quantitiesOf(lines, 700), [
    [1, 40, null],
    [2, 36, 'budget'],
    [3, 0, 'budget'],
  ])
  // 150 pay a pack of 12, less than the minimum of 24; they pay 5 of the third
  t.strictSame(quantitiesOf(lines, 550), [
    [1, 40, null],
    [2, 0, 'budget'],
    [3, 5, 'budget'],
  ])
  t.strictSame(
    quantitiesOf(lines, 0).map(([, quantity]) => quantity),
    [0, 0, 0],
  )
})

t.test('pieces that packs add win no margin', async (t) => {
  // 10 wanted, 24 in packs: 10 · 1 for 24
  const [spent] = spendBudget([line(1, { suggestedQuantity: 24, packSize: 24 })], {
    budget: 100,
    currency: 'USD',
  })
  t.match(spent, { margin: 10, marginPerCost: 10 / 24, cost: 24 })
})

t.test('a line without a price comes last, and is still bought', async (t) => {
  const unpriced = line(1, { price: null })
  t.strictSame(quantitiesOf([unpriced, line(2, { price: 1.1 })], 15), [
    [2, 10, null],
    [1, 5, 'budget'],
  ])
})

t.test('fewer pieces have the price of their quantity', async (t) => {
  const breaks = [
    { minQuantity: 1, price: 4 },
    { minQuantity: 48, price: 2 },
  ]
  const product = line(1, {
    suggestedQuantity: 60,
    wantedQuantity: 60,
    unitCost: 2,
    price: 9,
    breaks,
    packSize: 6,
  })
  // 100 pay 48 at 2 = 96
  t.match(spendBudget([product], { budget: 100, currency: 'USD' }), [{ budgetQuantity: 48, cost: 96 }])
  // 95 do not pay 48 at 2, but 18 at 4 = 72
  t.match(spendBudget([product], { budget: 95, currency: 'USD' }), [{ budgetQuantity: 18, cost: 72 }])
})

t.test('a supplier whose minimum the budget does not reach gets no order', async (t) => {
  const ofFirst = { supplierId: 7, supplierMinimumValue: 15 }
  const all = [
    line(1, { ...ofFirst, price: 3 }),
    line(2, { ...ofFirst, price: 2.5 }),
    line(3, { price: 1.5 }),
  ]
  // the two cost 20, and 12 would be below 15: all goes to the other supplier
  t.strictSame(quantitiesOf(all, 12), [
    [1, 0, 'supplier_minimum'],
    [2, 0, 'supplier_minimum'],
    [3, 10, null],
  ])
  t.strictSame(quantitiesOf(all, 16), [
    [1, 10, null],
    [2, 6, 'budget'],
    [3, 0, 'budget'],
  ])
  // the whole suggestion is below the minimum, which the budget did not cause
  t.strictSame(quantitiesOf([line(1, { supplierMinimumQuantity: 100 })], 50), [[1, 10, null]])
})

t.test("a supplier's minimum is compared without tax, as the order compares it", async (t) => {
  // 100 with 10 % is 110.00000000000001 as a floating-point number
  const exact = { supplierId: 9, supplierMinimumValue: 100, taxRate: 10 }
  t.strictSame(
    quantitiesOf([line(1, { ...exact, unitCost: 10, price: 20 }), line(2, { ...exact, price: 1.5 })], 110),
    [
      [1, 10, null],
      [2, 0, 'budget'],
    ],
  )
  // 0.33 + 0.33 + 0.34 = 1.00; with 19 % the lines cost 0.39 + 0.39 + 0.40 = 1.18, and 1.00 costs 1.19
  const one = { wantedQuantity: 1, suggestedQuantity: 1, supplierId: 9, supplierMinimumValue: 1, taxRate: 19 }
  const cents = [0.33, 0.33, 0.34].map((unitCost, at) => line(at + 1, { ...one, unitCost }))
  t.strictSame(quantitiesOf(cents, 1.18), [
    [1, 1, null],
    [2, 1, null],
    [3, 1, null],
  ])
  // 60 euros are 66 dollars, and buy 20 pieces at the price of fewer than 40
  const breaks = [
    { minQuantity: 1, price: 3 },
    { minQuantity: 40, price: 2 },
  ]
  const abroad = line(1, {
    ...{ wantedQuantity: 40, suggestedQuantity: 40, unitCost: 2, price: 9, breaks },
    ...{ currency: 'EUR', rate: 1.1, supplierMinimumValue: 60 },
  })
  t.strictSame(quantitiesOf([abroad], 66), [[1, 20, 'budget']])
  t.strictSame(quantitiesOf([abroad], 65), [[1, 0, 'supplier_minimum']])
})

t.test('never more than the budget, always whole steps and the minimum, in any order of lines', async () => {
  const any = fc.record({
    unitCost: fc.integer({ min: 1, max: 500 }).map((cents) => cents / 100),
    price: fc.option(fc.integer({ min: 0, max: 900 }).map((cents) => cents / 100)),
    packSize: fc.integer({ min: 1, max: 12 }),
    packs: fc.integer({ min: 1, max: 20 }),
    minimumPacks: fc.integer({ min: 0, max: 20 }),
    supplierId: fc.integer({ min: 1, max: 3 }),
    supplierMinimumValue: fc.constantFrom(null, 50),
  })
  fc.assert(
    fc.property(fc.array(any, { maxLength: 12 }), fc.integer({ min: 0, max: 500 }), (made, budget) => {
      const all = made.map(({ packs, minimumPacks, ...fields }, at) => {
        const suggestedQuantity = Math.max(packs, minimumPacks) * fields.packSize
        return line(at + 1, {
          ...fields,
          ...{ suggestedQuantity, wantedQuantity: suggestedQuantity },
          minimumQuantity: minimumPacks * fields.packSize,
        })
      })
      const spent = spendBudget(all, { budget, currency: 'USD' })
      const byId = new Map(all.map((each) => [each.id, each]))
      const sum = spent.reduce(
        (total, { budgetQuantity, cost }) => total + (budgetQuantity > 0 ? cost : 0),
        0,
      )
      const isAccepted = spent.every(({ id, budgetQuantity }) => {
        const { packSize = 1, minimumQuantity } = byId.get(id) ?? {}
        return (
          budgetQuantity === 0 ||
          (budgetQuantity % packSize === 0 && budgetQuantity >= (minimumQuantity ?? 0))
        )
      })
      const turned = spendBudget(all.toReversed(), { budget, currency: 'USD' })
      return sum <= budget + 0.001 && isAccepted && JSON.stringify(turned) === JSON.stringify(spent)
    }),
  )
})

t.test('costs are rounded to minor units of the currency', (t) => {
  const product = line(1, { unitCost: 1.0556, suggestedQuantity: 3, wantedQuantity: 3 })
  // 3.1668, and 3 x (2 - 1.0556) = 2.8332
  for (const [currency, cost, margin] of [
    ['JPY', 3, 3],
    ['USD', 3.17, 2.83],
    ['KWD', 3.167, 2.833],
  ] as const) {
    t.match(spendBudget([product], { budget: 10, currency }), [{ cost, margin }], currency)
  }
  t.end()
})
