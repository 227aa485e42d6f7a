import t from 'tap'
import { readPdf } from '../../shared/pdf/read-pdf.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { line, makeOrder, makeSupplier } from '../../support/make/orders.ts'

const print = (person: Person, id: number) => person.get(`/api/purchase-orders/${id}/pdf`)

t.test('the PDF contains the data for the supplier and no internal notes', async (t) => {
  const { alice } = await startApp(t)
  const supplierId = await makeSupplier(alice, { name: 'Acme & Söhne', notes: 'pays late, do not trust' })
  const order = await makeOrder(alice, {
    supplierId,
    notes: 'our margin is 80 percent',
    supplierNotes: 'Ring the bell twice',
    lineItems: [line(1, { title: 'Blue shirt' }), line(2, { title: '青いマグカップ', quantity: 12 })],
  })
  const answer = await print(alice, order.id)
  t.equal(answer.statusCode, 200)
  t.equal(answer.headers['content-type'], 'application/pdf')
  t.equal(answer.headers['content-disposition'], `inline; filename="${order.poNumber}.pdf"`)

  const { text } = await readPdf(answer.rawPayload)
  for (const expected of [
    order.poNumber,
    'Acme & Söhne',
    'Blue shirt',
    '青いマグカップ',
    'SKU-2',
    'Ring the bell twice',
  ]) {
    t.ok(text.includes(expected), expected)
  }
  t.notMatch(text, /margin|80 percent|do not trust/, 'internal notes are not in the PDF')
})

t.test('a draft without lines has a PDF', async (t) => {
  const { alice } = await startApp(t)
  const { id, poNumber } = await makeOrder(alice, { lineItems: [] })
  const answer = await print(alice, id)
  t.equal(answer.statusCode, 200)
  t.ok((await readPdf(answer.rawPayload)).text.includes(poNumber))
})

t.test('an order with an archived supplier has a PDF', async (t) => {
  const { alice } = await startApp(t)
  const { id, supplierId } = await makeOrder(alice, {
    supplierId: await makeSupplier(alice, { name: 'Old Friend' }),
  })
  await alice.delete(`/api/suppliers/${supplierId}`)
  t.ok((await readPdf((await print(alice, id)).rawPayload)).text.includes('Old Friend'))
})

t.test('another shop cannot read the PDF', async (t) => {
  const { alice, mallory } = await startApp(t)
  const { id } = await makeOrder(alice)
  expectFailure(t, await print(mallory, id), 404, 'not_found')
})
