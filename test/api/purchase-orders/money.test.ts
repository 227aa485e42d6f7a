import t from 'tap'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { line, makeOrder, makeSupplier, readOrder } from '../../support/make/orders.ts'

const orderOf = (...amounts: [quantity: number, costPrice: number][]) =>
  amounts.map(([quantity, costPrice], at) => line(at + 1, { quantity, costPrice }))

t.test('amounts are exact to the cent', async (t) => {
  const { alice } = await startApp(t)
  const cases: { lines: [number, number][]; lineTotals: number[]; total: number; why: string }[] = [
    { lines: [[3, 0.1]], lineTotals: [0.3], total: 0.3, why: 'not 0.30000000000000004' },
    { lines: [[1_000_000, 9999.9999]], lineTotals: [9_999_999_900], total: 9_999_999_900, why: '4 decimals' },
    {
      lines: [
        [1, 0.1],
        [1, 0.2],
      ],
      lineTotals: [0.1, 0.2],
      total: 0.3,
      why: 'sums of decimals',
    },
    { lines: [[1, 1.005]], lineTotals: [1.01], total: 1.01, why: 'half a cent rounds up, as in 1.005' },
    { lines: [[1, 0.0049]], lineTotals: [0], total: 0, why: 'less than half a cent is rounded down' },
    {
      lines: [
        [1, 0.005],
        [1, 0.005],
        [1, 0.005],
      ],
      lineTotals: [0.01, 0.01, 0.01],
      total: 0.03,
      why: 'each line is rounded',
    },
    {
      lines: [
        [1, 0.004],
        [1, 0.004],
        [1, 0.004],
      ],
      lineTotals: [0, 0, 0],
      total: 0,
      why: 'the total is the sum of the rounded lines',
    },
    {
      lines: [[1_000_000_000, 0.0001]],
      lineTotals: [100_000],
      total: 100_000,
      why: 'a large quantity at a low cost',
    },
    {
      lines: [[1, 1_000_000_000]],
      lineTotals: [1_000_000_000],
      total: 1_000_000_000,
      why: 'one unit at a high cost',
    },
    { lines: [[7, 0]], lineTotals: [0], total: 0, why: 'a cost of zero' },
  ]
  for (const { lines, lineTotals, total, why } of cases) {
    const order = await makeOrder(alice, { lineItems: orderOf(...lines) })
    t.equal(order.total, total, why)
    const read = await readOrder(alice, order.id)
    t.match(read, { subtotal: total, tax: 0, total }, why)
    t.strictSame(
      read.lineItems.map(({ lineTotal }) => lineTotal),
      lineTotals,
      why,
    )
    t.strictSame(
      read.lineItems.map(({ quantity, costPrice }) => [quantity, costPrice]),
      lines,
      why,
    )
  }
})

t.test('a thousand units at 0.01 cost 10', async (t) => {
  const { alice } = await startApp(t)
  const { id } = await makeOrder(alice, {
    lineItems: Array.from({ length: 500 }, (_, at) => line(at + 1, { costPrice: 0.01, quantity: 2 })),
  })
  t.match(await readOrder(alice, id), { subtotal: 10, total: 10 })
})

t.test('the tax is 0 unless given, and is added to the total', async (t) => {
  const { alice } = await startApp(t)
  const { id, total } = await makeOrder(alice, { tax: 0.2, lineItems: orderOf([1, 0.1]) })
  t.equal(total, 0.3)
  t.match(await readOrder(alice, id), { subtotal: 0.1, tax: 0.2, total: 0.3 })

  const changed = await alice.put(`/api/purchase-orders/${id}`, { tax: 1_000_000_000 })
  t.match(changed.json().data, { subtotal: 0.1, tax: 1_000_000_000, total: 1_000_000_000.1 })
  t.match((await alice.put(`/api/purchase-orders/${id}`, { tax: 0 })).json().data, { tax: 0, total: 0.1 })
})

t.test('null clears the tax to 0', async (t) => {
  const { alice } = await startApp(t)
  const supplierId = await makeSupplier(alice)
  const lineItems = orderOf([1, 5])
  const answer = await alice.post('/api/purchase-orders', { supplierId, lineItems, tax: null })
  t.equal(answer.statusCode, 201)
  t.match(await readOrder(alice, answer.json().data.id), { tax: 0, total: 5 })

  const { id } = await makeOrder(alice, { supplierId, lineItems, tax: 2 })
  const cleared = await alice.put(`/api/purchase-orders/${id}`, { tax: null })
  t.match(cleared.json().data, { tax: 0, total: 5, version: 2 })
})

t.test('the largest total is still exact, and one cent more is refused', async (t) => {
  const { alice } = await startApp(t)
  const supplierId = await makeSupplier(alice)
  const largest = { supplierId, lineItems: orderOf([9999, 1_000_000_000], [1, 999_999_999.99]) }
  const answer = await alice.post('/api/purchase-orders', largest)
  t.equal(answer.statusCode, 201)
  t.match(answer.body, '"total":9999999999999.99')
  const { id } = answer.json().data

  const more = await alice.post('/api/purchase-orders', { ...largest, tax: 0.01 })
  const { message } = expectFailure(t, more, 422, 'total_too_large')
  t.match(message, /10 000 000 000 000/)

  for (const patch of [{ tax: 0.01 }, { lineItems: orderOf([1_000_000_000, 1_000_000_000]) }]) {
    expectFailure(t, await alice.put(`/api/purchase-orders/${id}`, patch), 422, 'total_too_large')
    t.match(await readOrder(alice, id), { total: 9_999_999_999_999.99, tax: 0, version: 1 })
  }
})

t.test('the maximum applies to the total after the edit, not to intermediate totals', async (t) => {
  const { alice } = await startApp(t)
  const lineItems = orderOf([9999, 1_000_000_000], [1, 999_999_000])
  const { id } = await makeOrder(alice, { lineItems, tax: 999.99 })
  const change = async (patch: object) => (await alice.put(`/api/purchase-orders/${id}`, patch)).json().data
  const largest = { total: 9_999_999_999_999.99 }
  const more = orderOf([9999, 1_000_000_000], [1, 999_999_999.99])
  t.match(await change({ tax: 0, lineItems: more }), { ...largest, tax: 0, version: 2 })
  t.match(await change({ tax: 999.99, lineItems }), { ...largest, tax: 999.99, version: 3 })
})
