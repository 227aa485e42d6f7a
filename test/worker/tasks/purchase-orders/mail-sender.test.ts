import t, { type Test } from 'tap'
import { sql } from '../../../../shared/db/db.ts'
import { getOrderDocument } from '../../../../shared/domain/documents/purchase-orders/mail/document.ts'
import { senderOf } from '../../../../shared/mail/sender.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { readPdf } from '../../../shared/pdf/read-pdf.ts'
import { startApp } from '../../../support/core/app.ts'
import { enqueued, startTasks } from '../../../support/core/worker.ts'
import { makeOrder, makeSupplier } from '../../../support/make/orders.ts'
import { makeStock } from '../../../support/make/stock.ts'

async function start(t: Test) {
  const { db, alice, mallory } = await startApp(t)
  const { platform, perform } = await startTasks(t, db)
  const mail = async (id: number, body?: object) => {
    const answer = await alice.post(`/api/purchase-orders/${id}/send`, body)
    if (answer.statusCode !== 200) throw new Error(answer.body)
    const payload = (await enqueued(db, jobs.sendPurchaseOrder, alice.shopId)).at(-1)
    if (!payload) throw new Error('no job was enqueued')
    await perform(jobs.sendPurchaseOrder, payload)
    return (await platform.mails()).at(-1)
  }
  const preview = async (id: number) =>
    (await alice.get(`/api/purchase-orders/${id}/send-preview`)).json().data
  return { db, alice, mallory, mail, preview }
}

t.test('a mail comes in the name of the shop, and replies go to the shop', async (t) => {
  const { alice, mail, preview } = await start(t)
  await alice.put('/api/settings', { companyName: 'Kestrel & Vine Ltd', email: 'buying@kestrel.example.com' })
  const { id } = await makeOrder(alice)
  const { from } = await preview(id)
  const sent = await mail(id)
  t.match(sent, {
    From: { Name: 'Kestrel & Vine Ltd via Quartermaster' },
    ReplyTo: 'buying@kestrel.example.com',
  })
  t.equal(from, `"Kestrel & Vine Ltd via Quartermaster" <${sent?.From.Email}>`, 'the preview says so')
})

t.test('no name of a shop becomes another sender', (t) => {
  const from = 'Quartermaster <orders@quartermaster.example>'
  for (const [name, shown] of [
    ['Kestrel, Vine; & Co.', 'Kestrel, Vine; & Co. via Quartermaster'],
    ['Evil" <spy@evil.example>, "x', 'Evil spy evil.example , x via Quartermaster'],
    ['Evil\r\nBcc: spy@evil.example', 'Evil Bcc: spy evil.example via Quartermaster'],
    ['back\\slash', 'back slash via Quartermaster'],
    ['\u202eevil', 'evil via Quartermaster'],
    ['陶器店 Müller', '陶器店 Müller via Quartermaster'],
    ['', 'Quartermaster'],
  ] as const) {
    t.equal(senderOf(from, name), `"${shown}" <orders@quartermaster.example>`)
  }
  t.equal(senderOf('orders@a.example', 'Shop'), '"Shop via Quartermaster" <orders@a.example>')
  t.equal(senderOf('Acme Apps <a@b.example>', 'Shop'), '"Shop via Acme Apps" <a@b.example>')
  t.ok(senderOf(from, 'x'.repeat(500)).length < 200)
  t.end()
})

t.test('the buyer gets a copy where the settings say so, unless the request names the copies', async (t) => {
  const { alice, mallory, mail, preview } = await start(t)
  await alice.put('/api/settings', { mailCopyTo: 'dana@kestrel.example.com' })
  const first = await makeOrder(alice, { cc: ['a@acme.example.com'] })
  const copies = ['a@acme.example.com', 'dana@kestrel.example.com']
  t.strictSame((await preview(first.id)).cc, copies)
  t.match(
    (await mail(first.id))?.Cc.map(({ Email }) => Email),
    copies,
  )
  const second = await makeOrder(alice)
  t.strictSame((await mail(second.id, { cc: [] }))?.Cc, [], 'the buyer removed it')
  const third = await makeOrder(alice, { cc: ['DANA@kestrel.example.com'] })
  t.equal((await preview(third.id)).cc.length, 1, 'an address is copied once')
  const full = await makeOrder(alice, {
    cc: Array.from({ length: 10 }, (_, at) => `c${at}@acme.example.com`),
  })
  t.equal((await preview(full.id)).cc.length, 10, 'as many as a request may name')

  await alice.put('/api/settings', { mailCopyTo: null })
  t.strictSame((await mail((await makeOrder(alice)).id))?.Cc, [])
  const { id } = await makeOrder(mallory)
  t.strictSame((await mallory.get(`/api/purchase-orders/${id}/send-preview`)).json().data.cc, [])
})

t.test('text, HTML and PDF say where to deliver, and when', async (t) => {
  const { db, alice, mail } = await start(t)
  await makeStock(db, alice, { locations: 1 })
  await db.query(sql.typeAlias('void')`
    update location
    set name = 'Bath market stall', address1 = '2 Green Street', city = 'Bath', zip = 'BA1 2JY', country_code = 'GB'
    where shop_id = ${alice.shopId}
  `)
  await alice.put('/api/settings', { locale: 'en-GB' })
  const supplierId = await makeSupplier(alice, {
    ...{ name: 'Acme', email: 'orders@acme.example.com', leadTimeDays: 10 },
  })
  const given = await makeOrder(alice, { supplierId, expectedAt: '2027-03-05T12:00:00Z' })
  const mails = await mail(given.id)
  for (const text of [mails?.TextBody, mails?.HtmlBody]) {
    t.match(text, 'Expected by: 5 March 2027')
    t.match(text, /Deliver to: Bath market stall, 2 Green Street, .*Bath.*BA1 2JY/)
  }

  const open = await makeOrder(alice, { supplierId })
  const body = (await mail(open.id))?.TextBody ?? ''
  const { expectedAt, orderedAt, isExpectedByLeadTime } = await getOrderDocument(db, alice.shopId, open.id)
  t.equal(isExpectedByLeadTime, true)
  t.equal(
    (Date.parse(expectedAt ?? '') - Date.parse(orderedAt)) / 86_400_000,
    10,
    'ten days after it was sent',
  )
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(expectedAt ?? ''),
  )
  t.match(body, `Expected by: ${day} (by your usual lead time)`)
  const { text } = await readPdf((await alice.get(`/api/purchase-orders/${open.id}/pdf`)).rawPayload)
  t.match(text.replaceAll('\n', ' '), `Expected date ${day} (by your usual lead time)`)

  await db.query(sql.typeAlias('void')`
    update purchase_order set sent_at = sent_at - interval '11 days' where shop_id = ${alice.shopId} and id = ${open.id}
  `)
  t.match(
    await getOrderDocument(db, alice.shopId, open.id),
    { expectedAt: null, isExpectedByLeadTime: false },
    'not on a day that is past',
  )

  const unknown = await makeOrder(alice, { supplierId: await makeSupplier(alice, { name: 'New' }) })
  t.match(await getOrderDocument(db, alice.shopId, unknown.id), {
    ...{ expectedAt: null, isExpectedByLeadTime: false },
  })
})

t.test('the tax rate is shown when it is that of all lines', async (t) => {
  const { db, alice } = await start(t)
  const rateOf = async (rates: readonly number[], fields: object = {}) => {
    const lineItems = rates.map((taxRate, at) => ({
      ...{
        productId: `gid://platform/Product/${at + 1}`,
        variantId: `gid://platform/ProductVariant/${at + 1}`,
      },
      ...{ title: `Thing ${at}`, quantity: 2, costPrice: 5, taxRate },
    }))
    const { id } = await makeOrder(alice, { lineItems, ...fields })
    return (await getOrderDocument(db, alice.shopId, id)).taxRate
  }
  t.equal(await rateOf([20, 20]), 20)
  t.equal(await rateOf([20, 5]), undefined)
  t.equal(await rateOf([20, 0]), undefined)
  t.equal(await rateOf([0]), undefined)
  t.equal(await rateOf([20], { tax: 1.5 }), undefined, 'the tax was typed')
})
