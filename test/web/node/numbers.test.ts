import t from 'tap'
import { remainingErrors } from '../../../web/src/components/forms/draft-errors.ts'
import { readNumber } from '../../../web/src/components/forms/read-number.ts'
import { goodsValue, sumsOf } from '../../../web/src/pages/purchase-orders/form/sums.ts'

const money = { decimals: 4 }

t.test('a typed number reads as the merchant writes it', async (t) => {
  for (const [text, decimalMark, rules, expected] of [
    ['1,234.50', '.', money, 1234.5],
    ['1.234,50', '.', money, 1234.5],
    ['1.234,50', ',', money, 1234.5],
    ['1,234', '.', money, 1234],
    ['1,234', ',', money, 1.234],
    ['1.234', '.', money, 1.234],
    ['1.234', ',', money, 1234],
    ['1.234', '.', {}, 1234],
    ['0,125', '.', money, 0.125],
    ['1,5', '.', money, 1.5],
    ['1,234,567', '.', money, 1234567],
    ['1 234,50', ',', money, 1234.5],
    ["1'234.50", '.', money, 1234.5],
    ['1’234', '.', {}, 1234],
    ['£1,234.50', '.', money, 1234.5],
    ['1.234,50 €', ',', money, 1234.5],
    ['US$ 12', '.', money, 12],
    ['12 EUR', '.', money, 12],
    ['12.', '.', money, 12],
    ['.5', '.', money, 0.5],
    ['2.00', '.', {}, 2],
    ['-5', '.', { min: -10 }, -5],
    ['−5', '.', { min: -10 }, -5],
  ] as const) {
    t.strictSame(
      readNumber(text, { decimalMark, ...rules }),
      { number: expected },
      `${text} with ${decimalMark}`,
    )
  }
})

t.test('the sums of an order are exact in the decimals of its currency', async (t) => {
  const line = (costPrice: number) => ({ quantity: 1, costPrice, discountPercent: 0, taxRate: 10 })
  t.strictSame(sumsOf([8.19, 66.82, 24.99].map(line), { decimals: 2 }), { subtotal: 100, tax: 10 })
  t.equal(goodsValue(33.3, 3.3, 2), 30)
  t.equal(goodsValue(33.3, '', 2), 33.3)
})

t.test('what is no number is refused, never changed into one', async (t) => {
  for (const [text, rules, fault] of [
    ['1e3', money, 'Enter a number.'],
    ['20%', money, 'Enter a number.'],
    ['abc', money, 'Enter a number.'],
    ['1,23,456', money, 'Enter a number.'],
    ['1.2.3', money, 'Enter a number.'],
    ['12 34', money, 'Enter a number.'],
    ['.', money, 'Enter a number.'],
    ['1.5', {}, 'Enter a whole number.'],
    ['1,5', {}, 'Enter a whole number.'],
    ['12 pieces', {}, 'Enter a whole number.'],
    ['-3', {}, 'Enter a number that is not negative.'],
    ['1.23456', money, 'Enter at most 4 decimals.'],
    ['101', { max: 100 }, 'Enter at most 100.'],
    ['0', { min: 1 }, 'Enter at least 1.'],
  ] as const) {
    t.strictSame(readNumber(text, { decimalMark: '.', ...rules }), { fault }, text)
  }
})

t.test('an error goes when its field is mended, and follows its line', async (t) => {
  const errors = {
    supplierId: 'a',
    expectedAt: 'b',
    'lineItems.1.costPrice': 'c',
    'lineItems.2.quantity': 'd',
  }
  const line = (key: number, quantity: number | '', costPrice: number | '') => ({ key, quantity, costPrice })
  const before = {
    supplierId: null,
    expectedDay: '',
    notes: '',
    lines: [line(1, 1, 1), line(2, 2, ''), line(3, '', 3)],
  }
  t.strictSame(remainingErrors(errors, before, { ...before, notes: 'Later' }), errors)
  t.strictSame(remainingErrors(errors, before, { ...before, supplierId: 4, lines: before.lines.slice(1) }), {
    expectedAt: 'b',
    'lineItems.0.costPrice': 'c',
    'lineItems.1.quantity': 'd',
  })
  const mended = {
    ...before,
    expectedDay: '2026-12-01',
    lines: [line(1, 1, 1), line(2, 2, 5), line(3, '', 3)],
  }
  t.strictSame(remainingErrors(errors, before, mended), { supplierId: 'a', 'lineItems.2.quantity': 'd' })
  t.strictSame(
    remainingErrors({ total: 'e' }, before, mended),
    {},
    'an error of no field goes with any change',
  )
})
