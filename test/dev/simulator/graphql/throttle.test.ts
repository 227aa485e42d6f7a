import t from 'tap'
import { startTimer } from '../../../support/core/timers.ts'
import { until } from '../../../support/core/until.ts'
import { demo } from '../app.ts'
import { callerOf, post, startShop } from '../caller.ts'
import { documents } from '../documents.ts'

const cheap = '{ shop { id } }'

t.test('a response reports its cost', async (t) => {
  const { call } = await startShop(t, { throttle: { maximum: 2000, restoreRate: 0.001 } })
  const { extensions } = await call(cheap)
  t.match(extensions.cost, {
    requestedQueryCost: 1,
    actualQueryCost: 1,
    throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 1999, restoreRate: 0.001 },
  })
  const products = (await call('{ products(first: 5) { nodes { id } pageInfo { hasNextPage } } }')).extensions
    .cost
  t.match(products, { requestedQueryCost: 7, actualQueryCost: 5 })
  const nested = await call(
    '{ products(first: 5) { edges { node { variants(first: 10) { nodes { product { id } } } } } } }',
  )
  t.equal(nested.extensions.cost.requestedQueryCost, 2 + 5 * (1 + 2 + 10 * (1 + 1)))
  t.ok(nested.extensions.cost.actualQueryCost < nested.extensions.cost.requestedQueryCost)
  const nodes = await call(documents.nodes, {
    ids: ['gid://platform/Product/1001', 'gid://platform/Product/1002'],
  })
  t.equal(nodes.extensions.cost.requestedQueryCost, 2 * (1 + 2))
  const list = await call('{ order(id: "gid://platform/Order/1") { refunds(first: 10) { id } } }')
  t.equal(list.extensions.cost.requestedQueryCost, 1 + 10)
  const key = 'k'
  const input = { name: 'available', reason: 'correction', quantities: [] }
  t.ok((await call(documents.setQuantities, { key, input })).extensions.cost.requestedQueryCost >= 10)
})

t.test('an empty bucket throttles requests until it refills', async (t) => {
  const { call, platform, shop } = await startShop(t)
  platform.shops.add({ domain: 'other.myshop.example', generated: { products: 1 } })
  platform.faults.set({ throttle: { maximum: 20, restoreRate: 5 } })
  const spend = '{ products(first: 15) { nodes { vendor variants(first: 0) { nodes { id } } } } }'
  t.match(
    (await call(spend)).errors,
    [{ extensions: { code: 'THROTTLED' } }],
    'the request costs more than the bucket has',
  )
  t.ok((await call('{ products(first: 18) { nodes { id } } }')).data)
  const throttled = await post(platform, demo, shop.tokens()[0] ?? '', {
    query: '{ products(first: 18) { nodes { id } } }',
  })
  t.equal(throttled.status, 200)
  const body = JSON.parse(throttled.text)
  t.notOk('data' in body)
  t.match(body, {
    errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }],
    extensions: {
      cost: { requestedQueryCost: 20, throttleStatus: { maximumAvailable: 20, restoreRate: 5 } },
    },
  })
  const other = callerOf(
    platform,
    'other.myshop.example',
    platform.shops.get('other.myshop.example').install(),
  )
  t.ok((await other('{ products(first: 18) { nodes { id } } }')).data, 'another shop has its own bucket')
  // 20 at 5 a second
  const isServed = async () => Boolean((await call('{ products(first: 18) { nodes { id } } }')).data)
  await t.resolves(until(isServed, 'the bucket is full again'))
})

t.test('a query above the maximum cost is not run', async (t) => {
  const { call } = await startShop(t)
  const { errors } = await call(
    '{ products(first: 100) { nodes { variants(first: 100) { nodes { id } } } } }',
  )
  t.match(errors, [
    {
      message: /exceeds the single query max cost limit \(1000\)/,
      extensions: { code: 'MAX_COST_EXCEEDED' },
    },
  ])
})

t.test('scripted faults apply to requests', async (t) => {
  const { platform, token } = await startShop(t)
  const send = (query = cheap) => post(platform, demo, token, { query })
  platform.faults.set({
    graphql: [
      { fault: 'answer-429', retryAfterSeconds: 3 },
      { fault: 'answer-500' },
      { fault: 'answer-503' },
      { fault: 'answer-401' },
      { fault: 'throttle' },
      { fault: 'drop' },
      { fault: 'accept-500' },
      { fault: 'accept-drop' },
    ],
  })
  const limited = await send()
  t.strictSame([limited.status, limited.headers.get('retry-after')], [429, '3.0'])
  for (const status of [500, 503, 401]) t.equal((await send()).status, status)
  t.match(JSON.parse((await send()).text).errors[0].extensions.code, 'THROTTLED')
  await t.rejects(send(), /fetch failed/)
  t.equal((await send()).status, 500)
  await t.rejects(send(), /fetch failed/)
  t.equal((await send()).status, 200, 'all scripted faults are used')

  platform.faults.set({
    graphql: [
      { fault: 'answer-500', operation: 'locations' },
      { fault: 'answer-503', shop: 'x' },
    ],
  })
  t.equal((await send()).status, 200, 'the fault is for other requests')
  t.equal((await send('{ locations(first: 1) { nodes { id } } }')).status, 500)
  platform.faults.set({ graphql: [{ fault: 'hang' }], graphqlDelayMs: 50 })
  const init = { method: 'POST', signal: AbortSignal.timeout(3_000) }
  await t.rejects(fetch(`${platform.url}/shops/${demo}/admin/api/2026-07/graphql.json`, init), {
    name: 'TimeoutError',
  })
  const hasWaited = startTimer(49)
  await send()
  t.ok(hasWaited())
})
