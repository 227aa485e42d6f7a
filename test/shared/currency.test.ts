import fc from 'fast-check'
import t from 'tap'
import { roundMoney } from '../../shared/currency.ts'

t.test('amounts are rounded half away from zero, as Postgres rounds them', (t) => {
  t.equal(roundMoney(9 * 1.005, 'USD'), 9.05)
  t.equal(roundMoney(-9 * 1.005, 'USD'), -9.05)
  t.equal(roundMoney(9 * 1.0049, 'USD'), 9.04)
  t.equal(roundMoney(3 * 0.5, 'JPY'), 2)
  t.equal(roundMoney(9 * 1.0005, 'KWD'), 9.005)
  t.end()
})

t.test('a quantity of a price with four decimals is rounded exactly', (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100_000 }),
      fc.integer({ min: 0, max: 100_000_000 }),
      (pieces, price) => {
        const cents = (BigInt(pieces) * BigInt(price) + 50n) / 100n
        return roundMoney(pieces * (price / 10_000), 'USD') === Number(cents) / 100
      },
    ),
    { numRuns: 10_000 },
  )
  t.end()
})
