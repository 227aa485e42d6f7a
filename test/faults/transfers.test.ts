import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { row, sql } from '../../shared/db/db.ts'
import { verifyCostBatch } from '../../shared/domain/ledgers/costs/verify.ts'
import { verifyStockBatch } from '../../shared/domain/ledgers/stock/verify.ts'
import { startApp } from '../support/core/app.ts'
import { testEnvironment, useOwnDatabase } from '../support/core/database.ts'
import type { Person } from '../support/core/people.ts'
import { type SupervisedProcess, startSupervised } from '../support/core/processes.ts'
import { until } from '../support/core/until.ts'
import { rounds } from '../support/faults/faults.ts'
import { line, makeSentOrder, readOrder } from '../support/make/orders.ts'
import { expectLedger, item, locationGid, makeStock, variantGid } from '../support/make/stock.ts'

useOwnDatabase()

const variants = 2
const locations = 2
const available = 100

type Web = SupervisedProcess

/** The address of the process that runs now. */
const originOf = (web: Web) =>
  until(() => /listening at (http:\/\/[\d.:]+)/.exec(web.current().output())?.[1], 'web listens')

/** Sends a request until a process answers it; the key makes it one request, whichever process is killed. */
async function send(person: Person, webs: readonly Web[], method: string, path: string, body?: object) {
  const key = randomUUID()
  for (let tries = 0; tries < 200; tries += 1) {
    const web = webs[Math.floor(Math.random() * webs.length)]
    if (!web) throw new Error('There is no process')
    try {
      const response = await fetch(`${await originOf(web)}/api/stock-transfers${path}`, {
        method,
        headers: {
          authorization: `Bearer ${person.token}`,
          'idempotency-key': key,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(10_000),
      })
      const answer = await response.json()
      if (response.status < 500) return { status: response.status, data: answer.data }
    } catch {
      // killed
    }
    await sleep(50)
  }
  throw new Error(`${method} ${path} was never answered`)
}

/** What the client was told, by transfer and variant, as in `3/1`. */
type Told = Map<string, { lost: number; received: number }>

/** Transfers of ten pieces: seven arrive, two are lost and one is damaged; some receipts are reversed, some transfers closed. */
async function work(
  person: Person,
  webs: readonly Web[],
  { told, counts, isOver }: { told: Told; counts: Record<string, number>; isOver: () => boolean },
) {
  const post = async (path: string, body: object) => {
    const answer = await send(person, webs, 'POST', path, body)
    const name = `${path.split('/').at(-1) || 'create'} ${answer.status}`
    counts[name] = (counts[name] ?? 0) + 1
    return answer
  }
  const gone = (id: number, variant: number, lost: number, received: number) => {
    const key = `${id}/${variant}`
    const before = told.get(key) ?? { lost: 0, received: 0 }
    told.set(key, { lost: before.lost + lost, received: before.received + received })
  }
  while (!isOver()) {
    const back = Math.random() < 0.5
    const transfer = {
      sourceLocationId: locationGid(back ? 2 : 1),
      destinationLocationId: locationGid(back ? 1 : 2),
      items: [item(1, 10), item(2, 10)],
    }
    const { id } = (await post('', transfer)).data
    const shipped = await post(`/${id}/ship`, { items: [item(1, 10)], allowNegative: true })
    if (shipped.status !== 200) continue
    const parts = { variantId: variantGid(1), received: 7, lost: 2, damaged: 1 }
    const arrival = await post(`/${id}/receive`, { items: [parts] })
    if (arrival.status === 200) gone(id, 1, 3, 7)
    if (arrival.status === 200 && Math.random() < 0.4) {
      const url = `/${id}/events/${arrival.data.eventId}/reverse`
      if ((await post(url, { allowNegative: true })).status === 200) gone(id, 1, -3, -7)
    }
    if ((await post(`/${id}/ship`, { allowNegative: true })).status !== 200) continue
    const two = { variantId: variantGid(2), received: 4, damaged: 1 }
    if ((await post(`/${id}/receive`, { items: [two] })).status === 200) gone(id, 2, 1, 4)
    if (Math.random() < 0.5) await post(`/${id}/close`, { rest: 'returned' })
  }
}

const Total = Type.Object({
  pieces: Type.Integer(),
  inTransit: Type.Integer(),
  gone: Type.Integer(),
})
const Line = Type.Object({
  key: Type.String(),
  shipped: Type.Integer(),
  received: Type.Integer(),
  gone: Type.Integer(),
  returned: Type.Integer(),
  inTransit: Type.Integer(),
  /** By the events that are not reversed. */
  events: Type.Integer(),
  /** By the ledger of stock: what left locations and did not come back. */
  away: Type.Integer(),
  /** By the ledger of costs. */
  booked: Type.Integer(),
})

t.test(
  'two web processes, one of them killed, lose no piece of a transfer and count none twice',
  async (t) => {
    const { db, url, alice } = await startApp(t, {})
    const { shopId } = alice
    await makeStock(db, alice, { variants, locations, available })
    const order = await makeSentOrder(alice, {
      lineItems: [1, 2].map((number) => line(number, { quantity: 20, costPrice: 3.37 * number })),
    })
    const { lineItems } = await readOrder(alice, order.id)
    const receipt = { lineItems: lineItems.map(({ id }) => ({ lineItemId: id, quantityReceived: 20 })) }
    t.equal((await alice.post(`/api/purchase-orders/${order.id}/receive`, receipt)).statusCode, 200)
    const env = testEnvironment(url, { PORT: '0', LOG_LEVEL: 'info', RATE_LIMIT_PER_MINUTE: '1000000' })
    const webs = [startSupervised(t, 'api/server.ts', env), startSupervised(t, 'api/server.ts', env)]
    await Promise.all(webs.map(originOf))

    let isOver = false
    const told: Told = new Map()
    const counts: Record<string, number> = {}
    const clients = Array.from({ length: 4 }, () => work(alice, webs, { told, counts, isOver: () => isOver }))
    for (let kill = 0; kill < rounds(20, 2); kill += 1) {
      await sleep(rounds(1_500, 500) + Math.random() * rounds(1_000, 300))
      webs[kill % 2]?.current().kill('SIGKILL')
    }
    await sleep(rounds(1_500, 500))
    // on a busy machine a process needs longer to start than from one kill to the next
    await until(() => counts['receive 200'] && counts['reverse 200'], 'parts arrive, and some are reversed')
    isOver = true
    await Promise.all(clients)
    t.comment(JSON.stringify(counts))
    t.ok(webs.some(({ exits }) => exits.length > 0))

    const total = await db.one(sql.type(row(Total))`
      select
        (select sum(quantity) from stock_level where shop_id = ${shopId}) as pieces,
        sum(in_transit) as in_transit, sum(lost + damaged) as gone
      from stock_transfer_item where shop_id = ${shopId}
    `)
    t.comment(JSON.stringify(total))
    const initial = variants * locations * available + variants * 20
    t.equal(total.pieces + total.inTransit + total.gone, initial, 'each piece is somewhere, once')

    const lines = await db.any(sql.type(row(Line))`
      select i.transfer_id || '/' || substring(v.gid from '\\d+$') as key, i.shipped, i.received, i.lost + i.damaged as gone,
        i.returned, i.in_transit,
        (
          select coalesce(sum(x.received + 1000 * (x.lost + x.damaged) + 1000000 * x.returned + 1000000000 * x.shipped::bigint), 0)
          from stock_transfer_event e
          join stock_transfer_event_item x on x.shop_id = e.shop_id and x.event_id = e.id
          where e.shop_id = i.shop_id and e.transfer_id = i.transfer_id and x.position = i.position
            and e.reversed_at is null
        ) as events,
        -(
          select coalesce(sum(m.delta), 0) from stock_movement m
          where m.shop_id = i.shop_id and m.variant_id = i.variant_id
            and m.reference = 'stock_transfer/' || i.transfer_id
        ) as away,
        -(
          select coalesce(sum(c.quantity), 0) from cost_movement c
          where c.shop_id = i.shop_id and c.variant_id = i.variant_id
            and c.reference = 'stock_transfer/' || i.transfer_id
        ) as booked
      from stock_transfer_item i
      join variant v on v.shop_id = i.shop_id and v.id = i.variant_id
      where i.shop_id = ${shopId}
    `)
    t.ok(lines.length > 0)
    t.strictSame(
      lines.filter(({ away, inTransit, gone }) => away !== inTransit + gone),
      [],
      'what the ledger of stock misses is in transit, lost or damaged',
    )
    t.strictSame(
      lines.filter(({ booked, gone }) => booked !== gone),
      [],
      'the ledger of costs has each lost and damaged piece once',
    )
    t.strictSame(
      lines.filter(
        ({ events, shipped, received, gone, returned }) =>
          events !== received + 1_000 * gone + 1_000_000 * returned + 1_000_000_000 * shipped,
      ),
      [],
      'the lines are the sum of their events',
    )
    t.strictSame(
      lines.filter(({ key, gone, received }) => {
        const known = told.get(key) ?? { lost: 0, received: 0 }
        return known.lost !== gone || known.received !== received
      }),
      [],
      'the clients know what happened',
    )
    await expectLedger(t, db, alice)
    t.strictSame((await verifyStockBatch(db, shopId, 0)).differences, [])
    t.strictSame((await verifyCostBatch(db, shopId, 0)).differences, [])
    // a process that has just been started again does not handle signals yet
    await Promise.all(webs.map(originOf))
    for (const web of webs) t.equal(await web.stop(), 0)
  },
)
