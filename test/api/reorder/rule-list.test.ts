import t, { type Test } from 'tap'
import type { ReorderRule } from '../../../shared/schemas/reorder-rules.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { type Person, readPages } from '../../support/core/people.ts'
import { listRules, makeRule } from '../../support/make/reorder.ts'
import { locationGid, makeStock, variantGid } from '../../support/make/stock.ts'

/** Three products with one rule for all locations, and one more for the second location of the first product. */
async function start(t: Test) {
  const people = await startApp(t)
  const { db, alice, mallory } = people
  for (const person of [alice, mallory]) await makeStock(db, person, { variants: 3, locations: 2 })
  const ids: number[] = []
  for (const number of [2, 1, 3]) ids.push(await makeRule(alice, { variantId: variantGid(number) }))
  ids.push(await makeRule(alice, { locationId: locationGid(2) }))
  const theirs = await makeRule(mallory)
  return { ...people, ids, theirs }
}

const idsOf = (rules: readonly ReorderRule[]) => rules.map(({ id }) => id)

t.test('rules are listed by each sort, on pages that have every rule once', async (t) => {
  const { alice, ids } = await start(t)
  const [second, first, third, firstThere] = ids
  for (const [sort, expected] of [
    ['newest', [firstThere, third, first, second]],
    ['oldest', [second, first, third, firstThere]],
    ['sku', [first, firstThere, second, third]],
    ['-sku', [third, second, firstThere, first]],
    ['title', [first, firstThere, second, third]],
    ['-title', [third, second, firstThere, first]],
  ] as const) {
    t.strictSame(idsOf(await listRules(alice, `?sort=${sort}`)), expected, sort)
    const paged = await readPages(alice, `/api/reorder/rules?sort=${sort}&limit=1`)
    t.strictSame(paged.flat(), expected, `${sort}, in pages`)
  }
  const page = await alice.get('/api/reorder/rules?sort=sku&limit=1')
  const [, cursor = ''] = /cursor=([^&>]+)/.exec(String(page.headers.link)) ?? []
  expectFailure(t, await alice.get(`/api/reorder/rules?sort=title&cursor=${cursor}`), 400, 'invalid_request')
})

t.test('the list says how many rules match', async (t) => {
  const { alice } = await start(t)
  const meta = async (query: string) => (await alice.get(`/api/reorder/rules?count=true${query}`)).json().meta
  t.match(await meta('&limit=1'), { total: 4, isExact: true })
  t.match(await meta('&search=sku-1'), { total: 2 })
})

t.test('many rules are deleted, all or none', async (t) => {
  const { alice, mallory, ids, theirs } = await start(t)
  const remove = (person: Person, body: object) => person.post('/api/reorder/rules/delete', body)
  const [one = 0, two = 0] = ids
  const refused = expectFailure(t, await remove(alice, { ids: [one, theirs] }), 422, 'unknown_rule')
  t.strictSame(refused.details, [{ path: '/ids/1', message: 'is not a reorder rule of this shop' }])
  t.equal((await listRules(alice)).length, 4)
  expectFailure(t, await remove(alice, { ids: [] }), 400, 'invalid_request')
  t.strictSame((await remove(alice, { ids: [one, two, one] })).json().data, { deleted: 2 })
  t.strictSame(idsOf(await listRules(alice)), ids.slice(2).toReversed())
  t.strictSame(idsOf(await listRules(mallory)), [theirs])
})
