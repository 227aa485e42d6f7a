import { Type } from '@sinclair/typebox'
import t from 'tap'
import { minorDigitsOf } from '../../../../../shared/currency.ts'
import { row, sql } from '../../../../../shared/db/db.ts'
import { openTestDb } from '../../../../support/core/database.ts'
import { createRandom } from '../../../../support/faults/faults.ts'

const Split = Type.Object({ at: Type.Integer(), shares: Type.Array(Type.String()) })

t.test('the shares of a charge add up to it, and each is within one minor unit of its part', async (t) => {
  const { db } = await openTestDb(t)
  const below = createRandom(19)
  const integer = (min: number, max: number) => min + below(max - min + 1)
  const cases = Array.from({ length: 10_000 }, (_, at) => {
    const digits = integer(0, 2) === 0 ? 0 : integer(2, 3)
    const weights = Array.from({ length: integer(1, 12) }, () =>
      integer(0, 4) === 0 ? 0 : integer(1, 9_999_999),
    )
    return { at, digits, units: integer(0, 100_000_000), weights }
  })
  const rows = cases.map(({ at, digits, units, weights }) => [
    at,
    digits,
    (units / 10 ** digits).toFixed(digits),
    JSON.stringify(weights),
  ])
  const splits = await db.any(sql.type(row(Split))`
    select c.at, to_jsonb(allocate(c.amount, c.digits, array(
      select value::numeric from jsonb_array_elements_text(c.weights) with ordinality as w (value, place) order by place
    ))::text[]) as shares
    from ${sql.unnest(rows, ['int4', 'int4', 'numeric', 'jsonb'])} as c (at, digits, amount, weights)
    order by c.at
  `)
  const wrong = cases.filter(({ at, digits, units, weights }) => {
    const shares = (splits[at]?.shares ?? []).map((share) => Math.round(Number(share) * 10 ** digits))
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    const isNear = shares.every((share, place) => {
      const exact = total === 0 ? units / weights.length : (units * (weights[place] ?? 0)) / total
      return Math.abs(share - exact) < 1.000001
    })
    return (
      shares.length !== weights.length || shares.reduce((sum, share) => sum + share, 0) !== units || !isNear
    )
  })
  t.strictSame(wrong, [])
})

t.test('Postgres and the API agree on the decimals of every currency', async (t) => {
  const { db } = await openTestDb(t)
  const currencies = Intl.supportedValuesOf('currency')
  const digits = await db.any(sql.type(row(Type.Object({ currency: Type.String(), digits: Type.Integer() })))`
    select currency, minor_digits(currency) as digits from unnest(${sql.array(currencies, 'text')}) as currency
  `)
  t.strictSame(
    digits.filter(({ currency, digits }) => digits !== minorDigitsOf(currency)),
    [],
  )
})

t.test('the average follows its formulas', async (t) => {
  const { db } = await openTestDb(t)
  const after = (onHand: number, average: number | null, quantity: number, value: number) =>
    db.oneFirst(sql.type(row(Type.Object({ after: Type.Union([Type.Number(), Type.Null()]) })))`
      select average_after(${onHand}::bigint, ${average}::numeric, ${quantity}::bigint, ${value}::numeric) as after
    `)
  // came: (10 × 2 + 13) / 15
  t.equal(await after(10, 2, 5, 13), 2.2)
  t.equal(await after(0, 2, 5, 13), 2.6, 'of nothing, the average is what came')
  t.equal(await after(-4, 2, 5, 13), 2.6, 'below zero, too')
  t.equal(await after(10, null, 5, 13), 2.6, 'and of pieces whose cost is not known')
  // left: (15 × 2.2 - 13) / 10
  t.equal(await after(15, 2.2, -5, -13), 2)
  t.equal(await after(5, 2.2, -5, -13), 2.2, 'no piece stays')
  t.equal(await after(10, 1, -9, -18), 1, 'never below 0')
  // dearer: 2 + 5 / 10
  t.equal(await after(10, 2, 0, 5), 2.5)
  t.equal(await after(0, 2, 0, 5), 2)
})
