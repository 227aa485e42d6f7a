import t from 'tap'
import { type Price, withPrice, withUndatedPrice } from '../../shared/domain/suppliers/prices.ts'
import type { SupplierPrice } from '../../shared/schemas/supplier-products.ts'
import { addPrice } from '../../web/src/pages/suppliers/products/price-days.ts'

const dayOf = (number: number) => `2026-12-${String(number).padStart(2, '0')}`

const stored = (id: number, price: number, from: number | null, to: number | null): SupplierPrice => ({
  ...{ id, price, minQuantity: 1, currency: 'USD', source: 'import' },
  validFrom: from === null ? null : dayOf(from),
  validTo: to === null ? null : dayOf(to),
})

const lists: SupplierPrice[][] = [
  [],
  [stored(1, 2, null, null)],
  [stored(1, 2, 10, null)],
  [stored(1, 2, null, 10)],
  [stored(1, 2, 10, 10)],
  [stored(1, 2, null, 9), stored(2, 3, 10, null)],
  [stored(1, 2, 5, 8), stored(2, 3, 12, 15), stored(3, 2, 16, 20)],
  [
    { ...stored(1, 2, null, null), minQuantity: 10 },
    { ...stored(2, 2, null, null), currency: 'EUR' },
  ],
]

t.test('the form adds a price as a price list does', async (t) => {
  const days = [null, 4, 5, 8, 9, 10, 11, 12, 15, 16, 21]
  const shown = ({ minQuantity, price, currency, validFrom, validTo }: Omit<Price, 'source'>) =>
    [minQuantity, price, currency, validFrom, validTo].join(' ')
  let cases = 0
  for (const prices of lists) {
    for (const today of [dayOf(1), dayOf(10), dayOf(12), dayOf(31)]) {
      for (const from of days) {
        for (const to of days.filter((day) => day === null || day >= (from ?? 0))) {
          for (const amount of [2, 3, 4]) {
            const { id: _, ...added } = stored(0, amount, from, to)
            const expected =
              from === null && to === null ? withUndatedPrice(prices, added, today) : withPrice(prices, added)
            const addition = addPrice(prices, added, today)
            const list = (addition?.prices ?? prices).map(shown)
            cases++
            if (list.join() !== expected.map(shown).join())
              t.strictSame(list, expected.map(shown), `${shown(added)} on ${today}`)
          }
        }
      }
    }
  }
  t.ok(cases > 1000)
})

t.test('the form says what becomes of the other prices', async (t) => {
  const [first, second, third] = [stored(1, 2, 5, 8), stored(2, 3, 12, 15), stored(3, 2, 16, 20)]
  const { id: _, ...added } = stored(0, 4, 7, 17)
  t.strictSame(addPrice([first, second, third], added, dayOf(1))?.shortened, [
    { price: first, endsOn: '2026-12-06', resumesOn: null },
    { price: second, endsOn: null, resumesOn: null },
    { price: third, endsOn: null, resumesOn: '2026-12-18' },
  ])
  t.equal(addPrice([first], { ...added, price: 2, validFrom: dayOf(6), validTo: dayOf(7) }, dayOf(1)), null)
})
