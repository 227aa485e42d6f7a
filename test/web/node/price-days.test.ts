import t from 'tap'
import { type Price, withPrice, withUndatedPrice } from '../../../shared/domain/records/suppliers/prices.ts'
import type { SupplierPrice } from '../../../shared/schemas/supplier-products.ts'
import { ApiError } from '../../../web/src/api/api-error.ts'
import { addPrice } from '../../../web/src/pages/suppliers/products/price-days.ts'
import {
  addedOf,
  errorsOf,
  fateOf,
  orderFault,
  yearFault,
} from '../../../web/src/pages/suppliers/products/price-form.ts'

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

t.test('the form says in words what becomes of a price', async (t) => {
  const price = stored(1, 2, null, null)
  for (const [endsOn, resumesOn, words] of [
    ['2026-11-30', '2026-12-25', 'ends on 2026-11-30, and holds again from 2026-12-25'],
    ['2026-11-30', null, 'ends on 2026-11-30'],
    [null, '2026-12-25', 'begins on 2026-12-25'],
    [null, null, 'is replaced'],
  ] as const) {
    t.equal(
      fateOf({ price, endsOn, resumesOn }, (day) => day),
      words,
    )
  }
})

t.test('a price is added only with its amount, and with days of four-digit years in order', async (t) => {
  const typed = { price: '12', currency: 'USD', minQuantity: '', validFrom: '', validTo: '' }
  t.match(addedOf(typed), { price: 12, minQuantity: 1, validFrom: null, validTo: null })
  t.match(addedOf({ ...typed, minQuantity: 'a few' }), { minQuantity: Number.NaN })
  for (const change of [
    { price: '' },
    { validFrom: '0002-03-01' },
    { validFrom: '0202-03-01' },
    { validTo: '20261-03-01' },
    { validFrom: '2099-03-01', validTo: '2099-02-01' },
  ]) {
    t.equal(addedOf({ ...typed, ...change }), null, JSON.stringify(change))
  }
  t.equal(yearFault('0202-03-01'), 'Enter a year of four digits.')
  t.equal(yearFault(''), null)
  t.equal(orderFault('2099-03-01', '2099-02-01'), 'The price ends before it begins.')
  t.equal(orderFault('2099-03-01', '2099-03-01'), null)
})

t.test('a refused price is named at the field of the new price', async (t) => {
  const price = { currency: 'USD', validFrom: null, validTo: null }
  const sent = [
    { ...price, price: 10, minQuantity: 1 },
    { ...price, price: 12, minQuantity: 50 },
  ]
  const errors = (path: string) =>
    errorsOf(new ApiError(400, { details: [{ path, message: 'is wrong' }] }), sent)
  t.strictSame(errors('/prices/1/validTo'), { validTo: 'Is wrong.' })
  t.strictSame(errors('/prices/1'), { price: 'Is wrong.' })
  t.strictSame(errors('/prices/0/currency'), { price: 'The price 10 USD from 1: currency Is wrong.' })
  t.strictSame(errors('/version'), {})
})
