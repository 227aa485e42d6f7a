import fc from 'fast-check'
import t from 'tap'
import { expectLedger, levelsOf, pushLinesOf } from '../support/make/stock.ts'
import { levelKeys, startShops } from '../support/make/stock-shop.ts'

type Shop = Awaited<ReturnType<Awaited<ReturnType<typeof startShops>>['openShop']>>
type Step = { name: string; run: (shop: Shop) => Promise<unknown> }

const levelKey = fc.constantFrom(...levelKeys)
const quantity = fc.integer({ min: 1, max: 4 })
const index = fc.nat({ max: 9 })

/** A step with its name and values, which make a failing run readable. */
function step<T extends unknown[]>(
  weight: number,
  name: string,
  values: { [K in keyof T]: fc.Arbitrary<T[K]> },
  run: (shop: Shop, ...values: T) => Promise<unknown>,
) {
  const arbitrary = fc.tuple<T>(...values).map(
    (sequence): Step => ({
      name: `${name}(${sequence.join(', ')})`,
      run: (shop) => run(shop, ...sequence),
    }),
  )
  return { weight, arbitrary }
}

/** Actions of merchants, the platform and failures, in any order. */
const steps = fc.array(
  fc.oneof(
    step(4, 'sell', [levelKey, quantity], (shop, ...values) => shop.sell(...values)),
    step(4, 'applyUpdate', [index], (shop, ...values) => shop.applyUpdate(...values)),
    step(2, 'adjust', [levelKey, fc.integer({ min: -5, max: 5 })], (shop, ...values) =>
      shop.adjust(...values),
    ),
    step(1, 'set', [levelKey, fc.nat({ max: 20 })], (shop, ...values) => shop.set(...values)),
    step(2, 'receive', [levelKey, quantity], (shop, ...values) => shop.receive(...values)),
    step(2, 'ship', [fc.constantFrom(1, 2), fc.boolean(), quantity], (shop, ...values) =>
      shop.ship(...values),
    ),
    step(2, 'arrive', [index, fc.boolean()], (shop, ...values) => shop.arrive(...values)),
    step(2, 'count', [levelKey], (shop, ...values) => shop.count(...values)),
    step(2, 'submit', [index], (shop, ...values) => shop.submit(...values)),
    step(4, 'push', [], (shop) => shop.push()),
    step(3, 'crashDuringPush', [fc.boolean()], (shop, ...values) => shop.crashDuringPush(...values)),
    step(1, 'reconcile', [], (shop) => shop.reconcile()),
  ),
  { minLength: 5, maxLength: 40 },
)

t.test(
  'after any sequence of events, shelf, books, ledger and platform agree',
  { timeout: 240_000 },
  async (t) => {
    const { db, openShop } = await startShops(t)
    const property = fc.asyncProperty(steps, async (sequence) => {
      const shop = await openShop()
      for (const { run } of sequence) await run(shop)
      await shop.settle()
      await shop.reconcile()
      const expected = levelKeys.map((key) => {
        const books = (shop.shelf.get(key) ?? 0) + (shop.bookErrors.get(key) ?? 0)
        return [key, { books, platform: books }]
      })
      const levels = await levelsOf(db, shop.person)
      const actual = levelKeys.map((key) => [
        key,
        { books: levels[key]?.[0], platform: shop.platform.levels.get(key)?.available },
      ])
      if (JSON.stringify(actual) !== JSON.stringify(expected))
        throw new Error(`${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`)
      const unsent = await pushLinesOf(db, shop.person)
      if (unsent.length > 0) throw new Error(`The pushes were never sent: ${JSON.stringify(unsent)}`)
      await expectLedger(t, db, shop.person)
    })
    const outcome = await fc.check(property, {
      numRuns: Number(process.env.RUNS ?? 40),
      seed: Number(process.env.SEED ?? 20261121),
    })
    const [failing = []] = outcome.counterexample ?? []
    const failingSteps = failing.map(({ name }) => name).join(', ')
    t.notOk(outcome.failed, `${outcome.numRuns} runs; ${failingSteps} ${String(outcome.errorInstance ?? '')}`)
  },
)
