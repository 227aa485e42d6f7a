import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../shared/db/db.ts'
import type { Person } from '../../support/core/people.ts'
import { createRandom } from '../../support/faults/faults.ts'
import { insertRule, setReorderPoint } from '../../support/make/reorder.ts'
import { makeStock, markVariant, variantGid } from '../../support/make/stock.ts'
import { startDeliveries } from '../../support/platform/webhooks.ts'

const Counts = Type.Object({ products: Type.Integer(), rules: Type.Integer() })
const Ids = Type.Object({ id: Type.Integer() })
const variants = 6

/** Two shops with six variants, each of its own product, 10 units of each. */
async function start(t: Test) {
  const context = await startDeliveries(t)
  const { db, alice, mallory } = context
  for (const shop of [alice, mallory]) await makeStock(db, shop, { variants })

  /** Counts row by row, as the reference. */
  const counted = ({ shopId }: Person) =>
    db.one(sql.type(row(Counts))`
      select
        (select count(*) from product where shop_id = ${shopId} and deleted_at is null and status <> '') as products,
        (
          select count(*)
          from reorder_rule r
          join variant v on v.shop_id = r.shop_id and v.id = r.variant_id
          where r.shop_id = ${shopId} and r.current_stock <= r.reorder_point and v.is_tracked and v.deleted_at is null
        ) as rules
    `)
  return {
    ...context,
    rules: ({ shopId }: Person) =>
      db.anyFirst(sql.type(row(Ids))`select id from reorder_rule where shop_id = ${shopId} order by id`),
    async expectExact(message: string) {
      for (const person of [alice, mallory]) {
        const { totalProducts: products, lowStockItems: rules } = (await person.get('/api/dashboard')).json()
          .data.stats
        t.strictSame({ products, rules }, await counted(person), message)
      }
    },
    async setProduct({ shopId }: Person, number: number, isThere: boolean) {
      await db.query(sql.typeAlias('void')`
        update product set deleted_at = case when not ${isThere} then now() end
        where shop_id = ${shopId} and gid = ${`gid://platform/Product/${number}`}
      `)
    },
  }
}

t.test('the dashboard numbers are always exact, whatever changes', async (t) => {
  const { db, alice, mallory, rules, expectExact, setProduct } = await start(t)
  const random = createRandom(7)
  const states = ['counted', 'counted', 'untracked', 'deleted'] as const
  for (const person of [alice, mallory]) await insertRule(db, person, { variant: 1, reorderPoint: 11 })
  const steps = [
    async (person: Person) => setProduct(person, 1 + random(variants), random(2) === 0),
    async (person: Person) => markVariant(db, person, 1 + random(variants), states[random(4)] ?? 'counted'),
    async (person: Person) => {
      const [id] = (await rules(person)).slice(random(4))
      if (id !== undefined) await setReorderPoint(db, person, id, 9 + random(3))
    },
    async (person: Person) => {
      const rule = {
        variantId: variantGid(1 + random(variants)),
        reorderPoint: 8 + random(6),
        reorderQuantity: 5,
      }
      await person.post('/api/reorder/rules', rule)
    },
    async (person: Person) => {
      const [id] = (await rules(person)).slice(random(6))
      if (id !== undefined)
        await person.put(`/api/reorder/rules/${id}`, { variantId: variantGid(1 + random(variants)) })
    },
    async (person: Person) => {
      const [id] = (await rules(person)).slice(3)
      if (id !== undefined) await person.delete(`/api/reorder/rules/${id}`)
    },
  ]
  for (let count = 0; count < 300; count += 1) {
    const kind = random(steps.length)
    await steps[kind]?.(random(4) === 0 ? mallory : alice)
    await expectExact(`after step ${count}, of kind ${kind}`)
  }
})

t.test('concurrent rule deletions and rule changes give exact numbers', async (t) => {
  const { db, alice, rules, expectExact } = await start(t)
  for (let rounds = 0; rounds < 8; rounds += 1) {
    for (let variant = 1; variant <= variants; variant += 1)
      await insertRule(db, alice, { variant, reorderPoint: 11 })
    const ids = await rules(alice)
    await markVariant(db, alice, 2, rounds % 3 === 0 ? 'untracked' : 'counted')
    const deleting = ids.slice(0, 4).map((id) => alice.delete(`/api/reorder/rules/${id}`))
    const changing = [
      ...ids.slice(2).map((id) => setReorderPoint(db, alice, id, 9)),
      markVariant(db, alice, 5, 'deleted'),
    ]
    const moving = ids
      .slice(4)
      .map((id) => alice.put(`/api/reorder/rules/${id}`, { variantId: variantGid(1) }))
    await Promise.all(changing)
    for (const { statusCode } of await Promise.all([...deleting, ...moving])) t.ok(statusCode < 500)
    await expectExact(`after round ${rounds}`)
    for (const id of await rules(alice)) await alice.delete(`/api/reorder/rules/${id}`)
    await markVariant(db, alice, 5, 'counted')
    await expectExact(`without rules, after round ${rounds}`)
  }
})
