import fc from 'fast-check'
import t from 'tap'
import { expectLedger, levelsOf, pushLinesOf } from '../support/make/stock.ts'
import { places, startShops } from '../support/make/stock-shop.ts'

type Shop = Awaited<ReturnType<Awaited<ReturnType<typeof startShops>>['openShop']>>
type Step = { name: string; run: (shop: Shop) => Promise<unknown> }

const place = fc.constantFrom(...places)
const pieces = fc.integer({ min: 1, max: 4 })
const which = fc.nat({ max: 9 })

/** A step with its name and values, so that a failing run can be read. */
function step<T extends unknown[]>(
  weight: number,
  name: string,
  values: { [K in keyof T]: fc.Arbitrary<T[K]> },
  run: (shop: Shop, ...values: T) => Promise<unknown>,
) {
  const arbitrary = fc
    .tuple<T>(...values)
    .map((chosen): Step => ({ name: `${name}(${chosen.join(', ')})`, run: (shop) => run(shop, ...chosen) }))
  return { weight, arbitrary }
}

/** What people, the platform and bad luck may do, in any order. */
const steps = fc.array(
  fc.oneof(
    step(4, 'sell', [place, pieces], (shop, ...values) => shop.sell(...values)),
    step(4, 'hear', [which], (shop, ...values) => shop.hear(...values)),
    step(2, 'adjust', [place, fc.integer({ min: -5, max: 5 })], (shop, ...values) => shop.adjust(...values)),
    step(1, 'set', [place, fc.nat({ max: 20 })], (shop, ...values) => shop.set(...values)),
    step(2, 'receive', [place, pieces], (shop, ...values) => shop.receive(...values)),
    step(2, 'ship', [fc.constantFrom(1, 2), fc.boolean(), pieces], (shop, ...values) => shop.ship(...values)),
    step(2, 'arrive', [which, fc.boolean()], (shop, ...values) => shop.arrive(...values)),
    step(2, 'count', [place], (shop, ...values) => shop.count(...values)),
    step(2, 'submit', [which], (shop, ...values) => shop.submit(...values)),
    step(4, 'push', [], (shop) => shop.push()),
    step(3, 'die', [fc.boolean()], (shop, ...values) => shop.die(...values)),
    step(1, 'reconcile', [], (shop) => shop.reconcile()),
  ),
  { minLength: 5, maxLength: 40 },
)

t.test(
  'whatever happens in whatever order, shelf, books, ledger and platform agree in the end',
  { timeout: 240_000 },
  async (t) => {
    const { db, openShop } = await startShops(t)
    const property = fc.asyncProperty(steps, async (chosen) => {
      const shop = await openShop()
      for (const { run } of chosen) await run(shop)
      await shop.settle()
      await shop.reconcile()
      const expected = places.map((one) => {
        const books = (shop.shelf.get(one) ?? 0) + (shop.wrong.get(one) ?? 0)
        return [one, { books, platform: books }]
      })
      const levels = await levelsOf(db, shop.person)
      const found = places.map((one) => [
        one,
        { books: levels[one]?.[0], platform: shop.platform.levels.get(one)?.available },
      ])
      const wanted = JSON.stringify(expected)
      if (JSON.stringify(found) !== wanted) throw new Error(`${JSON.stringify(found)} instead of ${wanted}`)
      const left = await pushLinesOf(db, shop.person)
      if (left.length > 0) throw new Error(`The platform was never told ${JSON.stringify(left)}`)
      await expectLedger(t, db, shop.person)
    })
    const outcome = await fc.check(property, {
      numRuns: Number(process.env.RUNS ?? 40),
      seed: Number(process.env.SEED ?? 20261121),
    })
    const [failing = []] = outcome.counterexample ?? []
    const story = failing.map(({ name }) => name).join(', ')
    t.notOk(outcome.failed, `${outcome.numRuns} runs; ${story} ${String(outcome.errorInstance ?? '')}`)
  },
)
