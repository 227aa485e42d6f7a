import t from 'tap'
import { startApp } from '../../support/core/app.ts'
import { instantIn } from '../../support/core/instants.ts'
import { readPages } from '../../support/core/people.ts'
import { makeOrder, makeOrderIn, makeSentOrder, makeSupplier } from '../../support/make/orders.ts'
import { dayIn, setTimeZone } from '../../support/make/sales.ts'
import { makeStock } from '../../support/make/stock.ts'

t.test('a stage lists orders of several statuses', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice, { variants: 1 })
  const draft = await makeOrder(alice)
  const sent = await makeSentOrder(alice)
  const partial = await makeOrderIn(alice, 'partial')
  await makeOrderIn(alice, 'received')
  await makeOrderIn(alice, 'cancelled')
  await makeSentOrder(mallory)
  const list = (query: string) => readPages(alice, `/api/purchase-orders?${query}`)
  t.strictSame(await list('stage=open'), [[partial.id, sent.id, draft.id]])
  t.strictSame(await list('stage=incoming'), [[partial.id, sent.id]])
  t.strictSame(await list('stage=incoming&limit=1'), [[partial.id], [sent.id]])
  t.strictSame(await list('stage=open&status=draft'), [[draft.id]])
  t.strictSame(await list(`stage=incoming&supplierId=${sent.supplierId}`), [[sent.id]])
  t.strictSame(await list('stage=due'), [[]], 'the orders have no expected date')
})

t.test('an order is due if it is expected by the end of the day in the shop', async (t) => {
  const { db, alice } = await startApp(t)
  // The two zones are 25 hours apart, so their dates always differ.
  for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    await setTimeZone(db, alice, timeZone)
    const offset = timeZone === 'Pacific/Kiritimati' ? '+14:00' : '-11:00'
    const today = dayIn(timeZone, new Date())
    const last = await makeSentOrder(alice, { expectedAt: `${today}T23:59:59${offset}` })
    const tomorrow = new Date(Date.parse(`${today}T00:00:00${offset}`) + 86_400_000).toISOString()
    const later = await makeSentOrder(alice, { expectedAt: tomorrow })
    const draft = await makeOrder(alice, { expectedAt: '2026-01-01T00:00:00Z' })
    const [due = []] = await readPages(alice, '/api/purchase-orders?stage=due')
    t.ok(due.includes(last.id), `${timeZone}: today`)
    t.notOk(due.includes(later.id), `${timeZone}: tomorrow`)
    t.notOk(due.includes(draft.id), `${timeZone}: a draft is not due`)
    for (const { id } of [last, later]) await alice.post(`/api/purchase-orders/${id}/cancel`)
  }
  const supplierId = await makeSupplier(alice, { leadTimeDays: 0 })
  const { id } = await makeSentOrder(alice, { supplierId })
  t.strictSame(
    await readPages(alice, '/api/purchase-orders?stage=due'),
    [[id]],
    'the lead time gives the expected date',
  )
})

t.test('an order is overdue after its expected date', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 1 })
  const past = { expectedAt: '2026-01-01T00:00:00Z' }
  const sent = await makeSentOrder(alice, past)
  const partial = await makeOrderIn(alice, 'partial', past)
  await makeOrder(alice, past)
  await makeOrderIn(alice, 'received', past)
  await makeSentOrder(alice, { expectedAt: instantIn(60_000).toISOString() })
  t.strictSame(await readPages(alice, '/api/purchase-orders?stage=overdue'), [[partial.id, sent.id]])
})
