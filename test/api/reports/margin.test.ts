import { isDeepStrictEqual } from 'node:util'
import t, { type Test } from 'tap'
import { type DatabasePool, sql } from '../../../shared/db/db.ts'
import { recomputeMargins } from '../../../shared/domain/ledgers/margins/recompute.ts'
import { recordOrders } from '../../../shared/domain/ledgers/sales/record.ts'
import { recomputeSalesVelocity } from '../../../shared/domain/ledgers/sales/velocity.ts'
import type { Margin } from '../../../shared/schemas/reports.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { daysAgo } from '../../support/core/instants.ts'
import type { Person } from '../../support/core/people.ts'
import { gidOf } from '../../support/make/catalogue.ts'
import { line, makeSentOrder, receive } from '../../support/make/orders.ts'
import { makeStock, variantGid } from '../../support/make/stock.ts'

let orders = 40_000_000

/** Three variants with 10 pieces each. `sell` records an order of one line at a price. */
async function start(t: Test) {
  const app = await startApp(t)
  const { db, alice } = app
  await makeStock(db, alice, { variants: 3 })
  return {
    ...app,
    sell: (
      variant: number,
      quantity: number,
      price: number,
      { at = new Date(), returned = 0 }: { at?: Date; returned?: number } = {},
      person: Person = alice,
    ) =>
      db.transaction((tx) => {
        orders += 1
        const lineGid = gidOf('LineItem', orders)
        const fields = { currentQuantity: quantity - returned, unshippedQuantity: 0, discount: 0, tax: 0 }
        return recordOrders(tx, person.shopId, [
          {
            orderGid: gidOf('Order', orders),
            orderedAt: at.toISOString(),
            updatedAt: at.toISOString(),
            isTest: false,
            isCancelled: false,
            lines: [{ lineGid, variantGid: variantGid(variant), quantity, price, ...fields }],
            refunds: returned > 0 ? [{ lineGid, quantity: returned, restockType: 'return' }] : [],
            shipments: [{ lineGid, quantity }],
          },
        ])
      }),
    setCost: (variant: number, unitCost: number) => alice.put(`/api/variants/${variant}`, { unitCost }),
    /** The report as it is summed on request. It must be the same when it reads what the worker stored, which the next call forgets. */
    list: async (query = '', person: Person = alice): Promise<Margin[]> => {
      const summed = await listNow(person, query)
      await store(db, person)
      const stored = await listNow(person, query)
      await forget(db, person)
      if (!isDeepStrictEqual(stored, summed)) throw new Error(`stored: ${JSON.stringify(stored)}`)
      return summed
    },
  }
}

async function listNow(person: Person, query: string): Promise<Margin[]> {
  const response = await person.get(`/api/reports/margin${query}`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}

async function store(db: DatabasePool, { shopId }: Person): Promise<void> {
  await recomputeSalesVelocity(db, shopId, { isWhole: true })
  await recomputeMargins(db, shopId)
}

const forget = (db: DatabasePool, { shopId }: Person) =>
  db.query(sql.typeAlias('void')`delete from margin_period where shop_id = ${shopId}`)

/**
 * Variant 1: 3 sold for 30 at an average of 4.00; then 10 received at 6.00: (10 x 4 + 10 x 6) / 20 = 5.00; 2 sold for 20 after it.
 *   cost 3 x 4 + 2 x 5 = 22, revenue 50, margin 28, 56 %
 * Variant 2: 4 sold for 40 of which 1 came back, at 9.00: net 3, revenue 30, cost 27, margin 3, 10 %
 * Variant 3: 1 sold for 100, without a cost
 */
async function makeSales(context: Awaited<ReturnType<typeof start>>) {
  const { alice, sell, setCost } = context
  await setCost(1, 4)
  await setCost(2, 9)
  await sell(1, 3, 10)
  const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 10, costPrice: 6 })] })
  await receive(alice, id, [10])
  await sell(1, 2, 10)
  await sell(2, 4, 10, { returned: 1 })
  await sell(3, 1, 100)
}

t.test('a sale costs the average at its time; what has no cost comes last', async (t) => {
  const context = await start(t)
  await makeSales(context)
  const fields = (number: number) => ({
    productId: gidOf('Product', number),
    variantId: variantGid(number),
    sku: `SKU-${number}`,
    title: `Mug ${number} - Size ${number}`,
  })
  t.strictSame(await context.list(), [
    { ...fields(1), netUnits: 5, revenue: 50, cost: 22, margin: 28, marginPercent: 56, uncostedUnits: 0 },
    { ...fields(2), netUnits: 3, revenue: 30, cost: 27, margin: 3, marginPercent: 10, uncostedUnits: 0 },
    {
      ...fields(3),
      netUnits: 1,
      revenue: 100,
      cost: null,
      margin: null,
      marginPercent: null,
      uncostedUnits: 1,
    },
  ])
})

t.test('sales before the first movement cost what the ledger begins with', async (t) => {
  const { sell, setCost, list } = await start(t)
  await sell(1, 1, 10, { at: daysAgo(5) })
  await setCost(1, 4)
  await setCost(1, 7)
  t.match(await list(), [{ cost: 4, margin: 6 }])
})

t.test('the period, the product filters and the sum by product', async (t) => {
  const context = await start(t)
  const { db, alice, sell, setCost, list } = context
  await setCost(1, 4)
  await sell(1, 1, 10, { at: daysAgo(40) })
  await sell(1, 2, 10, { at: daysAgo(10) })
  t.match(await list(), [{ netUnits: 2 }], '30 days by default')
  const day = (days: number) => daysAgo(days).toISOString().slice(0, 10)
  t.match(await list(`?startDate=${day(50)}`), [{ netUnits: 3, margin: 18 }])
  t.match(await list(`?startDate=${day(50)}&endDate=${day(30)}`), [{ netUnits: 1 }])
  await db.query(sql.typeAlias('void')`
    update product set vendor = 'Kiln & Co' where shop_id = ${alice.shopId} and gid = ${gidOf('Product', 2)}
  `)
  await sell(2, 1, 10)
  t.match(await list('?vendor=Kiln+%26+Co'), [{ variantId: variantGid(2) }])
  t.match(await list('?groupBy=product'), [
    { productId: gidOf('Product', 1), variantId: null, title: 'Mug 1', sku: '' },
    { productId: gidOf('Product', 2), uncostedUnits: 1 },
  ])
})

t.test('the search finds variants, and products with the sums of all their variants', async (t) => {
  const context = await start(t)
  const { db, alice, list } = context
  await makeSales(context)
  t.match(await list('?search=sku-2'), [{ variantId: variantGid(2), margin: 3 }])
  t.match(await list('?search=MUG+3'), [{ variantId: variantGid(3) }], 'by title')
  t.match(await list('?search=001'), [{ variantId: variantGid(1) }], 'by barcode')
  t.strictSame(await list('?search=nothing'), [])
  t.strictSame(await list('?search=sku-2&vendor=none'), [], 'with the other filters')
  await db.query(sql.typeAlias('void')`
    update variant
    set product_id = (select product_id from variant where shop_id = ${alice.shopId} and gid = ${variantGid(1)})
    where shop_id = ${alice.shopId} and gid = ${variantGid(2)}
  `)
  t.match(await list('?groupBy=product&search=sku-2'), [{ title: 'Mug 1', netUnits: 8, margin: 31 }])
})

t.test('the pages contain every variant once, and the CSV has them', async (t) => {
  const context = await start(t)
  await makeSales(context)
  const { db, alice, list } = context
  for (const isStored of [false, true]) {
    const all = await list()
    if (isStored) await store(db, alice)
    const listed: Margin[] = []
    for (let next: string | undefined = '/api/reports/margin?limit=1'; next && listed.length < 9; ) {
      const answer = await alice.get(next)
      listed.push(...answer.json().data)
      next = /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1]
    }
    t.strictSame(listed, all, isStored ? 'stored' : 'summed on request')
  }
  const { body } = await alice.get('/api/reports/margin?limit=1', { accept: 'text/csv' })
  t.equal(
    body,
    `\uFEFFSKU,Product,Net units,Revenue (USD),Cost (USD),Margin (USD),Margin (%),Units without cost,Product ID,Variant ID\nSKU-1,Mug 1 - Size 1,5,50,22,28,56,0,${gidOf('Product', 1)},${variantGid(1)}\n`,
  )
})

t.test(
  'a loss comes after a gain, bad dates are refused, and another shop has its own margins',
  async (t) => {
    const { alice, mallory, db, sell, setCost, list } = await start(t)
    await setCost(1, 40)
    await setCost(2, 4)
    await sell(1, 1, 10)
    await sell(2, 1, 10)
    t.match(await list(), [{ margin: 6 }, { margin: -30, marginPercent: -300 }])
    await makeStock(db, mallory, { variants: 1 })
    t.strictSame(await list('', mallory), [])
    await sell(1, 5, 1, {}, mallory)
    t.match(await list('', mallory), [{ netUnits: 5, cost: null }])
    t.equal((await list()).length, 2)
    for (const query of ['startDate=x', 'startDate=2026-02-30', 'endDate=1', 'groupBy=day', 'cursor=-1-2']) {
      expectFailure(t, await alice.get(`/api/reports/margin?${query}`), 400, 'invalid_request')
    }
    const reversed = await alice.get('/api/reports/margin?startDate=2026-03-02&endDate=2026-03-01')
    t.match(expectFailure(t, reversed, 400, 'invalid_request').details, [{ path: '/startDate' }])
  },
)
