import t, { type Test } from 'tap'
import type { AbcVariant } from '../../../shared/schemas/reports.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { sell } from '../../support/make/sales.ts'
import { makeStock, markVariant, variantGid } from '../../support/make/stock.ts'

/** Six variants at a price of 9.5. Variants 2, 3, 5, 1 and 4 sell 60, 20, 14, 4 and 2 units, variant 6 none. */
async function start(t: Test) {
  const app = await startApp(t)
  const { db, alice } = app
  await makeStock(db, alice, { variants: 6 })
  await sell(db, alice, [
    [1, 4, 5],
    [2, 60, 80],
    [3, 20, 1],
    [4, 2, 1],
    [5, 14, 1],
    [1, 1_000, 100],
  ])
  const list = async (query = '', person: Person = alice): Promise<AbcVariant[]> =>
    (await person.get(`/api/reports/abc${query}`)).json().data
  return { ...app, list }
}

const brief = (rows: AbcVariant[]) =>
  rows.map(({ variantId, abcClass, share, cumulativeShare }) =>
    [/\d+$/.exec(variantId)?.[0], abcClass, share, cumulativeShare].join(' '),
  )

t.test('the report is sorted by revenue with share and cumulative share', async (t) => {
  const { list } = await start(t)
  const report = await list()
  t.strictSame(report[0], {
    variantId: variantGid(2),
    sku: 'SKU-2',
    title: 'Mug 2 - Size 2',
    unitsSold: 60,
    revenue: 570,
    share: 0.6,
    cumulativeShare: 0.6,
    abcClass: 'A',
  })
  t.strictSame(brief(report), [
    '2 A 0.6 0.6',
    '3 A 0.2 0.8',
    '5 B 0.14 0.94',
    '1 B 0.04 0.98',
    '4 C 0.02 1',
    '6 C 0 1',
  ])
})

t.test('the shares of a class or a page refer to the whole shop', async (t) => {
  const { alice, list } = await start(t)
  t.strictSame(brief(await list('?class=B')), ['5 B 0.14 0.94', '1 B 0.04 0.98'])
  t.strictSame(brief(await list('?search=sku-5')), ['5 B 0.14 0.94'])
  t.strictSame(await list('?class=A&search=sku-5'), [])
  t.strictSame(brief(await list('?class=C')), ['4 C 0.02 1', '6 C 0 1'])
  for (const address of ['/api/reports/abc?limit=1', '/api/reports/abc?limit=1&class=B']) {
    const listed: AbcVariant[] = []
    for (let next: string | undefined = address; next && listed.length < 9; ) {
      const answer = await alice.get(next)
      listed.push(...answer.json().data)
      next = /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1]
    }
    t.strictSame(listed, await list(address.replace('/api/reports/abc?limit=1', '?limit=250')))
  }
})

t.test('the report omits deleted variants, includes untracked ones, and works without sales', async (t) => {
  const { db, alice, mallory, list } = await start(t)
  await markVariant(db, alice, 2, 'deleted')
  await markVariant(db, alice, 3, 'untracked')
  t.equal((await list()).length, 5)
  await makeStock(db, mallory, { variants: 1 })
  await sell(db, mallory, [])
  t.strictSame(brief(await list('', mallory)), ['1 C 0 0'])
})

t.test('the report is exported as CSV, and an invalid class is refused', async (t) => {
  const { alice } = await start(t)
  const { body } = await alice.get('/api/reports/abc?limit=1', { accept: 'text/csv' })
  t.equal(
    body,
    `\uFEFFSKU,Product,Units sold,Revenue (USD),Share (%),Cumulative share (%),Class,Variant ID\nSKU-2,Mug 2 - Size 2,60,570,60,60,A,${variantGid(2)}\n`,
  )
  const answer = await alice.get('/api/reports/abc?class=D')
  t.match(expectFailure(t, answer, 400, 'invalid_request').details, [{ path: '/class' }])
})

t.test('a shop without products has an empty report, and the sums of two shops are separate', async (t) => {
  const { db, mallory, list } = await start(t)
  t.strictSame(await list('', mallory), [])
  const before = await list()
  await makeStock(db, mallory, { variants: 6 })
  await sell(db, mallory, [[1, 10_000, 1]])
  t.strictSame(await list(), before)
  t.match(await list('', mallory), [{ revenue: 95_000, share: 1 }])
})
