import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { type Db, row, sql } from '../../shared/db/db.ts'
import { verifyCostBatch } from '../../shared/domain/ledgers/costs/verify.ts'
import { startApp } from '../support/core/app.ts'
import { useOwnDatabase } from '../support/core/database.ts'
import type { Person } from '../support/core/people.ts'
import { until } from '../support/core/until.ts'
import { rounds } from '../support/faults/faults.ts'
import { originOf, startWebs, through } from '../support/faults/killed-webs.ts'
import { line, makeSentOrder } from '../support/make/orders.ts'
import { locationGid, makeStock, variantGid } from '../support/make/stock.ts'

useOwnDatabase()

const available = 10
const variants = 2

/** A number with 30 decimals. */
const scale = 10n ** 30n
const exact = (text: string): bigint => {
  const [whole = '0', decimals = ''] = text.replace('-', '').split('.')
  const value = BigInt(whole) * scale + BigInt(decimals.padEnd(30, '0'))
  return text.startsWith('-') ? -value : value
}

const Movement = Type.Object({
  variantId: Type.Integer(),
  quantity: Type.Integer(),
  unitCost: Type.Union([Type.String(), Type.Null()]),
  value: Type.String(),
  cause: Type.String(),
  onHandBefore: Type.Integer(),
  /** By the ledger of stock. */
  stockBefore: Type.Integer(),
})
const Count = Type.Object({ count: Type.Integer() })
const Average = Type.Object({ variantId: Type.Integer(), average: Type.String() })
const Worth = Type.Object({ id: Type.Integer(), booked: Type.Number(), due: Type.Number() })

const send = async (person: Person, method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
  const response = await person.send(method, path, body)
  return { status: response.statusCode, data: response.json().data }
}

/** Receipts, charges, reversals and sales of random orders, one after the other. */
async function work(
  person: Person,
  { orders, counts, isOver }: { orders: number[]; counts: Record<string, number>; isOver: () => boolean },
) {
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)]
  while (!isOver()) {
    const id = pick(orders) ?? 0
    const path = `/api/purchase-orders/${id}`
    const draw = Math.random()
    if (draw < 0.45) {
      const [item] = (await send(person, 'GET', path)).data.lineItems
      const left = item.quantity - item.receivedQuantity
      if (left <= 0) continue
      const quantityReceived = Math.min(left, 1 + Math.floor(Math.random() * 3))
      const lineItems = [{ lineItemId: item.id, quantityReceived }]
      const { status } = await send(person, 'POST', `${path}/receive`, { lineItems })
      counts[`receive ${status}`] = (counts[`receive ${status}`] ?? 0) + 1
    } else if (draw < 0.65) {
      const amount = Math.floor(Math.random() * 1_000) / 100
      const charge = { kind: 'freight', amount, basis: 'value' }
      const { status } = await send(person, 'POST', `${path}/charges`, charge)
      counts[`charge ${status}`] = (counts[`charge ${status}`] ?? 0) + 1
    } else if (draw < 0.75) {
      const charge = pick<{ id: number }>((await send(person, 'GET', path)).data.charges ?? [])
      if (charge) await send(person, 'DELETE', `${path}/charges/${charge.id}`)
    } else if (draw < 0.85) {
      const { data } = await send(person, 'GET', `${path}/receipts`)
      const open = data.filter(({ reversedAt }: { reversedAt: string | null }) => reversedAt === null)
      const receipt = pick<{ id: number }>(open)
      const body = { allowNegative: true }
      if (!receipt) continue
      const { status } = await send(person, 'POST', `${path}/receipts/${receipt.id}/reverse`, body)
      counts[`reverse ${status}`] = (counts[`reverse ${status}`] ?? 0) + 1
    } else {
      const variantId = variantGid(1 + Math.floor(Math.random() * variants))
      const delta = -1 - Math.floor(Math.random() * 3)
      await send(person, 'POST', '/api/stock-levels/adjust', {
        adjustments: [{ variantId, locationId: locationGid(1), delta }],
        allowNegative: true,
      })
    }
  }
}

/** The averages that the inputs of the ledger lead to, by the formulas of docs/decisions/costs.md. */
async function replay(db: Db, shopId: number) {
  const movements = await db.any(sql.type(row(Movement))`
    select m.variant_id, m.quantity, m.unit_cost::text, m.value::text, m.cause, m.on_hand_before,
      (
        select sum(s.delta) from (
          select new_quantity - previous_quantity as delta, occurred_at
          from stock_movement
          where shop_id = ${shopId} and variant_id = m.variant_id
        ) s
        where s.occurred_at < m.occurred_at
      ) as stock_before
    from cost_movement m
    where m.shop_id = ${shopId}
    order by m.id
  `)
  const averages = new Map<number, bigint>()
  for (const { variantId, quantity, unitCost, value, onHandBefore } of movements) {
    const before = averages.get(variantId)
    const stock = BigInt(onHandBefore)
    const pieces = BigInt(quantity)
    const worth = exact(value)
    const isCost = quantity === 0 && worth === 0n && before === undefined
    let after = before
    if (isCost) after = exact(unitCost ?? '0')
    else if (quantity > 0 && (stock <= 0n || before === undefined)) after = worth / pieces
    else if (before !== undefined && stock + pieces > 0n && stock > 0n)
      after = (before * stock + worth) / (stock + pieces)
    if (after !== undefined && after >= 0n) averages.set(variantId, after)
  }
  return { movements, averages }
}

t.test('two web processes, one of them killed, book costs that the ledger proves', async (t) => {
  const { db, url, alice } = await startApp(t, {})
  const { shopId } = alice
  await makeStock(db, alice, { variants, available })
  const orders: number[] = []
  for (let number = 0; number < 8; number += 1) {
    const lineItems = [
      line(1 + (number % variants), { quantity: 4_000, costPrice: (137 * (number + 1)) / 100 }),
    ]
    orders.push((await makeSentOrder(alice, { lineItems })).id)
  }
  const webs = await startWebs(t, url)

  let isOver = false
  const counts: Record<string, number> = {}
  const clients = Array.from({ length: 4 }, () =>
    work(through(webs, alice), { orders, counts, isOver: () => isOver }),
  )
  for (let kill = 0; kill < rounds(20, 2); kill += 1) {
    await sleep(rounds(1_500, 500) + Math.random() * rounds(1_000, 300))
    webs[kill % 2]?.current().kill('SIGKILL')
  }
  await sleep(rounds(1_500, 500))
  // on a busy machine a process needs longer to start than from one kill to the next
  const hasCosts = async () => {
    const count = await db.oneFirst(sql.type(row(Count))`
        select count(*) from variant_cost where shop_id = ${shopId}
      `)
    return count === variants
  }
  await until(hasCosts, 'pieces of each variant are received')
  isOver = true
  await Promise.all(clients)
  t.comment(JSON.stringify(counts))
  t.ok(webs.some(({ exits }) => exits.length > 0))

  t.strictSame((await verifyCostBatch(db, shopId, 0)).differences, [])
  const { movements, averages } = await replay(db, shopId)
  t.comment(`${movements.length} cost movements`)
  t.strictSame(
    movements.filter(({ onHandBefore, stockBefore }) => onHandBefore !== stockBefore),
    [],
    'each movement has the stock before it',
  )
  const stored = await db.any(sql.type(row(Average))`
      select variant_id, average_cost::text as average from variant_cost where shop_id = ${shopId} order by variant_id
    `)
  t.equal(stored.length, variants)
  for (const { variantId, average } of stored) {
    const difference = (averages.get(variantId) ?? 0n) - exact(average)
    // the stored averages are rounded to 18 decimals at each movement
    t.ok(difference < 10n ** 16n && difference > -(10n ** 16n), `${average}, ${difference} / 10^30 apart`)
  }
  // of one line without excess pieces: what is received costs price + charges / ordered, booked once each
  const worths = await db.any(sql.type(row(Worth))`
      select o.id, round(booked.value, 9) as booked,
        round(booked.quantity * l.cost_price + charged.amount * booked.quantity / l.quantity, 9) as due
      from purchase_order o
      join purchase_order_line l on l.shop_id = o.shop_id and l.purchase_order_id = o.id
      cross join lateral (
        select coalesce(sum(m.value + m.variance), 0) as value, coalesce(sum(m.quantity), 0) as quantity
        from receipt r
        join cost_movement m on m.shop_id = r.shop_id and m.receipt_id = r.id
        where r.shop_id = o.shop_id and r.purchase_order_id = o.id and r.reversed_at is null
      ) booked
      cross join lateral (
        select coalesce(sum(c.amount), 0) as amount
        from purchase_order_charge c
        where c.shop_id = o.shop_id and c.purchase_order_id = o.id
      ) charged
      where o.shop_id = ${shopId}
      order by o.id
    `)
  t.equal(worths.length, orders.length)
  for (const { id, booked, due } of worths) t.equal(booked, due, `order ${id}`)
  // a process that has just been started again does not handle signals yet
  await Promise.all(webs.map(originOf))
  for (const web of webs) t.equal(await web.stop(), 0)
})
