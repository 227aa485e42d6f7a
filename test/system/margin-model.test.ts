import { Type } from '@sinclair/typebox'
import fc from 'fast-check'
import t from 'tap'
import { type Db, row, sql } from '../../shared/db/db.ts'
import { recomputeMargins } from '../../shared/domain/ledgers/margins/recompute.ts'
import { recordOrders, removeOrders } from '../../shared/domain/ledgers/sales/record.ts'
import { recomputeSalesVelocity } from '../../shared/domain/ledgers/sales/velocity.ts'
import { Nullable } from '../../shared/schemas/common.ts'
import type { Margin } from '../../shared/schemas/reports.ts'
import { startApp } from '../support/core/app.ts'
import { instantIn } from '../support/core/instants.ts'
import { makePerson, type Person } from '../support/core/people.ts'
import { rounds } from '../support/faults/faults.ts'
import { gidOf } from '../support/make/catalogue.ts'
import { line, makeSentOrder, receiptsOf, receive } from '../support/make/orders.ts'
import { makeStock, variantGid } from '../support/make/stock.ts'

const variants = 4
const day = 86_400_000

type Sold = {
  number: number
  at: number
  variant: number
  quantity: number
  cents: number | null
  cancelled: number
  returned: number
}
type History = {
  db: Db
  person: Person
  sold: Sold[]
  received: { id: number; receiptId: number }[]
  /** The worker has stored the margins. */
  isStored: boolean
}

let orders = 70_000_000

const record = (history: History, { number, at, variant, quantity, cents, cancelled, returned }: Sold) =>
  history.db.transaction((tx) => {
    const lineGid = gidOf('LineItem', number)
    const refunds = [
      { lineGid, quantity: cancelled, restockType: 'cancel' },
      { lineGid, quantity: returned, restockType: 'return' },
    ]
    return recordOrders(tx, history.person.shopId, [
      {
        orderGid: gidOf('Order', number),
        orderedAt: new Date(at).toISOString(),
        updatedAt: new Date().toISOString(),
        isTest: false,
        isCancelled: false,
        lines: [
          {
            lineGid,
            variantGid: variantGid(variant),
            quantity,
            currentQuantity: quantity - cancelled - returned,
            unshippedQuantity: 0,
            price: cents === null ? null : cents / 100,
            discount: 0,
            tax: 0,
          },
        ],
        refunds: refunds.filter((refund) => refund.quantity > 0),
        shipments: [{ lineGid, quantity: quantity - cancelled }],
      },
    ])
  })

const variantNumber = fc.integer({ min: 1, max: variants })
const cents = fc.integer({ min: 1, max: 3_000 })
const pieces = fc.integer({ min: 1, max: 7 })

const step = <T>(values: fc.Arbitrary<T>, run: (history: History, values: T) => Promise<unknown>) =>
  values.map((value) => (history: History) => run(history, value))

const sell = step(
  fc.record({
    variant: variantNumber,
    quantity: pieces,
    cents: fc.option(cents),
    ago: fc.double({ min: 0, max: 50, noNaN: true }),
  }),
  (history, { ago, ...sold }) => {
    orders += 1
    const sale = {
      ...sold,
      number: orders,
      at: instantIn(-Math.floor(ago * day)).getTime(),
      cancelled: 0,
      returned: 0,
    }
    history.sold.push(sale)
    return record(history, sale)
  },
)

/** An order of any day gets another state: units are cancelled before they were shipped, or come back. */
const change = step(fc.tuple(fc.nat(), pieces, pieces), async (history, [which, cancelled, returned]) => {
  const sale = history.sold[which % history.sold.length]
  if (!sale) return
  sale.cancelled = Math.min(cancelled - 1, sale.quantity)
  sale.returned = Math.min(returned - 1, sale.quantity - sale.cancelled)
  await record(history, sale)
})

const remove = step(fc.nat(), async (history, which) => {
  const [sale] = history.sold.splice(which % (history.sold.length + 1), 1)
  if (!sale) return
  const gone = [{ orderGid: gidOf('Order', sale.number), deletedAt: new Date().toISOString() }]
  await history.db.transaction((tx) => removeOrders(tx, history.person.shopId, gone))
})

const setCost = step(fc.tuple(variantNumber, fc.option(cents)), async ({ person }, [variant, cost]) => {
  const response = await person.put(`/api/variants/${variant}`, {
    unitCost: cost === null ? null : cost / 100,
  })
  if (response.statusCode !== 200) throw new Error(response.body)
})

const arrive = step(fc.tuple(variantNumber, pieces, cents), async (history, [variant, quantity, cost]) => {
  const { id } = await makeSentOrder(history.person, {
    lineItems: [line(variant, { quantity, costPrice: cost / 100 })],
  })
  await receive(history.person, id, [quantity])
  const [receipt] = await receiptsOf(history.person, id)
  if (receipt) history.received.push({ id, receiptId: receipt.id })
})

/** The bill of the freight comes after the goods. */
const charge = step(fc.tuple(fc.nat(), cents), async ({ person, received }, [which, amount]) => {
  const order = received[which % received.length]
  if (!order) return
  const body = { kind: 'freight', amount: amount / 100, basis: 'quantity' }
  await person.post(`/api/purchase-orders/${order.id}/charges`, body)
})

const reverse = step(fc.nat(), async ({ person, received }, which) => {
  const [order] = received.splice(which % (received.length + 1), 1)
  if (!order) return
  await person.post(`/api/purchase-orders/${order.id}/receipts/${order.receiptId}/reverse`, {
    allowNegative: true,
  })
})

/** As the worker does it at night. */
async function store(history: History): Promise<void> {
  const { db, person } = history
  await recomputeSalesVelocity(db, person.shopId, { isWhole: true })
  await recomputeMargins(db, person.shopId)
  history.isStored = true
}

/** Time passes. */
const age = step(fc.integer({ min: 1, max: 25 }), async (history, days) => {
  const { db, person, sold, isStored } = history
  const { shopId } = person
  for (const sale of sold) sale.at -= days * day
  const columns = [
    ['sale', 'ordered_at'],
    ['cost_movement', 'occurred_at'],
    ['variant_cost', 'updated_at'],
  ]
  for (const [table = '', column = ''] of columns) {
    await db.query(sql.typeAlias('void')`
      update ${sql.identifier([table])}
      set ${sql.identifier([column])} = ${sql.identifier([column])} - make_interval(days => ${days})
      where shop_id = ${shopId}
    `)
  }
  if (isStored) await store(history)
})

const Expected = Type.Object({
  gid: Type.String(),
  netUnits: Type.Integer(),
  revenue: Type.Number(),
  cost: Nullable(Type.Number()),
  margin: Nullable(Type.Number()),
  marginPercent: Nullable(Type.Number()),
  uncostedUnits: Type.Integer(),
})

/** The report as its documentation says it: each sale by itself, with the movement of the ledger that it belongs to. */
function sumEachSale(
  db: Db,
  { shopId }: Person,
  { from, to, isByProduct }: { from: Date | null; to: Date | null; isByProduct: boolean },
) {
  return db.any(sql.type(row(Expected))`
    with each as (
      select v.gid, v.product_id, s.units,
        coalesce(case
          when s.revenue is null then s.units * v.price
          when s.returned = 0 then s.revenue
          else s.revenue * s.units / (s.quantity - s.cancelled)
        end, 0) as revenue,
        (
          select m.average_after
          from cost_movement m
          where m.shop_id = ${shopId} and m.variant_id = v.id
          order by m.occurred_at <= s.ordered_at desc, case when m.occurred_at <= s.ordered_at then -m.id else m.id end
          limit 1
        ) as cost
      from (select *, quantity - cancelled - returned as units from sale where shop_id = ${shopId}) s
      join variant v on v.shop_id = ${shopId} and v.gid = s.variant_gid
      where s.quantity > s.cancelled
        and s.ordered_at >= coalesce(${from?.toISOString() ?? null}::timestamptz, '-infinity')
        and s.ordered_at < coalesce(${to?.toISOString() ?? null}::timestamptz, 'infinity')
    ),
    summed as (
      select ${isByProduct ? sql.fragment`p.gid` : sql.fragment`e.gid`} as gid, sum(e.units) as net_units, sum(e.revenue) as revenue,
        sum(e.units * e.cost) as cost, sum(e.revenue) filter (where e.cost is not null) as costed,
        coalesce(sum(e.units) filter (where e.cost is null), 0) as uncosted_units
      from each e
      join product p on p.shop_id = ${shopId} and p.id = e.product_id
      group by 1
      having sum(e.units) > 0
    )
    select gid, net_units, round(revenue, 2) as revenue, round(cost, 2) as cost, round(costed, 2) - round(cost, 2) as margin,
      round(100 * (costed - cost) / nullif(costed, 0), 2) as margin_percent, uncosted_units
    from summed
    order by gid
  `)
}

t.test('the margins are the sums of all sales, whatever changed after them', async (t) => {
  const { app, db } = await startApp(t)
  let shops = 0
  let compared = 0
  const history = fc.array(
    fc.oneof(sell, sell, sell, change, change, remove, setCost, arrive, charge, reverse, age),
    {
      minLength: 20,
      maxLength: 45,
    },
  )
  const property = fc.asyncProperty(history, async (steps) => {
    shops += 1
    const person = await makePerson(app, db, `shop${shops}`)
    await makeStock(db, person, { variants })
    await db.query(sql.typeAlias('void')`
      update variant set price = case when id % 2 = 0 then 7.77 end where shop_id = ${person.shopId}
    `)
    const history: History = { db, person, sold: [], received: [], isStored: false }
    // four of five histories are stored early, and each step after it changes what is stored
    const nightAt = shops % 5 === 0 ? steps.length : (shops % 5) * 4
    for (const [at, run] of steps.entries()) {
      if (at === nightAt) await store(history)
      await run(history)
    }
    if (history.isStored) await recomputeSalesVelocity(db, person.shopId, { isWhole: false })
    const midnight = (days: number) => new Date(new Date().setUTCHours(0, 0, 0, 0) - days * day)
    const dayOf = (date: Date) => date.toISOString().slice(0, 10)
    const periods = [
      { query: '?', from: midnight(29), to: null },
      ...[5, 6, 20, 45, 89].map((days) => ({
        query: `?startDate=${dayOf(midnight(days))}&`,
        from: midnight(days),
        to: null,
      })),
      {
        query: `?startDate=${dayOf(midnight(40))}&endDate=${dayOf(midnight(9))}&`,
        from: midnight(40),
        to: midnight(8),
      },
      { query: `?endDate=${dayOf(midnight(3))}&`, from: null, to: midnight(2) },
    ]
    for (const { query, from, to } of periods) {
      for (const isByProduct of [false, true]) {
        const address = `/api/reports/margin${query}groupBy=${isByProduct ? 'product' : 'variant'}`
        const listed: Margin[] = (await person.get(address)).json().data
        const found = listed
          .map(({ productId, variantId, sku: _, title: __, ...sums }) => ({
            gid: variantId ?? productId,
            ...sums,
          }))
          .sort((a, b) => (a.gid < b.gid ? -1 : 1))
        const expected = await sumEachSale(db, person, { from, to, isByProduct })
        if (!t.strictSame(found, expected, address, { diagnostic: false })) throw new Error(address)
        compared += expected.length
      }
    }
  })
  await fc.assert(property, { numRuns: rounds(200, 8), seed: 20_261_121 })
  t.comment(`${compared} rows compared`)
  t.ok(compared > rounds(200, 50), 'the histories sold something')
})
