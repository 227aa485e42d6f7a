import t from 'tap'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { makeOrder } from '../../support/make/orders.ts'

const list = async (person: Person) => (await person.get('/api/mail-templates')).json().data
const put = (person: Person, body: object, kind = 'purchase_order') =>
  person.put(`/api/mail-templates/${kind}`, body)
const words = { subject: 'Order {{poNumber}}', body: 'Dear {{contactName}},\n\n{{total}}' }

t.test('a shop starts with the words of the product, in its language', async (t) => {
  const { alice } = await startApp(t)
  const [order, revision] = await list(alice)
  t.match(order, {
    ...{ kind: 'purchase_order', isOwn: false, version: 0, updatedAt: null },
    subject: 'Purchase order {{poNumber}} from {{shopName}}',
    placeholders: ['poNumber', 'orderedAt', 'expectedAt', 'deliverTo', 'contactName'],
  })
  t.match(revision, { kind: 'revision', isOwn: false, body: /{{changes}}/ })
  t.notOk(order.placeholders.includes('changes'))
  t.ok(revision.placeholders.includes('changes'))
  await alice.put('/api/settings', { locale: 'de-DE' })
  t.match((await list(alice))[0].subject, 'Bestellung')
})

t.test('an own template is used, and deleting it restores the words of the product', async (t) => {
  const { alice } = await startApp(t)
  const { id, poNumber } = await makeOrder(alice)
  const preview = async () => (await alice.get(`/api/purchase-orders/${id}/send-preview`)).json().data
  const [unchanged] = await list(alice)
  t.equal((await put(alice, unchanged)).statusCode, 200, 'read-only fields of the list are ignored')
  await alice.delete('/api/mail-templates/purchase_order')
  const saved = await put(alice, words)
  t.match(saved.json().data, { ...words, isOwn: true, version: 1, updatedAt: /Z$/ })
  t.match(await list(alice), [
    { isOwn: true, ...words },
    { kind: 'revision', isOwn: false },
  ])
  t.match(await preview(), { subject: `Order ${poNumber}`, body: 'Dear Acme,\n\n$7.50' })
  t.equal((await alice.delete('/api/mail-templates/purchase_order')).statusCode, 200)
  t.equal((await alice.delete('/api/mail-templates/purchase_order')).statusCode, 200)
  t.match(await preview(), { subject: /^Purchase order/ })
})

t.test('unknown placeholders are refused by name, in storing and in the preview', async (t) => {
  const { alice } = await startApp(t)
  for (const [fields, path, message] of [
    [
      { subject: 'Order {{poNumbr}}' },
      '/subject',
      /^has an unknown placeholder: {{poNumbr}}; known are {{poNumber}}/,
    ],
    [
      { body: '{{changes}} {{__proto__}}' },
      '/body',
      /^has unknown placeholders: {{changes}}, {{__proto__}};/,
    ],
    [{ body: 'Total: {{total' }, '/body', 'has {{ or }} without its counterpart'],
  ] as const) {
    const body = { ...words, ...fields }
    const { details } = expectFailure(t, await put(alice, body), 422, 'unknown_placeholder')
    t.match(details, [{ path, message }])
    const preview = await alice.post('/api/mail-templates/purchase_order/preview', body)
    expectFailure(t, preview, 422, 'unknown_placeholder')
  }
  t.equal((await put(alice, { ...words, body: '{{changes}}' }, 'revision')).statusCode, 200)
  t.match(await list(alice), [{ isOwn: false }, { isOwn: true }])
})

t.test('a template must be filled in, and its kind known', async (t) => {
  const { alice } = await startApp(t)
  for (const fields of [{ subject: ' ' }, { body: '\n' }, { subject: 'a\nb' }, { body: 'x'.repeat(10_001) }])
    expectFailure(t, await put(alice, { ...words, ...fields }), 400, 'invalid_request')
  expectFailure(t, await put(alice, words, 'invoice'), 400, 'invalid_request')
})

t.test('of two editors with the same version, the second gets stale_version', async (t) => {
  const { alice } = await startApp(t)
  t.equal((await put(alice, { ...words, version: 0 })).statusCode, 200)
  expectFailure(t, await put(alice, { ...words, version: 0 }), 409, 'stale_version')
  t.equal((await put(alice, { ...words, version: 1 })).json().data.version, 2)
  expectFailure(t, await put(alice, { ...words, version: 1 }), 409, 'stale_version')
  t.equal((await put(alice, words)).json().data.version, 3)
  await alice.delete('/api/mail-templates/purchase_order')
  expectFailure(t, await put(alice, { ...words, version: 3 }), 409, 'stale_version', 'it was deleted')
})

t.test('the preview of a template shows an example order, and stores nothing', async (t) => {
  const { alice } = await startApp(t)
  await alice.put('/api/settings', { companyName: '{{total}} & Co' })
  const preview = (kind: string, template: object) =>
    alice.post(`/api/mail-templates/${kind}/preview`, template)
  const order = await preview('purchase_order', {
    subject: '{{shopName}}: {{poNumber}}',
    body: '{{expectedAt}}',
  })
  t.strictSame(order.json().data, { subject: '{{total}} & Co: PO-00042', body: 'March 16, 2026' })
  const revision = await preview('revision', { subject: 'Revision {{revision}}', body: '{{changes}}' })
  t.strictSame(revision.json().data, {
    subject: 'Revision 1',
    body: 'Changed: ES-77 / MUG-1 Blue mug. Quantity: 36 → 48',
  })
  t.match(await list(alice), [{ isOwn: false }, { isOwn: false }])
})

t.test('a template of another shop is neither shown, used, changed nor deleted', async (t) => {
  const { alice, mallory } = await startApp(t)
  await put(alice, words)
  t.match(await list(mallory), [{ isOwn: false, version: 0 }, { isOwn: false }])
  const { id } = await makeOrder(mallory)
  t.match((await mallory.get(`/api/purchase-orders/${id}/send-preview`)).json().data, {
    subject: /^Purchase order/,
  })
  await mallory.delete('/api/mail-templates/purchase_order')
  await put(mallory, { ...words, subject: 'Mine' })
  t.match(await list(alice), [{ isOwn: true, version: 1, ...words }, {}])
})
